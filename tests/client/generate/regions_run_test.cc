// tunectl regions --run: programs whose counts are known, and whose time is spent in one place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Nearly all its time is in `product`, which is called as often as its argument says.
constexpr char kMeasured[] = R"(#include <stdio.h>
#include <stdlib.h>
#include "size.h"
static double a[N][N], b[N][N], c[N][N];
static void product(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}
static double trace(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += c[i][i];
  return s;
}
int main(int argc, char **argv) {
  int times = 0;
  if (argc > 1) times = atoi(argv[1]); else if (scanf("%d", &times) != 1) { fputs("how often?\n", stderr); return 3; }
  double s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i + j, b[i][j] = i - j;
  for (int t = 0; t < times; t++) {
    product();
    if (t % 2 == 0) { printf("%d\n", t); s += trace(); }
  }
  printf("%g\n", s);
  return 0;
}
)";

// What leaves a loop leaves it, whichever way; `work` is all of the time.
constexpr char kExits[] = R"(#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
static double sink;
static double work(int n) {
  double s = 0;
  for (int i = 1; i < n; i++)
    s += 1.0 / i;
  return s;
}
static int by_return(int n) {
  for (int i = 0; i < n; i++) {
    sink += work(1000);
    if (i == 2) return i;
  }
  return -1;
}
static int by_goto(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      sink += work(1000);
      if (j == 2) goto out;
    }
out:
  for (int i = 0; i < n; i++) { sink += work(10); continue; }
  return 0;
}
static void by_jump(int n) {
  for (int i = 0; i < n; i++) {
    sink += work(1000);
    if (i == 3) longjmp(back, 1);
  }
}
static int down(int depth) {
  int found = 0;
  for (int i = 0; i < 2; i++)
    if (depth > 0) found += down(depth - 1); else sink += work(20);
  return found;
}
int main(void) {
  volatile int t = 0;
again:
  if (setjmp(back) == 0) by_jump(100);
  by_return(50), by_goto(50);
  if (++t < 10) goto again;
  down(9);
  switch (t) {
  case 10:
    for (int i = 0; i < 3; i++)
      sink += work(100);
  default:
    sink += work(30000000);
  }
  for (int i = 0;; i++)
    if (i == 5) { printf("%g\n", sink); exit(0); }
}
)";

// Bodies without braces, macros, pragmas, several loops in one line.
constexpr char kWritten[] = R"(#include <stdio.h>
#include <string.h>
#define EACH(i) for (int i = 0; i < 20; i++)
#define TWICE(x) EACH(p) x; EACH(q) x
static float A[20]; static volatile int count;
static void say(int i) { printf("%d", i); }
int main(int argc, char **argv) {
  for (int t = 0; t < 7; t++) { say(t); if (argc > 1) EACH(i) say(i); else EACH(i) A[i] += i;
    if (t == 3) for (int i = 0; i < 20; i++) say(i);
    else
      #pragma omp parallel for
      for (int i = 0; i < 20; i++) A[i] += 1;
    label: for (int i = 0; i < 20; i++) say(i); for (int i = 0; i < 20; i++) A[i] *= 2;
    if (A[0] < -1) goto label;
    TWICE(say(t));
    for (int k = 0; k < 3; k++) do { count++; say(count); } while (count % 4);
  }
  return 0;
}
)";

constexpr char kThreads[] = R"(#include <pthread.h>
#include <stdio.h>
static double sums[4];
static void *part(void *at) {
  double s = 0;
  for (int t = 0; t < 25; t++) {
    for (int i = 1; i < 1000000; i++)
      s += 1.0 / i;
    *(volatile double *)at = s;
  }
  return 0;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, part, &sums[i]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  printf("%g\n", sums[0]);
  return 0;
}
)";

class RegionsRunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1);
    std::filesystem::create_directory(Path("temporary"));
    setenv("TMPDIR", Path("temporary").c_str(), 1);
  }
  void TearDown() override {
    EXPECT_TRUE(std::filesystem::is_empty(Path("temporary")));
    unsetenv("TMPDIR");
    unsetenv("TUNE_LIBEXEC");
  }

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string Put(const std::string& name, const std::string& text) {
    EXPECT_TRUE(WriteFile(Path(name), text).ok());
    return Path(name);
  }
  int Tunectl(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    return RunTunectl(arguments, {&out_, &err_});
  }
  // What --json prints of a file with this text, which it does not change.
  Json Measured(const std::string& text, std::vector<std::string> options) {
    const std::string file = Put("p.c", text);
    options.insert(options.begin(), {"regions", file, "--run", "--json"});
    EXPECT_EQ(Tunectl(options), 0) << err();
    EXPECT_EQ(ReadFile(file).value_or(""), text);
    const Json json = Json::parse(out(), nullptr, false);
    EXPECT_TRUE(json.is_object()) << out();
    return json;
  }
  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }

  // Of the nest that begins in this line, the K-th of these.
  static Json NestAt(const Json& json, int line, int k = 0) {
    for (const Json& nest : json["nests"])
      if (nest["begin_line"] == line && k-- == 0) return nest;
    ADD_FAILURE() << "no nest in line " << line << ": " << json;
    return {{"calls", -1}, {"share", -1.0}};
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::ostringstream out_, err_;
};

TEST_F(RegionsRunTest, TellsWhereTheTimeIs) {
  Put("size.h", "#define N 200\n");
  const Json json = Measured(kMeasured, {"--arg", "30"});
  EXPECT_EQ(NestAt(json, 6)["calls"], 30);
  EXPECT_EQ(NestAt(json, 15)["calls"], 15);
  EXPECT_EQ(NestAt(json, 23)["calls"], 1);
  EXPECT_EQ(NestAt(json, 26)["calls"], 1);
  EXPECT_GT(NestAt(json, 6)["share"], 0.5);
  // The loop that calls it has its time, too.
  EXPECT_GE(NestAt(json, 26)["share"], NestAt(json, 6)["share"]);
  EXPECT_LE(NestAt(json, 26)["share"], 1.0);
  EXPECT_LT(NestAt(json, 15)["share"], 0.5);
  EXPECT_GT(json["seconds"], 0.0);
  EXPECT_LT(json["outside_seconds"], json["seconds"]);
  EXPECT_GT(json["samples"], 0);
  EXPECT_GE(json["runs"], 1);
  for (size_t i = 1; i < json["nests"].size(); ++i)
    EXPECT_LE(json["nests"][i]["share"], json["nests"][i - 1]["share"]) << json;
}

TEST_F(RegionsRunTest, AsATable) {
  Put("size.h", "#define N 200\n");
  const std::string file = Put("p.c", kMeasured);
  ASSERT_EQ(Tunectl({"regions", file, "--run", "--stdin", Put("input", "30\n")}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("lines             function  share"));
  EXPECT_THAT(out(), HasSubstr("accepted: product"));
  EXPECT_THAT(out(), HasSubstr("\noutside of loops  "));
  EXPECT_THAT(out(), HasSubstr("\nShares are of "));
  // What is worth tuning is what takes the time.
  EXPECT_THAT(out(), HasSubstr(" --function product` tunes the accepted ones of product"));
  EXPECT_THAT(out(), Not(HasSubstr("\n28\n")));  // the program's own output
}

TEST_F(RegionsRunTest, OfOneFunctionAndWithOtherFlags) {
  Put("size.h", "#ifndef N\n#error N\n#endif\n");
  const Json json =
      Measured(kMeasured, {"--function", "product", "-DN=150", "--arg", "60", "--cflags",
                           "-O1 -std=c99 -Werror -Wall -Wmissing-prototypes -s", "--ldflags=-s"});
  ASSERT_EQ(json["nests"].size(), 1u);
  EXPECT_EQ(json["nests"][0]["calls"], 60);
  EXPECT_GT(json["nests"][0]["share"], 0.5);
}

TEST_F(RegionsRunTest, EveryWayOutOfALoop) {
  const Json json = Measured(kExits, {});
  EXPECT_EQ(NestAt(json, 13)["calls"], 10);  // return
  EXPECT_EQ(NestAt(json, 20)["calls"], 10);  // goto
  EXPECT_EQ(NestAt(json, 26)["calls"], 10);
  EXPECT_EQ(NestAt(json, 30)["calls"], 10);    // longjmp
  EXPECT_EQ(NestAt(json, 37)["calls"], 1023);  // recursion
  EXPECT_EQ(NestAt(json, 50)["calls"], 1);     // case
  EXPECT_EQ(NestAt(json, 55)["calls"], 1);     // exit
  // work: 3 and 3 and 4 thousands of ten rounds and 50 short ones, 1024 times at the bottom, and four.
  EXPECT_EQ(NestAt(json, 8)["calls"], 10 * (3 + 3 + 4 + 50) + 1024 + 3 + 1);
  EXPECT_GT(NestAt(json, 8)["share"], 0.5);
  // None has what was spent after it was left.
  for (const int line : {13, 20, 26, 30, 37, 50, 55}) EXPECT_LT(NestAt(json, line)["share"], 0.5) << line;
}

TEST_F(RegionsRunTest, HoweverLoopsAreWritten) {
  const Json json = Measured(kWritten, {"--cflags", "-O1 -fopenmp"});
  EXPECT_EQ(NestAt(json, 8)["calls"], 1);
  EXPECT_EQ(NestAt(json, 8, 1)["calls"], 0);  // if (argc > 1)
  EXPECT_EQ(NestAt(json, 8, 2)["calls"], 7);  // else
  EXPECT_EQ(NestAt(json, 9)["calls"], 1);
  EXPECT_EQ(NestAt(json, 11)["calls"], 6);  // a pragma before it
  EXPECT_EQ(NestAt(json, 13)["calls"], 7);  // behind a label
  EXPECT_EQ(NestAt(json, 13, 1)["calls"], 7);
  EXPECT_EQ(NestAt(json, 16)["calls"], 7);
  EXPECT_EQ(NestAt(json, 16, 1)["calls"], 21);
}

TEST_F(RegionsRunTest, WhatCannotBeCountedIsNot) {
  const Json json = Measured(
      "#include <stdio.h>\n#define BOTH(c) if (c) putchar('x'); for (int i = 0; i < 9; i++) putchar('y')\n"
      "int main(void) {\n  for (int t = 0; t < 3; t++)\n    if (t) BOTH(t);\n"
      "#pragma omp parallel\n  {\n    puts(\"\");\n    #pragma omp for\n"
      "    for (int i = 0; i < 9; i++) putchar('z');\n  }\n}\n",
      {"--cflags", "-O1 -fopenmp"});
  EXPECT_EQ(NestAt(json, 4)["calls"], 1);
  EXPECT_TRUE(NestAt(json, 5)["calls"].is_null());
  EXPECT_TRUE(NestAt(json, 10)["calls"].is_null());
}

// As generators of code write them; then another file's lines would have the time.
TEST_F(RegionsRunTest, LineDirectives) {
  const Json json = Measured(
      "#line 100 \"a.y\"\nint main(void) {\n  volatile double s = 0;\n# 300 \"b.y\"\n"
      "  for (int i = 1; i < 100000000; i++)\n    s += 1.0 / i;\n}\n",
      {});
  EXPECT_EQ(NestAt(json, 5)["calls"], 1);
  EXPECT_GT(NestAt(json, 5)["share"], 0.5);
}

TEST_F(RegionsRunTest, ProgramsThatAreTooShort) {
  const std::string file =
      Put("p.c", "int main(void) { volatile int n = 0; for (int i = 0; i < 3; i++) n++; }\n");
  ASSERT_EQ(Tunectl({"regions", file, "--run"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("Shares are "));
  const std::string none = Put("none.c", "int main(void) { return 0; }\n");
  ASSERT_EQ(Tunectl({"regions", none, "--run", "--json"}), 0) << err();
  EXPECT_EQ(Json::parse(out())["nests"], Json::array());
  ASSERT_EQ(Tunectl({"regions", none, "--run"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("none.c has no loops.\n"));
}

TEST_F(RegionsRunTest, ThreadsHaveTheirOwnCounts) {
  const Json json = Measured(kThreads, {"--cflags", "-O2 -pthread"});
  EXPECT_EQ(NestAt(json, 6)["calls"], 4);
  EXPECT_GT(NestAt(json, 6)["share"], 0.5);
  EXPECT_LE(NestAt(json, 6)["share"], 1.0);
}

TEST_F(RegionsRunTest, ProgramsThatCannotBeMeasured) {
  Put("size.h", "#define N 9\n");
  const std::string file = Put("p.c", kMeasured);
  EXPECT_EQ(Tunectl({"regions", file, "--run"}), 1);  // it gets no input
  EXPECT_THAT(err(), AllOf(HasSubstr("p.c exited with status 3"), HasSubstr("--arg and --stdin"),
                           HasSubstr("\nhow often?")));
  const std::string endless = Put("endless.c", "int main(void) { for (volatile int i = 0;; i++) i--; }\n");
  EXPECT_EQ(Tunectl({"regions", endless, "--run", "--time-limit", "300ms"}), 1);
  EXPECT_THAT(err(), AllOf(HasSubstr("endless.c ran out of time"), HasSubstr("--time-limit")));
  const std::string part = Put("part.c", "void f(int *a) { for (int i = 0; i < 9; i++) a[i] = i; }\n");
  EXPECT_EQ(Tunectl({"regions", part, "--run"}), 1);
  EXPECT_THAT(err(), HasSubstr("part.c has no `main` to be run: give the C file that has it with --with"));
  const std::string unlinked =
      Put("unlinked.c", "int g(void);\nint main(void) { for (int i = 0; i < 9; i++) g(); return 0; }\n");
  EXPECT_EQ(Tunectl({"regions", unlinked, "--run"}), 1);
  EXPECT_THAT(err(), AllOf(HasSubstr("the program cannot be built to be measured: `cc "),
                           HasSubstr("undefined reference to `g'")));
  EXPECT_EQ(Tunectl({"regions", file, "--time-limit", "1s"}), 2);
}

TEST_F(RegionsRunTest, MainInAnotherFile) {
  Put("part.c",
      "double f(int n) {\n  double s = 0;\n  for (int i = 1; i < n; i++) s += 1.0 / i;\n"
      "  return s;\n}\n");
  const std::string main =
      Put("main.c", "double f(int);\nint main(void) { volatile double s = f(50000000) + f(2); }\n");
  ASSERT_EQ(Tunectl({"regions", Path("part.c"), "--with", main, "--run", "--json"}), 0) << err();
  const Json json = Json::parse(out());
  EXPECT_EQ(NestAt(json, 3)["calls"], 2);
  EXPECT_GT(NestAt(json, 3)["share"], 0.5);
}

TEST_F(RegionsRunTest, EachFileInItsLanguage) {
  const std::string in_c = Put("part.c", "int part(int class) { return class + 1; }\n");
  const std::string file =
      Put("part.cpp",
          "#include <vector>\nextern \"C\" int part(int);\ntemplate <class T> T sum(int n) {\n"
          "  T s = 0;\n  for (int i = 1; i < n; i++) s += T(1) / i;\n  return s;\n}\n"
          "int main() { std::vector<double> v{sum<double>(50000000), sum<double>(part(1))}; }\n");
  ASSERT_EQ(Tunectl({"regions", file, "--with", in_c, "--run", "--json"}), 0) << err();
  EXPECT_EQ(NestAt(Json::parse(out()), 5)["calls"], 2);
}

}  // namespace
}  // namespace tune
