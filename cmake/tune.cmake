# Functions shared by the folders' CMakeLists.txt.

# ccache caches compilations with precompiled headers only when it is told to be lax about them. It takes the files that
# a compilation read from what the compiler lists: preprocessing each file first, to find them, is a seventh of a build.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_DEPEND=1 ${CCACHE})
endif()

add_library(tune_flags INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(tune_flags INTERFACE -pthread -Wall -Wextra -Werror -Wno-unused-parameter -fno-omit-frame-pointer
                                            -fpch-preprocess -Winvalid-pch -Wno-stringop-overread)
else()
  target_compile_options(tune_flags INTERFACE -pthread -fno-omit-frame-pointer)  # clang, for libFuzzer alone
endif()
target_include_directories(tune_flags INTERFACE ${CMAKE_SOURCE_DIR})
# GNU ld takes a second for each of the test binaries.
find_program(MOLD mold)
if(MOLD)
  target_link_options(tune_flags INTERFACE -fuse-ld=mold)
endif()
target_include_directories(tune_flags SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/proto)
if(TUNE_SANITIZE)
  target_compile_options(tune_flags INTERFACE -fsanitize=${TUNE_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(tune_flags INTERFACE -fsanitize=${TUNE_SANITIZE})
endif()
if(TUNE_SANITIZE STREQUAL "thread")
  add_library(tune_tsan_abseil STATIC ${CMAKE_SOURCE_DIR}/tests/tsan_abseil.cc)
  target_link_options(tune_flags INTERFACE -Wl,--undefined=tune_tsan_abseil)
  target_link_libraries(tune_flags INTERFACE tune_tsan_abseil ${CMAKE_DL_LIBS})
endif()

# Headers that most files parse, and that change rarely: parsing them is most of the time of a build.
set(TUNE_COMMON_HEADERS
  <absl/status/statusor.h> <absl/strings/str_cat.h> <absl/synchronization/mutex.h> <absl/time/time.h>
  <functional> <map> <memory> <string> <vector>
  <isl/cpp.h> <tune/v1/study.pb.h>)

# One precompiled header for the libraries, one with what command lines need for the programs, one with
# GoogleTest for the tests: call after proto and common.
function(tune_precompile_headers)
  file(WRITE ${CMAKE_BINARY_DIR}/empty.cc.new "")
  file(COPY_FILE ${CMAKE_BINARY_DIR}/empty.cc.new ${CMAKE_BINARY_DIR}/empty.cc ONLY_IF_DIFFERENT)
  add_library(tune_library_headers OBJECT ${CMAKE_BINARY_DIR}/empty.cc)
  target_link_libraries(tune_library_headers PRIVATE tune_flags ${TUNE_HEADER_TARGETS})
  target_precompile_headers(tune_library_headers PRIVATE ${TUNE_COMMON_HEADERS})
  add_library(tune_program_headers OBJECT ${CMAKE_BINARY_DIR}/empty.cc)
  target_link_libraries(tune_program_headers PRIVATE tune_program_flags ${TUNE_HEADER_TARGETS} CLI11::CLI11
                                                     nlohmann_json::nlohmann_json)
  target_precompile_headers(tune_program_headers PRIVATE ${TUNE_COMMON_HEADERS} <CLI/CLI.hpp> <nlohmann/json.hpp>)
  if(TUNE_TESTS)
    find_package(GTest CONFIG REQUIRED)
    add_library(tune_test_headers OBJECT ${CMAKE_BINARY_DIR}/empty.cc)
    target_link_libraries(tune_test_headers PRIVATE tune_flags ${TUNE_HEADER_TARGETS} GTest::gmock)
    target_compile_options(tune_test_headers PRIVATE ${TUNE_TEST_OPTIONS})
    target_precompile_headers(tune_test_headers PRIVATE ${TUNE_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endfunction()
set(TUNE_HEADER_TARGETS tune_proto PkgConfig::ISL spdlog::spdlog absl::status absl::statusor absl::strings absl::time
                        absl::synchronization)
# gcc 12 forgets that a precompiled header's templates are the system's, and warns of std::string wrongly:
# given as OPTIONS to the libraries where it does.
set(TUNE_FALSE_WARNINGS -Wno-array-bounds)
# Tests are compiled more often than they run.
set(TUNE_TEST_OPTIONS -O0)
# What reads command lines and prints results has nothing to compute, and optimising the templates of CLI11 and of the
# JSON library takes most of its compilation. Not -O0: of a template that is in a program's main file and in libraries
# the linker takes the main file's, for the whole program. For targets with the programs' precompiled header.
add_library(tune_program_flags INTERFACE)
target_link_libraries(tune_program_flags INTERFACE tune_flags)
target_compile_options(tune_program_flags INTERFACE -O1)

# tune_program(TARGET): compiled as what reads command lines is.
function(tune_program target)
  target_link_libraries(${target} PRIVATE tune_program_flags)
  target_precompile_headers(${target} REUSE_FROM tune_program_headers)
endfunction()

# All that `cmake --install` wants, and no tests.
add_custom_target(installable)

# tune_install(TARGET...): programs, which find each other in one folder (FindSiblingProgram). They hold all that they
# need, the page's files too, but for libraries of the system.
function(tune_install)
  add_dependencies(installable ${ARGN})
  # Clang's libraries may lie in a folder of their own.
  set_target_properties(${ARGN} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${ARGN} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
endfunction()

# tune_together(TARGET [MOST]): files of it, at most MOST, are compiled as one, because each would instantiate the same
# templates again (two thirds of the time of a build); internal names of a folder's files must differ.
set(TUNE_TOGETHER 24 CACHE STRING "Files of a folder that are compiled as one; 1: each alone, for work on a few files and \
for tools that read compile_commands.json; 0: all of a folder")
function(tune_together target)
  set(count ${TUNE_TOGETHER})
  if(ARGC GREATER 1 AND (count EQUAL 0 OR count GREATER ARGV1))
    set(count ${ARGV1})
  endif()
  if(NOT count EQUAL 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  endif()
endfunction()

# tune_library(NAME FOLDER [DEEP] DEPS target... [OPTIONS flag...] [HEADERS header...] [PROGRAM]): a static library of
# every .cc in FOLDER (DEEP: and in its folders). Usage requirements are public: who links it sees what it links. HEADERS
# are precompiled with the common ones for it alone; PROGRAM: it takes the programs' precompiled header.
function(tune_library name folder)
  cmake_parse_arguments(ARG "PROGRAM;DEEP" "" "DEPS;OPTIONS;HEADERS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cc)
  if(ARG_DEEP)
    file(GLOB deeper CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*/*.cc)
    list(APPEND sources ${deeper})
  endif()
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE tune_flags ${ARG_DEPS})
    return()
  endif()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC tune_flags ${ARG_DEPS})
  if(ARG_HEADERS)
    target_precompile_headers(${name} PRIVATE ${TUNE_COMMON_HEADERS} ${ARG_HEADERS})
  elseif(ARG_PROGRAM)
    tune_program(${name})
  else()
    target_precompile_headers(${name} REUSE_FROM tune_library_headers)
  endif()
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  tune_together(${name})
endfunction()

# tune_test(FOLDER DEPS target... [EXCLUDE file...] [LABELS label...] [SHARDS count]): one test binary of every
# *_test.cc in tests/FOLDER, named after the folder: common/dependence -> common_dependence_test. SHARDS: ctest runs it in
# so many parts, which can run at the same time, before tests that take less time. DEEP: of its folders too.
function(tune_test folder)
  cmake_parse_arguments(ARG "DEEP" "SHARDS" "DEPS;LABELS;EXCLUDE" ${ARGN})
  string(REPLACE "/" "_" name ${folder})
  set(name ${name}_test)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*.cc)
  if(ARG_DEEP)
    file(GLOB deeper CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*/*.cc)
    list(APPEND sources ${deeper})
  endif()
  foreach(excluded ${ARG_EXCLUDE})
    list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/tests/${folder}/${excluded})
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  if(ARG_DEEP)
    tune_together(${name} 6)  # names of several folders may meet
  else()
    tune_together(${name})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE tune_flags ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${TUNE_TEST_OPTIONS})
  target_precompile_headers(${name} REUSE_FROM tune_test_headers)
  target_compile_definitions(${name} PRIVATE
    TUNE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" TUNE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(NOT ARG_SHARDS)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 600)
    return()
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${name}_${shard} COMMAND ${name})
    set_tests_properties(${name}_${shard} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT 1200 COST 100
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()
