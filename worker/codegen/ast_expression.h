// Prints isl's AST expressions as C.
#pragma once

#include <map>
#include <set>
#include <string>

#include "common/isl/isl.h"
#include "worker/codegen/c_text.h"

namespace tune {

// Names of the helper macros of one block. All start with one prefix that no name of the scop starts with.
struct HelperNames {
  std::string iterator = "tune_c";  // followed by a number
  std::string minimum = "tune_min";
  std::string maximum = "tune_max";
  std::string floor = "tune_floord";  // quotient rounded down, divisor positive
  std::string bound = "tune_last";    // followed by the iterator's number
  std::string value = "tune_value";
};

// Prints integer expressions; parameters print as their values. Remembers which macros the text uses.
class AstExpressionPrinter {
 public:
  AstExpressionPrinter(const HelperNames& names, const std::map<std::string, int64_t>& parameter_values)
      : names_(names), parameter_values_(parameter_values) {}

  CText Print(const isl::ast_expr& expression);

  // `array[e0][e1]`, or `array` for a scalar, from an access expression.
  CText PrintAccess(const isl::ast_expr& access);

  // From now on the iterator prints as `value`: a loop of one iteration that has no C loop.
  void SetIterator(const std::string& iterator, const CText& value) { fixed_iterators_[iterator] = value; }

  // `#define` lines of the macros used so far, and the `#undef` lines for the same.
  std::string Definitions() const;
  std::string Undefinitions() const;

 private:
  CText PrintOperation(const isl::ast_expr_op& operation);
  CText PrintMacro(const std::string& macro, const isl::ast_expr_op& operation);
  CText PrintName(const std::string& name) const;

  const HelperNames names_;
  const std::map<std::string, int64_t> parameter_values_;
  std::map<std::string, CText> fixed_iterators_;
  std::set<std::string> used_macros_;
};

}  // namespace tune
