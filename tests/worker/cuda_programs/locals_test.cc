// Variables declared inside the region, in every place of the list of arrays, which is in the order of first
// use: expansion leaves them out and adds arrays of other names.
#include <gtest/gtest.h>

#include "common/base/file.h"
#include "tests/common/testing/programs.h"
#include "tests/worker/cuda_programs/simulation.h"

namespace tune {
namespace {

// Runs the program with n = 37, m = 5.
void Check(const std::string& text) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/locals.c";
  ASSERT_TRUE(WriteFile(path, text).ok());
  const auto extraction = testing::ExtractFile(path);
  ASSERT_TRUE(extraction.ok()) << extraction.status();
  ASSERT_EQ(extraction->scops_size(), 1);
  const v1::Scop& scop = extraction->scops(0);
  std::map<std::string, int64_t> values;
  for (const v1::Parameter& parameter : scop.parameters())
    values[parameter.name()] = parameter.name() == "m" ? 5 : 37;
  CheckScop(scop, values, ScheduleLevel::kO1, /*configurations=*/4);
}

// The local is the first array.
TEST(Locals, FilterWithAnInitialisedAccumulator) {
  Check(R"(
void fir(int n, int m, float h[m], float x[n + m], float y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    float acc = 0;
    for (int k = 0; k < m; k++) acc += h[k] * x[i + k];
    y[i] = acc;
  }
#pragma endscop
}
)");
}

// One in the middle.
TEST(Locals, Convolution) {
  Check(R"(
void convolve(int n, int m, double in[n + m][n + m], double k[m][m], double out[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      out[i][j] = k[0][0];
      double sum = 0;
      for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) sum += in[i + a][j + b] * k[a][b];
      out[i][j] = out[i][j] + sum;
    }
#pragma endscop
}
)");
}

// Two, of which one has no initialiser.
TEST(Locals, Softmax) {
  Check(R"(
#include <math.h>
void softmax(int n, int m, double A[m][n], double B[m][n]) {
#pragma scop
  for (int i = 0; i < m; i++) {
    double most = A[i][0];
    double sum;
    for (int j = 1; j < n; j++) most = most < A[i][j] ? A[i][j] : most;
    sum = 0.0;
    for (int j = 0; j < n; j++) {
      B[i][j] = exp(A[i][j] - most);
      sum += B[i][j];
    }
    for (int j = 0; j < n; j++) B[i][j] /= sum;
  }
#pragma endscop
}
)");
}

// The last, and an array.
TEST(Locals, RecursiveFilter) {
  Check(R"(
void iir(int n, int m, double a, double b, double x[m][n], double y[m][n]) {
#pragma scop
  for (int i = 0; i < m; i++) {
    y[i][0] = a * x[i][0];
    double state[2];
    for (int k = 0; k < 2; k++) state[k] = k;
    for (int j = 1; j < n; j++) {
      state[0] = a * x[i][j] + b * y[i][j - 1];
      y[i][j] = state[0] - 0.25 * state[1];
      state[1] = state[0];
    }
  }
#pragma endscop
}
)");
}

TEST(Locals, Bodies) {
  Check(R"(
#include <math.h>
void bodies(int n, double px[n], double py[n], double fx[n], double fy[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    fx[i] = 0;
    fy[i] = 0;
    for (int j = 0; j < n; j++) {
      double dx = px[j] - px[i];
      double dy = py[j] - py[i];
      const double r = 1 / sqrt(dx * dx + dy * dy + 0.01);
      fx[i] += dx * r * r * r;
      fy[i] += dy * r * r * r;
    }
  }
#pragma endscop
}
)");
}

// The same name for two variables, one of them a parameter's.
TEST(Locals, Shadowed) {
  Check(R"(
void shadowed(int n, float t, float x[n], float y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) x[i] = x[i] * t;
  for (int i = 0; i < n; i++) {
    float t = x[i] + 1;
    y[i] = t * t;
    {
      float t = y[i] - 1;
      x[i] = t;
    }
  }
#pragma endscop
}
)");
}

}  // namespace
}  // namespace tune
