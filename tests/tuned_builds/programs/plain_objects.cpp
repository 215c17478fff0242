// build:
// build: -O2 -std=c++20
// parameters: n=40
// Small objects as values.
#include <cstdio>

struct Vector {
  float x, y;
};
struct Ray {
  Vector from, to;
};

static Vector points[40], moved[40];
static Ray rays[40];
static float weights[40];

void shade(int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    Vector at = points[i];
    Vector sum{};
    for (int j = 0; j < n; j++) {
      const Vector d{points[j].x - at.x, points[j].y - at.y};
      sum.x += weights[j] * d.x;
      sum.y -= weights[j] * d.y;
    }
    Ray ray;
    ray.from = at;
    ray.to = sum;
    if (weights[i] > 3) ray.to = Vector{ray.to.y, ray.to.x};
    rays[i] = ray;
    moved[i] = ray.to;
  }
#pragma endscop
}

int main() {
  for (int i = 0; i < 40; i++) {
    points[i] = {float(i * 7 % 11), float(i % 5)};
    weights[i] = float(i % 6);
  }
  shade(40);
  shade(13);
  double sum = 0;
  for (int i = 0; i < 40; i++)
    sum += rays[i].from.x * i + rays[i].from.y + rays[i].to.x * (i % 3) + rays[i].to.y * i + moved[i].x - moved[i].y;
  std::printf("%.9e\n", sum);
}
