/* Tables of constants as distances and as factors. */
static const int place[3] = {-1, 0, 1};
static const float weight[3] = {0.25f, 0.5f, 0.25f};
void tables(int n, const float x[n + 2], float y[n + 2]) {
#pragma scop
  for (int i = 1; i <= n; i++) {
    y[i] = 0;
    for (int k = 0; k < 3; k++) y[i] += weight[k] * x[i + place[k]];
  }
#pragma endscop
}
