#include "client/project/compile_flags_of_entry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Of a command in /b, words separated by blanks.
EntryFlags Flags(absl::string_view command) {
  const std::vector<std::string> words = absl::StrSplit(command, ' ');
  return FlagsOfCommand(words, "/b").value();
}

// Flags behind -O3, which the command has, too.
std::string Kept(absl::string_view options) {
  const EntryFlags found = Flags(absl::StrCat("cc -O3 ", options, " -c a.c"));
  return absl::StrJoin(found.flags.begin() + 1, found.flags.end(), " ");
}

TEST(FlagsOfCommand, AsCMakeWritesIt) {
  const EntryFlags found = Flags(
      "/usr/bin/ccache /usr/bin/cc -DNDEBUG -DN=10 -I/p/include -isystem /opt/x/include -O2 -g -std=gnu11 "
      "-Wall -Wextra -Werror -MD -MT a.o -MF a.o.d -o a.o -c /p/a.c");
  EXPECT_THAT(found.include_directories, ElementsAre("/p/include", "/opt/x/include"));
  EXPECT_THAT(found.defines, ElementsAre("NDEBUG", "N=10"));
  EXPECT_THAT(found.flags, ElementsAre("-O2", "-std=gnu11"));
}

TEST(FlagsOfCommand, FoldersAreSearchedInTheCompilersOrder) {
  EXPECT_THAT(Flags("cc -idirafter d -isystems -I ../i -iquote q -I/j -I- -I.").include_directories,
              ElementsAre("/b/q", "/i", "/j", "/b/", "/b/s", "/b/d"));
}

TEST(FlagsOfCommand, TheLastWordOnAMacroHolds) {
  const EntryFlags found = Flags("cc -DX -DY=1 -UX -D Z -UY -DY=2 -U V");
  EXPECT_THAT(found.defines, ElementsAre("Z", "Y=2"));
  EXPECT_EQ(absl::StrJoin(found.flags, " "), "-O3 -march=native -UX -UV");
}

// What a debug build takes says nothing of what is worth tuning.
TEST(FlagsOfCommand, WithoutOptimisationTheDefaultIsTaken) {
  for (const char* options : {"cc a.c", "cc -O0 a.c", "cc -Og a.c", "cc -O2 -O0 a.c"})
    EXPECT_THAT(Flags(options).flags, ElementsAre("-O3", "-march=native")) << options;
  for (const char* level : {"-O", "-O1", "-O2", "-Os", "-Ofast"})
    EXPECT_THAT(Flags(absl::StrCat("cc -fno-math-errno ", level)).flags,
                ElementsAre("-fno-math-errno", level));
}

TEST(FlagsOfCommand, WhatSaysWhatTheProgramMeansIsKept) {
  EXPECT_EQ(Kept("-fno-strict-aliasing -mavx2 -m32 -pthread -fopenmp --param max-unroll-times=4"),
            "-fno-strict-aliasing -mavx2 -m32 -pthread -fopenmp --param max-unroll-times=4");
  EXPECT_EQ(Kept("-ansi"), "-std=c90");
  // Of a file that is not there the front end says so.
  EXPECT_EQ(Kept("-include config.h"), "-include config.h");
}

TEST(FlagsOfCommand, FilesBeforeTheFirstLineAreFoundInTheirFolders) {
  const TemporaryFolder folder = *TemporaryFolder::Make();
  const std::string a = folder.path() + "/a", b = folder.path() + "/b";
  for (const std::string& each : {a, b}) std::filesystem::create_directories(each);
  ASSERT_TRUE(WriteFile(a + "/tune_config.h", "").ok());
  EntryFlags found = Flags("cc -O3 -I/i -include " + a + "/tune_config.h -c x.c");
  EXPECT_THAT(found.flags, ElementsAre("-O3", "-include", "tune_config.h"));
  EXPECT_THAT(found.include_directories, ElementsAre("/i", a));
  found = Flags("cc -O3 -I" + a + " -include " + a + "/tune_config.h -c x.c");
  EXPECT_THAT(found.include_directories, ElementsAre(a));
  // Another one would be found first.
  ASSERT_TRUE(WriteFile(b + "/tune_config.h", "").ok());
  found = Flags("cc -O3 -I" + b + " -include " + a + "/tune_config.h -c x.c");
  EXPECT_THAT(found.flags, ElementsAre("-O3", "-include", a + "/tune_config.h"));
  EXPECT_THAT(found.include_directories, ElementsAre(b));
  EXPECT_EQ(Kept("-Winvalid-pch -include /b/CMakeFiles/x.dir/cmake_pch.hxx"), "");
}

TEST(FlagsOfCommand, WhatDoesNotIsLeftOut) {
  EXPECT_EQ(Kept("-ggdb3 -w -pedantic -pipe -fsanitize=address -fdiagnostics-color=always --coverage"), "");
  EXPECT_EQ(Kept("-Xclang -fno-pch -MMD -MP -MJ x.json -ffile-prefix-map=/a=b -x c -lm -L/opt -Wl,-O1"), "");
  EXPECT_EQ(Kept("-o"), "");  // without its value
}

TEST(FlagsOfCommand, FilesOfOptions) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ASSERT_TRUE(WriteFile(folder.path() + "/more.rsp", "-DX -I'with blank'\n@deep.rsp\n").ok());
  ASSERT_TRUE(WriteFile(folder.path() + "/deep.rsp", "-DY=\\\"text\\\"").ok());
  ASSERT_TRUE(WriteFile(folder.path() + "/endless.rsp", "-DX @endless.rsp").ok());
  const auto read = [&](const char* file) { return FlagsOfCommand({"cc", file, "-c"}, folder.path()); };
  const EntryFlags found = read("@more.rsp").value();
  EXPECT_THAT(found.defines, ElementsAre("X", "Y=\"text\""));
  EXPECT_THAT(found.include_directories, ElementsAre(folder.path() + "/with blank"));
  EXPECT_THAT(read("@endless.rsp").status().message(), HasSubstr("name each other"));
  EXPECT_EQ(read("@missing.rsp").status().code(), absl::StatusCode::kNotFound);
}

TEST(FlagsOfCommand, NoWords) {
  const EntryFlags found = FlagsOfCommand({}, "/b").value();
  EXPECT_THAT(found.defines, IsEmpty());
  EXPECT_THAT(found.flags, ElementsAre("-O3", "-march=native"));
}

}  // namespace
}  // namespace tune
