// build:
// device: --set parenthesis_blocks=on
// The best search tree: the root of each is in neither of its parts, and the weight of all of it is added.
#include <stdio.h>

#define KEYS 269

static double weight[KEYS + 2][KEYS + 2], cost[KEYS + 2][KEYS + 2];

int main(void) {
  for (int i = 0; i < KEYS + 2; i++)
    for (int j = i; j < KEYS + 2; j++) weight[i][j] = (j > i ? weight[i][j - 1] : 0) + (j * 37 + 11) % 101 % 19;
#pragma scop
  for (int i = KEYS; i >= 1; i--)
    for (int j = i; j <= KEYS; j++) {
      cost[i][j] = 1e30;
      for (int root = i; root <= j; root++)
        if (cost[i][root - 1] + cost[root + 1][j] + weight[i][j] < cost[i][j])
          cost[i][j] = cost[i][root - 1] + cost[root + 1][j] + weight[i][j];
    }
#pragma endscop
  double sum = 0;
  for (int i = 1; i <= KEYS; i++)
    for (int j = i; j <= KEYS; j++) sum += (i % 13 + j % 7 + 1) * cost[i][j];
  printf("%.0f %.9e\n", cost[1][KEYS], sum);
  return 0;
}
