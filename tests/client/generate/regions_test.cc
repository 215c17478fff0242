// Programs without pragmas: tunectl regions, and generate --function, with the real tune-extract and
// tune-generate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kProduct[] = R"(#include <stdio.h>
#define N 20

double a[N][N], b[N][N], c[N][N];

int main() {
    int i, j, k;
    double trace = 0;

    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            a[i][j] = (double)(i * j % 7) / N;
            b[i][j] = (double)(i + j) / N;
        }

    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++) {
            c[i][j] = 0;
            for (k = 0; k < N; k++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    for (i = 0; i < N; i++)
        trace += c[i][i];
    printf("trace = %.6f\n", trace);
    return 0;
}
)";

constexpr char kPower[] = R"(#include <stdio.h>
#include <stdlib.h>
int main(int argc, char *argv[]) {
    int n = argc > 1 ? atoi(argv[1]) : 24;
    float x[n], y[n], m[n][n];
    for (int i = 0; i < n; i++) { x[i] = i; for (int j = 0; j < n; j++) m[i][j] = i - j; }
    for (int it = 0; it < 3; it++) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) {
            y[i] = 0;
            for (int j = 0; j < n; j++)
                y[i] += m[i][j] * x[j];
        }
        float norm = 0;
        for (int i = 0; i < n; i++) norm += y[i] * y[i];
        printf("iteration %d: %g\n", it, norm);
        for (int i = 0; i < n; i++)
            x[i] = y[i] / norm;
    }
    return 0;
}
)";

constexpr char kBranches[] = R"(#include <stdio.h>
#include <string.h>
#define EACH(i) for (int i = 0; i < n; i++)
#define ZERO(A) do { EACH(p) EACH(q) A[p][q] = 0; } while (0)
int main(int argc, char **argv) {
    static float A[30][30]; int n = 30;
    ZERO(A);
    if (argc > 1 && strcmp(argv[1], "-v") == 0)
        EACH(i) printf("%d ", i);
    else
        EACH(i) A[i][i] = i;
    if (argc > 5)
        puts("many");
    else {
#ifdef LOWER
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
#else
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
#endif
                A[i][j] = A[i][i] * j;
    }
    switch (argc) {
    case 1:
        for (int i = 1; i < n; i++)
            A[i][1] += A[i-1][0] + 1;
        printf("case 1\n");
        break;
    default:
        break;
    }
    int k = 0;
    double sums[30], s = 0;
    while (k < n) { sums[k] = 0; EACH(j) sums[k] += A[k][j]; k++; }
    EACH(i) s += sums[i];
    printf("%.3f\n", s); return 0; }
)";

constexpr char kFunctions[] = R"(#include <stdio.h>
#include <stdlib.h>
typedef struct { int rows, cols; double *data; } Matrix;
static Matrix make(int r, int c) { Matrix m = { r, c, malloc(sizeof(double) * r * c) }; return m; }
static void fill(double *restrict d, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            d[i * m + j] = (i * 31 + j * 17) % 10;
}
static void mul(const double *a, const double *b, double *c, int n, int m, int p) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < p; j++) {
            double sum = 0.0;
            for (int k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * p + j];
            c[i * p + j] = sum;
        }
    }
}
static int find(const Matrix *a, double x) {
    for (int i = 0; i < a->rows; i++)
        if (a->data[i] == x) return i;
    return -1;
}
int main(void) {
    Matrix a = make(12, 14), b = make(14, 16), c = make(12, 16);
    fill(a.data, 12, 14); fill(b.data, 14, 16);
    mul(a.data, b.data, c.data, 12, 14, 16);
    double t = 0;
    for (int i = 0; i < 12 * 16; i++) t += c.data[i];
    printf("%g %d\n", t, find(&b, 5));
}
)";

class RegionsTest : public ::testing::Test {
 protected:
  void SetUp() override { setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/bin", 1); }
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
  // What is listed, its last line without the file's folder.
  std::string Regions(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "regions");
    EXPECT_EQ(Tunectl(arguments), 0) << err();
    std::string text = out();
    const size_t folder = text.find(folder_.path());
    return folder == std::string::npos ? text : text.erase(folder, folder_.path().size() + 1);
  }
  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }

  // Output of the program, which gcc must not warn of.
  std::string Run(const std::string& file, const std::vector<std::string>& flags) {
    std::vector<std::string> cc = {"cc",       "-O1", "-Wall",         "-Werror", "-Wno-unknown-pragmas",
                                   Path(file), "-o",  Path("program"), "-lm"};
    cc.insert(cc.end(), flags.begin(), flags.end());
    const SubprocessResult built = RunSubprocess(cc, {}).value();
    EXPECT_TRUE(built.ok()) << built.standard_error;
    return RunSubprocess({Path("program")}, {}).value().standard_output;
  }

  // generate --function of each function, and the programs that come of it print what the original prints.
  void ExpectSameOutput(const std::string& text, const std::vector<std::string>& functions,
                        const std::vector<std::string>& options) {
    Put("p.c", text);
    const std::string expected = Run("p.c", {});
    EXPECT_NE(expected, "");
    for (const std::string& function : functions) {
      std::vector<std::string> words = {"generate", Path("p.c"), "--function",    function, "--target",
                                        "cpu",      "-o",        Path("tuned.c"), "--force"};
      words.insert(words.end(), options.begin(), options.end());
      ASSERT_EQ(Tunectl(words), 0) << err();
      const std::string tuned = ReadFile(Path("tuned.c")).value_or("");
      EXPECT_THAT(tuned, AllOf(HasSubstr("Generated by tunectl"), Not(HasSubstr("pragma scop"))));
      EXPECT_EQ(Run("tuned.c", {"-fopenmp"}), expected) << tuned;
      EXPECT_EQ(Run("tuned.c", {"-O2"}), expected) << tuned;
    }
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::ostringstream out_, err_;
};

TEST_F(RegionsTest, ListsWhatCanBeTuned) {
  Put("power.c", kPower);
  EXPECT_EQ(
      Regions({Path("power.c")}),
      "lines  function  depth  statements  operations  verdict\n"
      "6      main          2           2      0 flop  accepted: main#1\n"
      "7-19   main          3                          refused: line 16: a call of `printf`, which is only "
      "declared and may have side effects\n"
      "8-13   main          2           2       2*n^2  accepted: main#2\n"
      "15     main          1           1         2*n  accepted: main#3\n"
      "17-18  main          1           1           n  accepted: main#4\n"
      "`tunectl tune power.c --function main` tunes the accepted ones of main, with --region K the K-th of "
      "them alone.\n");
}

TEST_F(RegionsTest, CountsOperationsWhereSizesAreKnown) {
  Put("power.c", kPower);
  EXPECT_THAT(Regions({Path("power.c"), "--parameter", "n=1000"}), HasSubstr("2.00 Mflop  accepted: main#2"));
  Put("product.c", kProduct);
  EXPECT_THAT(Regions({Path("product.c")}),
              HasSubstr("10-25  main          3           5  16.5 kflop  accepted: main"));
}

TEST_F(RegionsTest, AsJson) {
  Put("functions.c", kFunctions);
  ASSERT_EQ(Tunectl({"regions", Path("functions.c"), "--json"}), 0) << err();
  const Json json = Json::parse(out());
  ASSERT_EQ(json.size(), 4u);
  const Json& product = json[1];
  EXPECT_EQ(product["function"], "mul");
  EXPECT_EQ(product["begin_line"], 11);
  EXPECT_EQ(product["end_line"], 18);
  EXPECT_EQ(product["accepted"], true);
  EXPECT_EQ(product["marked"], false);
  EXPECT_EQ(product["depth"], 3);
  EXPECT_EQ(product["region"], "mul");
  EXPECT_EQ(product["statements"], 3);
  EXPECT_TRUE(product["operations"].is_null());
  EXPECT_EQ(product["formula"], "2*m*n*p");
  EXPECT_EQ(product["refusals"], Json::array());
  const Json& search = json[2];
  EXPECT_EQ(search["accepted"], false);
  EXPECT_TRUE(search["region"].is_null());
  EXPECT_EQ(search["refusals"][0]["line"], 22);
  EXPECT_NE(search["refusals"][0]["remedy"], "");
}

TEST_F(RegionsTest, FilesThatHaveNoneOrCannotBeRead) {
  Put("none.c", "int main(void) { return 0; }\n");
  EXPECT_EQ(Regions({Path("none.c")}), "none.c has no loops.\n");
  Put("broken.c", "int main(void) { return }\n");
  EXPECT_EQ(Tunectl({"regions", Path("broken.c")}), 1);
  EXPECT_THAT(err(), HasSubstr("broken.c:1:25: error: expected expression"));
  EXPECT_EQ(Tunectl({"regions", Path("missing.c")}), 1);
}

TEST_F(RegionsTest, FunctionsThatCannotBeTaken) {
  Put("functions.c", kFunctions);
  EXPECT_EQ(Tunectl({"generate", Path("functions.c"), "--function", "mult", "--target", "cpu"}), 1);
  EXPECT_THAT(err(), AllOf(HasSubstr("no function `mult` has its body in the file"),
                           HasSubstr("name one of these: make, fill, mul, find, main")));
  EXPECT_EQ(Tunectl({"generate", Path("functions.c"), "--function", "make", "--target", "cpu"}), 1);
  EXPECT_THAT(err(), HasSubstr("the function `make` has no loop"));
  EXPECT_EQ(Tunectl({"generate", Path("functions.c"), "--function", "find", "--target", "cpu"}), 1);
  EXPECT_THAT(err(), HasSubstr("functions.c:22:30: error: a `return` inside the region"));
}

TEST_F(RegionsTest, MatrixProductInMain) { ExpectSameOutput(kProduct, {"main"}, {}); }

TEST_F(RegionsTest, LoopsInALoopThatPrints) { ExpectSameOutput(kPower, {"main"}, {"--parameter", "n=24"}); }

TEST_F(RegionsTest, BranchesAndMacros) {
  ExpectSameOutput(kBranches, {"main"}, {"--parameter", "n=30", "--parameter", "k=0"});
}

TEST_F(RegionsTest, SeveralFunctions) {
  ExpectSameOutput(kFunctions, {"mul"},
                   {"--parameter", "n=12", "--parameter", "m=14", "--parameter", "p=16"});
}

TEST_F(RegionsTest, OneOfSeveral) {
  Put("power.c", kPower);
  ASSERT_EQ(Tunectl({"generate", Path("power.c"), "--function", "main", "--region", "2", "--target", "cpu",
                     "--parameter", "n=24", "-o", Path("tuned.c")}),
            0)
      << err();
  EXPECT_EQ(Run("tuned.c", {"-fopenmp"}), Run("power.c", {}));
  const std::string tuned = ReadFile(Path("tuned.c")).value();
  // Before and behind it everything is as it was, and the pragma, which is of a loop, is in the original
  // text.
  const std::string text = kPower;
  EXPECT_EQ(tuned.substr(0, text.find("        #pragma omp")),
            text.substr(0, text.find("        #pragma omp")));
  EXPECT_THAT(tuned,
              HasSubstr("else {\n        #pragma omp parallel for\n        for (int i = 0; i < n; i++) {\n"));
  EXPECT_THAT(tuned, HasSubstr(text.substr(text.find("        float norm"))));
}

}  // namespace
}  // namespace tune
