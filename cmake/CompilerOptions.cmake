set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(PACKETMILL_ARCH x86-64-v3 CACHE STRING "value of -march; the default is what callgrind knows too")
set(PACKETMILL_SANITIZE "" CACHE STRING "sanitizers: address,undefined or thread")
option(PACKETMILL_FUZZ "build the libFuzzer targets and instrument everything for them")

add_compile_options(-march=${PACKETMILL_ARCH} -Wall -Wextra -Wpedantic -Werror)
add_link_options(-fuse-ld=lld-19)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
if(PACKETMILL_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O0")  # optimising what is instrumented takes three times as long as the tests
  add_compile_options(-g1 -fsanitize=${PACKETMILL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PACKETMILL_SANITIZE})
endif()
if(PACKETMILL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# What is linked into a milled program beside the elements: machine code, and bitcode for link=lto (as DPDK is built).
function(packetmill_with_bitcode target)
  if(NOT PACKETMILL_SANITIZE AND NOT PACKETMILL_FUZZ)
    target_compile_options(${target} PRIVATE -flto=full -ffat-lto-objects)
  endif()
endfunction()

# Precompiled headers under ccache: the manual's section "Precompiled headers" asks for these sloppinesses and this option.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
