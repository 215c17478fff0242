#include "common/base/random.h"

#include <bit>
#include <numeric>

namespace tune {
namespace {

uint64_t SplitMix(uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(uint64_t seed) : Random(seed, 0) {}

Random::Random(uint64_t seed, uint64_t stream) {
  uint64_t state = seed;
  uint64_t mixed = SplitMix(state) ^ (stream * 0xd1342543de82ef95ULL);
  for (uint64_t& word : state_) word = SplitMix(mixed);
}

uint64_t Random::Next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

uint64_t Random::Below(uint64_t bound) {
  // Rejects the incomplete last interval, so that every value is equally likely.
  const uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  uint64_t value;
  do value = Next();
  while (value >= limit);
  return value % bound;
}

double Random::Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

int Random::Draw(const std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0)) return static_cast<int>(Below(weights.size()));
  double rest = Uniform() * sum;
  int last_positive = 0;
  for (int i = 0; i < static_cast<int>(weights.size()); ++i) {
    if (weights[i] <= 0) continue;
    last_positive = i;
    rest -= weights[i];
    if (rest < 0) return i;
  }
  return last_positive;
}

}  // namespace tune
