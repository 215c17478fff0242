// build:
// build: -O2 -std=c++20
// parameters: n=50
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "checksum.h"
static float x[50], y[50], worst = -1e30f;
static double u[50], v[50];
static int k[50];
static long w[50];
namespace mine {
// Names of C for something else.
[[maybe_unused]] static float sqrtf(float) { return -1; }
[[maybe_unused]] static int abs(int) { return -1; }
static inline const float &relu(const float &value) {
  static const float zero = 0;
  return value > 0 ? value : zero;
}
constexpr float half(float value) { return value / 2; }
void f(int n) {
  using std::max;
  (void)relu(0);
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = std::sqrt(x[i]) + std::abs(x[i] - 9) + std::fma(x[i], 2.0f, y[i]) + std::fabs(half(y[i]));
    u[i] = std::sqrt(v[i]) + std::pow(x[i], 2) + std::hypot(v[i], 1.5) + std::sqrt(k[i]) + fabs(x[i]);
    v[i] = std::max(v[i], u[i]) - std::min<double>(x[i], 3) + std::clamp(u[i], 1.0, 20.0);
    k[i] = std::abs(k[i] - 12) + std::max(i, 7) + (std::isnan(x[i]) || std::signbit(y[i]) ? 'a' : 1);
    w[i] = std::abs(w[i] - 11L) + std::lround(x[i] / 3);
    x[i] = std::min(x[i], std::numeric_limits<float>::max()) + std::floor(x[i] / 4) + std::exp(x[i] / 16);
    worst = max(worst, x[i]);
  }
#pragma endscop
}
}  // namespace mine
int main() {
  FILL(x, 50);
  FILL(y, 50);
  FILL(v, 50);
  FILL(k, 50);
  FILL(w, 50);
  for (int n : {50, 50, 31}) mine::f(n);
  PRINT(x, 50);
  PRINT(y, 50);
  PRINT(u, 50);
  PRINT(v, 50);
  PRINT(k, 50);
  PRINT(w, 50);
  printf("%.6e\n", worst);
}
