#include "client/project/compilation_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CompilationDatabaseTest : public ::testing::Test {
 protected:
  absl::StatusOr<CompilationDatabase> Read(const std::string& text) {
    EXPECT_TRUE(WriteFile(Path("compile_commands.json"), text).ok());
    return CompilationDatabase::Read(folder_.path());
  }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  // What is wrong with it.
  std::string Fault(const std::string& text) {
    const absl::Status status = Read(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

TEST_F(CompilationDatabaseTest, CommandsAndArguments) {
  const CompilationDatabase database = Read(R"([
        {"directory": "/b", "file": "/p/a.c", "command": "cc -DTEXT=\"\\\"two words\\\"\" -I../p -c /p/a.c"},
        {"directory": "/b", "file": "../p/b.c", "arguments": ["cc", "-DTEXT=\"two words\"", "-c", "b.c"],
         "output": "b.o"}])")
                                           .value();
  ASSERT_EQ(database.files().size(), 2u);
  EXPECT_EQ(database.files()[0].file, "/p/a.c");
  EXPECT_EQ(database.files()[1].file, "/p/b.c");
  for (const char* file : {"/p/a.c", "/p/b.c"})
    EXPECT_THAT(database.FlagsOf(file).value().defines, ElementsAre("TEXT=\"two words\"")) << file;
  EXPECT_THAT(database.FlagsOf("/p/x/../a.c").value().include_directories, ElementsAre("/p"));
}

TEST_F(CompilationDatabaseTest, RelativeFolders) {
  const CompilationDatabase database =
      Read(
          R"([{"directory": "sub", "file": "a.c", "command": "cc -Ii a.c"}, {"file": "b.c", "command": "cc"}])")
          .value();
  EXPECT_EQ(database.files()[0].file, Path("sub/a.c"));
  EXPECT_THAT(database.FlagsOf(Path("sub/a.c")).value().include_directories, ElementsAre(Path("sub/i")));
  EXPECT_EQ(database.files()[1].file, Path("b.c"));
}

TEST_F(CompilationDatabaseTest, OfSeveralEntriesOfAFileTheFirstHolds) {
  const CompilationDatabase database = Read(R"([{"directory": "/p", "file": "a.c", "command": "cc -DX=1 a.c"},
    {"directory": "/", "file": "p/a.c", "command": "cc -DX=2 a.c"}])")
                                           .value();
  ASSERT_EQ(database.files().size(), 1u);
  EXPECT_THAT(database.FlagsOf("/p/a.c").value().defines, ElementsAre("X=1"));
}

TEST_F(CompilationDatabaseTest, FilesAreFoundThroughLinks) {
  ASSERT_TRUE(WriteFile(Path("a.c"), "").ok());
  std::filesystem::create_symlink(Path("a.c"), Path("link.c"));
  const CompilationDatabase database = Read(R"([{"directory": "/", "file": "/none.c", "command": "cc"},
               {"directory": ".", "file": "a.c", "command": "cc -DX"}])")
                                           .value();
  EXPECT_THAT(database.FlagsOf(Path("link.c")).value().defines, ElementsAre("X"));
  const absl::Status missing = database.FlagsOf(Path("b.c")).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(missing.message(), AllOf(HasSubstr("has no entry of"), HasSubstr("leave -p out")));
}

TEST_F(CompilationDatabaseTest, AnEntryThatIsWrongLeavesTheOthers) {
  const CompilationDatabase database =
      Read(R"([{"directory": "/p", "file": "a.c"}, {"directory": "/p", "file": "b.c", "command": "cc 'b.c"},
               {"directory": "/p", "file": "c.c", "arguments": "cc"},
               {"directory": "/p", "file": "d.c", "arguments": ["cc", 1]},
               {"directory": "/p", "file": "e.c", "command": "cc @none.rsp"},
               {"directory": "/p", "file": "f.c", "command": "cc"}])")
          .value();
  const auto fault = [&](const char* file) { return std::string(database.FlagsOf(file).status().message()); };
  EXPECT_THAT(fault("/p/a.c"), HasSubstr("compile_commands.json: /p/a.c: neither `arguments` nor `command`"));
  EXPECT_THAT(fault("/p/b.c"), HasSubstr("the quote ' does not end"));
  EXPECT_THAT(fault("/p/c.c"), HasSubstr("`arguments` is no list"));
  EXPECT_THAT(fault("/p/d.c"), HasSubstr("something else than text"));
  EXPECT_THAT(fault("/p/e.c"), HasSubstr("/p/none.rsp"));
  EXPECT_TRUE(database.FlagsOf("/p/f.c").ok());
}

TEST_F(CompilationDatabaseTest, WhatIsNone) {
  EXPECT_THAT(Fault(""), HasSubstr("no JSON"));
  EXPECT_THAT(Fault("[{]"), HasSubstr("no JSON"));
  EXPECT_THAT(Fault("{}"), HasSubstr("not a list"));
  EXPECT_THAT(Fault("[]"), HasSubstr("holds no file"));
  EXPECT_THAT(Fault("[{\"directory\": \"/p\"}]"), HasSubstr("an entry does not say its `file`"));
  EXPECT_THAT(Fault("[1]"), HasSubstr("an entry does not say its `file`"));
  EXPECT_THAT(Fault(std::string(1000, '[')), HasSubstr("levels"));
  const absl::Status missing = CompilationDatabase::Read(Path("nowhere")).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(missing.message(), HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
}

TEST_F(CompilationDatabaseTest, ByItsOwnName) {
  ASSERT_TRUE(WriteFile(Path("other.json"), R"([{"directory": "/", "file": "a.c", "command": "cc"}])").ok());
  EXPECT_TRUE(CompilationDatabase::Read(Path("other.json")).ok());
}

TEST_F(CompilationDatabaseTest, ManyFiles) {
  std::string text = "[";
  for (int i = 0; i < 20'000; ++i)
    absl::StrAppend(
        &text, i > 0 ? ",\n" : "", R"({"directory": "/build/of/some/project", "command": )",
        R"("/usr/bin/cc -DNDEBUG -I/some/include -I/other/include -O2 -std=gnu11 -o x.o -c x.c", )",
        R"("file": "/sources/of/some/project/file)", i, ".c\"}");
  const CompilationDatabase database = Read(text + "]").value();
  EXPECT_GT(text.size(), 3u << 20);
  EXPECT_EQ(database.files().size(), 20'000u);
  EXPECT_THAT(database.FlagsOf("/sources/of/some/project/file19999.c").value().defines,
              ElementsAre("NDEBUG"));
}

}  // namespace
}  // namespace tune
