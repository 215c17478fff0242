// Moments that no candidate can know.
#pragma once

namespace tune {

// 0 to bound - 1, by the kernel's random numbers: a seed could be guessed. Precondition: bound > 0.
int Unforeseeable(int bound);

}  // namespace tune
