include(GoogleTest)

# GoogleTest's headers cost a second per test file: compiled once per build.
file(WRITE ${CMAKE_BINARY_DIR}/test_pch.cc "")
add_library(packetmill_test_pch OBJECT ${CMAKE_BINARY_DIR}/test_pch.cc)
target_link_libraries(packetmill_test_pch PRIVATE GTest::gmock)
# Tests are compiled more often than they run: what they test is optimised, they themselves hardly, and under sanitizers,
# whose checks take most of the time to optimise, not at all.
set(PACKETMILL_TEST_OPTIMISATION -O1)
if(PACKETMILL_SANITIZE)
  set(PACKETMILL_TEST_OPTIMISATION -O0)
endif()
target_compile_options(packetmill_test_pch PRIVATE ${PACKETMILL_TEST_OPTIMISATION})
target_precompile_headers(packetmill_test_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h> <string> <vector>)

add_custom_target(packetmill_thread_tests)
add_custom_target(packetmill_fuzzers)

# packetmill_test(NAME SOURCES... [LIBRARIES ...] [LABELS ...]): a GoogleTest program; each of its test cases is a test of
# ctest, found when ctest runs. Tests run in the root of the sources, so that they may name committed files.
# Label `threads` has `make test` run them under ThreadSanitizer too.
function(packetmill_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "" "LIBRARIES;LABELS")
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES} GTest::gmock_main)
  target_compile_options(${name} PRIVATE ${PACKETMILL_TEST_OPTIMISATION})
  target_precompile_headers(${name} REUSE_FROM packetmill_test_pch)
  set(properties TIMEOUT 300)
  if(TEST_LABELS)
    list(APPEND properties LABELS "${TEST_LABELS}")
  endif()
  if("threads" IN_LIST TEST_LABELS)
    add_dependencies(packetmill_thread_tests ${name})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} PROPERTIES ${properties})
endfunction()

# packetmill_fuzz(NAME SOURCES... [LIBRARIES ...]): a libFuzzer program, NAME ending in _fuzz, that `make nightly` runs; built
# with -DPACKETMILL_FUZZ=ON only. Inputs to start from lie in tests/fuzz/NAME/.
function(packetmill_fuzz name)
  if(NOT PACKETMILL_FUZZ)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 FUZZ "" "" "LIBRARIES")
  add_executable(${name} ${FUZZ_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${FUZZ_LIBRARIES})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  add_dependencies(packetmill_fuzzers ${name})
endfunction()
