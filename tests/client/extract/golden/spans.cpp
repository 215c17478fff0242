// Spans, of which each has its size.
#include <span>

void spans(std::span<double> y, std::span<const double> x, std::span<const int> index) {
#pragma scop
  for (std::size_t i = 0; i < y.size(); i++) y[i] = 2 * x[index[i]] + x.front();
#pragma endscop
}
