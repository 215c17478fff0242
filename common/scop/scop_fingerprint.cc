#include <set>

#include "absl/strings/ascii.h"
#include "common/base/c_identifier.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/spaces.h"
#include "common/scop/scop.h"
#include "common/scop/scop_identity.h"
#include "common/scop/scop_texts.h"

namespace tune {
namespace {

using Names = std::map<std::string, std::string>;

// Names by position: parameters p0.., iterators i0.. (by depth), arrays a0.. in order of their first access.
class ScopNormaliser {
 public:
  ScopNormaliser(IslContext& context, const v1::Scop& scop) : ctx_(context.ctx()), scop_(scop) {
    isl::space space = ParameterSpace(context.ctx(), scop.parameters_size());
    for (int i = 0; i < scop.parameters_size(); ++i) {
      const std::string name = absl::StrCat("p", i);
      parameters_[scop.parameters(i).name()] = name;
      space = WithDimensionName(space, isl_dim_param, i, name);
    }
    parameter_space_ = space;
    for (const v1::Statement& statement : scop.statements()) {
      for (const v1::Access& access : statement.accesses()) NameArray(access.array());
    }
    for (const v1::Array& array : scop.arrays()) NameArray(array.name());
  }

  // Throws isl::exception when a text does not parse.
  std::string Normalise() {
    Line("context", Text(isl::set(ctx_, scop_.context())));
    for (const v1::Parameter& parameter : scop_.parameters()) {
      Line("parameter", parameter.c_type());
      for (const std::string& factor : parameter.factors()) Line("factor", Parameter(factor));
    }
    std::map<std::string, const v1::Array*> ordered;
    for (const v1::Array& array : scop_.arrays()) ordered[arrays_[array.name()]] = &array;
    for (const auto& [name, array] : ordered) Array(name, *array);
    for (const v1::Statement& statement : scop_.statements()) Statement(statement);
    Schedule();
    return std::move(text_);
  }

 private:
  void NameArray(const std::string& name) {
    // Padded, so that the order of the names as text is the order of appearance.
    arrays_.emplace(name, absl::StrCat("a", absl::Dec(arrays_.size(), absl::kZeroPad6)));
  }

  void Line(absl::string_view field, absl::string_view value) {
    absl::StrAppend(&text_, field, ": ", value, "\n");
  }

  isl::set Rename(isl::set set) const {
    for (int i = 0; i < Dimensions(set, isl_dim_param); ++i) {
      set = WithDimensionName(set, isl_dim_param, i, Parameter(DimensionName(set, isl_dim_param, i)));
    }
    for (int i = 0; i < Dimensions(set, isl_dim_set); ++i) {
      set = WithDimensionName(set, isl_dim_set, i, absl::StrCat("i", i));
    }
    return AlignParameters(set, parameter_space_);
  }

  isl::map Rename(isl::map map) const {
    for (int i = 0; i < Dimensions(map, isl_dim_param); ++i) {
      map = WithDimensionName(map, isl_dim_param, i, Parameter(DimensionName(map, isl_dim_param, i)));
    }
    for (int i = 0; i < Dimensions(map, isl_dim_in); ++i) {
      map = WithDimensionName(map, isl_dim_in, i, absl::StrCat("i", i));
    }
    for (int i = 0; i < Dimensions(map, isl_dim_out); ++i) {
      map = WithDimensionName(map, isl_dim_out, i, absl::StrCat("o", i));
    }
    return AlignParameters(map, parameter_space_);
  }

  std::string Parameter(const std::string& name) const {
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? name : found->second;
  }

  std::string Text(const isl::set& set) const { return IslText(Rename(set)); }
  std::string Text(const isl::map& map) const { return IslText(Rename(map)); }

  // Text of { S -> [value] }, or of a value over the parameters alone.
  std::string AffineText(const std::string& affine) const {
    const isl::pw_aff value(ctx_, affine);
    if (IsParameterDomain(DomainSpace(value))) {
      return Text(SetFromPwAff(value));
    }
    return Text(value.as_map());
  }

  // C tokens without layout, parameters renamed.
  std::string Expression(absl::string_view c_expression) const {
    std::string out, word;
    const auto flush = [&] {
      absl::StrAppend(&out, Parameter(word));
      word.clear();
    };
    for (const char c : c_expression) {
      if (IsNameCharacter(c)) {
        word += c;
        continue;
      }
      flush();
      if (!absl::ascii_isspace(c)) out += c;
    }
    flush();
    return out;
  }

  // The first of the arrays of the same object, and the places that this one does not have.
  std::string ObjectOf(const v1::Array& array) const {
    std::string first;
    for (const v1::Array& other : scop_.arrays()) {
      const std::string& name = arrays_.at(other.name());
      if (other.object() == array.object() && (first.empty() || name < first)) first = name;
    }
    for (const v1::Places& places : array.structure().others())
      absl::StrAppend(&first, " ", places.first(), "+", places.count());
    return first;
  }

  void Array(const std::string& name, const v1::Array& array) {
    Line("array", absl::StrCat(name, " ", array.element_type(), " inside ", array.declared_inside(),
                               " read-only ", array.read_only(), " pointer ", array.is_pointer(),
                               array.has_structure() ? " structures" : ""));
    // Copies to a device and back are of the members of one type.
    if (!array.object().empty()) Line("object", ObjectOf(array));
    for (const v1::Extent& extent : array.extents()) {
      Line("extent", absl::StrCat(Expression(extent.c_expression()), " accessed ",
                                  extent.accessed().empty() ? "" : AffineText(extent.accessed())));
    }
  }

  void Statement(const v1::Statement& statement) {
    Line("statement",
         absl::StrCat(statement.kind(), " target ", statement.target(), " update ", statement.update()));
    Line("domain", Text(isl::set(ctx_, statement.domain())));
    for (const v1::Access& access : statement.accesses()) {
      isl::map relation(ctx_, access.relation());
      relation = relation.set_range_tuple(arrays_[access.array()]);
      Line("access", absl::StrCat(access.kind(), " ", Text(relation)));
    }
    Value(statement.value());
  }

  void Value(const v1::Expression& value) {
    Line("value", absl::StrCat(value.kind_case(), " ", value.c_type()));
    switch (value.kind_case()) {
      case v1::Expression::kLiteral:
        return Line("literal", value.literal());
      case v1::Expression::kAccess:
        return Line("access", absl::StrCat(value.access()));
      case v1::Expression::kAffine:
        return Line("affine", AffineText(value.affine()));
      case v1::Expression::kOperation:
        Line("operation", absl::StrCat(value.operation().op(), " ", value.operation().operands_size()));
        for (const v1::Expression& operand : value.operation().operands()) Value(operand);
        return;
      case v1::Expression::kCall:
        Line("call", absl::StrCat(value.call().function(), " ", value.call().arguments_size()));
        for (const v1::Expression& argument : value.call().arguments()) Value(argument);
        return;
      case v1::Expression::kCast:
        Line("cast", value.cast().c_type());
        return Value(value.cast().operand());
      case v1::Expression::KIND_NOT_SET:
        return;
    }
  }

  // The order as a map for each statement: its text does not depend on how isl hashes names.
  void Schedule() {
    std::set<std::string> maps;
    isl::schedule(ctx_, scop_.schedule()).map().foreach_map([&](const isl::map& map) {
      maps.insert(Text(map));
    });
    for (const std::string& map : maps) Line("schedule", map);
  }

  isl::ctx ctx_;
  const v1::Scop& scop_;
  isl::space parameter_space_;
  Names parameters_, arrays_;
  std::string text_;
};

}  // namespace

absl::StatusOr<std::string> NormalisedScop(const v1::Scop& scop) {
  TUNE_RETURN_IF_ERROR(CheckScopTexts(scop));
  // A server does this for every submission: texts that take isl long are not worth the wait.
  IslContext context({.operations = 5'000'000, .processor_time = absl::Seconds(20)});
  return context.Run("normalising the scop", [&]() -> absl::StatusOr<std::string> {
    return ScopNormaliser(context, scop).Normalise();
  });
}

std::string ScopFingerprint(const v1::Scop& scop) { return IdentifyScop(scop).fingerprint; }

}  // namespace tune
