// The case discussion of one kernel: its symbols, counters and strategies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/cases/optimization_problem.h"
#include "tune/v1/scop.pb.h"
#include "worker/cases/kernel_variant.h"
#include "worker/cases/parametric_kernel.h"

namespace tune {

// Unknowns of conditions. Of a block's format B0, B1, ... the last one lies along x.
inline constexpr char kThreadsLimit[] = "T";    // threads of a block that the machine has
inline constexpr char kRegistersLimit[] = "R";  // registers of a block, of 32 bits
inline constexpr char kSharedLimit[] = "Z";     // bytes of shared memory of a block
inline constexpr char kPoints[] = "s";          // points of a thread along x
inline constexpr char kStripLength[] = "K";     // iterations of a strip
std::string BlockExtent(int axis);              // "B0"

// What a case discussion is about; `what` says it for people.
struct CaseSymbol {
  std::string name;
  bool machine = false;  // else of the program
  std::string what;
};

// Registers of a thread, by KernelVariant::Suffix.
using VariantRegisters = std::map<std::string, int>;

class KernelProblem : public OptimizationProblem {
 public:
  // Both must outlive the problem. `measured`: of variants that are not there they are estimated.
  KernelProblem(const ParametricKernel& kernel, const v1::Scop& scop, VariantRegisters measured = {});

  const std::vector<CaseCounter>& counters() const override { return counters_; }
  const std::vector<CaseStrategy>& strategies() const override { return strategies_; }
  ConstraintSystem Given() const override;
  RationalFunction Evaluate(int counter, const std::set<int>& applied) const override;

  std::vector<CaseSymbol> Symbols() const;
  KernelVariant Variant(const std::set<int>& applied) const;
  // Threads of a block; bytes of shared memory of a block, the most that any phase needs, or a sum of these
  // where none is known to be the most.
  Polynomial Threads() const;
  Polynomial SharedBytes(const KernelVariant& variant) const;
  int Registers(const KernelVariant& variant) const;

 private:
  const ParametricKernel& kernel_;
  const v1::Scop& scop_;
  const VariantRegisters measured_;
  std::vector<CaseCounter> counters_;
  std::vector<CaseStrategy> strategies_;
};

// Elements of the tile along the dimension.
Polynomial TileExtent(const TileDimension& dimension, const ParametricKernel& kernel,
                      const KernelVariant& variant);
// Bytes of the tiles of one of the kernel's phases.
Polynomial TileBytes(const KernelPhase& phase, const ParametricKernel& kernel, const v1::Scop& scop,
                     const KernelVariant& variant);

}  // namespace tune
