// A product of matrices in four parts that a GPU and a host share, by run times that were recorded.
#pragma once

#include <array>
#include <map>
#include <string>

#include "libtune/search/search_graph.h"

namespace libtune {

// The space of Table 1 of Pfaffe, Grosser, Tillmann for a kernel with two outer loops: rows and columns are
// split once each; each of the four parts has a platform of its own. Times of parts (record_gemm_variants.cu)
// were measured at quarters of both sizes, and are interpolated between them. Parts on the same platform run
// one after another, the two platforms at the same time.
class RecordedGemm {
 public:
  // Ends the program when the file is not what record_gemm_variants.cu writes.
  explicit RecordedGemm(const std::string& file);

  const ParameterSpace& space() const { return space_; }
  long size() const { return size_; }
  double Seconds(const Values& values) const;
  // All on the GPU, with the defaults of Polly-ACC: 32 points a tile, no shared memory, nothing unrolled, a
  // height of 1.
  Values PollyAcc() const;

  static constexpr int kParts = 4;
  struct Part {
    int platform;  // 0: host, 1: GPU
    int threads;
    int points;
    int shared;
    int unroll_points;
    int unroll_copies;
    int height;
  };
  // Indices of parameters.
  const Part& part(int index) const { return parts_[index]; }
  int row_split() const { return row_split_; }
  int column_split() const { return column_split_; }

 private:
  using Grid = std::array<double, 16>;  // seconds; rows, then columns, in quarters

  void Define();
  void Read(const std::string& file);
  static double At(const Grid& grid, double rows, double columns);
  double PartSeconds(const Values& values, const Part& part, double rows, double columns) const;

  long size_ = 0;
  Grid copies_{};
  std::map<int, Grid> host_;                // by threads
  std::map<std::array<int, 5>, Grid> gpu_;  // points, height, shared, unroll points, unroll copies
  ParameterSpace space_;
  int row_split_ = 0;
  int column_split_ = 0;
  std::array<Part, kParts> parts_{};
};

}  // namespace libtune
