/* doitgen: A[r][q][.] = A[r][q][.] C4, the inner product of a multiresolution analysis. */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef NR
#define NR 24
#endif
#ifndef NQ
#define NQ 22
#endif
#ifndef NP
#define NP 40
#endif

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(DATA_TYPE A[NR][NQ][NP], DATA_TYPE C4[NP][NP]) {
  for (int r = 0; r < NR; ++r)
    for (int q = 0; q < NQ; ++q)
      for (int p = 0; p < NP; ++p) A[r][q][p] = (DATA_TYPE)((r * q + p) % NP) / NP;
  for (int s = 0; s < NP; ++s)
    for (int p = 0; p < NP; ++p) C4[s][p] = (DATA_TYPE)((3 * s + p) % NP) / NP;
}

static void doitgen(DATA_TYPE A[NR][NQ][NP], DATA_TYPE C4[NP][NP], DATA_TYPE sum[NP]) {
  int r, q, p, s;
/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
if (1)
{
  extern void tune_region_doitgen(void *const *arrays);
  void *const tune_arrays[] = {(void *)sum, (void *)A, (void *)C4, 0};
  tune_region_doitgen(tune_arrays);
}
else {
  for (r = 0; r < NR; r++)
    for (q = 0; q < NQ; q++) {
      for (p = 0; p < NP; p++) {
        sum[p] = 0.0;
        for (s = 0; s < NP; s++) sum[p] += A[r][q][s] * C4[s][p];
      }
      for (p = 0; p < NP; p++) A[r][q][p] = sum[p];
    }
}
}

int main(void) {
  static DATA_TYPE A[NR][NQ][NP], C4[NP][NP], sum[NP];
  fill(A, C4);
  doitgen(A, C4, sum);
  printf("A %.9e\n", weigh(NR * NQ * NP, &A[0][0][0]));
  return 0;
}
