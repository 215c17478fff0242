// Programs of PolyBench by cuBLAS and cuSOLVER, timed over device memory:
//   nvcc -O3 -std=c++17 -arch=native library_peers.cu -lcublas -lcusolver -o library_peers
//   ./library_peers gemm float NI=2000 NJ=2300 NK=2600
// Prints one line of JSON: the median of the runs in seconds, and the largest relative difference of some
// results from what the host computes. Inputs are written anew before each run, which is not timed. Exit code
// 1: the library failed, or a result is wrong; 2: wrong arguments; 3: the libraries have nothing for the
// program.
//
// The programs' arrays lie row by row; the libraries take columns. An array is its own transpose for them, so
// that the products are taken as C^T = B^T A^T, and a lower triangle is an upper one.
#include <cublas_v2.h>
#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr double kWarmUpMilliseconds = 300;  // until clocks are as high as they get
constexpr int kRuns = 21;
constexpr int kSamples = 16;  // results that are compared with the host's

[[noreturn]] void Fail(const std::string& what, int code) {
  fprintf(stderr, "library_peers: %s\n", what.c_str());
  exit(code);
}
void Check(cudaError_t status) {
  if (status != cudaSuccess) Fail(cudaGetErrorString(status), 1);
}
void Check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) Fail(cublasGetStatusString(status), 1);
}
void Check(cusolverStatus_t status) {
  if (status != CUSOLVER_STATUS_SUCCESS) Fail("cuSOLVER's status is " + std::to_string(status), 1);
}

// The libraries' functions for an element type.
template <class T>
struct Library;
template <>
struct Library<float> {
  static constexpr auto gemm = cublasSgemm;
  static constexpr auto symm = cublasSsymm;
  static constexpr auto syrk = cublasSsyrk;
  static constexpr auto syr2k = cublasSsyr2k;
  static constexpr auto trmm = cublasStrmm;
  static constexpr auto gemv = cublasSgemv;
  static constexpr auto ger = cublasSger;
  static constexpr auto potrf_size = cusolverDnSpotrf_bufferSize;
  static constexpr auto potrf = cusolverDnSpotrf;
  static constexpr auto getrf_size = cusolverDnSgetrf_bufferSize;
  static constexpr auto getrf = cusolverDnSgetrf;
};
template <>
struct Library<double> {
  static constexpr auto gemm = cublasDgemm;
  static constexpr auto symm = cublasDsymm;
  static constexpr auto syrk = cublasDsyrk;
  static constexpr auto syr2k = cublasDsyr2k;
  static constexpr auto trmm = cublasDtrmm;
  static constexpr auto gemv = cublasDgemv;
  static constexpr auto ger = cublasDger;
  static constexpr auto potrf_size = cusolverDnDpotrf_bufferSize;
  static constexpr auto potrf = cusolverDnDpotrf;
  static constexpr auto getrf_size = cusolverDnDgetrf_bufferSize;
  static constexpr auto getrf = cusolverDnDgetrf;
};

template <class T>
__global__ void Diagonal(const T* matrix, T* diagonal, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) diagonal[i] = matrix[size_t(i) * (n + 1)];
}

// Lower triangle of the n x n matrix to both sides; divided by the roots of its diagonal's elements where
// correlate says so.
template <class T>
__global__ void Mirror(T* matrix, const T* diagonal, int n, bool correlate) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j > i) return;
  const size_t below = size_t(i) * n + j, above = size_t(j) * n + i;
  T value = matrix[below];
  if (correlate) value = i == j ? T(1) : value / (sqrt(diagonal[i]) * sqrt(diagonal[j]));
  matrix[below] = matrix[above] = value;
}

// A matrix of the program: what it is at first, on the host, and its copy on the device.
template <class T>
struct Matrix {
  Matrix(int r, int c, unsigned seed) : rows(r), columns(c), first(size_t(r) * c) {
    for (T& value : first) {
      seed = seed * 1664525u + 1013904223u;
      value = T(seed >> 8) / T(1 << 24);
    }
    Check(cudaMalloc(&device, Bytes()));
    Check(cudaMalloc(&kept, Bytes()));
    Keep();
  }
  size_t Bytes() const { return first.size() * sizeof(T); }
  void Keep() { Check(cudaMemcpy(kept, first.data(), Bytes(), cudaMemcpyDefault)); }
  void Restore() { Check(cudaMemcpyAsync(device, kept, Bytes(), cudaMemcpyDefault)); }
  double At(int i, int j) const { return first[size_t(i) * columns + j]; }
  std::vector<T> Result() const {
    std::vector<T> result(first.size());
    Check(cudaMemcpy(result.data(), device, Bytes(), cudaMemcpyDefault));
    return result;
  }
  int rows, columns;
  std::vector<T> first;
  T *device = nullptr, *kept = nullptr;
};

// A program by the libraries.
template <class T>
class Peer {
 public:
  explicit Peer(const std::map<std::string, int>& sizes) : sizes_(sizes) {
    Check(cublasCreate(&blas_));
    Check(cusolverDnCreate(&solver_));
  }

  // Sets what is run and what its results are; false where the libraries have nothing for the program.
  bool Prepare(const std::string& program) {
    const std::map<std::string, void (Peer::*)()> known = {{"gemm", &Peer::Gemm},
                                                           {"2mm", &Peer::TwoProducts},
                                                           {"3mm", &Peer::ThreeProducts},
                                                           {"syrk", &Peer::Syrk},
                                                           {"syr2k", &Peer::Syr2k},
                                                           {"symm", &Peer::Symm},
                                                           {"trmm", &Peer::Trmm},
                                                           {"covariance", &Peer::Covariance},
                                                           {"correlation", &Peer::Correlation},
                                                           {"cholesky", &Peer::Cholesky},
                                                           {"lu", &Peer::Lu}};
    const auto found = known.find(program);
    if (found == known.end()) return false;
    (this->*found->second)();
    return true;
  }

  // Median seconds of the runs.
  double Median() {
    Check(cudaEventCreate(&begin_));
    Check(cudaEventCreate(&end_));
    for (double warm = 0; warm < kWarmUpMilliseconds;) warm += Milliseconds();
    std::vector<double> milliseconds;
    for (int run = 0; run < kRuns; ++run) milliseconds.push_back(Milliseconds());
    std::nth_element(milliseconds.begin(), milliseconds.begin() + kRuns / 2, milliseconds.end());
    return milliseconds[kRuns / 2] / 1e3;
  }

  // Largest difference of the samples from the host's results, relative to the largest of these.
  double Difference() {
    const std::vector<T> result = result_->Result();
    double difference = 0, largest = 1e-30;
    for (int s = 0; s < kSamples; ++s) {
      int i = (s * 7919 + 13) % result_->rows, j = (s * 104729 + 7) % result_->columns;
      if (lower_ && j > i) i = result_->rows - 1 - i, j = std::min(j, i);
      const double expected = expected_(i, j);
      difference = std::max(difference, std::fabs(got_(result, i, j) - expected));
      largest = std::max(largest, std::fabs(expected));
    }
    return std::isfinite(difference) ? difference / largest : INFINITY;
  }

  const std::string& LibraryName() const { return library_; }
  const std::string& How() const { return how_; }

 private:
  using Call = Library<T>;

  // Of one run, on inputs as they are at first.
  double Milliseconds() {
    for (auto& matrix : matrices_) matrix->Restore();
    Check(cudaEventRecord(begin_));
    run_();
    Check(cudaEventRecord(end_));
    Check(cudaEventSynchronize(end_));
    Check(cudaGetLastError());
    float elapsed = 0;
    Check(cudaEventElapsedTime(&elapsed, begin_, end_));
    return elapsed;
  }

  int Size(const char* name) const {
    const auto found = sizes_.find(name);
    if (found == sizes_.end()) Fail(std::string("give the size ") + name + "=NUMBER", 2);
    return found->second;
  }
  Matrix<T>* New(int rows, int columns) {
    matrices_.push_back(std::make_unique<Matrix<T>>(rows, columns, unsigned(matrices_.size() + 1)));
    return matrices_.back().get();
  }
  // What runs, by which functions, and its result, of which only the lower triangle may count.
  void Set(std::string how, Matrix<T>* result, std::function<void()> run,
           std::function<double(int, int)> expected, bool lower = false) {
    how_ = std::move(how), result_ = result, run_ = std::move(run), expected_ = std::move(expected),
    lower_ = lower;
    got_ = [result](const std::vector<T>& values, int i, int j) {
      return values[size_t(i) * result->columns + j];
    };
  }
  // c = alpha a b + beta c.
  void Product(T alpha, const Matrix<T>* a, const Matrix<T>* b, T beta, Matrix<T>* c) {
    Check(Call::gemm(blas_, CUBLAS_OP_N, CUBLAS_OP_N, c->columns, c->rows, a->columns, &alpha, b->device,
                     b->columns, a->device, a->columns, &beta, c->device, c->columns));
  }
  // Element (i, j) of a b.
  static double Dot(const Matrix<T>& a, const Matrix<T>& b, int i, int j) {
    double sum = 0;
    for (int k = 0; k < a.columns; ++k) sum += a.At(i, k) * b.At(k, j);
    return sum;
  }
  // Row i of a b, and column j of it.
  static std::vector<double> Row(const Matrix<T>& a, const Matrix<T>& b, int i) {
    std::vector<double> row(b.columns);
    for (int k = 0; k < b.rows; ++k)
      for (int j = 0; j < b.columns; ++j) row[j] += a.At(i, k) * b.At(k, j);
    return row;
  }
  static std::vector<double> Column(const Matrix<T>& a, const Matrix<T>& b, int j) {
    std::vector<double> column(a.rows);
    for (int i = 0; i < a.rows; ++i) column[i] = Dot(a, b, i, j);
    return column;
  }

  void Gemm() {
    const int ni = Size("NI"), nj = Size("NJ"), nk = Size("NK");
    auto *a = New(ni, nk), *b = New(nk, nj), *c = New(ni, nj);
    Set(
        "gemm", c, [=] { Product(kAlpha, a, b, kBeta, c); },
        [=](int i, int j) { return kAlpha * Dot(*a, *b, i, j) + kBeta * c->At(i, j); });
  }
  void TwoProducts() {
    const int ni = Size("NI"), nj = Size("NJ"), nk = Size("NK"), nl = Size("NL");
    auto *a = New(ni, nk), *b = New(nk, nj), *c = New(nj, nl), *d = New(ni, nl), *tmp = New(ni, nj);
    Set(
        "gemm, gemm", d, [=] { Product(kAlpha, a, b, 0, tmp), Product(1, tmp, c, kBeta, d); },
        [=](int i, int j) {
          const std::vector<double> row = Row(*a, *b, i);
          double sum = kBeta * d->At(i, j);
          for (int k = 0; k < nj; ++k) sum += kAlpha * row[k] * c->At(k, j);
          return sum;
        });
  }
  void ThreeProducts() {
    const int ni = Size("NI"), nj = Size("NJ"), nk = Size("NK"), nl = Size("NL"), nm = Size("NM");
    auto *a = New(ni, nk), *b = New(nk, nj), *c = New(nj, nm), *d = New(nm, nl);
    auto *e = New(ni, nj), *f = New(nj, nl), *g = New(ni, nl);
    Set(
        "gemm, gemm, gemm", g,
        [=] { Product(1, a, b, 0, e), Product(1, c, d, 0, f), Product(1, e, f, 0, g); },
        [=](int i, int j) {
          const std::vector<double> row = Row(*a, *b, i), column = Column(*c, *d, j);
          double sum = 0;
          for (int k = 0; k < nj; ++k) sum += row[k] * column[k];
          return sum;
        });
  }
  void Syrk() {
    const int n = Size("N"), m = Size("M");
    auto *a = New(n, m), *c = New(n, n);
    Set(
        "syrk", c,
        [=] {
          const T alpha = kAlpha, beta = kBeta;
          Check(Call::syrk(blas_, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, m, &alpha, a->device, m, &beta,
                           c->device, n));
        },
        [=](int i, int j) {
          double sum = kBeta * c->At(i, j);
          for (int k = 0; k < m; ++k) sum += kAlpha * a->At(i, k) * a->At(j, k);
          return sum;
        },
        true);
  }
  void Syr2k() {
    const int n = Size("N"), m = Size("M");
    auto *a = New(n, m), *b = New(n, m), *c = New(n, n);
    Set(
        "syr2k", c,
        [=] {
          const T alpha = kAlpha, beta = kBeta;
          Check(Call::syr2k(blas_, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, m, &alpha, a->device, m, b->device,
                            m, &beta, c->device, n));
        },
        [=](int i, int j) {
          double sum = kBeta * c->At(i, j);
          for (int k = 0; k < m; ++k) sum += kAlpha * (a->At(j, k) * b->At(i, k) + b->At(j, k) * a->At(i, k));
          return sum;
        },
        true);
  }
  void Symm() {
    const int m = Size("M"), n = Size("N");
    auto *a = New(m, m), *b = New(m, n), *c = New(m, n);
    Set(
        "symm", c,
        [=] {
          const T alpha = kAlpha, beta = kBeta;
          Check(Call::symm(blas_, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, n, m, &alpha, a->device, m,
                           b->device, n, &beta, c->device, n));
        },
        [=](int i, int j) {
          double sum = kBeta * c->At(i, j);
          for (int k = 0; k < m; ++k) sum += kAlpha * a->At(std::max(i, k), std::min(i, k)) * b->At(k, j);
          return sum;
        });
  }
  void Trmm() {
    const int m = Size("M"), n = Size("N");
    auto *a = New(m, m), *b = New(m, n);
    Set(
        "trmm", b,
        [=] {
          const T alpha = kAlpha;
          Check(Call::trmm(blas_, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, n,
                           m, &alpha, a->device, m, b->device, n, b->device, n));
        },
        [=](int i, int j) {
          double sum = b->At(i, j);
          for (int k = i + 1; k < m; ++k) sum += a->At(k, i) * b->At(k, j);
          return kAlpha * sum;
        });
  }

  void Covariance() { Columns(false); }
  void Correlation() { Columns(true); }
  // Means by gemv, centred by ger, product by syrk; the correlation's deviations are the product's diagonal.
  void Columns(bool correlate) {
    const int m = Size("M"), n = Size("N");
    auto *data = New(n, m), *mean = New(1, m), *ones = New(1, n), *diagonal = New(1, m), *result = New(m, m);
    std::fill(ones->first.begin(), ones->first.end(), T(1));
    ones->Keep();
    const auto run = [=] {
      const T share = T(1) / n, minus = -1, zero = 0, scale = correlate ? T(1) : T(1) / (n - 1);
      Check(Call::gemv(blas_, CUBLAS_OP_N, m, n, &share, data->device, m, ones->device, 1, &zero,
                       mean->device, 1));
      Check(Call::ger(blas_, m, n, &minus, mean->device, 1, ones->device, 1, data->device, m));
      Check(Call::syrk(blas_, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, m, n, &scale, data->device, m, &zero,
                       result->device, m));
      Diagonal<<<(m + 255) / 256, 256>>>(result->device, diagonal->device, m);
      Mirror<<<dim3((m + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(result->device, diagonal->device, m,
                                                                correlate);
    };
    Set(correlate ? "gemv, ger, syrk, own scaling of the product to both sides; data is centred, not divided"
                  : "gemv, ger, syrk, own copy to both sides",
        result, run, [=](int i, int j) {
          const double product = Centred(*data, i, j);
          return correlate ? product / std::sqrt(Centred(*data, i, i) * Centred(*data, j, j))
                           : product / (n - 1);
        });
  }
  // Sum of the products of columns i and j, less their means.
  static double Centred(const Matrix<T>& data, int i, int j) {
    double first = 0, second = 0, sum = 0;
    for (int k = 0; k < data.rows; ++k) first += data.At(k, i), second += data.At(k, j);
    first /= data.rows, second /= data.rows;
    for (int k = 0; k < data.rows; ++k) sum += (data.At(k, i) - first) * (data.At(k, j) - second);
    return sum;
  }

  // A symmetric matrix whose diagonal outweighs its rows: positive definite, and safe without pivots.
  Matrix<T>* Dominant(int n) {
    auto* a = New(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) a->first[size_t(j) * n + i] = a->first[size_t(i) * n + j];
      a->first[size_t(i) * n + i] += n;
    }
    a->Keep();
    return a;
  }
  template <class V>
  static V* Memory(size_t count) {
    V* memory = nullptr;
    Check(cudaMalloc(&memory, std::max<size_t>(1, count) * sizeof(V)));
    return memory;
  }
  void Cholesky() {
    const int n = Size("N");
    auto* a = Dominant(n);
    int count = 0;
    Check(Call::potrf_size(solver_, CUBLAS_FILL_MODE_UPPER, n, a->device, n, &count));
    T* const work = Memory<T>(count);
    int* const info = Memory<int>(1);
    Set(
        "potrf", a,
        [=] { Check(Call::potrf(solver_, CUBLAS_FILL_MODE_UPPER, n, a->device, n, work, count, info)); },
        [=](int i, int j) { return a->At(i, j); }, true);
    library_ = "cusolver";
    got_ = [n](const std::vector<T>& l, int i, int j) {
      double sum = 0;
      for (int k = 0; k <= std::min(i, j); ++k) sum += double(l[size_t(i) * n + k]) * l[size_t(j) * n + k];
      return sum;
    };
  }
  // getrf takes columns: of the transpose it finds L with the pivots and a unit U, which is as much work.
  void Lu() {
    const int n = Size("N");
    auto* a = Dominant(n);
    int count = 0;
    Check(Call::getrf_size(solver_, n, n, a->device, n, &count));
    T* const work = Memory<T>(count);
    int* const info = Memory<int>(1);
    Set(
        "getrf without pivots, of the transpose", a,
        [=] { Check(Call::getrf(solver_, n, n, a->device, n, work, nullptr, info)); },
        [=](int i, int j) { return a->At(i, j); });
    library_ = "cusolver";
    got_ = [n](const std::vector<T>& lu, int i, int j) {
      double sum = 0;
      for (int k = 0; k <= std::min(i, j); ++k)
        sum += double(lu[size_t(i) * n + k]) * (k == j ? 1.0 : double(lu[size_t(k) * n + j]));
      return sum;
    };
  }

  static constexpr T kAlpha = 1.5, kBeta = 1.25;
  const std::map<std::string, int> sizes_;
  cublasHandle_t blas_ = nullptr;
  cusolverDnHandle_t solver_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  std::vector<std::unique_ptr<Matrix<T>>> matrices_;
  std::string library_ = "cublas", how_;
  Matrix<T>* result_ = nullptr;
  std::function<void()> run_;
  std::function<double(int, int)> expected_;
  std::function<double(const std::vector<T>&, int, int)> got_;
  bool lower_ = false;
};

template <class T>
int Run(const std::string& program, const std::string& type, const std::map<std::string, int>& sizes,
        double tolerance) {
  Peer<T> peer(sizes);
  if (!peer.Prepare(program)) Fail("cuBLAS and cuSOLVER have nothing for " + program, 3);
  const double seconds = peer.Median(), difference = peer.Difference();
  if (!(difference <= tolerance))
    Fail(program + " is wrong: results differ by " + std::to_string(difference) + " of the largest", 1);
  printf(
      "{\"program\": \"%s\", \"type\": \"%s\", \"library\": \"%s\", \"how\": \"%s\", \"seconds\": %.9g, "
      "\"runs\": %d, "
      "\"difference\": %.3g}\n",
      program.c_str(), type.c_str(), peer.LibraryName().c_str(), peer.How().c_str(), seconds, kRuns,
      difference);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) Fail("usage: library_peers PROGRAM float|double SIZE=NUMBER...", 2);
  const std::string program = argv[1], type = argv[2];
  std::map<std::string, int> sizes;
  for (int a = 3; a < argc; ++a) {
    const std::string word = argv[a];
    const size_t equals = word.find('=');
    const int number = equals == std::string::npos ? 0 : atoi(word.c_str() + equals + 1);
    if (number < 1) Fail("'" + word + "' is not SIZE=NUMBER", 2);
    sizes[word.substr(0, equals)] = number;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) Fail("no GPU", 1);
  // Tolerances are those of studies.
  if (type == "float") return Run<float>(program, type, sizes, 1e-3);
  if (type == "double") return Run<double>(program, type, sizes, 1e-8);
  Fail("'" + type + "' is neither float nor double", 2);
}
