#include "client/cli/safe_output.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <iterator>

#include "client/submit/front_end.h"
#include "common/base/file.h"
#include "common/exchange/archive.h"
#include "common/exchange/gzip.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

class SafeOutputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Put("gemm.c", "int main(void) { return 0; }\n");
    rules_.inputs = {Path("gemm.c"), "", Path("missing.c")};
  }
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  void Put(const std::string& name, const std::string& content) {
    ASSERT_TRUE(WriteFile(Path(name), content).ok());
  }
  std::string Content(const std::string& name) const { return ReadFile(Path(name)).value(); }
  absl::Status Write(const std::string& name, const std::string& text = "new") const {
    return WriteOutputs({{Path(name), text}}, rules_);
  }
  // Neither as it is nor with --force; and nothing is lost.
  void ExpectRefused(const std::string& name) {
    for (const bool force : {false, true}) {
      rules_.force = force;
      const absl::Status status = Write(name);
      EXPECT_TRUE(absl::IsFailedPrecondition(status)) << name << ": " << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr("not with --force either"));
    }
    EXPECT_EQ(Content("gemm.c"), "int main(void) { return 0; }\n");
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  OutputRules rules_;
};

TEST_F(SafeOutputTest, NewFilesAreWritten) {
  EXPECT_TRUE(Write("a.c").ok());
  EXPECT_EQ(Content("a.c"), "new");
  EXPECT_TRUE(absl::IsNotFound(Write("none/a.c")));
}

TEST_F(SafeOutputTest, NothingIsLeftBeside) {
  EXPECT_TRUE(Write("a.c", WithMark("1")).ok());
  EXPECT_TRUE(Write("a.c", WithMark("2")).ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 2);
}

TEST_F(SafeOutputTest, InputsAreNeverOverwritten) {
  fs::create_directory(Path("sub"));
  fs::create_symlink(Path("gemm.c"), Path("link.c"));
  fs::create_symlink("link.c", Path("link of link.c"));
  fs::create_symlink(folder_.path(), Path("folder"));
  fs::create_hard_link(Path("gemm.c"), Path("hard.c"));
  for (const char* name :
       {"gemm.c", "./gemm.c", "sub/../gemm.c", "link.c", "link of link.c", "folder/gemm.c", "hard.c"})
    ExpectRefused(name);
}

TEST_F(SafeOutputTest, InputsThatAreLinksAreNeverOverwritten) {
  fs::create_symlink(Path("gemm.c"), Path("link.c"));
  rules_.inputs = {Path("link.c")};
  ExpectRefused("gemm.c");
  ExpectRefused("link.c");
}

TEST_F(SafeOutputTest, OwnFilesThatAreInputsAreNotOverwritten) {
  Put("own.c", WithMark("int x;"));
  rules_.inputs = {Path("own.c")};
  ExpectRefused("own.c");
}

TEST_F(SafeOutputTest, FilesOfTheProgramAreKnownByTheirContent) {
  v1::Program program;
  program.add_files()->set_content("");
  v1::SourceFile* header = program.add_files();
  header->set_path("kernel.h");
  header->set_content("#define N 10\n");
  rules_.program = &program;
  Put("elsewhere.h", "#define N 10\n");
  ExpectRefused("elsewhere.h");
  EXPECT_EQ(Content("elsewhere.h"), "#define N 10\n");
  EXPECT_THAT(std::string(Write("elsewhere.h").message()), HasSubstr("kernel.h of the original program"));
}

TEST_F(SafeOutputTest, ForeignFilesNeedForce) {
  Put("theirs.c", "int y;\n");
  EXPECT_TRUE(absl::IsAlreadyExists(Write("theirs.c")));
  EXPECT_THAT(std::string(Write("theirs.c").message()), HasSubstr("--force"));
  EXPECT_EQ(Content("theirs.c"), "int y;\n");
  rules_.force = true;
  EXPECT_TRUE(Write("theirs.c").ok());
  EXPECT_EQ(Content("theirs.c"), "new");
}

TEST_F(SafeOutputTest, OneRefusalIsOneOfAll) {
  Put("theirs.cu", "__global__\n");
  EXPECT_FALSE(WriteOutputs({{Path("a.c"), "new"}, {Path("theirs.cu"), "new"}}, rules_).ok());
  EXPECT_FALSE(fs::exists(Path("a.c")));
}

TEST_F(SafeOutputTest, OwnFilesAreReplacedUntilSomebodyChangesThem) {
  const std::string text = WithMark("int x;\n");
  EXPECT_TRUE(WrittenByTunectl(text));
  EXPECT_EQ(text.substr(0, 10), "int x;\n/* ");
  EXPECT_EQ(WithMark("int x;"), text);
  Put("a.c", text);
  EXPECT_TRUE(Write("a.c", text).ok());
  for (const std::string& changed :
       {"\n" + text, text + "\n", text + text, text.substr(0, text.size() - 1)}) {
    Put("a.c", changed);
    EXPECT_TRUE(absl::IsAlreadyExists(Write("a.c"))) << changed;
  }
}

TEST_F(SafeOutputTest, OtherFormatsAreKnownAgain) {
  EXPECT_TRUE(WrittenByTunectl(PrintArchive(v1::Archive()).value()));
  EXPECT_TRUE(WrittenByTunectl(PrintExtraction(v1::Extraction())));
  EXPECT_TRUE(WrittenByTunectl(
      "{\n  \"metadata\": {\"autotuner\": \"tuned\", \"tuned\": {}},\n  \"results\": []\n}\n"));
  EXPECT_TRUE(WrittenByTunectl("{\"version\":\"1.0\"}\n{\"environment\":{\"tuned\":{\"study\":\"s1\"}}}\n"));
  EXPECT_TRUE(WrittenByTunectl(Gzip("{\"tuned\": {\"study\": \"s1\"}}")));
  EXPECT_FALSE(WrittenByTunectl(Gzip("{\"cache\": {}}")));
  EXPECT_FALSE(WrittenByTunectl(Gzip("{\"tuned\": {\"study\": \"s1\"}}").substr(0, 20)));
  EXPECT_FALSE(WrittenByTunectl("{\"metadata\": {\"autotuner\": \"KTT\"}}"));
  EXPECT_FALSE(WrittenByTunectl("{"));
  EXPECT_FALSE(WrittenByTunectl("/* Written by tunectl; checksum of the lines above: 0 */\n"));
  EXPECT_FALSE(WrittenByTunectl(""));
}

TEST_F(SafeOutputTest, EmptyFilesAreFilled) {
  Put("a.c", "");
  EXPECT_TRUE(Write("a.c").ok());
  EXPECT_EQ(Content("a.c"), "new");
}

TEST_F(SafeOutputTest, LinksStayLinks) {
  Put("target.c", WithMark("old"));
  fs::create_symlink("target.c", Path("link.c"));
  fs::create_symlink("later.c", Path("dangling.c"));
  EXPECT_TRUE(Write("link.c").ok());
  EXPECT_TRUE(Write("dangling.c").ok());
  EXPECT_TRUE(fs::is_symlink(Path("link.c")));
  EXPECT_EQ(Content("target.c"), "new");
  EXPECT_EQ(Content("later.c"), "new");
}

TEST_F(SafeOutputTest, WhatIsNoFileStaysWhatItIs) {
  fs::create_symlink("/dev/null", Path("null"));
  EXPECT_TRUE(Write("null").ok());
  EXPECT_TRUE(fs::is_character_file(Path("null")));
  fs::create_directory(Path("sub"));
  EXPECT_FALSE(Write("sub").ok());
  EXPECT_TRUE(fs::is_directory(Path("sub")));
}

}  // namespace
}  // namespace tune
