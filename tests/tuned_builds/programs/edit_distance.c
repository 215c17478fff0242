// build:
// build: -O2 -DLENGTH=417
// device: --set wavefront_tiles=on
// The table of a distance between two texts, each element from those above, before, and both.
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 300
#endif
#define OTHER 291

static int table[LENGTH + 1][OTHER + 1];
static char first[LENGTH], second[OTHER];

int main(void) {
  for (int i = 0; i < LENGTH; i++) first[i] = 'a' + i * i % 7;
  for (int j = 0; j < OTHER; j++) second[j] = 'a' + j * 5 % 11;
  for (int i = 0; i <= LENGTH; i++) table[i][0] = i;
  for (int j = 0; j <= OTHER; j++) table[0][j] = j;
#pragma scop
  for (int i = 1; i <= LENGTH; i++)
    for (int j = 1; j <= OTHER; j++) {
      table[i][j] = table[i - 1][j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1);
      table[i][j] = table[i - 1][j] + 1 < table[i][j] ? table[i - 1][j] + 1 : table[i][j];
      table[i][j] = table[i][j - 1] + 1 < table[i][j] ? table[i][j - 1] + 1 : table[i][j];
    }
#pragma endscop
  long sum = 0;
  for (int i = 0; i <= LENGTH; i++)
    for (int j = 0; j <= OTHER; j++) sum += (i % 13 + j % 7 + 1) * (long)table[i][j];
  printf("%d %ld\n", table[LENGTH][OTHER], sum);
  return 0;
}
