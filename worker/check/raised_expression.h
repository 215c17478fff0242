// Index expressions as quasi-affine functions.
#pragma once

#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "common/program/index_expression.h"

namespace tune {

// Over { [i] }, one dimension for each of `iterators`; other names are parameters. All throw isl::exception
// where an expression is not quasi-affine.
class ExpressionRaising {
 public:
  ExpressionRaising(isl::ctx ctx, const std::vector<std::string>& iterators);

  // { [i] -> [v] }
  isl::pw_aff Raise(const IndexExpression& expression) const;
  // { [i] }: where the expression is not 0.
  isl::set Where(const IndexExpression& condition) const;
  isl::set universe() const { return isl::set::universe(space_); }

 private:
  isl::pw_aff Name(const std::string& name) const;
  isl::pw_aff Constant(int64_t value) const;

  isl::space space_;
  const std::vector<std::string>& iterators_;
};

}  // namespace tune
