#include "common/transform/split_extrema/same_expression.h"

#include "common/dependence/tagged_flow.h"
#include "common/isl/tuple_name.h"
#include "common/scop/expression_parts.h"
#include "common/transform/statement_pullback.h"

namespace tune {
namespace {

std::vector<v1::Expression> DirectParts(const v1::Expression& expression) {
  std::vector<v1::Expression> parts;
  ForEachPart(expression, [&](const v1::Expression& part) { parts.push_back(part); });
  return parts;
}

bool AreSameValues(const isl::map& same, const std::string& first, const std::string& second) {
  const isl::map a(isl::pw_aff(same.ctx(), first).as_map());   // A -> [v]
  const isl::map b(isl::pw_aff(same.ctx(), second).as_map());  // B -> [v]
  const isl::map own = same.apply_range(b);                    // A -> [v]
  return a.is_equal(own);
}

// The same, but for their parts.
bool AreSameNodes(const isl::map& same, const v1::Expression& first, const v1::Expression& second) {
  if (first.kind_case() != second.kind_case() || first.c_type() != second.c_type()) return false;
  switch (first.kind_case()) {
    case v1::Expression::kLiteral:
      return first.literal() == second.literal();
    case v1::Expression::kAffine:
      return AreSameValues(same, first.affine(), second.affine());
    case v1::Expression::kOperation:
      return first.operation().op() == second.operation().op();
    case v1::Expression::kCall:
      return first.call().function() == second.call().function();
    case v1::Expression::kCast:
      return first.cast().c_type() == second.cast().c_type();
    default:
      return false;
  }
}

}  // namespace

isl::map SameIterations(const ParsedStatement& a, const ParsedStatement& b) {
  return InstancesNamed(a.name, b).as_map();
}

bool SameExpressions::Are(const ParsedStatement& a, const v1::Expression& first, const ParsedStatement& b,
                          const v1::Expression& second) const {
  if (first.kind_case() == v1::Expression::kAccess)
    return second.kind_case() == v1::Expression::kAccess && first.c_type() == second.c_type() &&
           ReadSame(a, first.access(), b, second.access());
  if (!AreSameNodes(SameIterations(a, b), first, second)) return false;
  const std::vector<v1::Expression> parts = DirectParts(first), others = DirectParts(second);
  if (parts.size() != others.size()) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!Are(a, parts[i], b, others[i])) return false;
  }
  return true;
}

bool SameExpressions::ReadSame(const ParsedStatement& a, int first, const ParsedStatement& b,
                               int second) const {
  const ParsedAccess &one = a.accesses[first], &other = b.accesses[second];
  if (one.array != other.array) return false;
  const isl::map same = SameIterations(a, b);  // { A -> B }
  const isl::set domain = a.domain.intersect_params(scop_.context);
  const isl::map element = one.relation.intersect_domain(domain);
  if (!element.is_equal(same.apply_range(other.relation).intersect_domain(domain))) return false;
  // Which element data decide, all of their parts tell; but not what wrote it last.
  if (one.of_data) return scop_.array(one.array).read_only();
  const auto sources = [&](const ParsedStatement& statement, int access) {  // { W -> S }
    return FlowTo(dependences_.tagged_flow, statement.domain, statement.name, access);
  };
  return sources(a, first).apply_range(isl::union_map(same)).is_equal(sources(b, second));
}

}  // namespace tune
