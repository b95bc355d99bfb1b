# Everything that is not ours, as imported targets: fmt::fmt, CLI11::CLI11, nlohmann_json::nlohmann_json, GTest::*,
# benchmark::benchmark, rapidcheck, OpenSSL::Crypto, packetmill::pcap, packetmill::dpdk.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
pkg_check_modules(PCAP REQUIRED IMPORTED_TARGET libpcap)
add_library(packetmill::pcap ALIAS PkgConfig::PCAP)

# DPDK lies in the cache that scripts/setup.sh keeps; the script alone knows where.
execute_process(COMMAND ${CMAKE_COMMAND} -E env PACKETMILL_ARCH=${PACKETMILL_ARCH} ${CMAKE_SOURCE_DIR}/scripts/setup.sh --where
                OUTPUT_VARIABLE DPDK_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS ${DPDK_PREFIX})
  message(FATAL_ERROR "DPDK is not built in ${DPDK_PREFIX}: run 'make', or scripts/setup.sh")
endif()
set(ENV{PKG_CONFIG_PATH} ${DPDK_PREFIX}/lib/pkgconfig)
unset(DPDK_FOUND CACHE)  # pkg_check_modules would keep the answer for another prefix
pkg_check_modules(DPDK REQUIRED libdpdk)

# Drivers, buses and mempool operations register themselves in constructors that nothing refers to, so all of every
# archive is linked; pkg-config's own flags would lose the brackets of --whole-archive to CMake's deduplication.
file(GLOB DPDK_ARCHIVES ${DPDK_PREFIX}/lib/librte_*.a)
list(JOIN DPDK_ARCHIVES "," DPDK_ARCHIVES)
set(DPDK_SYSTEM_LIBRARIES ${DPDK_STATIC_LIBRARIES})
# D-Bus and systemd come with the shared libpcap, other NICs' libraries with the shared libibverbs.
list(FILTER DPDK_SYSTEM_LIBRARIES EXCLUDE REGEX "rte_|dbus|systemd|-rdmav|^(efa|mana|mlx4|nl-3|nl-route-3)$")
list(REMOVE_DUPLICATES DPDK_SYSTEM_LIBRARIES)
add_library(packetmill::dpdk INTERFACE IMPORTED)
target_include_directories(packetmill::dpdk SYSTEM INTERFACE ${DPDK_PREFIX}/include)
target_compile_options(packetmill::dpdk INTERFACE "SHELL:-include rte_config.h" -DALLOW_EXPERIMENTAL_API)
target_link_libraries(packetmill::dpdk INTERFACE "-Wl,--whole-archive,${DPDK_ARCHIVES},--no-whole-archive"
                                                 ${DPDK_SYSTEM_LIBRARIES} Threads::Threads)
