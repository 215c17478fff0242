// build:
// build: -O2 -DLENGTH=301
// device: --set parenthesis_blocks=on
// The cheapest order of a chain of products: intervals by length, a bound that every split may lower.
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 263
#endif

static float sides[LENGTH + 1];
static float cost[LENGTH + 1][LENGTH + 1];

int main(void) {
  for (int i = 0; i <= LENGTH; i++) sides[i] = (float)((i * 37 + 11) % 101 % 19 + 1);
#pragma scop
  for (int i = 1; i <= LENGTH; i++) cost[i][i] = 0;
  for (int l = 1; l < LENGTH; l++)
    for (int i = 1; i <= LENGTH - l; i++) {
      cost[i][i + l] = 1e30f;
      for (int k = i; k < i + l; k++) {
        float with = cost[i][k] + cost[k + 1][i + l] + sides[i - 1] * sides[k] * sides[i + l];
        if (with < cost[i][i + l]) cost[i][i + l] = with;
      }
    }
#pragma endscop
  double sum = 0;
  for (int i = 1; i <= LENGTH; i++)
    for (int j = i; j <= LENGTH; j++) sum += (i % 13 + j % 7 + 1) * (double)cost[i][j];
  printf("%.0f %.9e\n", cost[1][LENGTH], sum);
  return 0;
}
