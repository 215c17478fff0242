// Kernels of a region in which sizes, block format, coarsening and strips are symbols.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/program/helper_names.h"
#include "common/program/program_node.h"
#include "tune/v1/scop.pb.h"
#include "worker/cases/array_box.h"

namespace tune {

// Names of what kernels are told and compute, beside those of HelperNames; each but `points`, `strip` and
// `strip_length` followed by the number of an axis, the outermost first.
struct CaseNames {
  explicit CaseNames(const HelperNames& names);
  std::string first;         // value of the axis' first point in the launch
  std::string count;         // how many values it has there
  std::string begin;         // the first one of a block
  std::string width;         // how many a block has
  std::string value;         // that of a thread's point
  std::string host;          // of a host loop, followed by its depth
  std::string points;        // of a thread along an axis
  std::string point;         // number of one of a thread's points
  std::string iteration;     // one of a strip
  std::string strip;         // the first iteration of a strip of a loop
  std::string strip_length;  // of how many iterations
};

// One dimension of the part of an array that a block reads in a strip.
struct TileDimension {
  IndexExpression first;              // subscript of its first element, in CaseNames
  std::vector<int64_t> coefficients;  // sizes of the subscript's steps along each axis
  int64_t strip_coefficient = 0;      // the same along the strip's loop
  int64_t spread = 0;                 // between the smallest and the largest constant of the references
};

// An array that a block's threads may read through shared memory: each reference of the phase is inside the
// tile, of `1 + sum of coefficient * (width - 1) + spread` elements along each dimension.
struct CachedArray {
  std::string array;
  std::vector<TileDimension> dimensions;
};

// The value that a thread's iterations add to one element, by an associative operator.
struct PartialSum {
  std::string name;  // of a variable
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  v1::UpdateOperator update = v1::NONE;
};

// Sums of a thread that stand in variables while strips go by, so that a value that was read from a tile is
// used for several points. Of a phase with strips whose statements only update elements at the thread's
// point, by what tiles and scalars hold. The order of additions stays.
struct HeldSums {
  std::vector<PartialSum> sums;  // names of arrays, with an element of number CaseNames::point for each point
  Block load, store;             // of a point: nodes Transfer between elements and these
  Block iteration;               // CaseNames::iteration of the strip's loop, at any point of the block
  bool empty() const { return sums.empty(); }
};

// Points of a thread along each of two axes where it holds sums.
inline constexpr int kHeldPoints = 4;

// Statements that run one part after the other, each for all points of a thread.
struct KernelPhase {
  std::vector<CachedArray> caches;
  bool strips = false;                      // caches are of a strip of the outermost loop that a thread runs
  IndexExpression strip_first, strip_last;  // of that loop, in a launch
  // What a thread runs for one point: all iterations; those of a strip, where there are strips.
  Block whole, strip;
  HeldSums held;  // may be empty
  // Of a kernel whose threads share sums. Not empty: `strip` is the iteration CaseNames::strip of the loop
  // that they share, which goes at the thread's point, where strip_where holds, from strip_first to
  // strip_last, and changes these in place of the elements; `whole`, nodes Transfer, adds them to those.
  // Empty: one thread of each point runs the phase.
  std::vector<PartialSum> sums;
  IndexExpression strip_where;
};

struct ParametricKernel {
  std::string function;                 // "gemm_kernel0"
  std::string name;                     // "k[S0,S1]"
  int axes = 0;                         // 0 to 3: mapped to blocks and threads; the last one is x
  int host_depth = 0;                   // host loops, whose values it is told
  std::vector<std::string> statements;  // of the scop
  std::vector<KernelPhase> phases;
  // At most one axis, of which a thread has one point; threads of a block share the iterations of the loop in
  // which elements are summed up (KernelReduction). Neighbours in a warp share a sum, else they have
  // neighbouring points.
  bool shares_sums = false, neighbours_share = false;

  // Dimensions of a block's format: one for each axis, then that of the threads that share a sum.
  int FormatDimensions() const { return axes + (shares_sums ? 1 : 0); }
  // Some phase holds sums: a thread has as many points along y as along x, kHeldPoints or 1.
  bool HoldsSums() const;
  // A thread may have several points along the axis.
  bool HasPointsAlong(int axis) const {
    return Coarsens() && (axis + 1 == axes || (axis + 2 == axes && HoldsSums()));
  }
  // A thread may have several points.
  bool Coarsens() const { return axes > 0 && !shares_sums; }
  // A block's threads may exchange values.
  bool UsesSharedMemory() const { return HasCaches() || shares_sums; }
  bool HasCaches() const;
  bool HasStrips() const;
};

struct ParametricRegion {
  v1::Scop scop;
  int own_parameters =
      0;  // of the scop's, the first ones: those of the program; the file itself tells the rest
  HelperNames names;
  std::vector<ParametricKernel> kernels;
  Block host;  // nodes Launch: their first and count are of values of axes, x first
  // When the region may run so: of its parameters. And the number of elements along the first dimension of
  // each array of the scop whose C text does not say it.
  IndexExpression requirement;
  std::map<std::string, IndexExpression> first_extents;
  // All extents of arrays that are declared inside, copies of temporaries among them. Nobody tells these;
  // they follow from the parameters.
  std::map<std::string, std::vector<IndexExpression>> own_extents;
  // Of arrays with extents: what is read or written, and what is written. An array that is not there has no
  // bounds but its extents.
  std::map<std::string, ArrayBox> used, written;
};

// By the default schedule, for all values of the parameters but small ones (WithParameterFacts), which the
// requirement excludes; of the last `further` ones, which are not the program's, the context says all.
// Temporaries have copies for all iterations (ExpandForAllSizes), where there are no further parameters. Any
// coincident member of a kernel's root band, up to three, becomes an axis; the last one is that along which
// most of the elements that are written are neighbours. Where there is at most one, threads share sums, but
// not with `exact`, by which sums keep their order. INVALID_ARGUMENT where the region declares arrays whose
// extents do not follow from the parameters; errors of isl.
absl::StatusOr<ParametricRegion> MakeParametricRegion(const v1::Scop& scop, int further = 0,
                                                      bool exact = false);

}  // namespace tune
