#include "tests/client/extract/straight_line.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_join.h"
#include "common/isl/dimensions.h"
#include "common/isl/isl.h"
#include "common/isl/points.h"
#include "common/program/statement_value.h"

namespace tune::testing {
namespace {

using Point = std::vector<int64_t>;

struct Instance {
  Point time;
  int statement;
  isl::set point;  // [n] -> { S[...] : n = ... }
};

Point Coordinates(const isl::set& point_set) {
  isl::point point = point_set.sample_point();
  Point coordinates;
  int dimensions = Dimensions(point_set, isl_dim_set);
  for (int i = 0; i < dimensions; ++i) {
    isl::val value = CoordinateOf(point, isl_dim_set, i);
    coordinates.push_back(value.num_si());
  }
  return coordinates;
}

class Printer {
 public:
  Printer(isl::ctx ctx, const v1::Scop& scop, const std::map<std::string, int64_t>& values)
      : ctx_(ctx), scop_(scop) {
    std::vector<std::string> names, facts;
    for (const v1::Parameter& parameter : scop.parameters()) {
      names.push_back(parameter.name());
      facts.push_back(absl::StrCat(parameter.name(), " = ", values.at(parameter.name())));
    }
    values_ =
        isl::set(isl::ctx(ctx), absl::StrCat("[", absl::StrJoin(names, ", "), "] -> { : ",
                                             facts.empty() ? "true" : absl::StrJoin(facts, " and "), " }"));
  }

  absl::StatusOr<std::string> Print(size_t limit) {
    if (!values_.is_subset(isl::set(isl::ctx(ctx_), scop_.context()))) {
      return absl::InvalidArgumentError(absl::StrCat("values outside of the context ", scop_.context()));
    }
    std::vector<Instance> instances = Instances(limit);
    if (instances.size() > limit) return absl::InvalidArgumentError("too many instances");
    std::string code = "{\n";
    for (const v1::Array& array : scop_.arrays()) {
      if (!array.declared_inside()) continue;
      absl::StrAppend(&code, TypeName(array.element_type()), " ", array.name());
      for (const v1::Extent& extent : array.extents())
        absl::StrAppend(&code, "[", extent.c_expression(), "]");
      absl::StrAppend(&code, ";\n");
    }
    for (const Instance& instance : instances) absl::StrAppend(&code, Statement(instance));
    return code + "}\n";
  }

 private:
  static std::string TypeName(v1::ElementType type) {
    static const char* const kNames[] = {"?",     "char",           "signed char", "unsigned char",
                                         "short", "unsigned short", "int",         "unsigned int",
                                         "long",  "unsigned long",  "float",       "double"};
    return kNames[type];
  }

  std::vector<Instance> Instances(size_t limit) const {
    isl::schedule schedule = isl::schedule(ctx_, scop_.schedule());
    isl::union_map order = schedule.map().intersect_domain(schedule.domain()).intersect_params(values_);
    std::vector<Instance> instances;
    for (int s = 0; s < scop_.statements_size(); ++s) {
      isl::set domain = isl::set(isl::ctx(ctx_), scop_.statements(s).domain()).intersect_params(values_);
      std::vector<isl::set> points;
      domain.foreach_point([&](isl::point point) {
        if (points.size() <= limit) points.push_back(isl::set(point));
      });
      for (const isl::set& point : points) {
        isl::union_set time = isl::union_set(point).apply(order);
        instances.push_back({Coordinates(time.as_set()), s, point});
      }
    }
    std::sort(instances.begin(), instances.end(),
              [](const Instance& a, const Instance& b) { return a.time < b.time; });
    return instances;
  }

  // Each text is parsed once.
  const isl::map& Relation(const std::string& text) const {
    auto [known, is_new] = relations_.try_emplace(text);
    if (is_new) known->second = isl::map(isl::ctx(ctx_), text);
    return known->second;
  }
  const isl::map& Affine(const std::string& text) const {
    auto [known, is_new] = relations_.try_emplace(text);
    if (is_new) {
      known->second = isl::pw_aff(ctx_, text).as_map();
    }
    return known->second;
  }

  std::string Element(const Instance& instance, const v1::Access& access) const {
    isl::set element = instance.point.apply(Relation(access.relation()));
    std::string text = access.array();
    for (int64_t subscript : Coordinates(element)) absl::StrAppend(&text, "[", subscript, "]");
    return text;
  }

  std::string Value(const Instance& instance, const v1::Expression& value) const {
    const v1::Statement& statement = scop_.statements(instance.statement);
    switch (value.kind_case()) {
      case v1::Expression::kLiteral:
        return value.literal();
      case v1::Expression::kAccess:
        return Element(instance, statement.accesses(value.access()));
      case v1::Expression::kAffine: {
        isl::set range = instance.point.apply(Affine(value.affine()));
        return absl::StrCat("((", value.c_type(), ")", Coordinates(range)[0], ")");
      }
      case v1::Expression::kCast:
        return absl::StrCat("((", value.cast().c_type(), ")", Value(instance, value.cast().operand()), ")");
      default:
        break;
    }
    if (value.operation().op() == kElementOf) {
      const auto& operands = value.operation().operands();
      std::string text = statement.accesses(operands[0].access()).array();
      for (int i = 1; i < operands.size(); ++i)
        absl::StrAppend(&text, "[", Value(instance, operands[i]), "]");
      return text;
    }
    std::vector<std::string> parts;
    for (const v1::Expression& part :
         value.has_call() ? value.call().arguments() : value.operation().operands()) {
      parts.push_back(Value(instance, part));
    }
    if (value.has_call()) return absl::StrCat(value.call().function(), "(", absl::StrJoin(parts, ", "), ")");
    const std::string& op = value.operation().op();
    if (parts.size() == 1) return absl::StrCat("(", op, "(", parts[0], "))");
    if (parts.size() == 3) return absl::StrCat("(", parts[0], " ? ", parts[1], " : ", parts[2], ")");
    return absl::StrCat("(", parts[0], " ", op, " ", parts[1], ")");
  }

  std::string Statement(const Instance& instance) const {
    const v1::Statement& statement = scop_.statements(instance.statement);
    if (statement.kind() == v1::Statement::KILL) return "";
    const v1::Access& access = statement.accesses(statement.target());
    std::string target = access.array();
    for (const v1::Expression* subscript : TargetSubscripts(statement))
      absl::StrAppend(&target, "[", Value(instance, *subscript), "]");
    if (TargetSubscripts(statement).empty()) target = Element(instance, access);
    std::string value = Value(instance, AssignedValue(statement));
    switch (statement.update()) {
      case v1::ADD:
        return absl::StrCat(target, " += ", value, ";\n");
      case v1::MULTIPLY:
        return absl::StrCat(target, " *= ", value, ";\n");
      case v1::MIN:
        return absl::StrCat(target, " = ", target, " < ", value, " ? ", target, " : ", value, ";\n");
      case v1::MAX:
        return absl::StrCat(target, " = ", target, " > ", value, " ? ", target, " : ", value, ";\n");
      default:
        return absl::StrCat(target, " = ", value, ";\n");
    }
  }

  isl::ctx ctx_;
  const v1::Scop& scop_;
  isl::set values_;
  mutable std::map<std::string, isl::map> relations_;
};

}  // namespace

absl::StatusOr<std::string> StraightLineCode(const v1::Scop& scop,
                                             const std::map<std::string, int64_t>& values, size_t limit) {
  IslContext context;
  return context.Run("straight-line code", [&]() -> absl::StatusOr<std::string> {
    return Printer(context.get(), scop, values).Print(limit);
  });
}

}  // namespace tune::testing
