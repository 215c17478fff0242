// How far dependences reach along hyperplanes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// Coefficients of a statement's iterators, outermost first.
using Hyperplane = std::vector<int64_t>;

// Hyperplanes of several statements, with constants that are added to them.
using Hyperplanes = std::map<std::string, Hyperplane>;
using HyperplaneShifts = std::map<std::string, int64_t>;

// Bounds of h_T y - h_S x over all dependences S[x] -> T[y], by the affine form of Farkas' lemma (Feautrier
// 1992; Coding Ants, lemma 2.1 and equation 4): the affine forms that are not negative on a polyhedron are a
// cone. It is computed once; what follows are tests of integers. Immutable, holds no isl objects.
class DependenceDistances {
 public:
  // The smallest and the largest distance; absent: none that holds for all values of the parameters.
  struct Range {
    std::optional<int64_t> least, most;
  };

  // `dependences`: { S -> S }. Existentially quantified variables are dropped, which only makes ranges wider.
  // Throws isl::exception.
  explicit DependenceDistances(const isl::union_map& dependences);

  bool Depends(const std::string& from, const std::string& to) const { return cones_.count({from, to}) > 0; }
  // Precondition: Depends(from, to).
  Range Of(const std::string& from, const Hyperplane& from_row, const std::string& to,
           const Hyperplane& to_row) const;

  // Whether constants can make the dependences between two statements go forward or stay: what Shifts needs
  // of each two, and quickly refused.
  bool CanAgree(const std::string& a, const Hyperplane& a_row, const std::string& b,
                const Hyperplane& b_row) const;

  // Constants with which all dependences between these statements go forward or stay (`parallel`: stay);
  // nothing when there are none, or none as small as kLargestShift. All are zero where that is possible.
  std::optional<HyperplaneShifts> Shifts(const Hyperplanes& rows, bool parallel) const;

  static constexpr int64_t kLargestShift = 4;  // apart: farther loops share nothing worth it

 private:
  // constant * c + from . (coefficients of x) + to . (coefficients of y) >= 0, or = 0.
  struct Facet {
    int64_t constant = 0;
    std::vector<int64_t> from, to;
    bool equality = false;
  };
  using Cone = std::vector<Facet>;
  static void AddFacets(const isl::map& map, Cone& cone);
  // The largest c for which h_T y - h_S x - c is not negative on any dependence.
  static std::optional<int64_t> Least(const Cone& cone, const Hyperplane& from_row, const Hyperplane& to_row,
                                      int64_t sign);

  std::map<std::pair<std::string, std::string>, Cone> cones_;
};

}  // namespace tune
