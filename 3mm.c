/* 3mm: G = (A B) (C D). */
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#ifndef NI
#define NI 80
#endif
#ifndef NJ
#define NJ 70
#endif
#ifndef NK
#define NK 90
#endif
#ifndef NL
#define NL 60
#endif
#ifndef NM
#define NM 100
#endif

static DATA_TYPE A[NI][NK], B[NK][NJ], C[NJ][NM], D[NM][NL];
static DATA_TYPE E[NI][NJ], F[NJ][NL], G[NI][NL];

/* Sum in which neighbours weigh differently, so that a permuted result shows. */
static double weigh(int count, const DATA_TYPE *values) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 13 + 1) * (double)values[i];
  return sum;
}

static void fill(void) {
  for (int i = 0; i < NI; ++i)
    for (int k = 0; k < NK; ++k) A[i][k] = (DATA_TYPE)((i + 2 * k) % 11) / 11;
  for (int k = 0; k < NK; ++k)
    for (int j = 0; j < NJ; ++j) B[k][j] = (DATA_TYPE)((3 * k + j) % 13) / 13;
  for (int j = 0; j < NJ; ++j)
    for (int m = 0; m < NM; ++m) C[j][m] = (DATA_TYPE)((j + 5 * m) % 17) / 17;
  for (int m = 0; m < NM; ++m)
    for (int l = 0; l < NL; ++l) D[m][l] = (DATA_TYPE)((4 * m + 3 * l) % 19) / 19;
}

static void three_products(void) {
/* Tuned by tunectl, study .
   Without -fopenmp it computes the same on one thread. */
if (1)
{
  extern void tune_region_three_products(void *const *arrays);
  void *const tune_arrays[] = {(void *)E, (void *)A, (void *)B, (void *)F, (void *)C, (void *)D, (void *)G};
  tune_region_three_products(tune_arrays);
}
else {
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NJ; j++) {
      E[i][j] = 0.0;
      for (int k = 0; k < NK; ++k) E[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < NJ; i++)
    for (int j = 0; j < NL; j++) {
      F[i][j] = 0.0;
      for (int k = 0; k < NM; ++k) F[i][j] += C[i][k] * D[k][j];
    }
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NL; j++) {
      G[i][j] = 0.0;
      for (int k = 0; k < NJ; ++k) G[i][j] += E[i][k] * F[k][j];
    }
}
}

int main(void) {
  fill();
  three_products();
  printf("G %.9e\n", weigh(NI * NL, &G[0][0]));
  return 0;
}
