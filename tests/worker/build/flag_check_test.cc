#include "worker/build/flag_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tune {
namespace {

using ::testing::HasSubstr;

absl::Status CheckWords(const std::vector<std::string>& words) {
  v1::Program program;
  program.mutable_compile_flags()->Assign(words.begin(), words.end());
  const absl::Status of_compiler = CheckFlags(program);
  program.clear_compile_flags();
  program.mutable_link_flags()->Assign(words.begin(), words.end());
  EXPECT_EQ(of_compiler.code(), CheckFlags(program).code());
  return of_compiler;
}

TEST(FlagCheckTest, WhatChangesTheProgramIsTaken) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"-O3", "-march=native"},
           {"-O"},
           {"-Ofast", "-g", "-g3", "-ggdb"},
           {"-std=c99", "-ansi", "-pedantic"},
           {"-fopenmp", "-ffast-math", "-fvect-cost-model=unlimited"},
           {"-mcmodel=medium", "-mavx512f"},
           {"-Wall", "-Wno-unused", "-Werror=format", "-w"},
           {"-DN=5", "-D", "M=\"a b\"", "-UN", "-U", "M"},
           {"-Iinclude", "-I", "../include", "-isystem", "x", "-include", "config.h"},
           {"-lm", "-l", "m", "-Llib"},
           {"--param", "max-unroll-times=4"},
           {"--param=max-unroll-times=4"},
           {"-pthread", "-static", "-no-pie"},
           {"-Wl,--gc-sections", "-Wl,-z,stack-size=1048576", "-Wl,--as-needed"},
           {"helper.o", "lib/libx.a"}}) {
    const absl::Status status = CheckWords(words);
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST(FlagCheckTest, WhatRunsCommandsOrChoosesFilesIsRefused) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"-wrapper", "sh,-c,id"},
                                             {"-B."},
                                             {"-B", "/tmp"},
                                             {"-fplugin=./x.so"},
                                             {"-fplugin-arg-x-y=z"},
                                             {"-fplugin=x"},
                                             {"-fpass-plugin=x"},
                                             {"-fmodule-mapper=|sh"},
                                             {"-fmodule-mapper=x"},
                                             {"@file"},
                                             {"-I", "@file"},
                                             {"-specs=x"},
                                             {"--specs=x"},
                                             {"-Wp,-MD,/tmp/x"},
                                             {"-Wa,-a=/tmp/x"},
                                             {"-Wl,-Map=x"},
                                             {"-Wl,-plugin,x"},
                                             {"-Wl,-z,x,-plugin,y", "-Wl,--version-script=/etc/passwd"},
                                             {"-MD"},
                                             {"-MF", "x"},
                                             {"-o", "/tmp/x"},
                                             {"-save-temps"},
                                             {"-Xlinker", "-plugin"},
                                             {"-Xassembler", "x"},
                                             {"-Xclang", "-load"},
                                             {"-mllvm", "-load=x"},
                                             {"-T", "script"},
                                             {"-x", "c"},
                                             {"-E"},
                                             {"-fdiagnostics-file=/etc/x"},
                                             {"-fprofile-use=/etc/x"},
                                             {"-fuse-ld=/tmp/ld"},
                                             {"-imacros", "x"},
                                             {"-idirafter"},
                                             {"-D"},
                                             {""}}) {
    const absl::Status status = CheckWords(words);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << words[0];
  }
  EXPECT_THAT(std::string(CheckWords({"-O2", "-wrapper", "sh"}).message()),
              HasSubstr("the flag `-wrapper` is refused"));
}

}  // namespace
}  // namespace tune
