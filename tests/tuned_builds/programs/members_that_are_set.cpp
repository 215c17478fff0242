// build:
// build: -O2 -std=c++20
// build: -DREAL=float
// parameters: tune_this_values_size=30,tune_this_n=30
#include <cstddef>
#include <vector>

#include "checksum.h"
#ifndef REAL
#define REAL double
#endif
class Sums {
 public:
  explicit Sums(int n) : values_(n), n_(n) { FILL(values_, n); }
  void add() {
#pragma scop
    for (std::size_t i = 0; i < values_.size(); i++) {
      total_ += values_[i];
      if (values_[i] > most) most = values_[i];
      steps_++;
    }
    done = true;
#pragma endscop
  }
  void weigh(REAL &to) {
#pragma scop
    for (int i = 0; i < n_; i++) {
      to += values_[i] * weights_[i % 4];
      total_ -= to;
    }
#pragma endscop
  }
  void count(int &n) {
#pragma scop
    for (int i = 0; i < n_; i++) {
      n = i / 2;
      values_[i] += n_;
    }
#pragma endscop
  }
  void print() {
    PRINT(values_, values_.size());
    printf("%.6e %.6e %ld %d %d\n", (double)total_, (double)most, steps_, done, n_);
  }
  REAL &total() { return total_; }
  int &size() { return n_; }
  REAL most = -1;
  bool done = false;

 private:
  std::vector<REAL> values_;
  REAL total_ = 0, weights_[4] = {1, 2, 3, 4};
  long steps_ = 0;
  int n_;
};
int main() {
  Sums sums(30), few(7);
  for (Sums *each : {&sums, &few}) {
    each->add();
    each->weigh(each->total());
    REAL other = 0;
    each->weigh(other);
    int count = 0;
    each->count(count);
    printf("%.6e %d\n", (double)other, count);
    each->print();
    each->count(each->size());
    each->print();
  }
}
