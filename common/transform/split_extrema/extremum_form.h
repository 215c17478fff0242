// What statements say that keep a largest or smallest value: `c = a[i] > m; m = c ? a[i] : m; k = c ? i :
// k;`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"

namespace tune {

// The value of the statement's access of this number and C type.
v1::Expression AccessOf(int access, const std::string& c_type);

// The value of a statement that keeps what its target has where a flag is not set: `flag ? value : target`.
struct KeepingForm {
  bool negated = false;                 // it keeps it where the flag is set
  std::vector<v1::Expression> besides;  // conditions that have to hold, too
  v1::Expression value;
};

// Nothing where the statement has another form, or its target is another element than the one that it keeps.
// `flag`: the name of a scalar.
std::optional<KeepingForm> ReadKeepingForm(const v1::Statement& statement, const std::string& flag);

// The conditions that `&&` joins to this one. `x != 0` is the condition x.
std::vector<v1::Expression> Conjuncts(const v1::Expression& condition);

// A comparison with what an extremum was so far.
struct ExtremumComparison {
  std::string op;          // "<", "<=", ">" or ">=": of an element, which is on the left, and the extremum
  v1::Expression element;  // what is compared with it

  bool IsLargest() const { return op[0] == '>'; }
  bool KeepsFirst() const { return op.size() == 1; }  // of equal elements
};

// The condition as such a comparison, with the scalar `extremum`. Nothing where it is none.
std::optional<ExtremumComparison> ReadComparison(const v1::Statement& statement,
                                                 const v1::Expression& condition,
                                                 const std::string& extremum);

// The comparison that holds where this one does not; nothing where there is none, as with numbers that may be
// NaN, which compare with nothing. `type`: of both sides.
std::optional<ExtremumComparison> Negated(const ExtremumComparison& comparison, v1::ElementType type);

// Whether each value of the expression is one of `type`, so that what an object of that type keeps of it
// compares as it does: with others, and with the extremum.
bool HasValuesOf(const v1::Expression& value, v1::ElementType type);

// The value without a conversion to `type`, which an assignment makes anyway.
const v1::Expression& Unconverted(const v1::Expression& value, v1::ElementType type);

}  // namespace tune
