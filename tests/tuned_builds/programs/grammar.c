// build:
// device: --set parenthesis_blocks=on
// Best derivations in a grammar of three symbols: several tables, one of which follows from another's element.
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 259
#endif
#define LARGER(a, b) ((a) >= (b) ? (a) : (b))

static int S[LENGTH][LENGTH], A[LENGTH][LENGTH], B[LENGTH][LENGTH], word[LENGTH];

int main(void) {
  for (int i = 0; i < LENGTH; i++) word[i] = (i * i + 3 * i + 1) % 11 % 4;
  for (int i = 0; i < LENGTH; i++) {
    S[i][i] = word[i] - 2;
    A[i][i] = 1 - word[i];
    B[i][i] = word[i] % 2;
  }
#pragma scop
  for (int i = LENGTH - 1; i >= 0; i--)
    for (int j = i + 1; j < LENGTH; j++) {
      for (int k = i; k < j; k++) A[i][j] = LARGER(A[i][j], S[i][k] + B[k + 1][j] - 1);
      for (int k = i; k < j; k++) B[i][j] = LARGER(B[i][j], A[i][k] + A[k + 1][j] - 2);
      for (int k = i; k < j; k++) S[i][j] = LARGER(S[i][j], A[i][k] + B[k + 1][j]);
      S[i][j] = LARGER(S[i][j], B[i][j] - word[i]);
    }
#pragma endscop
  long sum = 0;
  for (int i = 0; i < LENGTH; i++)
    for (int j = i; j < LENGTH; j++) sum += (i % 13 + j % 7 + 1) * (long)(S[i][j] + 2 * A[i][j] + 3 * B[i][j]);
  printf("%d %ld\n", S[0][LENGTH - 1], sum);
  return 0;
}
