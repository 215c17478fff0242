// build:
// build: -O2 -DSTEPS=6
// build: -DSTEPS=1
// parameters: n=40,steps=7
// Pointers that change places in a loop over time: what is read behind it, and which array they lead to.
#include "checksum.h"
#ifndef STEPS
#define STEPS 7
#endif
#define SWAP(x, y) do { double *swapped = x; x = y; y = swapped; } while (0)
static double p[100], q[100], r[100];
static void heat(int n, int steps, double *a, double *b) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    double *tmp = a;
    a = b;
    b = tmp;
  }
#pragma endscop
}
static double *result(int n, int steps, double *now, double *next) {
  double *tmp;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) next[i] = now[i] + 0.125 * (now[i - 1] + now[i + 1] + t);
    tmp = now;
    now = next;
    next = tmp;
  }
#pragma endscop
  return now;
}
static double wave(int n, int steps) {
  double *before = p, *now = q, *next = r;
  double sum = 0;
#pragma scop
  for (int t = steps; t > 0; t--) {
    for (int i = 1; i < n - 1; i++) next[i] = 2 * now[i] - before[i] + 0.125 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    double *oldest = before;
    before = now;
    now = next;
    next = oldest;
  }
#pragma endscop
  for (int i = 0; i < n; i++) sum += (i + 1) * now[i] + before[i];
  return sum + next[3];
}
static double again(int n, int steps, int rounds) {
  double *a = p, *b = q;
  double sum = 0;
  for (int s = 0; s < rounds; s++) {
#pragma scop
    for (int t = 0; t < steps; t += 2) {
      for (int i = 1; i < n - 1; i++) {
        if (a[i] > 4) b[i] = a[i - 1] * 0.5 + a[i + 1] * 0.25;
        else b[i] = a[i];
      }
      SWAP(a, b);
    }
#pragma endscop
    sum += a[s + 5] + 10 * b[s + 6];
  }
  return sum + a[1];
}
static void straight(int n, double *a, double *b) {
  double *from = b, *to;
#pragma scop
  to = a + 1;
  for (int i = 0; i < n; i++) to[i] = from[i];
  from = a;
  to = b + n;
  for (int i = 0; i < n; i++) to[i] += from[i];
#pragma endscop
}
static double *renamed(int n, int steps, double *a, double *b) {
  double *from = r;
  a[0] += from[0];
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) b[i] = 0.5 * a[i] + t;
    double *from = a;
    double *kept = from;
    a = b;
    b = kept;
  }
#pragma endscop
  return a + (from - r);
}
int main(void) {
  FILL(p, 100); FILL(q, 100); FILL(r, 100);
  heat(40, 7, p, q); PRINT(p, 100); PRINT(q, 100);
  heat(40, 4, p, q); PRINT(p, 100); PRINT(q, 100);
  heat(40, 7, p, p + 20); PRINT(p, 100);
  heat(40, 7, p + 1, p); PRINT(p, 100);
  double *last = result(40, STEPS, p, q); PRINT(last, 40); PRINT(p, 100);
  last = result(40, 7, q, p); PRINT(last, 40); PRINT(p, 100);
  last = result(40, 0, p, q); PRINT(last, 40); PRINT(q, 100);
  for (int steps = 0; steps < 9; steps++) printf("%.9e\n", wave(40, steps));
  printf("%.9e %.9e\n", again(40, STEPS, 3), again(40, 7, 4));
  PRINT(p, 100); PRINT(q, 100); PRINT(r, 100);
  last = renamed(40, STEPS, p, q); PRINT(last, 40);
  last = renamed(40, 7, p, q); PRINT(last, 40); PRINT(p, 100);
  straight(40, p, q); PRINT(p, 100); PRINT(q, 100);
  straight(40, p, p + 2); PRINT(p, 100);
}
