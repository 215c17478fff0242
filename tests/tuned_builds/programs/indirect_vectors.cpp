// build:
// build: -O2 -std=c++20
// build: -DINDEX=long
// parameters: n=40,tune_from_size=40,tune_counts_size=20,tune_x_size=40,tune_to_size=30
#include <cstddef>
#include <vector>

#include "checksum.h"
#ifndef INDEX
#define INDEX int
#endif
void gather(std::vector<double> &to, const std::vector<double> &from, const std::vector<INDEX> &at, int n) {
#pragma scop
  for (int i = 0; i < n; i++) to[i] = from[at[i]] + i;
#pragma endscop
}
void count(std::vector<int> &counts, const std::vector<unsigned char> &x) {
#pragma scop
  for (std::size_t i = 0; i < x.size(); i++) counts[x[i]]++;
#pragma endscop
}
void add(std::vector<float> &to, const std::vector<INDEX> &at, const std::vector<float> &weights, int n) {
#pragma scop
  for (int i = 0; i < n; i++) {
    const int place = at[2 * i];
    to[place] += weights[i];
  }
#pragma endscop
}
int main() {
  std::vector<INDEX> at(80);
  std::vector<double> from(40), to(80);
  std::vector<int> counts(20);
  std::vector<unsigned char> x(40);
  FILL(from, 40);
  for (int i = 0; i < 80; i++) at[i] = i * 7 % 40;
  for (int i = 0; i < 40; i++) x[i] = i * i % 20;
  gather(to, from, at, 40);
  gather(from, from, at, 40);
  gather(to, to, at, 40);
  from.resize(41);
  gather(to, from, at, 40);
  PRINT(from, 41);
  PRINT(to, 80);
  count(counts, x);
  x.clear();
  count(counts, x);
  PRINT(counts, 20);
  std::vector<float> sums(30), weights(40);
  FILL(weights, 40);
  for (INDEX &each : at) each %= 30;
  add(sums, at, weights, 40);
  sums.resize(31);
  add(sums, at, weights, 40);
  add(sums, at, sums, 20);
  PRINT(sums, 31);
}
