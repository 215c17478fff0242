// What is counted for rules, against going through all instances and elements at sizes that nobody named.
#include "worker/cases/feedback_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/base/random.h"
#include "common/isl/dimensions.h"
#include "common/isl/points.h"
#include "common/scop/scop.h"
#include "tests/common/testing/programs.h"

namespace tune {
namespace {

using Sizes = std::map<std::string, int64_t>;

constexpr char kPrograms[] = R"(
void gemm(int n, int m, int k, double C[n][m], double A[n][k], double B[k][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) C[i][j] *= 0.5;
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m; j++) C[i][j] += A[i][l] * B[l][j];
  }
#pragma endscop
}
void triangle(int n, int m, double C[n][n], double A[n][m]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++) C[i][j] += A[i][k] * A[j][k];
#pragma endscop
}
void jacobi(int steps, int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
#pragma endscop
}
void transpose(int n, int m, double a[n][m], double c[m][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j][i] = a[i][j];
#pragma endscop
}
void strided(int n, int m, double x[n], double y[m]) {
#pragma scop
  for (int i = 0; i < n; i += 3) x[i] = 2 * x[i];
  for (int j = 0; j < m; j++)
    if (j != 7) y[j] = x[0];
#pragma endscop
}
)";

// By going through everything.
class Enumeration {
 public:
  Enumeration(const ParsedScop& scop, const isl::set& sizes) {
    for (const ParsedStatement& statement : scop.statements) {
      const isl::set domain = statement.domain.intersect_params(sizes).project_out_all_params();
      domain.foreach_point([&](const isl::point&) { ++compute; });
      for (const ParsedAccess& access : statement.accesses) {
        const isl::map relation = access.relation.intersect_domain(statement.domain).intersect_params(sizes);
        relation.range().project_out_all_params().foreach_point([&](const isl::point&) { ++memory; });
        if (access.reads() && scop.array(access.array).extents_size() > 0)
          AddReads(access.array, relation.project_out_all_params());
      }
    }
  }

  int64_t compute = 0, memory = 0, reuse = 0;

 private:
  void AddReads(const std::string& array, const isl::map& relation) {
    const int instance = Dimensions(relation, isl_dim_in), all = instance + Dimensions(relation, isl_dim_out);
    relation.wrap().flatten().foreach_point([&](const isl::point& point) {
      std::vector<int64_t> key = {instance > 0 ? CoordinateOf(point, isl_dim_set, 0).num_si() : 0};
      for (int i = instance; i < all; ++i) key.push_back(CoordinateOf(point, isl_dim_set, i).num_si());
      reuse = std::max(reuse, ++reads_[{array, key}]);
    });
  }

  std::map<std::pair<std::string, std::vector<int64_t>>, int64_t> reads_;
};

// The three functions as a program that prints their values for the sizes it is called with.
std::string ProgramOf(const v1::Scop& scop, const FeedbackMetrics& metrics) {
  std::string text = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n";
  for (int i = 0; i < scop.parameters_size(); ++i)
    absl::StrAppend(&text, "long long ", scop.parameters(i).name(), " = atoll(argv[", i + 1, "]);\n");
  for (const std::string& metric : {metrics.compute, metrics.memory, metrics.reuse})
    absl::StrAppend(&text, "{ double tune_value = 0;\n", metric, "printf(\"%.0f \", tune_value); }\n");
  return absl::StrCat(text, "return 0;\n}\n");
}

class FeedbackMetricsTest : public ::testing::TestWithParam<int> {
 protected:
  static v1::Extraction Extract() {
    const TemporaryFolder folder = TemporaryFolder::Make().value();
    EXPECT_TRUE(WriteFile(folder.path() + "/programs.c", kPrograms).ok());
    auto extraction = testing::ExtractFile(folder.path() + "/programs.c");
    EXPECT_TRUE(extraction.ok()) << extraction.status();
    return extraction.value_or(v1::Extraction());
  }
};

TEST_P(FeedbackMetricsTest, AreWhatGoingThroughEverythingCounts) {
  const v1::Extraction extraction = Extract();
  ASSERT_LT(GetParam(), extraction.scops_size());
  const v1::Scop& scop = extraction.scops(GetParam());
  const auto metrics = CountFeedbackMetrics(scop);
  ASSERT_TRUE(metrics.ok()) << metrics.status();
  EXPECT_FALSE(metrics->compute.empty() || metrics->memory.empty() || metrics->reuse.empty());
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ASSERT_TRUE(WriteFile(folder.path() + "/metrics.c", ProgramOf(scop, *metrics)).ok());
  const std::string program = folder.path() + "/metrics";
  const auto built = RunSubprocess({"cc", "-w", folder.path() + "/metrics.c", "-o", program}, {});
  ASSERT_TRUE(built.ok() && built->ok()) << ProgramOf(scop, *metrics);
  Random random(11);
  IslContext context;
  for (int i = 0; i < 8; ++i) {
    Sizes sizes;
    std::vector<std::string> command = {program};
    for (const v1::Parameter& parameter : scop.parameters()) {
      sizes[parameter.name()] = 1 + static_cast<int64_t>(random.Below(13));
      command.push_back(absl::StrCat(sizes[parameter.name()]));
    }
    const auto run = RunSubprocess(command, {});
    ASSERT_TRUE(run.ok() && run->ok());
    const absl::Status done = context.Run("test", [&]() -> absl::Status {
      TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
      const Enumeration counted(*parsed, ParameterValues(context, sizes));
      const std::vector<std::string> words = absl::StrSplit(run->standard_output, ' ', absl::SkipEmpty());
      EXPECT_EQ(words, (std::vector<std::string>{absl::StrCat(counted.compute), absl::StrCat(counted.memory),
                                                 absl::StrCat(counted.reuse)}))
          << ProgramOf(scop, *metrics);
      return absl::OkStatus();
    });
    EXPECT_TRUE(done.ok()) << done;
  }
}
INSTANTIATE_TEST_SUITE_P(Programs, FeedbackMetricsTest, ::testing::Range(0, 5));

}  // namespace
}  // namespace tune
