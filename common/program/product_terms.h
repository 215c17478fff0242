// The terms of products in the wide sense: C[i][j] += f(a[i][k], b[k][j]).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/program/program_node.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Which of the three loops of a product an expression depends on.
enum ProductUse : int { kUsesNone = 0, kUsesRow = 1, kUsesColumn = 2, kUsesSum = 4 };

// A product's value, split into the largest subexpressions that do not depend on both row and column: they
// can be computed once for all columns, or rows, and packed. Between them there are only + - * / and unary
// minus, so that several columns can be computed at once.
struct ProductTerms {
  bool subtracted = false;                // target -= value
  const v1::Expression* value = nullptr;  // what is added or subtracted
  // Each once, in the order of the value. What depends on neither row nor column is among the rows.
  std::vector<const v1::Expression*> rows, columns;
};

// Terms of each kind; more would not stay in registers.
inline constexpr size_t kMostProductTerms = 3;

// Splits `value`. `uses` says on which loops an access or affine value depends (a set of ProductUse), `name`
// is equal for expressions that are one term. Nothing when it is no product: other operations between terms,
// another C type than `c_type`, too many terms, no row or no column term that depends on the sum's loop.
std::optional<ProductTerms> SplitProduct(const v1::Expression& value, const std::string& c_type,
                                         const std::function<int(const v1::Expression&)>& uses,
                                         const std::function<std::string(const v1::Expression&)>& name);

// The terms of a node whose loops and instance are known; `statement` is the instance's.
std::optional<ProductTerms> FindProductTerms(const Product& product, const v1::Statement& statement);

// On which loops an expression depends, where `leaf_uses` says it of accesses and affine values.
int UsesOf(const v1::Expression& expression, const std::function<int(const v1::Expression&)>& leaf_uses);

// What the instance has of a leaf of the statement's value: an access's subscripts, or the value of an affine
// expression.
std::vector<IndexExpression> IndicesOf(const Instance& instance, const v1::Statement& statement,
                                       const v1::Expression& leaf);

// Equal for equal expressions of the instance.
std::string TermName(const Instance& instance, const v1::Statement& statement,
                     const v1::Expression& expression);

}  // namespace tune
