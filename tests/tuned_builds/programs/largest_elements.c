// Largest and smallest values and where they are, with equal elements, NaN, zeros of both signs and nothing found.
// build:
// parameters: n=5000,rows=60,columns=70
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct found { double value; long at, also; };

static void first(int n, const float *x, float m, int k, struct found *f) {
#pragma scop
  for (int i = 1; i < n; i++)
    if (x[i] > m) {
      m = x[i];
      k = i;
    }
#pragma endscop
  *f = (struct found){m, k, 0};
}
static void last(int n, const float *x, float m, int k, struct found *f) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (m <= x[i]) {
      k = i;
      m = x[i];
    }
#pragma endscop
  *f = (struct found){m, k, 0};
}
static void least_down(int n, const double *x, double m, long k, struct found *f) {
  long also = -7;
#pragma scop
  for (int i = n - 1; i >= 0; i -= 2) {
    double t = x[i];
    if (t < m) {
      also = 3 * i + 1;
      m = t;
      k = i;
    }
  }
#pragma endscop
  *f = (struct found){m, k, also};
}
static void magnitude(int n, const float *x, float m, int k, struct found *f) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (fabs(x[i]) > m) {
      m = fabs(x[i]);
      k = i;
    }
#pragma endscop
  *f = (struct found){m, k, 0};
}
static void matrix(int rows, int columns, double a[rows][columns], double m, int k, struct found *f) {
  int l = -1;
#pragma scop
  for (int i = 0; i < rows; i++)
    for (int j = columns - 1; j >= 0; j--)
      if (m >= a[i][j]) {
        m = a[i][j];
        k = i;
        l = j;
      }
#pragma endscop
  *f = (struct found){m, k, l};
}
static void triangle(int rows, double a[rows][rows], double m, int k, struct found *f) {
  int l = -1;
#pragma scop
  for (int i = 0; i < rows; i++)
    for (int j = i; j < rows; j++)
      if (a[i][j] > m) {
        m = a[i][j];
        k = i;
        l = j;
      }
#pragma endscop
  *f = (struct found){m, k, l};
}
static void bytes(int n, const signed char *x, signed char m, int k, struct found *f) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (!(x[i] <= m)) {
      m = x[i];
      k = i;
    }
#pragma endscop
  *f = (struct found){m, k, 0};
}
static void wraps(int n, const unsigned *x, unsigned m, int k, struct found *f) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (x[i] * 2654435761u > m) {
      m = x[i] * 2654435761u;
      k = i;
    }
#pragma endscop
  *f = (struct found){m, k, 0};
}
static void filtered(int n, const float *x, const int *valid, float m, int k, struct found *f) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (valid[i] && x[i] > m) {
      m = x[i];
      k = i;
    }
  }
#pragma endscop
  *f = (struct found){m, k, 0};
}
static void inside(int n, const float *x, const int *valid, float m, int k, struct found *f) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (valid[i] != 0)
      if (x[i] < m) {
        m = x[i];
        k = i;
      }
  }
#pragma endscop
  *f = (struct found){m, k, 0};
}
static void both(int n, const float *x, float m, int k, struct found *f) {
  float low = m;
  int l = -2;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (x[i] > m) {
      m = x[i];
      k = i;
    }
    if (x[i] < low) {
      low = x[i];
      l = i;
    }
  }
#pragma endscop
  *f = (struct found){(double)m - low, k, l};
}
static void payload(int n, const float *x, const int *valid, float m, int k, struct found *f) {
  float other = 3;
  other = 0;
#pragma scop
  m = x[0];
  for (int i = 0; i < n; i++)
    if (x[i] > m) {
      m = x[i];
      k = valid[i] + i;
      other = x[i] / 2;
    }
  other = other + m;
#pragma endscop
  *f = (struct found){m, k, other > 1e9f ? 1 : other};
}

enum { N = 5000, R = 60, C = 70 };
static float x[N];
static double d[N], a[R][C], b[C][C];
static int valid[N];
static signed char c[N];
static unsigned u[N];

static void Print(const char *what, struct found f) {
  uint64_t bits;
  memcpy(&bits, &f.value, sizeof bits);
  if (f.value != f.value) bits = 1;
  printf("%s x%llx %ld %ld\n", what, (unsigned long long)bits, f.at, f.also);
}

static unsigned state = 12345;
static unsigned Next(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

int main(void) {
  const float starts[] = {-1e30f, 0, -0.0f, 5, 1e30f, NAN, INFINITY, -INFINITY};
  for (int kind = 0; kind < 6; kind++) {
    const int values[] = {1 << 20, 9, 2, 1, 40, 7};
    for (int i = 0; i < N; i++) {
      x[i] = (float)(Next() % values[kind]) - values[kind] / 2;
      if (kind == 2 && x[i] == 0 && Next() % 2) x[i] = -0.0f;
      if (kind == 3) x[i] = Next() % 2 ? 0.0f : -0.0f;
      if (kind == 4 && Next() % 3 == 0) x[i] = NAN;
      if (kind == 5) x[i] = NAN;
      d[i] = x[i];
      valid[i] = Next() % 3;
      c[i] = (signed char)Next();
      if (kind == 2) c[i] = -128;
      u[i] = kind == 1 ? Next() % 5 : Next() * 255;
    }
    if (kind == 0) x[N - 1] = 1e25f, d[0] = -1e25;
    for (int i = 0; i < R; i++)
      for (int j = 0; j < C; j++) a[i][j] = d[i * C + j];
    for (int i = 0; i < C; i++)
      for (int j = 0; j < C; j++) b[i][j] = d[i * C + j];
    for (int s = 0; s < 8; s++) {
      struct found f;
      const float m = starts[s];
      first(N, x, m, -1, &f), Print("first", f);
      last(N, x, m, -1, &f), Print("last", f);
      least_down(N, d, m, -1, &f), Print("least", f);
      magnitude(N, x, m, -1, &f), Print("magnitude", f);
      matrix(R, C, a, m, -1, &f), Print("matrix", f);
      triangle(C, b, m, -1, &f), Print("triangle", f);
      bytes(N, c, (signed char)(s * 30 - 128), -1, &f), Print("bytes", f);
      wraps(N, u, s == 0 ? 0 : 1u << (4 * s), -1, &f), Print("wraps", f);
      filtered(N, x, valid, m, -1, &f), Print("filtered", f);
      inside(N, x, valid, m, -1, &f), Print("inside", f);
      both(N, x, m, -1, &f), Print("both", f);
      payload(N, x, valid, m, -1, &f), Print("payload", f);
    }
  }
  return 0;
}
