// Loops over what holds elements.
#include <array>
#include <vector>

void ranges(std::vector<double> &v, const std::array<float, 4> &weights, double (&sums)[3]) {
#pragma scop
  for (double &x : v)
    for (float w : weights) x += w;
  for (auto &s : sums) s = 0;
#pragma endscop
}
