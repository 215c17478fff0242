// The oracle: a program whose region is replaced by the scop's instances, one by one, in the scop's order,
// prints what the original prints.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "common/scop/parameter_product.h"
#include "common/scop/scop.h"
#include "tests/client/extract/extract_fixture.h"
#include "tests/client/extract/straight_line.h"

namespace tune::testing {
namespace {

// Compiles with the defines and runs; standard output, or a failure with what went wrong.
std::string RunProgram(const SourceFolder& folder, const std::string& name, const std::string& text,
                       const std::vector<std::string>& defines) {
  std::string source = folder.Write(name + ".c", text), binary = folder.path() + "/" + name;
  // No contraction of a * b + c, which differs from one spelling of a loop to another.
  std::vector<std::string> command = {"cc", "-O0", "-w", "-ffp-contract=off", source, "-o", binary, "-lm"};
  for (const std::string& define : defines) command.push_back("-D" + define);
  absl::StatusOr<SubprocessResult> built = RunSubprocess(command);
  EXPECT_TRUE(built.ok() && built->ok()) << (built.ok() ? built->standard_error : built.status().ToString());
  SubprocessOptions options;
  options.wall_limit = absl::Seconds(60);
  absl::StatusOr<SubprocessResult> run = RunSubprocess({binary}, options);
  EXPECT_TRUE(run.ok() && run->ok()) << name << " " << (run.ok() ? run->Describe() : run.status().ToString());
  return run.ok() ? run->standard_output : "";
}

std::string ReplaceRegion(const std::string& text, const v1::SourceRegion& region, const std::string& code) {
  return text.substr(0, region.begin_offset()) + code + text.substr(region.end_offset());
}

// The parameters' values when the region is first reached.
std::map<std::string, int64_t> ParameterValues(const SourceFolder& folder, const std::string& text,
                                               const v1::Scop& scop,
                                               const std::vector<std::string>& defines) {
  std::string code =
      "{ extern int printf(const char *, ...); extern void exit(int); printf(\"\\n@values\\n\");\n";
  for (const v1::Parameter& parameter : scop.parameters()) {
    absl::StrAppend(&code, "printf(\"%ld\\n\", (long)", ParameterText(parameter), ");\n");
  }
  std::string output =
      RunProgram(folder, "values", ReplaceRegion(text, scop.region(), code + "exit(0); }"), defines);
  std::vector<std::string> lines = absl::StrSplit(output.substr(output.find("@values") + 8), '\n');
  std::map<std::string, int64_t> values;
  for (int i = 0; i < scop.parameters_size(); ++i) values[scop.parameters(i).name()] = std::stoll(lines[i]);
  return values;
}

void ExpectSameOutput(const std::string& text, const std::vector<std::string>& defines) {
  SourceFolder folder;
  ExtractionRequest request;
  request.file = folder.Write("original.c", text);
  request.defines = defines;
  v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 1);
  const v1::Scop& scop = extraction.scops(0);
  IslContext context;
  absl::StatusOr<std::shared_ptr<const ParsedScop>> parsed = ParseScop(context, scop);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  std::map<std::string, int64_t> values = ParameterValues(folder, text, scop, defines);
  absl::StatusOr<std::string> code = StraightLineCode(scop, values, 20000);
  ASSERT_TRUE(code.ok()) << code.status();
  std::string expected = RunProgram(folder, "original", text, defines);
  EXPECT_NE(expected, "");
  EXPECT_EQ(RunProgram(folder, "unrolled", ReplaceRegion(text, scop.region(), *code), defines), expected);
}

std::vector<std::string> SourcesBelow(const std::string& folder) {
  std::vector<std::string> sources;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TUNE_SOURCE_DIR "/") + folder, error)) {
    if (entry.path().extension() == ".c") sources.push_back(entry.path().string());
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

std::string NameOf(const ::testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (char c : std::filesystem::path(info.param).stem().string()) name += isalnum(c) ? c : '_';
  return name;
}

// Sizes small enough that a region has at most some thousand instances; names of all programs at once.
std::vector<std::string> SmallSizes() {
  std::vector<std::string> defines;
  for (const char* size : {"NI=5", "NJ=6", "NK=7", "NL=4", "NM=5", "N=7", "M=6", "W=7", "H=6", "TSTEPS=3",
                           "STEPS=3", "TMAX=3", "NX=6", "NY=5", "NR=4", "NQ=5", "NP=6"}) {
    defines.push_back(size);
  }
  return defines;
}

class Programs : public ::testing::TestWithParam<std::string> {};

TEST_P(Programs, RunAsExtracted) {
  absl::StatusOr<std::string> text = ReadFile(GetParam());
  ASSERT_TRUE(text.ok());
  ExpectSameOutput(*text, SmallSizes());
}

INSTANTIATE_TEST_SUITE_P(OfTheTests, Programs, ::testing::ValuesIn(SourcesBelow("tests/programs")), NameOf);
INSTANTIATE_TEST_SUITE_P(Examples, Programs, ::testing::ValuesIn(SourcesBelow("client/examples")), NameOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Programs);

struct BodyCase {
  const char* name;
  const char* body;
};

class Bodies : public ::testing::TestWithParam<BodyCase> {};

// The region's body between declarations and a print-out of everything it may change.
TEST_P(Bodies, RunAsExtracted) {
  std::string text = absl::StrCat(R"(
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double A[40][40]; float F[40]; int K[40]; unsigned char U[40]; double s; int count; unsigned long w;
static void kernel(int n, int m, unsigned u, double *restrict p, double V[n][m + 1]) {
int i, j;
#pragma scop
)",
                                  GetParam().body, R"(
#pragma endscop
}
int main(void) {
  static double q[100], V[11][8];
  for (int i = 0; i < 40; i++) { F[i] = i * 0.37f; K[i] = (i * 7) % 13 - 5; U[i] = 40 * i; q[i] = i * 0.5;
    for (int j = 0; j < 40; j++) A[i][j] = (i * 3 + j * 5) % 17 - 6.25; }
  s = 0.5; count = 3; w = 11;
  kernel(11, 7, 9u, q, V);
  for (int i = 0; i < 40; i++) { printf("%.17g %d %d %.17g\n", F[i], K[i], U[i], q[i]);
    for (int j = 0; j < 40; j++) printf("%.17g\n", A[i][j]); }
  for (int i = 0; i < 11; i++) for (int j = 0; j < 8; j++) printf("%.17g\n", V[i][j]);
  printf("%.17g %d %lu\n", s, count, w);
  return 0;
}
)");
  ExpectSameOutput(text, {});
}

INSTANTIATE_TEST_SUITE_P(
    Fixed, Bodies,
    ::testing::Values(
        BodyCase{"BitsOfIntegers",
                 "for (i = 0; i < n; i++) {\nK[i] = __builtin_popcount(K[i]) + 8 * __builtin_parityl(K[i]);\n"
                 "w += __builtin_clz(i + 1) * __builtin_ctzll(K[i] | 4) + (__builtin_bswap32(K[i]) >> 24);\n"
                 "w ^= __builtin_bswap64(U[i]);\n"
                 "count += __builtin_bswap16(K[i]) - 70000 + (__builtin_constant_p(3) ? i : 1000);\n}"},
        BodyCase{"Strides",
                 "for (i = 1; i < n; i += 3) for (j = m; j >= 0; j -= 2) A[i][j] = A[i - 1][j + 1] * 2 + i;"},
        BodyCase{"Directions",
                 "for (i = n - 1; i > 0; i--) A[i][0] = A[i - 1][0]; for (i = 0; i < n; ++i) A[0][i] += "
                 "A[0][i + 1];"},
        BodyCase{"Divisions",
                 "for (i = -9; i < 10; i++) { K[i / 2 + 5] += i % 4; K[(i + 20) / 3] -= i / 4; K[(i + 9) % "
                 "7] *= 2; }"},
        BodyCase{"PeriodicBoundaries",
                 "for (i = 0; i < n; i++) { int up = (i + n - 1) % n; F[i] += A[up][(i + 1) % n]; K[(i + 2 * "
                 "n) / n] += (i - n) % n; for (j = -1; j <= 1; j++) U[(i + j + n) % n]++; }"},
        BodyCase{"UnsignedSubscripts",
                 "for (unsigned k = 0; k < 8; k++) { F[(k + 8 - 1) % 8] += k; K[(k - 1 + 9) / 2] += 1; U[(k "
                 "- 1) & 7]++; F[k + 20 + -3] += 1; "
                 "if (k + -1 < 5) K[k] += 100; "
                 "if (k > 0) F[(k - 1) % 4 + 20] += 2; F[k - 1 + 1] *= 2; }"},
        BodyCase{
            "IncrementsInside",
            "{ int k = 0, l = 38; for (i = 0; i < n; i++) for (j = 0; j < 3; j++) p[k++] = F[l--] * 2; for "
            "(i = "
            "1; i < n; i += 2) U[++l]++; for (j = 0; j < m; j++) { p[40 + j] = p[k++] + p[--l] + j; } }"},
        BodyCase{"ListsOfElements",
                 "for (i = 1; i < n; i++) { double r[3] = {0}; const float w[] = {0.25f, 0.5f, 0.25f}; int "
                 "c[2][3] = {{i, 2}, {[1] = 3}}; for (j = 0; j < 3; j++) { r[j] += w[j] * F[i + j - 1]; "
                 "c[1][j] += "
                 "c[0][j]; } F[i] = r[0] + r[1] + r[2]; K[i] = c[1][0] + 7 * c[1][1] + 50 * c[1][2]; if "
                 "(K[i] > 30) "
                 "{ double q[2] = {s, i}; s = q[1] - q[0] / 2; } }"},
        BodyCase{"Conditions",
                 "for (i = 0; i < n; i++) for (j = 0; j < n; j++) if ((i < j && j % 2) || !(i != 2 * j)) "
                 "A[i][j] += 1; else if (i > 5) A[j][i] -= 2; else ;"},
        BodyCase{"Locals",
                 "for (i = 0; i < n; i++) { double t; double r[3]; const int k = i + 1; t = A[i][k]; r[0] = "
                 "t; r[i % 3] = 2; { double t = r[0] + k; A[k][i] = t; } s += t; }"},
        BodyCase{"Integers",
                 "for (i = 0; i < n; i++) { U[i] += 100; K[i] = K[i] * 3 - i; count += K[i] > 0 ? 1 : 0; w "
                 "-= u; w = w * 3 + (unsigned char)(i * 50); F[i] += s * i; K[i] += 0.75; }"},
        BodyCase{"Extremes",
                 "for (i = 0; i < n; i++) { s = s < A[i][i] ? A[i][i] : s; count = K[i] < count ? K[i] : "
                 "count; F[i] = fminf(F[i], 2.5f); F[0] = fmax(F[i], F[0]); }"},
        BodyCase{"SelfReference",
                 "for (i = 0; i < n; i++) { s = s + s * 0.5; A[i][i] = A[i][i] - A[i][i] / 3; A[3][i] += "
                 "A[i][3]; }"},
        BodyCase{"ValuesOfIterators",
                 "for (i = 0; i < n; i++) for (j = 0; j < m; j++) V[i][j] = (double)(i * j % n) / m + (i == "
                 "j ? -i : i * j) + (unsigned)(i - j) % 7;"},
        BodyCase{"Pointers",
                 "for (i = 0; i < n; i++) { *(p + i) = p[2 * i + 1] * V[i][m]; (p + 50)[i] += *p; (*V) [0] "
                 "+= 1; }"},
        BodyCase{"Unsigned",
                 "for (unsigned k = u; k > 2; k--) A[k][k - 1] = u - k; for (unsigned k = 0; k < u - 2; k++) "
                 "K[k] ^= k;"},
        BodyCase{"Chains",
                 "for (i = 0; i < n; i++) { K[i] = count = i; s = A[i][0] = F[i] = 1.0 / 3.0 + i; s /= 3, "
                 "count++; --K[i]; }"},
        BodyCase{"Casts",
                 "for (i = 0; i < n; i++) { K[i] = (int)(A[i][i] * 1.75); F[i] = (float)A[i][0] / (double)3; "
                 "U[i] = (char)(i * 90); w += (unsigned)K[i]; }"},
        BodyCase{"Triangle",
                 "for (i = 0; i < n; i++) { for (j = 0; j < i; j++) { for (int k = 0; k < j; k++) A[i][j] -= "
                 "A[i][k] * A[k][j]; A[i][j] /= 1 + fabs(A[j][j]); } for (j = i; j < n; j++) for (int k = 0; "
                 "k < i; k++) A[i][j] -= A[i][k] * A[k][j] * 0.01; }"},
        BodyCase{"FirstFailure",
                 "for (i = 0; i < 3 || (i > 5 && i < 9); i++) K[i] = 77; for (i = 1; i % 5; i++) K[i]++; for "
                 "(i = n; i != 2; i -= 3) K[i] = 5;"},
        BodyCase{"Shadows",
                 "for (i = 0; i < n; i++) { int t = i; for (int i = 0; i < t; i++) A[t][i] = i - t; }"},
        BodyCase{"Bits",
                 "for (i = 0; i < n; i++) { K[i] = (K[i] << 2) | (K[i] >> 1) ^ ~K[i] & 0x0F; K[i] &= 0xFF; "
                 "K[i % 5] <<= 1; A[i >> 1][(i << 1) + 1] = -i; }"},
        BodyCase{"Choices",
                 "for (i = 0; i < (n < m ? n : m); i++) A[i][i < 3 ? 2 * i : i] = A[i][0] > 0 && K[i] != 2 ? "
                 "sqrt(fabs(A[i][0])) : !K[i] ? pow(2.0, i) : -1;"}),
    [](const auto& info) { return info.param.name; });

// Elements that only the running program knows; |K[i]| < 8.
INSTANTIATE_TEST_SUITE_P(
    DataSubscripts, Bodies,
    ::testing::Values(
        BodyCase{"Reads", "for (i = 0; i < n; i++) { F[i] = A[K[i] + 5][i]; s += V[K[K[i] + 5] + 5][1]; }"},
        BodyCase{"Rows", "for (i = 0; i < n; i++) for (j = 0; j < m; j++) V[i][j] = A[j][K[i] + K[j] + 12];"},
        BodyCase{"Scalars",
                 "for (i = 0; i < n; i++) { int at = K[i] + 5; count = at; F[i] = A[at][count + 1]; }"},
        BodyCase{"Choices",
                 "for (i = 0; i < n; i++) { F[i] = K[i] >= 0 ? A[K[i]][0] : A[0][-K[i]]; if (K[i] > 2 && "
                 "A[K[i] - 2][1] > 0) s += 1; if (K[i] > 4) F[i] = A[K[i]][K[i] - 5]; }"},
        BodyCase{"Sums",
                 "for (i = 0; i < n; i++) { K[20 + i] = K[i] + 5; } for (i = 0; i < n; i++) { F[K[i + 20]] "
                 "+= 0.5f; A[K[i + 20]][K[i + 20] + 1] -= V[i][0]; U[K[i + 20]] *= 3; }"},
        BodyCase{
            "SumsUnderConditions",
            "for (i = 0; i < n; i++) { if (K[i] > 0) F[K[i]] += 1.5f; if (K[i] < 0) A[-K[i]][i] *= i; }"},
        BodyCase{
            "Extremes",
            "for (i = 0; i < n; i++) { if (F[i] > A[3][K[i] + 5]) A[3][K[i] + 5] = F[i]; A[K[i] + 5][0] = "
            "fmin(A[K[i] + 5][0], V[i][1]); }"},
        BodyCase{"ReadsOfWhatIsWritten",
                 "for (i = 1; i < n; i++) { A[i][0] = A[(K[i] + 5) % i][0] + 1; F[i] = A[i][K[i] + 5]; }"}),
    [](const auto& info) { return info.param.name; });

// Conditions that only the running program knows.
INSTANTIATE_TEST_SUITE_P(
    DataConditions, Bodies,
    ::testing::Values(
        BodyCase{"Store", "for (i = 0; i < n; i++) if (A[i][0] > 0) F[i] = A[i][1];"},
        BodyCase{"Both", "for (i = 0; i < n; i++) if (K[i] > 0) F[i] = A[i][1]; else F[i] = -K[i];"},
        BodyCase{"BothOfOtherElements",
                 "for (i = 0; i < n; i++) if (K[i] > 0) F[i] = A[i][1]; else F[i + 1] += K[i];"},
        BodyCase{
            "Block",
            "for (i = 0; i < n; i++) if (A[i][2] < 1.5) { F[i] = 1; K[i]++; s += A[i][2]; count -= 2; }"},
        BodyCase{"ChangesItsCondition",
                 "for (i = 0; i < n; i++) { if (A[i][0] > 0) A[i][0] = -A[i][0]; if (K[i] < 2) { K[i] += 3; "
                 "F[i] = K[i]; } else { K[i] = 0; count++; } }"},
        BodyCase{"Nested",
                 "for (i = 0; i < n; i++) if (K[i] > -2) { if (A[i][1] > 0) { if (U[i] & 32) s += 1; else "
                 "s -= A[i][1]; } else F[i] = 3; K[i] = 5; }"},
        BodyCase{"Loop",
                 "for (i = 0; i < n; i++) if (A[i][i] > 0) for (j = 0; j < m; j++) A[i][j] = A[j][i] + 1;"},
        BodyCase{
            "AffineParts",
            "for (i = 0; i < n; i++) { if (i > 2 && K[i - 3] > 0) F[i] = 1; else F[i] = 2; if (!(i < 4 || "
            "F[i - 4] > 1 || K[i] > 2)) { s += 1; K[i] = 7; } else { s -= 2; K[i] -= 1; } if (!(i > 1 && "
            "F[i - 2] < 2)) { F[i] += 1; continue; } F[i] *= 2; }"},
        BodyCase{"LoopInvariant",
                 "for (i = 0; i < n; i++) for (j = 0; j < m; j++) if (s > 0) V[i][j] = s; else V[i][j] = 1;"},
        BodyCase{
            "Affine",
            "for (i = 0; i < n; i++) { if (i > 0 && K[i - 1] > 0 && i < 9) K[i] = K[i + 1]; if (i < 3 || "
            "F[i] > 1) F[i] = 0; if (i > 4 && K[i] < 1) s = 2 * s; else count = count + i; }"},
        BodyCase{
            "ElseIf",
            "for (i = 0; i < n; i++) if (K[i] > 3) F[i] = 1; else if (K[i] > 0) F[i] = 2; else if (i % 2) "
            "F[i] = 3; else if (A[i][0] < -1) F[i] = 4;"},
        BodyCase{"Largest",
                 "for (i = 0; i < n; i++) { if (A[i][0] > s) s = A[i][0]; if (count > K[i]) count = K[i]; if "
                 "(F[0] >= F[i]) ; else F[0] = F[i]; if (K[20] <= K[i]) K[20] = K[i]; }"},
        BodyCase{"LargestAndIndex", "for (i = 0; i < n; i++) if (A[i][3] > s) { s = A[i][3]; count = i; }"},
        BodyCase{"LargestOfSome", "for (i = 0; i < n; i++) if (K[i] > 0) if (A[i][0] > s) s = A[i][0];"},
        BodyCase{"TruthValues",
                 "for (i = 0; i < n; i++) { if (K[i]) s += 1; if (A[i][0]) s -= 2; if (!F[i]) s *= 3; if "
                 "(A[i][1]) { A[i][1] = 0; count += 4; } if (K[i] && A[i][2]) K[i] = 0; }"},
        BodyCase{"Types",
                 "for (i = 0; i < n; i++) { if (K[i] > 0) { U[i] = A[i][0] * 3; w = s; K[30] = F[i] * 1.5; } "
                 "if (F[i] > 1) { w += i; U[i] *= 2; K[i] /= 2.5; F[i] /= 3; w -= U[i]; } }"},
        BodyCase{"SignsOfZeros",
                 "for (i = 0; i < n; i++) A[i][0] = -0.0; for (i = 0; i < n; i++) if (K[i] > 0) A[i][0] += "
                 "A[i][1]; for (i = 0; i < n; i++) F[i] = 1 / A[i][0] > 0;"},
        BodyCase{
            "SignsOfZerosBesideIntegers",
            "for (i = 0; i < n; i++) { A[i][0] = -0.0; V[i][1] = -0.0; } for (i = 0; i < n; i++) if (K[i] > "
            "0) { "
            "A[i][0] += K[i]; V[i][1] -= U[i]; } for (i = 0; i < n; i++) F[i] = (1 / A[i][0] > 0) + 2 * (1 / "
            "V[i][1] > 0);"},
        BodyCase{
            "Locals",
            "for (i = 0; i < n; i++) { double t; if (K[i] > 0) { double r = A[i][1]; const int k = i + 1; "
            "t = r * k; } else { t = 1; } F[i] = t; }"},
        BodyCase{"Chain", "for (i = 0; i < n; i++) if (K[i] > 0) K[i] = count = i;"},
        BodyCase{
            "Continue",
            "for (i = 0; i < n; i++) { if (K[i] < 0) continue; F[i] = 1; if (i == 5) { s = 7; continue; } "
            "for (j = 0; j < m; j++) { if (A[i][j] > 0) K[i] = 2; else continue; A[i][j] = 3; } "
            "if (A[i][0] > 2) { K[i] = -1; s += 1; continue; } count++; }"},
        BodyCase{"Labels",
                 "first: for (i = 0; i < n; i++) { second: F[i] = i; if (K[i] > 0) third: K[i] = 0; }"},
        BodyCase{"Jumps",
                 "for (i = 0; i < n; i++) { if (K[i] > 0) goto next; F[i] += 1; if (i > 4) { K[i] = 7; goto "
                 "next; } "
                 "if (F[i] > 2) goto low; K[i] = 3; s += 1; low: F[i] -= 1; next: count += K[i]; }"},
        BodyCase{"JumpsAroundTheOtherWay",
                 "for (i = 0; i < n; i++) { if (K[i] < 1) goto low; K[i] -= 2; if (F[i] > K[i]) goto both; "
                 "F[i] *= 2; "
                 "goto both; low: K[i] += 3; if (i > 3) goto both; F[i] -= K[i]; both: s += F[i]; }"},
        BodyCase{
            "JumpsOnEitherSide",
            "for (i = 0; i < n; i++) { if (K[i] > 0) { K[i] = 0; goto high; } else goto low; low: F[i] += 1; "
            "goto end; high: first: F[i] *= 3; end:; }"},
        BodyCase{"JumpToTheNextStatement",
                 "for (i = 0; i < n; i++) { if (K[i] > 0) { F[i] = 2; goto next; } next: if (i < m) goto "
                 "end; else F[i] += "
                 "K[i]; K[i] = 1; end: s += K[i]; }"},
        BodyCase{"JumpsOutsideOfLoops",
                 "if (s > 2) goto second; for (i = 0; i < n; i++) F[i] = i; goto third; second: for (i = 0; "
                 "i < n; i++) "
                 "F[i] = 7; third: for (i = 0; i < n; i++) { for (j = 0; j < m; j++) { if (A[i][j] > 1) goto "
                 "skip; "
                 "A[i][j] += F[i]; skip: A[i][j] *= 2; } }"}),
    [](const auto& info) { return info.param.name; });

// Loops, choices and values in other words than the usual ones.
INSTANTIATE_TEST_SUITE_P(
    Forms, Bodies,
    ::testing::Values(
        BodyCase{"While",
                 "i = 2; while (i < n) { A[i][0] = A[i - 1][0] + i; i += 3; } F[i] = 7; while (i > m) { "
                 "i -= 2; } K[i] = -1;"},
        BodyCase{"WhileInside",
                 "for (j = 0; j < m; j++) { int k = j; while (k < n) { if (A[k][j] > 0) s += A[k][j]; k++; } "
                 "F[k] += k; int l = m; while (l >= j) { V[l][j] = l; l--; } }"},
        BodyCase{
            "StepsBeforeTheBody",
            "i = n; while (i-- > 2) { if (K[i] > 0) continue; F[i] += i; } K[i] = 3; j = 0; while (++j < m) "
            "A[j][j] = j; F[j] = 4; while (j > 2) { j -= 2; s += A[j][0]; } for (unsigned k = u; k-- > 0;) "
            "K[k] += k; count = j;"},
        BodyCase{"WhileNeverEntered", "i = n; while (i < m) { F[i] = 1; i++; } F[i] = 3; K[i + 1] = i;"},
        BodyCase{
            "EndlessWithBreak",
            "for (i = 0;; i++) { if (i >= n) break; F[i] += i; } j = n; while (1) { if (!(j > 3)) break; "
            "K[j] = F[j] > 1 ? j : 2; j = j - 2; } F[j] = 9;"},
        BodyCase{
            "Breaks",
            "for (i = 0; i < n; i++) { F[i] += 1; if (i > m) break; K[i] = i; for (j = 9; j >= 0; j--) { if "
            "(i == 3) continue; A[i][j] = j; if (j < i) break; s += j; } } F[i] = 7; i = 2; while (i < n) { "
            "if (i == 4 || 2 * i > n + 3) { s -= i; break; } else if (i > m) { count++; break; } U[i] = i; i "
            "+= 2; } K[i] = 8;"},
        BodyCase{
            "BreaksBehindOneAnother",
            "for (i = 0; i < n; i++) { if (i < 4) continue; if (i == m) break; if (i > 5) continue; F[i] "
            "= 2; if (i + m > 30) break; K[i]++; } for (unsigned k = u; k > 0; k--) { K[k] += k; if (k % "
            "4 == 1) { F[k] = 1; break; } } do { s += 1; if (n > 3) break; s += 2; i++; } while (i < 9); "
            "for (j = 0; j < 5; j++) { A[j][j] = 4; break; } for (i = 0; i < n; i++) { int t = 2 * i + 1; "
            "if (t > m) break; F[t] = i; }"},
        BodyCase{"WalkingPointers",
                 "double *q = A[2]; const float *r = F; for (i = 0; i < n; i++) *p++ = *q++ * 2 + *r++; for "
                 "(r = F; "
                 "r < F + 9; r++) s += *r; for (i = 0; i < 4; i++) { double *t = A[i] + 30; *t = 1; "
                 "t -= 3; *--t = i; t[1] += 2; t += m; s += *t--; s -= fabs(*t); } "
                 "for (j = 0; j < 3; j++) for (i = 0; i < 5; i++) *p++ += j;"},
        BodyCase{
            "CountersFromOutside",
            "while (m-- > 2) { F[m] += 3; s += n; } for (i = 0; i < 5; i++) { K[n] = i; n += 2; } F[n] = "
            "9; p[m + 1] = 2;"},
        BodyCase{
            "CommasAndChoices",
            "for (i = 0; i < n; i++) { F[i] = 1, K[i] += 2; i > 3 ? (s += 1) : (count += 2); K[i] > 0 && "
            "(F[i] = 3); i < 2 || (U[i] = 4), (void)(A[i][0] = 5); ({ s += F[i], K[i]--; }); } i = 0; j = "
            "0; while (i < n) { p[j] = F[i]; i++, j += 2; } p[j] = 7;"},
        BodyCase{
            "DeclaredWhileWalking",
            "const double *q = A[0]; for (i = 0; i < n; i++) { double x = *p++, y = *q++, z = x * y; s += "
            "z; float t = *q, v = *++q; F[i] += t - v; } { int k = 0; for (i = 0; i < n; i++) { int l = "
            "k++; K[l] = l; U[k] = 3; } }"},
        BodyCase{
            "Hints",
            "for (i = 0; i < n; i++) { if (__builtin_expect(i > 2, 1)) F[i] = 1; if "
            "(__builtin_expect(!!(K[i] > 0 && i < m), 0)) F[i] += 2; w += __builtin_expect(K[i], 3) * "
            "2000000000; __builtin_prefetch(&F[i + 8]); double *q = __builtin_assume_aligned(p, 8); q[i] "
            "+= __builtin_expect(F[i] > 1, 0); if (i > 100) __builtin_unreachable(); for (j = 0; "
            "__builtin_expect(j < m, 1); j++) s += i < j ? __builtin_expect(U[j], 0) : 1; if "
            "(__builtin_expect(__builtin_expect(i < m, 1), 1)) K[i] "
            "-= 4; if (!(i < 30 && \"small\")) abort(); }"},
        BodyCase{"EndsOfTheProgram",
                 "for (i = 0; i < n; i++) { if (i >= 40) abort(); F[i] = i; if (m < 0 || n > 12) { s = 0; "
                 "exit(3); } K[i] = 2; }"},
        BodyCase{
            "TablesOfConstants",
            "static const float x[3] = {0.25f, 0.5f, 0.25f}; static const int dx[4] = {1, -1}, dy[2][2] = "
            "{{0, 0}, {1, -1}}; static const double c = 0.5; for (i = 1; i < n; i++) for (j = 1; j < m; "
            "j++) for (int k = 0; k < 4; k++) { A[i + 20][j] += c * A[i + dx[k]][j + dy[k / 2][k % 2]] * "
            "x[k % 3]; K[i] += dx[(k + 1) % 4] * 7; if (dx[k] > 0) F[i] += 1; }"},
        BodyCase{
            "TablesOfUnsignedConstants",
            "static const unsigned d[2] = {1, -1}; for (i = 1; i < n; i++) for (j = 0; j < 2; j++) { s += "
            "F[i + d[j]]; K[i] += 3 * d[j]; F[i + (j > 0 ? 1u : -1u)] += 2; }"},
        BodyCase{"JumpsInsideOfBranches",
                 "for (i = 0; i < n; i++) { F[i] = 1; if (i > 2) { K[i] += 3; if (i == m) break; s += 1; if "
                 "(K[i + 1] > 0) continue; count++; } else { if (K[i] > 1) { U[i] = 1; { if (A[i][0] > 0) "
                 "continue; } K[i] = -7; } s -= 1; } F[i] += 2; }"},
        BodyCase{"WalksThatABreakEnds",
                 "{ int k = 0; for (i = 0; i < n; i++) { if (i > m) break; *p++ = i; K[k] = i; k += 2; if (2 "
                 "* i == n + 1) { s = 3; break; } p++; } }"},
        BodyCase{"UnsignedCounters",
                 "{ unsigned k = u; while (k--) F[k] += k; size_t l = 0; while (l < u) { K[l] += 2; l++; } "
                 "unsigned short h; h = 3; while (h < 9) { U[h] = h; h += 2; } unsigned e = 9; while (e > 2) "
                 "{ e--; s += F[e]; } unsigned g = 1; while (1) { if (g >= u) break; K[g]++; g += 3; } "
                 "unsigned a = 4; for (; a; a--) U[a] += 3; }"},
        BodyCase{"UnsignedCountersFromOutside", "while (u--) { F[u] += 3; p[u] = n; }"},
        BodyCase{"UnsignedStepsFromOutside",
                 "for (i = 0; i < 3; i++) s += i; for (; u > 1; u -= 2) K[u] = 2;"},
        BodyCase{"TrianglesInParametricLengths",
                 "for (i = 0; i < 4; i++) for (j = 0; j <= i; j++) { s += V[i * (i + 1) / 2 + j][1]; F[i] += "
                 "V[0][i * j % 7]; }"},
        BodyCase{"ShortChoices",
                 "for (i = 0; i < n; i++) { F[i] = K[i] ?: i * 0.5f; s += A[i][0] ?: -(K[i] > 2 ?: U[i]); }"},
        BodyCase{"SubscriptsThatAreProducts",
                 "for (i = 0; i < 6; i++) for (j = 0; j <= i; j++) { F[i] += K[i * (i + 1) / 2 + j]; s += "
                 "A[i][j * j] - U[i * j % 7]; K[i * j] += 3; F[i * i] += i; }"},
        BodyCase{"Headers",
                 "for (i = 0, j = n; i < n; i++, j--) F[j] = A[i][j]; for (int k = 0, l = 3; k < m;) { K[l] "
                 "+= k; l += 2; k += 1; } j = 4; for (; j < n; ++j) U[j] = j;"},
        BodyCase{"IteratorBehindItsLoop",
                 "for (i = 0; i < n; i += 2) F[i] = i; F[i] = 5 + i; K[i + 1] = i; if (i > 12) count = i; "
                 "for (j = 0; j < "
                 "3; j++) { for (i = m; i > j; i--) A[i][j] += i; A[j][i] = 7; s += i; }"},
        BodyCase{"IteratorAgain",
                 "for (i = 0; i < n; i++) F[i] = i; F[i] = 5; i = i - 3; K[i] = 4; for (i = m; i > 0; i--) "
                 "K[i] += i; A[i][i + 1] = 2; do { s = s + i; i = 6; count = i; } while (0);"},
        BodyCase{"Switch",
                 "for (i = 0; i < n; i++) { switch (i % 5) { case 0: F[i] = 1; case 1: K[i] += 2; break; "
                 "case 2: case 3: { if (K[i] > 0) F[i] = 3; break; } default: F[i] *= 2; } switch (m) { "
                 "default: s += 1; break; case 7: s -= 3; case 8: count++; } }"},
        BodyCase{
            "SwitchOnData",
            "for (i = 0; i < n; i++) { switch (K[i]) { case 2: K[i] = 3; F[i] = 1; case 3: K[i] = 2; s += "
            "i; break; case -5: case 4: for (j = 0; j < 3; j++) A[i][j] = K[i]; break; case 7 ... 9: F[i] = "
            "0; default: K[i] -= "
            "2; count++; } switch (i) { case 1 ... 3: case 8: s += 4; break; case 9 ... 99: s -= i; } switch "
            "(U[i] > 99) { case 1: U[i] = 0; } }"},
        BodyCase{"SwitchInside",
                 "for (i = 0; i < n; i++) { if (K[i] > 0) { switch (i & 3) { case 1: s += 2; break; case 3: "
                 "switch (K[i + 1]) { case 0: count = 5; break; default: count -= 1; } } } }"},
        BodyCase{
            "Masks",
            "for (i = -8; i < n; i++) { if (i & 1) F[(i & 7) + (i >> 2) + 2] += i; A[(i + 8) & -4][i & 3] "
            "-= i; K[i & 15] += i & 6; if ((i & 3) == 2 || !(8 & i)) s += 1; }"},
        BodyCase{
            "BitsOfIndices",
            "for (i = -8; i < n; i++) { F[(i ^ 1) + 9] += i; K[(i | 6) + 9] -= i; A[(i ^ -3) + 16][(i & "
            "22) + 1] += i; int t = (6 | i) ^ 21; A[(t + 25) / 2][i & 0x5] = t; if ((i ^ 3) & 2) s += i; }"},
        BodyCase{
            "Do",
            "i = 3; do { A[i][0] = i; i += 2; } while (i < n); F[i] = 2; j = n; do { K[j] += 1; j--; } while "
            "(j > n + 5); K[j] = 9; i = 0; do { i++; if (K[i] > 0) continue; F[i] += 1; } while (i < m); "
            "F[i] "
            "+= 3; j = 0; do F[j] += j; while (++j < m); do { s += 1; j--; } while (j); A[j][2] = 3;"},
        BodyCase{
            "Induction",
            "int k = 0, l = 30, by = 3; for (i = 0; i < n; i++) { l -= 2; for (j = 0; j < 3; j++) { A[k][j] "
            "= "
            "i; k++; } F[l] = k; } K[k] = 5; A[l][3] = 2; for (i = 0; i < 20; i += by) K[i] += by; k = m; "
            "for "
            "(i = 0; i < 4; i++) { for (j = 2; j > 0; j--) { F[k] += j; k += by; } { k -= 2; } } U[k] = 1;"},
        BodyCase{"ChosenIndices",
                 "for (i = 0; i < n; i++) { int t = 1, r; if (i > 3) { t = i; A[t][0] = 2; t++; } else { r = "
                 "3; t += "
                 "r; } F[t] += i; switch (i % 3) { case 0: r = i; break; case 1: r = 2; break; default: r = "
                 "n - i; } "
                 "K[r] += t; if (i == 4) continue; if (i & 1) r = 0; s += A[r][t]; if (K[i] > 0 && i > 2) { "
                 "r = 7; "
                 "U[r] = i; } r = 1; U[r] += 3; }"},
        BodyCase{"CarriedIndices",
                 "int last = n - 1, before = n - 2, k, l = -1; for (i = 0; i < n; i++) { F[i] += K[last] + "
                 "K[before]; "
                 "before = last; last = i; } for (j = 1; j < 3; j++) { last = m; for (i = n; i > 2; i -= 2) "
                 "{ A[last][j] "
                 "+= i; last = i + j; } } for (i = 0; i < n; i++) { k = l + 1; K[k] += i; if (A[i][2] > 0) { "
                 "l = k + 1; "
                 "F[l] = i; } else { F[k] += 1; l = k + 1; } U[l] += k; } s = 0; for (i = 0; i < n; i++) { "
                 "int t = i; "
                 "if (i > 4) t = 2; else t += 1; for (j = 0; j < 2; j++) t++; s += A[t][i]; }"},
        BodyCase{"ProductsAsBounds",
                 "for (i = 0; i < n * m; i++) p[i] += i; for (i = (n - 1) * (m - 3) - 1; i > 2; i -= 3) F[i "
                 "% 40] += "
                 "p[i]; for (unsigned k = 1; k < u * u - u; k++) { const int end = n * m; if (k * 2 < end) s "
                 "+= k; "
                 "K[k % 7] = 2; } if (n * m > 70) count++;"},
        BodyCase{"TruthValues",
                 "_Bool any = 0, all = 1; for (i = 0; i < n; i++) { _Bool positive = A[i][0]; const _Bool "
                 "odd = i & "
                 "1; any |= K[i] > 2; all &= K[i]; K[i] = positive + odd + (_Bool)F[i]; if (odd) s += 1; } { "
                 "_Bool "
                 "t[5]; for (j = 0; j < 5; j++) { t[j] = K[j] = 256 * j; t[j] += j - 1; } for (j = 0; j < 5; "
                 "j++) K[j] "
                 "+= t[j]; } count = any * 2 + all;"},
        BodyCase{"StepsOfParameters",
                 "for (i = n; i > 0; i -= m) { F[i] += i; for (j = i; j < 30; j += u - 5) K[j] += i; }"},
        BodyCase{"Absolute",
                 "for (i = -n; i < abs(m - 15); i++) { F[abs(i)] += abs(i - 2); K[labs(i)] = i; }"},
        BodyCase{
            "StatementExpressions",
            "for (i = ({ int a = m, b = 3; a < b ? a : b; }); i < n; i++) { F[({ int t = i; if (t > 5) t "
            "= 5; t; })] += ({ float t = A[i][0]; t * t; }); ({ s += i; count++; }); }"},
        BodyCase{"Numbers",
                 "s = -HUGE_VAL; for (i = 0; i < n; i++) { if (A[i][0] > s) s = A[i][0]; F[i] = i % 3 ? "
                 "INFINITY : isnan(NAN) + F[i]; A[i][1] = __builtin_fmin(-__builtin_inf(), F[i]); }"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tune::testing
