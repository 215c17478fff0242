// Products of _Float16 that are summed up in float, at sizes that tiles do not divide; all sums are exact.
// build:
// build: -DREAL=float
// device: --multiprocessors 1
#include "checksum.h"
#ifndef REAL
#define REAL _Float16
#endif
typedef REAL real;
#define N 70
#define M 90
#define K 77
#define BATCH 2

static real A[N][K], B[K][M], At[K][N], Bt[M][K], Ab[BATCH][N][K], Bb[BATCH][K][M], R[N][M];
static float C[N][M], D[N][M], E[N][M], F[N][M], G[N][M], H[N][M], P[BATCH][N][M], bias[M];

static void plain(void) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++) C[i][j] += (float)A[i][k] * (float)B[k][j];
#pragma endscop
}

// Each factor along its other loop.
static void turned(void) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++) D[i][j] -= At[k][i] * B[k][j];
#pragma endscop
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++) E[i][j] += A[i][k] * Bt[j][k];
#pragma endscop
}

static void scaled(float alpha, float beta) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      F[i][j] *= beta;
      for (int k = 0; k < K; k++) F[i][j] += alpha * At[k][i] * Bt[j][k];
    }
#pragma endscop
}

// Two products in one sum, with numbers that multiply all of its terms.
static void both(void) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++) G[i][j] += (float)A[i][k] * B[k][j] - (0.5f * At[k][i]) * (3 * Bt[j][k]);
#pragma endscop
}

static void with_epilogue(void) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      float s = bias[j];
      for (int k = 0; k < K; k++) s += (float)A[i][k] * B[k][j];
      H[i][j] = s > 9000 ? s : 0;
    }
#pragma endscop
}

static void rounded(void) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      float s = 0;
      for (int k = 0; k < K; k++) s += (float)A[i][k] * B[k][j];
      R[i][j] = s;
    }
#pragma endscop
}

static void batched(void) {
#pragma scop
  for (int b = 0; b < BATCH; b++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
        for (int k = 0; k < K; k++) P[b][i][j] += (float)Ab[b][i][k] * Bb[b][k][j];
#pragma endscop
}

// What was stored as float and is rounded on its way is no product of halves; nor are other functions of them.
static void others(void) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++) C[i][j] += (float)(real)(A[i][k] * B[k][j] + 2048) / 4;
#pragma endscop
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++) E[i][j] += (float)(int)(A[i][k] / 4) * Bt[j][k];
#pragma endscop
}

int main(void) {
  FILL(&A[0][0], N * K);
  FILL(&B[0][0], K * M);
  FILL(&At[0][0], K * N);
  FILL(&Bt[0][0], M * K);
  FILL(&Ab[0][0][0], BATCH * N * K);
  FILL(&Bb[0][0][0], BATCH * K * M);
  FILL(&C[0][0], N * M);
  FILL(&F[0][0], N * M);
  FILL(bias, M);
  plain();
  turned();
  scaled(1.25f, 0.5f);
  both();
  with_epilogue();
  rounded();
  batched();
  PRINT(&C[0][0], N * M);
  others();
  PRINT(&C[0][0], N * M);
  PRINT(&D[0][0], N * M);
  PRINT(&E[0][0], N * M);
  PRINT(&F[0][0], N * M);
  PRINT(&G[0][0], N * M);
  PRINT(&H[0][0], N * M);
  PRINT(&R[0][0], N * M);
  PRINT(&P[0][0][0], BATCH * N * M);
}
