// build:
// build: -O2 -Dreal=float
// build: -DWEIGHT
// parameters: n=40
// Points as people write them: declared in loops, copied, swapped, and made of their members.
#include "checksum.h"
#ifndef real
#define real double
#endif
struct point {
#ifdef WEIGHT
  real weight;
#endif
  real x, y, z;
};
struct body { struct point at, speed; };
static struct point p[40], q[40], sums[40];
static struct body b[40];
static real mass[40];

void pull_all(int n, real dt) {
#pragma scop
  for (int i = 0; i < n; i++) {
    struct point here = p[i], pull = {.x = 0, .y = 0, .z = 0};
    for (int j = 0; j < n; j++) {
      const struct point there = q[j];
      const struct point d = {.x = there.x - here.x, .y = there.y - here.y, .z = there.z - here.z};
      const real r = d.x * d.x + d.y * d.y + d.z * d.z + 1;
      pull.x += mass[j] * d.x / r;
      pull.y += mass[j] * d.y / r;
      pull.z += mass[j] * d.z / r;
    }
    if (mass[i] > 2) pull = (struct point){.x = pull.y, .y = pull.x, .z = pull.z};
    sums[i] = pull;
  }
  for (int i = 0; i < n; i++) {
    struct body now = b[i];
    now.speed.x += dt * sums[i].x;
    now.speed.y += dt * sums[i].y;
    now.at.x += dt * now.speed.x;
    now.at.y += dt * now.speed.y;
    now.at.z -= dt;
    b[i].at = now.at;
    b[i].speed = now.speed;
    q[i] = p[n - 1 - i];
  }
#pragma endscop
}
#define SET(name) for (int i = 0; i < 40; i++) name[i].x = (i * 7) % 11 - 4, name[i].y = i % 5, name[i].z = (i * 3) % 8
int main(void) {
  FILL(mass, 40);
  SET(p); SET(q);
  for (int i = 0; i < 40; i++) b[i].at = p[i], b[i].speed = q[39 - i];
  pull_all(40, 0.25); pull_all(20, 0.5);
  double total[6] = {0};
  for (int i = 0; i < 40; i++) {
    total[0] += b[i].at.x * (i + 1); total[1] += b[i].at.y * i; total[2] += b[i].at.z + b[i].speed.z * i;
    total[3] += b[i].speed.x * i; total[4] += b[i].speed.y; total[5] += q[i].x * i + q[i].y + sums[i].z;
  }
  PRINT(total, 6);
}
