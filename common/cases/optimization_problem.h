// What a case discussion is made of: a program, what it asks of a machine, and what can be done about that.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/constraints/polynomial_constraint.h"

namespace tune {

// Chen, Moreno Maza et al., "Comprehensive Optimization of Parametric Kernels for Graphics Processing Units"
// (2018), section 3.2: r_i or p_i, with the machine parameter R_i or P_i.
struct CaseCounter {
  enum class Kind {
    kResource,     // fits when its value is at most what the machine has
    kPerformance,  // suffices when its value is at least what is wanted
  };
  std::string name;  // "registers of a block"
  Kind kind = Kind::kResource;
  std::string limit;            // name of the machine parameter: "R"
  std::vector<int> strategies;  // that may improve it, in the order in which they are tried
};

// A transformation that keeps what the program computes (section 3.4).
struct CaseStrategy {
  std::string name;           // "no coarsening", what it leads to
  bool intermediate = false;  // of the intermediate representation, not of the source
  // It is applied in the end where no counter can get worse by it, even if none asked for it.
  bool always = false;
};

class OptimizationProblem {
 public:
  virtual ~OptimizationProblem() = default;
  virtual const std::vector<CaseCounter>& counters() const = 0;  // in the order in which they are looked at
  virtual const std::vector<CaseStrategy>& strategies() const = 0;
  // What holds of the parameters before anything is known: their bounds, and 0 <= P of performance.
  virtual ConstraintSystem Given() const = 0;
  // The counter's value after these strategies, in the unit of its machine parameter; of a resource a
  // polynomial.
  virtual RationalFunction Evaluate(int counter, const std::set<int>& applied) const = 0;
};

}  // namespace tune
