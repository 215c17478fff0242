/* Two texts that are the same but for numbers: prints the relative error of all numbers together, in the Euclidean norm;
 * "inf" where anything else differs. Usage: compare_numbers EXPECTED FOUND */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char expected[4096], found[4096];
  double norm = 0, difference = 0;
  FILE *a = argc == 3 ? fopen(argv[1], "r") : NULL, *b = argc == 3 ? fopen(argv[2], "r") : NULL;
  if (a == NULL || b == NULL) {
    fprintf(stderr, "usage: compare_numbers EXPECTED FOUND\n");
    return 2;
  }
  while (fscanf(a, "%4095s", expected) == 1) {
    if (fscanf(b, "%4095s", found) != 1) return printf("inf\n"), 0;
    char *end_a, *end_b;
    const double x = strtod(expected, &end_a), y = strtod(found, &end_b);
    if (strcmp(expected, found) == 0) {
      norm += isfinite(x) ? x * x : 0;
      continue;
    }
    if (*end_a != '\0' || *end_b != '\0' || !isfinite(x) || !isfinite(y)) return printf("inf\n"), 0;
    norm += x * x;
    difference += (x - y) * (x - y);
  }
  if (fscanf(b, "%4095s", found) == 1) return printf("inf\n"), 0;
  printf("%.3g\n", difference == 0 ? 0 : norm > 0 ? sqrt(difference / norm) : INFINITY);
  return 0;
}
