// build:
// build: -O2 -DLENGTH=301
// device: --set wavefront_tiles=on
// The longest common subsequence of two texts: tiles need the edges of others alone.
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 230
#endif
#define OTHER 283

static int table[LENGTH][OTHER];
static int first[LENGTH], second[OTHER];

int main(void) {
  for (int i = 0; i < LENGTH; i++) first[i] = i * i % 7;
  for (int j = 0; j < OTHER; j++) second[j] = j * 5 % 11;
#pragma scop
  for (int i = 1; i < LENGTH; i++)
    for (int j = 1; j < OTHER; j++)
      table[i][j] = first[i] == second[j]               ? table[i - 1][j - 1] + 1
                    : table[i - 1][j] > table[i][j - 1] ? table[i - 1][j]
                                                        : table[i][j - 1];
#pragma endscop
  long sum = 0;
  for (int i = 0; i < LENGTH; i++)
    for (int j = 0; j < OTHER; j++) sum += (i % 13 + j % 7 + 1) * (long)table[i][j];
  printf("%d %ld\n", table[LENGTH - 1][OTHER - 1], sum);
  return 0;
}
