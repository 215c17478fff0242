#include "worker/run/unforeseeable.h"

#include <random>

namespace tune {

int Unforeseeable(int bound) {
  std::random_device device;
  return std::uniform_int_distribution<int>(0, bound - 1)(device);
}

}  // namespace tune
