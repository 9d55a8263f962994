# Flags, libraries and the function that makes a room: one static library per folder of src/.
# ccache: the base dir and the file prefix map make a clean clone elsewhere hit the same entries.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tl-expected REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Boost 1.74 REQUIRED)
pkg_check_modules(LIBNL REQUIRED IMPORTED_TARGET libnl-3.0 libnl-genl-3.0)
pkg_check_modules(IBVERBS REQUIRED IMPORTED_TARGET libibverbs) # headers only: loaded at run time
if(TARGET yaml-cpp::yaml-cpp)
  set(YAML_CPP yaml-cpp::yaml-cpp)
else()
  set(YAML_CPP yaml-cpp)
endif()

add_library(rocert_flags INTERFACE)
target_include_directories(rocert_flags INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(rocert_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Wvla
  -Wno-missing-field-initializers -fno-strict-aliasing -fstack-protector-strong -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
target_compile_definitions(rocert_flags INTERFACE ROCERT_VERSION="${PROJECT_VERSION}")
if(ROCERT_WERROR)
  target_compile_options(rocert_flags INTERFACE -Werror)
endif()
if(ROCERT_SANITIZE)
  target_compile_options(rocert_flags INTERFACE -fsanitize=${ROCERT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(rocert_flags INTERFACE -fsanitize=${ROCERT_SANITIZE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # ccache needs the first to see through precompiled headers. The others misjudge string and variant once GCC 12 optimises
  # them (GCC bugs 105329, 105562, 105651); the sanitizers watch what is really read.
  target_compile_options(rocert_flags INTERFACE -fpch-preprocess -Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds
                                                -Wno-stringop-overflow -Wno-stringop-overread)
endif()
target_link_libraries(rocert_flags INTERFACE tl::expected fmt::fmt)

# rocert_precompiled(TARGET): the standard and third-party headers that nearly every file reads are parsed once. Sources
# include what they use all the same: clang-tidy and headers_alone compile without it.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/precompiled.cc CONTENT "")
add_library(rocert_precompiled OBJECT ${CMAKE_BINARY_DIR}/generated/precompiled.cc)
target_link_libraries(rocert_precompiled PRIVATE rocert_flags)
target_precompile_headers(rocert_precompiled PRIVATE
  <algorithm> <array> <chrono> <compare> <concepts> <cstdint> <functional> <map> <memory> <optional> <set> <span>
  <string> <string_view> <tuple> <type_traits> <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
function(rocert_precompiled target)
  target_precompile_headers(${target} REUSE_FROM rocert_precompiled)
endfunction()

# rocert_room(NAME [UNITS folder] [LINK lib...]): src/NAME/**.cc as static library rocert_NAME, without those of
# src/NAME/UNITS: a registry compiles them.
function(rocert_room name)
  cmake_parse_arguments(ARG "" "UNITS" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  if(ARG_UNITS)
    list(FILTER sources EXCLUDE REGEX "/src/${name}/${ARG_UNITS}/")
  endif()
  if(NOT sources)
    add_library(rocert_${name} INTERFACE)
    target_link_libraries(rocert_${name} INTERFACE rocert_flags ${ARG_LINK})
    return()
  endif()
  add_library(rocert_${name} STATIC ${sources})
  target_link_libraries(rocert_${name} PUBLIC rocert_flags ${ARG_LINK})
  rocert_precompiled(rocert_${name})
endfunction()
