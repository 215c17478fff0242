// Projects: tunectl regions -p, and -p of verbs that read one file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "absl/strings/str_replace.h"
#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kScaledInProject[] = R"(#include "config.h"
#ifdef SCALE
void scale(TYPE *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] *= SCALE;
}
#endif
)";

constexpr char kSumsInProject[] = R"(double sums(int n, double a[n][n]) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s += a[i][j];
  return s;
}
int find(int n, const int *a) {
  for (int i = 0; i < n; i++)
    if (a[i] == 3) return i;
  return -1;
}
)";

// Folders src, include and build of a project in which one file is broken, one has no loops, one is missing,
// and one is no C.
constexpr char kDatabase[] = R"([
  {"directory": "ROOT/build", "file": "../src/scale.c",
   "command": "cc -I../include -DSCALE=3 -std=gnu99 -O2 -Wall -o scale.o -c ../src/scale.c"},
  {"directory": "ROOT/build", "file": "ROOT/src/sums.c", "arguments": ["cc", "@words", "-c", "ROOT/src/sums.c"]},
  {"directory": "ROOT/build", "file": "ROOT/src/scale.c", "command": "cc -c ROOT/src/scale.c"},
  {"directory": "ROOT/src", "file": "broken.c", "command": "cc -c broken.c"},
  {"directory": "ROOT/src", "file": "none.c", "command": "cc -c none.c"},
  {"directory": "ROOT/src", "file": "missing.c", "command": "cc -c missing.c"},
  {"directory": "ROOT/src", "file": "start.S", "command": "cc -c start.S"}
])";

class ProjectTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    for (const char* folder : {"src", "include", "build"}) std::filesystem::create_directory(Path(folder));
    Put("include/config.h", "#define TYPE float\n");
    Put("src/scale.c", kScaledInProject);
    Put("src/sums.c", kSumsInProject);
    Put("src/broken.c", "int main(void) { return }\n");
    Put("src/none.c", "int main(void) { return 0; }\n");
    Put("build/words", "-O3 -DNDEBUG");
    Put("build/compile_commands.json", absl::StrReplaceAll(kDatabase, {{"ROOT", folder_.path()}}));
  }
  void TearDown() override { unsetenv("TUNE_LIBEXEC"); }

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  void Put(const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFile(Path(name), text).ok());
  }
  int Tunectl(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    return RunTunectl(arguments, {&out_, &err_});
  }
  // What was printed, without the project's folder.
  std::string out() const { return absl::StrReplaceAll(out_.str(), {{folder_.path() + "/", ""}}); }
  std::string err() const { return absl::StrReplaceAll(err_.str(), {{folder_.path() + "/", ""}}); }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::ostringstream out_, err_;
};

TEST_F(ProjectTest, AllFilesAreListed) {
  ASSERT_EQ(Tunectl({"regions", "-p", Path("build")}), 0) << err();
  EXPECT_THAT(out(),
              AllOf(HasSubstr("src/scale.c"), HasSubstr("4-5    scale"), HasSubstr("accepted: scale\n"),
                    HasSubstr("src/sums.c"), HasSubstr("n^2  accepted: sums\n"),
                    HasSubstr("refused: line 10: a `return` inside the region")));
  EXPECT_THAT(out(), HasSubstr("\nsrc/broken.c:1:25: error: expected expression\nsrc/missing.c: "));
  EXPECT_THAT(out(), HasSubstr("\n5 files, 3 nests, 2 accepted; 2 files cannot be read\n"
                               "`tunectl tune FILE -p build --function NAME` tunes those of a function.\n"));
  EXPECT_THAT(out(), AllOf(Not(HasSubstr("none.c")), Not(HasSubstr("start.S"))));
}

TEST_F(ProjectTest, AsJson) {
  ASSERT_EQ(Tunectl({"regions", "-p", Path("build/compile_commands.json"), "--json"}), 0) << err();
  const Json json = Json::parse(out());
  ASSERT_EQ(json.size(), 5u);
  EXPECT_EQ(json[0]["file"], "src/scale.c");
  EXPECT_TRUE(json[0]["error"].is_null());
  EXPECT_EQ(json[0]["nests"][0]["region"], "scale");
  EXPECT_EQ(json[1]["nests"].size(), 2u);
  EXPECT_THAT(json[2]["error"].get<std::string>(), HasSubstr("broken.c:1:25"));
  EXPECT_EQ(json[3]["nests"], Json::array());
}

TEST_F(ProjectTest, OneFunction) {
  ASSERT_EQ(Tunectl({"regions", "-p", Path("build"), "--function", "find"}), 0) << err();
  EXPECT_THAT(out(), AllOf(HasSubstr("find"), Not(HasSubstr("scale(")), HasSubstr("1 nest, 0 accepted")));
}

TEST_F(ProjectTest, FlagsOfOneFile) {
  // Without them it has no loop, and no header.
  EXPECT_EQ(Tunectl({"regions", Path("src/scale.c")}), 1);
  EXPECT_THAT(err(), HasSubstr("'config.h' file not found"));
  ASSERT_EQ(Tunectl({"regions", Path("src/scale.c"), "-p", Path("build")}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("`tunectl tune src/scale.c -p build --function scale` tunes"));
  // -D behind the database's holds; the function is there and scales by 5.
  const std::string tuned = Path("tuned.c");
  ASSERT_EQ(Tunectl({"generate", Path("src/scale.c"), "-p", Path("build"), "-DSCALE=5", "--function", "scale",
                     "--target", "cpu", "--parameter", "n=100", "-o", tuned}),
            0)
      << err();
  EXPECT_THAT(out(), HasSubstr("cc -std=gnu99 -O2 -fopenmp"));
  EXPECT_THAT(out(), AllOf(HasSubstr("-Iinclude"), HasSubstr("-DSCALE=3"), HasSubstr("-DSCALE=5")));
  EXPECT_THAT(ReadFile(tuned).value_or(""), HasSubstr("5"));
  ASSERT_EQ(Tunectl({"extract", Path("src/sums.c"), "-p", Path("build"), "--function", "sums", "--output",
                     Path("sums.scop")}),
            0)
      << err();
  const std::string stored = ReadFile(Path("sums.scop")).value_or("");
  EXPECT_THAT(stored, AllOf(HasSubstr("defines: \"NDEBUG\""), HasSubstr("compile_flags: \"-O3\"")));
}

TEST_F(ProjectTest, TheDatabaseIsNotWrittenOver) {
  const std::string database = Path("build/compile_commands.json");
  EXPECT_EQ(Tunectl({"extract", Path("src/sums.c"), "-p", Path("build"), "--function", "sums", "--output",
                     database, "--force"}),
            1);
  EXPECT_THAT(ReadFile(database).value_or(""), HasSubstr("scale.c"));
}

TEST_F(ProjectTest, WhatIsWrongIsTold) {
  EXPECT_EQ(Tunectl({"regions"}), 2);
  EXPECT_THAT(err(), HasSubstr("give a FILE, or a project with -p"));
  EXPECT_EQ(Tunectl({"regions", "-p", Path("build"), "--run"}), 2);
  EXPECT_THAT(err(), HasSubstr("--run is of one program"));
  EXPECT_EQ(Tunectl({"regions", "-p", Path("src")}), 1);
  EXPECT_THAT(err(), HasSubstr("src/compile_commands.json"));
  Put("other.c", kSumsInProject);
  EXPECT_EQ(Tunectl({"regions", Path("other.c"), "-p", Path("build")}), 1);
  EXPECT_THAT(err(), HasSubstr("build/compile_commands.json has no entry of other.c; leave -p out"));
  EXPECT_EQ(Tunectl({"submit", Path("other.c"), "-p", Path("build")}), 1);
  EXPECT_THAT(err(), HasSubstr("has no entry of other.c"));
}

TEST_F(ProjectTest, WithoutAFileThatCanBeRead) {
  Put("build/compile_commands.json",
      absl::StrReplaceAll(R"([{"directory": "ROOT/src", "file": "broken.c", "command": "cc -c broken.c"}])",
                          {{"ROOT", folder_.path()}}));
  EXPECT_EQ(Tunectl({"regions", "-p", Path("build")}), 1);
  EXPECT_THAT(out(), HasSubstr("1 file, 0 nests, 0 accepted; 1 file cannot be read.\n"));
  Put("build/compile_commands.json",
      R"([{"directory": "/", "file": "start.S", "command": "cc -c start.S"}])");
  EXPECT_EQ(Tunectl({"regions", "-p", Path("build")}), 1);
  EXPECT_THAT(err(), HasSubstr("none of its files is of C or C++"));
}

}  // namespace
}  // namespace tune
