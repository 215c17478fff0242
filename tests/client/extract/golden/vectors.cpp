#include <array>
#include <cstddef>
#include <vector>

class Filter {
 public:
  void apply(std::vector<float> &y, const std::vector<float> &x);

 private:
  std::array<std::array<float, 3>, 2> taps_;
  float gain_;
};

void Filter::apply(std::vector<float> &y, const std::vector<float> &x) {
#pragma scop
  for (std::size_t i = 0; i + 3 < x.size(); ++i)
    for (std::size_t k = 0; k < taps_[0].size(); ++k)
      y[i] += gain_ * taps_[1][k] * x[i + k];
#pragma endscop
}
