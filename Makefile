# Every target does its own set-up (scripts/setup.sh); CMake and Ninja do the rest.
#
#   make           build/packetmill                 make demo      a router over a packet trace, with its numbers
#   make test      every test, sanitizers, style    make nightly   the long ones: fuzzing, more properties
#   make bench     the benchmarks                   make format    clang-format on every file of ours
#   make docs      docs/elements.md, from the elements' headers
#   make clean     removes the builds (what set-up keeps in the cache stays)

.PHONY: all demo test nightly bench docs format clean

all:
	@STEPS=4 scripts/setup.sh build
	@STEPS=4 scripts/build.sh packetmill

demo:
	@STEPS=5 scripts/setup.sh build
	@STEPS=5 scripts/build.sh packetmill
	@STEPS=5 scripts/demo.sh

test:
	@scripts/setup.sh test
	@scripts/test.sh

nightly: test
	@scripts/setup.sh nightly
	@scripts/nightly.sh

bench:
	@STEPS=4 scripts/setup.sh bench
	@STEPS=4 scripts/build.sh
	@bench/run.sh

docs:
	@scripts/setup.sh build
	@scripts/build.sh docs

format:
	@scripts/setup.sh test
	@scripts/style.sh --fix

clean:
	rm -rf build build-*
