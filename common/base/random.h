// Random numbers that are the same on every machine and with every standard library.
#pragma once

#include <cstdint>
#include <vector>

namespace tune {

// xoshiro256** (Blackman, Vigna 2018), seeded through splitmix64. Copyable: a copy continues the same
// sequence. Not thread safe.
class Random {
 public:
  explicit Random(uint64_t seed);
  // An independent sequence for (seed, stream): streams of one seed do not overlap in practice.
  Random(uint64_t seed, uint64_t stream);

  uint64_t Next();
  // Uniform in [0, bound). Precondition: bound > 0.
  uint64_t Below(uint64_t bound);
  // Uniform in [0, 1), 53 random bits.
  double Uniform();
  // Index drawn with probability weight / sum of weights. Weights are not negative; when all are
  // zero the draw is uniform. Precondition: not empty.
  int Draw(const std::vector<double>& weights);

 private:
  uint64_t state_[4];
};

}  // namespace tune
