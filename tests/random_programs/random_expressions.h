// Expressions of random programs.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/base/random.h"
#include "tests/random_programs/program_scope.h"

namespace tune::testing {

class RandomExpressions {
 public:
  // All must outlive the object. `data`: decides where data decide about elements, and about nothing else.
  RandomExpressions(Random* random, Random* data, const ProgramScope* scope)
      : random_(*random), data_(data), scope_(*scope) {}

  int Pick(int count) { return static_cast<int>(random_.Below(static_cast<uint64_t>(count))); }
  bool Chance(int percent) { return Pick(100) < percent; }
  template <typename T>
  const T& One(const std::vector<T>& all) {
    return all[Pick(static_cast<int>(all.size()))];
  }

  // The names by which the program knows some numbers: "n" for 17.
  void Name(const std::string& name, int64_t value) { names_.push_back({name, value, value, true}); }

  // An affine, or nearly affine, function of the iterators, with values in [low, high].
  Bounded Index(int64_t low, int64_t high);
  // Of any small values.
  Bounded Affine();
  // "x[i][j + 1]"; none when there is no such variable. `write`: one that may be written.
  std::optional<std::string> Access(bool integer, bool write, v1::ElementType* type = nullptr);
  std::string Access(const ProgramArray& variable, bool write);
  // A subscript below `extent` that an element of an array of integers, which is not `other`, decides; none
  // when there is no such array.
  std::optional<std::string> DataIndex(int64_t extent, const std::string& other);
  // "i + 2 * j < n"
  std::string Condition();
  // "x[i] % 3 == 1 && i < n": of integers that the program computes, where there are some.
  std::string DataCondition();
  // Of absolute value below about a million.
  std::string Integer(int depth);
  // Of values that grow slowly, never a division by something near 0.
  std::string Number(int depth);
  // The text of a constant: "n", "17", "n - 1".
  std::string Constant(int64_t value);

 private:
  std::string Literal();

  Random& random_;
  Random* data_;
  const ProgramScope& scope_;
  std::vector<Bounded> names_;
};

}  // namespace tune::testing
