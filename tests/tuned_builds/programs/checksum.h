/* Inputs that differ everywhere, and sums in which neighbours weigh differently. */
#include <stdio.h>

#define FILL(array, count) \
  for (int fill_ = 0; fill_ < (int)(count); ++fill_) (array)[fill_] = (fill_ * 7 + 3) % 23 + 1
#define PRINT(array, count)                                                                               \
  do {                                                                                                    \
    double sum_ = 0;                                                                                      \
    for (int sum_i = 0; sum_i < (int)(count); ++sum_i) sum_ += (sum_i % 13 + 1) * (double)(array)[sum_i]; \
    printf(#array " %.9e\n", sum_);                                                                       \
  } while (0)
