#include "worker/cases/kernel_problem.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "worker/cases/register_estimate.h"

namespace tune {
namespace {

enum Counter { kThreads, kRegisters, kShared };

int64_t ElementBytes(const v1::Scop& scop, const std::string& name) {
  const auto array = std::find_if(scop.arrays().begin(), scop.arrays().end(),
                                  [&](const v1::Array& other) { return other.name() == name; });
  return static_cast<int64_t>(ElementSize(array->element_type()));
}

// Bytes. The threads exchange one after the other.
int64_t LargestPartialSum(const ParametricKernel& kernel) {
  size_t largest = 0;
  for (const KernelPhase& phase : kernel.phases) {
    for (const PartialSum& sum : phase.sums) largest = std::max(largest, ElementSize(sum.type));
  }
  return static_cast<int64_t>(largest);
}

}  // namespace

std::string BlockExtent(int axis) { return absl::StrCat("B", axis); }

Polynomial TileExtent(const TileDimension& dimension, const ParametricKernel& kernel,
                      const KernelVariant& variant) {
  Polynomial extent = 1 + dimension.spread;
  const size_t axes = dimension.coefficients.size();
  for (size_t a = 0; a < axes; ++a) {
    Polynomial width = Polynomial::Name(BlockExtent(static_cast<int>(a)));
    if (variant.coarsened && kernel.HasPointsAlong(static_cast<int>(a)))
      width = width * Polynomial::Name(kPoints);
    extent = extent + Polynomial(dimension.coefficients[a]) * (width - 1);
  }
  if (dimension.strip_coefficient != 0)
    extent = extent + Polynomial(dimension.strip_coefficient) * (Polynomial::Name(kStripLength) - 1);
  return extent;
}

Polynomial TileBytes(const KernelPhase& phase, const ParametricKernel& kernel, const v1::Scop& scop,
                     const KernelVariant& variant) {
  Polynomial bytes;
  if (!variant.cached) return bytes;
  for (const CachedArray& cached : phase.caches) {
    Polynomial tile = ElementBytes(scop, cached.array);
    for (const TileDimension& dimension : cached.dimensions)
      tile = tile * TileExtent(dimension, kernel, variant);
    bytes = bytes + tile;
  }
  return bytes;
}

KernelProblem::KernelProblem(const ParametricKernel& kernel, const v1::Scop& scop, VariantRegisters measured)
    : kernel_(kernel), scop_(scop), measured_(std::move(measured)) {
  using Kind = CaseCounter::Kind;
  strategies_ = {{"one point a thread"},
                 {"addresses shared in a statement", /*intermediate=*/true, /*always=*/true},
                 {"addresses shared among statements", /*intermediate=*/true, /*always=*/true},
                 {"registers bounded", /*intermediate=*/true},
                 {"no shared memory"}};
  counters_ = {{"threads of a block", Kind::kResource, kThreadsLimit, {}},
               {"registers of a block",
                Kind::kResource,
                kRegistersLimit,
                {kSharedAddresses, kSharedAddressesInBlock, kNoCoarsening, kBoundedRegisters}},
               {"bytes of shared memory of a block",
                Kind::kResource,
                kSharedLimit,
                {kNoCoarsening, kSharedAddresses, kSharedAddressesInBlock, kNoCaching}}};
}

std::vector<CaseSymbol> KernelProblem::Symbols() const {
  std::vector<CaseSymbol> symbols = {{kThreadsLimit, true, "threads of a block"},
                                     {kRegistersLimit, true, "registers of a block"}};
  if (kernel_.UsesSharedMemory())
    symbols.push_back({kSharedLimit, true, "bytes of shared memory of a block"});
  if (kernel_.shares_sums) {
    if (kernel_.axes > 0) symbols.push_back({BlockExtent(0), false, "points of a block"});
    symbols.push_back({BlockExtent(kernel_.axes), false, "threads that share the sums of a point"});
    return symbols;
  }
  for (int axis = 0; axis < kernel_.axes; ++axis) {
    const char* const along = axis + 1 == kernel_.axes ? "x" : axis + 2 == kernel_.axes ? "y" : "z";
    symbols.push_back({BlockExtent(axis), false, absl::StrCat("threads of a block along ", along)});
  }
  if (kernel_.axes > 0)
    symbols.push_back(
        {kPoints, false,
         kernel_.HoldsSums() ? "points of a thread along x, and along y" : "points of a thread along x"});
  if (kernel_.HasStrips())
    symbols.push_back({kStripLength, false, "iterations for which shared memory is filled"});
  return symbols;
}

ConstraintSystem KernelProblem::Given() const {
  ConstraintSystem given;
  for (const char* limit : {kThreadsLimit, kRegistersLimit})
    given.push_back(AtMost(1, Polynomial::Name(limit)));
  given.push_back(AtMost(0, Polynomial::Name(kSharedLimit)));
  for (const CaseSymbol& symbol : Symbols()) {
    if (!symbol.machine) given.push_back(AtMost(1, Polynomial::Name(symbol.name)));
  }
  return given;
}

KernelVariant KernelProblem::Variant(const std::set<int>& applied) const {
  return VariantOf(applied, kernel_.UsesSharedMemory(), kernel_.Coarsens());
}

Polynomial KernelProblem::Threads() const {
  Polynomial threads = 1;
  for (int i = 0; i < kernel_.FormatDimensions(); ++i) threads = threads * Polynomial::Name(BlockExtent(i));
  return threads;
}

Polynomial KernelProblem::SharedBytes(const KernelVariant& variant) const {
  if (kernel_.shares_sums)
    return variant.cached ? Polynomial(LargestPartialSum(kernel_)) * Threads() : Polynomial();
  const std::map<std::string, int64_t> bounds = LowerBounds(Given());
  Polynomial most, sum;
  bool known = true;
  for (const KernelPhase& phase : kernel_.phases) {
    const Polynomial bytes = TileBytes(phase, kernel_, scop_, variant);
    sum = sum + bytes;
    if (FollowsFromBounds(AtMost(most, bytes), bounds)) {
      most = bytes;
    } else {
      known = known && FollowsFromBounds(AtMost(bytes, most), bounds);
    }
  }
  return known ? most : sum;
}

int KernelProblem::Registers(const KernelVariant& variant) const {
  const auto known = measured_.find(variant.Suffix());
  return known != measured_.end() ? known->second : EstimateRegisters(kernel_, scop_, variant);
}

RationalFunction KernelProblem::Evaluate(int counter, const std::set<int>& applied) const {
  const KernelVariant variant = Variant(applied);
  if (counter == kThreads) return Threads();
  if (counter == kShared) return SharedBytes(variant);
  return Polynomial(Registers(variant)) * Threads();
}

}  // namespace tune
