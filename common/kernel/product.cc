#include "common/kernel/product.h"

#include <algorithm>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/constraint.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/sets.h"

namespace tune {
namespace {

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
  if (access.of_data || !relation.is_single_valued()) return {};
  const isl::pw_multi_aff function = relation.as_pw_multi_aff();
  return function.isa_multi_aff() ? function.as_multi_aff() : isl::multi_aff();
}

template <typename Function>
bool UsesIterator(const Function& function, int iterator) {
  return Involves(function, isl_dim_in, iterator, 1);
}

// The coefficient, when it is an integer; else 0.
long IntegerCoefficient(const isl::aff& aff, int iterator) {
  const isl::val value = Coefficient(aff, isl_dim_in, iterator);
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
  for (int d = 0; d < Dimensions(domain, isl_dim_set); ++d) {
    if (!UsesIterator(aff, d)) continue;
    const long coefficient = IntegerCoefficient(aff, d);
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
      if (UsesIterator(subscript, roles.sum) || (d < last && UsesIterator(subscript, roles.column)))
        return false;
      has_row = has_row || UsesIterator(subscript, roles.row);
    }
    return has_row && IntegerCoefficient(target.at(last), roles.column) == 1;
  }

  // One convex set of rows and columns, for each of which the sum is over the same iterations.
  bool FitsDomain(const Roles& roles) const {
    if (known_.n_basic_set() != 1) return false;
    const isl::basic_set convex = SimpleHull(known_);
    if (HasDivs(convex)) return false;
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
        uses |= UsesOfIterators([&](int iterator) { return UsesIterator(subscript, iterator); }, roles);
      }
      return uses;
    }
    const isl::pw_aff value(scop_.context.ctx(), leaf.affine());
    const auto involves = [&](int iterator) { return UsesIterator(value, iterator); };
    return UsesOfIterators(involves, roles);
  }

  template <typename Involves>
  static int UsesOfIterators(const Involves& uses, const Roles& roles) {
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
