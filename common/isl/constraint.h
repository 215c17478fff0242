// The constraints of a polyhedron, which isl's C++ interface leaves out.
#pragma once

#include <memory>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// One affine form f with f = 0 or f >= 0. Every member throws isl::exception.
class Constraint {
 public:
  explicit Constraint(isl_constraint* owned);
  Constraint(const Constraint& other) : constraint_(other.Copy()) {}
  Constraint(Constraint&&) = default;
  Constraint& operator=(Constraint&&) = default;

  // Of f.
  isl::val Coefficient(isl_dim_type type, int position) const;
  isl::val Constant() const;
  bool IsEquality() const;
  // Whether f has integer divisions.
  bool HasDivs() const;
  // { D -> [f] } of a constraint of a set, D.
  isl::aff Form() const;

  // The same constraint with other numbers.
  Constraint WithCoefficient(isl_dim_type type, int position, int coefficient) const;
  Constraint WithConstant(int constant) const;
  // What of `map`, in the space of the constraint, fulfils it.
  isl::basic_map Of(const isl::basic_map& map) const;

 private:
  struct Free {
    void operator()(isl_constraint* constraint) const { isl_constraint_free(constraint); }
  };
  isl_constraint* Copy() const { return isl_constraint_copy(constraint_.get()); }
  [[noreturn]] void Throw() const;

  std::unique_ptr<isl_constraint, Free> constraint_;
};

// Throw isl::exception.
std::vector<Constraint> ConstraintsOf(const isl::basic_set& set);
std::vector<Constraint> ConstraintsOf(const isl::basic_map& map);

}  // namespace tune
