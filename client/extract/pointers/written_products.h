// Products that the text of a region has: they tell how it looks at an array in one dimension.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "client/extract/tree/body_end.h"

namespace clang {
class VarDecl;
}

namespace tune {

class WrittenProducts {
 public:
  explicit WrittenProducts(const Statements& statements);

  // Whether a subscript of the array, by its name, multiplies with the variable: n in a[j * n + i]. It is the
  // length of a row then, or counts rows. Either may be null: false.
  bool IsInSubscript(const clang::VarDecl* array, const clang::VarDecl* factor) const;

  // Whether the condition of a `for` compares with the product of just these: i < n * m.
  bool IsBound(std::vector<const clang::VarDecl*> factors) const;

 private:
  class Collector;
  std::map<const clang::VarDecl*, std::set<const clang::VarDecl*>> in_subscripts_;
  std::set<std::vector<const clang::VarDecl*>> bounds_;  // the factors of each in an order of their own
};

}  // namespace tune
