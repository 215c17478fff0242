#include "common/program/product_terms.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "common/program/statement_value.h"

namespace tune {
namespace {

constexpr int kUsesBoth = kUsesRow | kUsesColumn;

bool IsTermOperator(const v1::Operation& operation) {
  const std::string& op = operation.op();
  if (operation.operands_size() == 1) return op == "-";
  return operation.operands_size() == 2 && (op == "+" || op == "-" || op == "*" || op == "/");
}

class Splitting {
 public:
  Splitting(const std::string& c_type, const std::function<int(const v1::Expression&)>& uses,
            const std::function<std::string(const v1::Expression&)>& name)
      : c_type_(c_type), uses_(uses), name_(name) {}

  // False: no product.
  bool Visit(const v1::Expression& expression) {
    const int uses = UsesOf(expression, uses_);
    if ((uses & kUsesBoth) != kUsesBoth) {
      AddTerm(expression, uses);
      return terms.rows.size() <= kMostProductTerms && terms.columns.size() <= kMostProductTerms;
    }
    if (expression.kind_case() != v1::Expression::kOperation || expression.c_type() != c_type_) return false;
    if (!IsTermOperator(expression.operation())) return false;
    const auto& operands = expression.operation().operands();
    return std::all_of(operands.begin(), operands.end(),
                       [&](const v1::Expression& operand) { return Visit(operand); });
  }

  // Both kinds of terms change along the sum.
  bool sums() const { return row_sums_ && column_sums_; }

  ProductTerms terms;

 private:
  void AddTerm(const v1::Expression& expression, int uses) {
    const bool column = uses & kUsesColumn;
    if (uses & kUsesSum) (column ? column_sums_ : row_sums_) = true;
    if (names_.insert(name_(expression)).second) (column ? terms.columns : terms.rows).push_back(&expression);
  }

  const std::string& c_type_;
  const std::function<int(const v1::Expression&)>& uses_;
  const std::function<std::string(const v1::Expression&)>& name_;
  std::set<std::string> names_;
  bool row_sums_ = false, column_sums_ = false;
};

void AppendName(const IndexExpression& expression, std::string* name) {
  absl::StrAppend(name, "(", static_cast<int>(expression.op), " ", expression.value, " ", expression.name);
  for (const IndexExpression& operand : expression.operands) AppendName(operand, name);
  *name += ")";
}

}  // namespace

int UsesOf(const v1::Expression& expression, const std::function<int(const v1::Expression&)>& leaf_uses) {
  int uses = kUsesNone;
  switch (expression.kind_case()) {
    case v1::Expression::kAccess:
    case v1::Expression::kAffine:
      return leaf_uses(expression);
    case v1::Expression::kOperation:
      for (const v1::Expression& operand : expression.operation().operands())
        uses |= UsesOf(operand, leaf_uses);
      return uses;
    case v1::Expression::kCall:
      for (const v1::Expression& argument : expression.call().arguments())
        uses |= UsesOf(argument, leaf_uses);
      return uses;
    case v1::Expression::kCast:
      return UsesOf(expression.cast().operand(), leaf_uses);
    default:
      return kUsesNone;
  }
}

std::vector<IndexExpression> IndicesOf(const Instance& instance, const v1::Statement& statement,
                                       const v1::Expression& leaf) {
  if (leaf.kind_case() == v1::Expression::kAccess) return instance.accesses[leaf.access()].subscripts;
  const std::vector<const v1::Expression*> affine = AffineExpressions(statement.value());
  const auto place = std::find(affine.begin(), affine.end(), &leaf);
  return {instance.affine[place - affine.begin()]};
}

std::optional<ProductTerms> SplitProduct(const v1::Expression& value, const std::string& c_type,
                                         const std::function<int(const v1::Expression&)>& uses,
                                         const std::function<std::string(const v1::Expression&)>& name) {
  Splitting splitting(c_type, uses, name);
  const bool negated = value.kind_case() == v1::Expression::kOperation && value.operation().op() == "-" &&
                       value.operation().operands_size() == 1;
  const v1::Expression& added = negated ? value.operation().operands(0) : value;
  splitting.terms.subtracted = negated;
  splitting.terms.value = &added;
  if ((UsesOf(added, uses) & kUsesBoth) != kUsesBoth || !splitting.Visit(added) || !splitting.sums())
    return std::nullopt;
  return splitting.terms;
}

std::optional<ProductTerms> FindProductTerms(const Product& product, const v1::Statement& statement) {
  const auto uses = [&](const v1::Expression& leaf) {
    int uses = kUsesNone;
    for (const IndexExpression& index : IndicesOf(product.instance, statement, leaf)) {
      uses |= (Mentions(index, product.row.iterator) ? kUsesRow : 0) |
              (Mentions(index, product.column.iterator) ? kUsesColumn : 0) |
              (Mentions(index, product.sum.iterator) ? kUsesSum : 0);
    }
    return uses;
  };
  const auto name = [&](const v1::Expression& term) { return TermName(product.instance, statement, term); };
  return SplitProduct(statement.value(), statement.value().c_type(), uses, name);
}

std::string TermName(const Instance& instance, const v1::Statement& statement,
                     const v1::Expression& expression) {
  const auto list = [&](const std::string& head, const auto& parts) {
    std::string name = absl::StrCat("(", head);
    for (const v1::Expression& part : parts) absl::StrAppend(&name, " ", TermName(instance, statement, part));
    return name + ")";
  };
  switch (expression.kind_case()) {
    case v1::Expression::kAccess:
    case v1::Expression::kAffine: {
      const bool access = expression.kind_case() == v1::Expression::kAccess;
      std::string name = access ? instance.accesses[expression.access()].array : expression.c_type();
      for (const IndexExpression& index : IndicesOf(instance, statement, expression))
        AppendName(index, &name);
      return name;
    }
    case v1::Expression::kOperation:
      return list(expression.operation().op(), expression.operation().operands());
    case v1::Expression::kCall:
      return list(expression.call().function(), expression.call().arguments());
    case v1::Expression::kCast:
      return absl::StrCat("(", expression.cast().c_type(), ")",
                          TermName(instance, statement, expression.cast().operand()));
    default:
      return expression.literal();
  }
}

}  // namespace tune
