// Elements that are packed together: data decide how far the place moves on.
// build:
// build: -O2
// parameters: n=90,m=7
#include "checksum.h"

static int kept[100], from[100], counts[8], ends[8], sparse[8][100];
static double packed[200], x[100], y[100];

static int pack(int n, int m) {
  int k, last;
#pragma scop
  k = -1;
  for (int i = 0; i < n; i++) {
    if (x[i] > 12) {
      k++;
      packed[k] = x[i] * y[i];
      from[k] = i;
    }
  }
  for (int i = 0; i < n; i++) {
    if (y[i] < 9) continue;
    k += 1;
    packed[k] = y[i];
  }
  last = k;
  for (int r = 0; r < m; r++) {
    int at = 0;
    for (int i = 0; i < n; i++)
      if (kept[i] % 7 == r) sparse[r][at++] = i;
    ends[r] = at;
  }
  for (int i = 0; i < n; i++) {
    int bin = kept[i] & 7;
    counts[bin] = counts[bin] * 2 % 1001 + i;
  }
#pragma endscop
  return last;
}

int main(void) {
  FILL(x, 100); FILL(y, 100); FILL(kept, 100);
  for (int n = 90; n >= 0; n -= 45) {
    PRINT(packed, pack(n, 7) + 1);
    PRINT(packed, 200); PRINT(from, 100); PRINT(&sparse[0][0], 800); PRINT(ends, 8); PRINT(counts, 8);
  }
  return 0;
}
