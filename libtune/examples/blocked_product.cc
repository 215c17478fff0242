// A product of matrices whose blocks are tuned while the program runs, by sizes: the program times itself.
//
//     blocked_product [CALLS [WISDOM_FILE]]        200 calls of each size when not given
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <tune.hpp>
#include <vector>

namespace {

struct Blocks {
  int rows;
  int depth;
  int columns;
};

using Matrix = std::vector<float>;

void Multiply(const Matrix& a, const Matrix& b, Matrix* c, int n, const Blocks& blocks) {
  std::fill(c->begin(), c->end(), 0.0f);
  for (int i0 = 0; i0 < n; i0 += blocks.rows) {
    for (int k0 = 0; k0 < n; k0 += blocks.depth) {
      for (int j0 = 0; j0 < n; j0 += blocks.columns) {
        for (int i = i0; i < std::min(i0 + blocks.rows, n); ++i) {
          for (int k = k0; k < std::min(k0 + blocks.depth, n); ++k) {
            const float factor = a[i * n + k];
            for (int j = j0; j < std::min(j0 + blocks.columns, n); ++j)
              (*c)[i * n + j] += factor * b[k * n + j];
          }
        }
      }
    }
  }
}

class TunedProduct {
 public:
  explicit TunedProduct(tune::Context* context)
      : region_(context->CreateRegion("blocked_product")),
        blocking_(region_.Nominal("blocking", {"none", "blocks"})),
        rows_(region_.Powers("rows", 8, 512, 2, 64)),
        depth_(region_.Powers("depth", 8, 512, 2, 64)),
        columns_(region_.Powers("columns", 8, 512, 2, 64)) {
    for (const tune::Parameter parameter : {rows_, depth_, columns_}) region_.Under(parameter, blocking_, 1);
  }

  // True when it no longer searches.
  bool Run(const Matrix& a, const Matrix& b, Matrix* c, int n) {
    tune::Call call = region_.Begin({n});
    Multiply(a, b, c, n, BlocksOf(call, n));
    const bool settled = call.settled();
    call.End();
    return settled;
  }
  Blocks Best(int n) {
    tune::Call call = region_.Next({n});
    return BlocksOf(call, n);
  }

 private:
  Blocks BlocksOf(const tune::Call& call, int n) const {
    if (call.Integer(blocking_) == 0) return {n, n, n};
    return {static_cast<int>(call.Integer(rows_)), static_cast<int>(call.Integer(depth_)),
            static_cast<int>(call.Integer(columns_))};
  }

  tune::Region region_;
  tune::Parameter blocking_;
  tune::Parameter rows_;
  tune::Parameter depth_;
  tune::Parameter columns_;
};

void TuneSize(TunedProduct* product, int n, int calls) {
  const Matrix a(n * n, 0.5f);
  const Matrix b(n * n, 0.25f);
  Matrix c(n * n);
  int until_settled = 0;
  for (int i = 0; i < calls; ++i) {
    if (!product->Run(a, b, &c, n)) ++until_settled;
  }
  const Blocks best = product->Best(n);
  std::printf("n = %d: settled after %d calls on blocks of %d x %d x %d\n", n, until_settled, best.rows,
              best.depth, best.columns);
}

}  // namespace

int main(int argc, char** argv) try {
  tune_options options = tune::DefaultOptions();
  options.wisdom_file = argc > 2 ? argv[2] : nullptr;
  tune::Context context(options);
  TunedProduct product(&context);
  for (const int n : {100, 250, 400}) TuneSize(&product, n, argc > 1 ? std::atoi(argv[1]) : 200);
  return 0;
} catch (const tune::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
