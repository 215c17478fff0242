#include "common/kernel/product.h"

#include <algorithm>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/constraint.h"

namespace tune {
namespace {

constexpr int kUsesBoth = kUsesRow | kUsesColumn;

bool IsTermOperator(const v1::Operation& operation) {
  const std::string& op = operation.op();
  if (operation.operands_size() == 1) return op == "-";
  return operation.operands_size() == 2 && (op == "+" || op == "-" || op == "*" || op == "/");
}

// Uses of all leaves.
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

// Equal for equal expressions of one statement, wherever in its list their accesses stand.
std::string TermName(const v1::Expression& expression, const v1::Statement& statement) {
  std::string name = absl::StrCat("(", expression.c_type(), " ");
  switch (expression.kind_case()) {
    case v1::Expression::kAccess: {
      const v1::Access& access = statement.accesses(expression.access());
      absl::StrAppend(&name, access.array(), " ", access.relation());
      break;
    }
    case v1::Expression::kOperation:
      name += expression.operation().op();
      for (const v1::Expression& operand : expression.operation().operands())
        name += TermName(operand, statement);
      break;
    case v1::Expression::kCall:
      name += expression.call().function();
      for (const v1::Expression& argument : expression.call().arguments())
        name += TermName(argument, statement);
      break;
    case v1::Expression::kCast:
      name += TermName(expression.cast().operand(), statement);
      break;
    default:
      name += expression.kind_case() == v1::Expression::kAffine ? expression.affine() : expression.literal();
  }
  return name + ")";
}

// Subscripts of an access in terms of the iterators, { S -> [e0, e1] }; null when they are not affine.
isl::multi_aff Subscripts(const ParsedAccess& access, const isl::set& domain) {
  const isl::map relation = access.relation.gist_domain(domain);
  if (!relation.is_single_valued()) return {};
  const isl::pw_multi_aff function = relation.as_pw_multi_aff();
  return function.isa_multi_aff() ? function.as_multi_aff() : isl::multi_aff();
}

bool Involves(const isl::aff& aff, int iterator) {
  return isl_aff_involves_dims(aff.get(), isl_dim_in, iterator, 1) == isl_bool_true;
}

bool HasDivs(const isl::aff& aff) { return isl_aff_dim(aff.get(), isl_dim_div) > 0; }

// The coefficient, when it is an integer; else 0.
long Coefficient(const isl::aff& aff, int iterator) {
  const isl::val value = isl::manage(isl_aff_get_coefficient_val(aff.get(), isl_dim_in, iterator));
  return value.is_int() ? value.num_si() : 0;
}

// The iterator that the member follows, upwards or downwards, and which way; -1: none.
struct MemberIterator {
  int iterator = -1;
  bool upwards = true;
};

MemberIterator IteratorOf(const isl::schedule_node_band& band, int member, const isl::set& domain) {
  const isl::union_pw_aff whole = band.partial_schedule().at(member).intersect_domain(isl::union_set(domain));
  const isl::map times = whole.as_union_map().as_map();
  const isl::multi_aff value = Subscripts({"", v1::Access::READ, times}, domain);
  if (value.is_null()) return {};
  const isl::aff aff = value.at(0);
  MemberIterator found;
  for (int d = 0; d < static_cast<int>(isl_set_dim(domain.get(), isl_dim_set)); ++d) {
    if (!Involves(aff, d)) continue;
    const long coefficient = Coefficient(aff, d);
    if (found.iterator >= 0 || HasDivs(aff) || (coefficient != 1 && coefficient != -1)) return {};
    found = {d, coefficient == 1};
  }
  return found;
}

// Row, column and sum of one try, as iterators of the statement.
struct Roles {
  int row, column, sum;
};

class ProductSearch {
 public:
  ProductSearch(const ParsedStatement& statement, const ParsedScop& scop, const isl::set& values)
      : statement_(statement), scop_(scop) {
    domain_ = statement.domain.intersect_params(values);
    known_ = domain_.project_out_all_params().coalesce();
    for (const ParsedAccess& access : statement.accesses)
      subscripts_.push_back(Subscripts(access, statement.domain));
  }

  // What does not depend on the roles.
  bool MayBe() const {
    const v1::Array& target = scop_.array(statement_.target().array);
    const v1::ElementType type = target.element_type();
    if (statement_.proto->update() != v1::ADD || target.extents_size() < 2) return false;
    if (type != v1::ELEMENT_TYPE_FLOAT && type != v1::ELEMENT_TYPE_DOUBLE) return false;
    if (statement_.proto->value().c_type() != ElementCType(type)) return false;
    for (size_t i = 0; i < subscripts_.size(); ++i) {
      const ParsedAccess& access = statement_.accesses[i];
      if (static_cast<int>(i) != statement_.proto->target() && access.array == target.name()) return false;
      if (subscripts_[i].is_null()) return false;
      for (unsigned d = 0; d < subscripts_[i].size(); ++d) {
        if (HasDivs(subscripts_[i].at(static_cast<int>(d)))) return false;
      }
    }
    return true;
  }

  bool IsProduct(const Roles& roles) const {
    return FitsTarget(roles) && FitsDomain(roles) && FitsValue(roles);
  }

  const isl::set& domain() const { return statement_.domain; }

 private:
  // Consecutive columns are neighbours in a row of the target; the sum is over one element.
  bool FitsTarget(const Roles& roles) const {
    const isl::multi_aff& target = subscripts_[statement_.proto->target()];
    const int last = static_cast<int>(target.size()) - 1;
    bool has_row = false;
    for (int d = 0; d <= last; ++d) {
      const isl::aff subscript = target.at(d);
      if (Involves(subscript, roles.sum) || (d < last && Involves(subscript, roles.column))) return false;
      has_row = has_row || Involves(subscript, roles.row);
    }
    return has_row && Coefficient(target.at(last), roles.column) == 1;
  }

  // One convex set of rows and columns, for each of which the sum is over the same iterations.
  bool FitsDomain(const Roles& roles) const {
    if (known_.n_basic_set() != 1) return false;
    const isl::basic_set convex = isl::manage(isl_set_simple_hull(known_.copy()));
    if (isl_basic_set_dim(convex.get(), isl_dim_div) > 0) return false;
    const std::vector<Constraint> constraints = ConstraintsOf(convex);
    return std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& constraint) {
      const auto uses = [&](int i) { return !constraint.Coefficient(isl_dim_set, i).is_zero(); };
      const bool sum = uses(roles.sum);
      const bool tile = uses(roles.row) || uses(roles.column);
      return constraint.IsEquality() ? !sum && !tile : !sum || !tile;
    });
  }

  bool FitsValue(const Roles& roles) const {
    const auto uses = [&](const v1::Expression& leaf) { return Uses(leaf, roles); };
    const auto name = [&](const v1::Expression& term) { return TermName(term, *statement_.proto); };
    const v1::Expression& value = statement_.proto->value();
    return SplitProduct(value, value.c_type(), uses, name).has_value();
  }

  int Uses(const v1::Expression& leaf, const Roles& roles) const {
    if (leaf.kind_case() == v1::Expression::kAccess) {
      int uses = kUsesNone;
      const isl::multi_aff& subscripts = subscripts_[leaf.access()];
      for (unsigned d = 0; d < subscripts.size(); ++d) {
        const isl::aff subscript = subscripts.at(static_cast<int>(d));
        uses |= UsesOfIterators([&](int iterator) { return Involves(subscript, iterator); }, roles);
      }
      return uses;
    }
    const isl::pw_aff value(scop_.context.ctx(), leaf.affine());
    const auto involves = [&](int iterator) {
      return isl_pw_aff_involves_dims(value.get(), isl_dim_in, iterator, 1) == isl_bool_true;
    };
    return UsesOfIterators(involves, roles);
  }

  template <typename UsesIterator>
  static int UsesOfIterators(const UsesIterator& uses, const Roles& roles) {
    return (uses(roles.row) ? kUsesRow : 0) | (uses(roles.column) ? kUsesColumn : 0) |
           (uses(roles.sum) ? kUsesSum : 0);
  }

  const ParsedStatement& statement_;
  const ParsedScop& scop_;
  isl::set domain_;                         // S at the known values
  isl::set known_;                          // the same without parameters
  std::vector<isl::multi_aff> subscripts_;  // parallel to the accesses
};

}  // namespace

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

std::optional<KernelProduct> FindProduct(const isl::schedule_node_band& band,
                                         const ParsedStatement& statement, const ParsedScop& scop,
                                         const isl::set& values, const std::vector<int64_t>& trip_counts,
                                         const std::vector<bool>& may_be_parallel) {
  const int members = static_cast<int>(band.n_member());
  if (members < 3) return std::nullopt;
  const ProductSearch search(statement, scop, values);
  if (!search.MayBe()) return std::nullopt;
  std::vector<MemberIterator> iterators;
  std::vector<int> repeating;
  for (int m = 0; m < members; ++m) {
    iterators.push_back(IteratorOf(band, m, search.domain()));
    if (iterators[m].iterator >= 0 && trip_counts[m] >= 2) repeating.push_back(m);
  }
  std::optional<KernelProduct> best;
  for (const int row : repeating) {
    for (const int column : repeating) {
      if (row == column || !may_be_parallel[row] || !may_be_parallel[column] || !iterators[column].upwards)
        continue;
      for (const int sum : repeating) {
        if (sum == row || sum == column) continue;
        const Roles roles = {iterators[row].iterator, iterators[column].iterator, iterators[sum].iterator};
        const KernelProduct product = {
            row, column, sum, trip_counts[row], trip_counts[column], trip_counts[sum]};
        const auto work = [](const KernelProduct& p) { return 1.0 * p.rows * p.columns * p.sums; };
        if ((!best || work(product) >= work(*best)) && search.IsProduct(roles)) best = product;
      }
    }
  }
  return best;
}

}  // namespace tune
