// build: -std=gnu++20
// build: -std=gnu++20 -DWIDTH=11
// build: -std=gnu++20 -DREAL=double
// parameters: tune_y_size=50,n=10,tune_all_size=15,tune_by_size=6
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "checksum.h"
#ifndef REAL
#define REAL float
#endif
#ifndef WIDTH
#define WIDTH 10
#endif
using real = REAL;
using Rows = std::array<std::array<real, WIDTH>, 12>;
void smooth(std::span<real> y, std::span<const real> x) {
#pragma scop
  for (std::size_t i = 1; i + 1 < y.size(); ++i) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
#pragma endscop
}
void fixed(std::span<int, 8> fixed, const std::array<int, 8> &by) {
#pragma scop
  for (std::size_t i = 0; i < fixed.size(); i++) fixed[i] = fixed[i] * by[7 - i];
#pragma endscop
}
void sweep(Rows &a, const Rows &b, int n) {
#pragma scop
  for (std::size_t i = 1; i < a.size() - 1; i++)
    for (int j = 1; j < n - 1; j++) a[i][j] = b[i - 1][j] + b[i + 1][j] - b[i][j - 1] * b[i][j + 1];
#pragma endscop
}
void move(std::vector<std::array<double, 3>> &at, std::vector<std::array<double, 3>> &by, int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) at[i + 1][k] = 0.5 * by[i][k] + k;
#pragma endscop
}
struct Particle {
  real at, speed;
};
void advance(std::vector<Particle> &all, const real (&forces)[5]) {
#pragma scop
  for (auto &each : all) {
    for (real force : forces) each.speed += force / 8;
    each.at += each.speed;
  }
#pragma endscop
}
void shrink(Rows &rows, std::span<real> by) {
#pragma scop
  for (auto &row : rows)
    for (real &value : row)
      for (const auto &each : by)
        if (value > each)
          value -= each;
        else
          value += row[0] / 2;
#pragma endscop
}
static Rows first, second;
int main() {
  std::vector<real> x(80), y(50);
  FILL(x.data(), 80);
  smooth(y, x);
  smooth(y, std::span<const real>(x).subspan(9, 50));
  for (int by : {0, 1, 30})
    smooth(std::span<real>(x).subspan(by, 50), std::span<const real>(x).subspan(1, 50));
  smooth({}, {});
  PRINT(x.data(), 80);
  PRINT(y.data(), 50);
  std::array<int, 8> a = {1, 2, 3, 4, 5, 6, 7, 8}, b = {3, -1, 4, 1, 5, 9, 2, 6};
  fixed(a, b);
  fixed(b, b);
  PRINT(a.data(), 8);
  PRINT(b.data(), 8);
  FILL(first[0].data(), 12 * WIDTH);
  sweep(second, first, WIDTH);
  sweep(second, first, 10);
  sweep(first, first, 10);
  sweep(first, second, 4);
  PRINT(first[0].data(), 12 * WIDTH);
  PRINT(second[0].data(), 12 * WIDTH);
  std::vector<std::array<double, 3>> points(20), others(20);
  FILL(points[0].data(), 60);
  move(others, points, 10);
  move(points, points, 10);
  move(points, others, 3);
  PRINT(points[0].data(), 60);
  PRINT(others[0].data(), 60);
  std::vector<Particle> particles(15, {1, 2});
  const real forces[5] = {1, -2, 3, 4, 5};
  for (int count : {15, 15, 14}) {
    particles.resize(count);
    advance(particles, forces);
    for (const Particle &each : particles) printf("%.6e %.6e\n", each.at, each.speed);
  }
  shrink(first, std::span<real>(x).first(6));
  shrink(first, std::span<real>(first[2]).first(6));
  shrink(second, {});
  PRINT(first[0].data(), 12 * WIDTH);
}
