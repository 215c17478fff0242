// Elements and sizes by member functions of a class, which is private but for these.
#include <vector>

class Matrix {
  int rows_, cols_;
  std::vector<float> data_;

 public:
  float &operator()(int i, int j) { return data_[i * cols_ + j]; }
  float operator()(int i, int j) const { return data_[i * cols_ + j]; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  void set(int i, int j, double v) { data_[i * cols_ + j] = v; }
};

void accessors(Matrix &a, const Matrix &b) {
#pragma scop
  for (int i = 0; i < b.rows(); i++)
    for (int j = 1; j < b.cols(); j++) {
      a.set(i, j, b(i, j) * 0.5);
      a(i, j) += a(i, j - 1);
    }
#pragma endscop
}
