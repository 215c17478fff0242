#include "common/scop/scop_parser.h"

#include <set>

#include "common/array/structure_places.h"
#include "common/isl/dimensions.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"
#include "common/program/statement_value.h"
#include "common/scop/c_text_check.h"
#include "common/scop/c_tokens.h"
#include "common/scop/expression_check.h"

namespace tune {
namespace {

absl::Status Invalid(const std::string& where, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat("scop, ", where, ": ", why));
}

absl::Status At(const std::string& where, const absl::Status& status) {
  return status.ok() ? status : Invalid(where, std::string(status.message()));
}

std::string Where(const ParsedStatement& statement, absl::string_view field) {
  return absl::StrCat("statement ", statement.name, ", ", field);
}

}  // namespace

ScopParser::ScopParser(IslContext& context, const v1::Scop& scop) : ctx_(context.ctx()), scop_(scop) {
  isl::space space = ParameterSpace(context.ctx(), scop.parameters_size());
  for (int i = 0; i < scop.parameters_size(); ++i) {
    space = WithDimensionName(space, isl_dim_param, i, scop.parameters(i).name());
  }
  parameters_ = space;
  for (const v1::Array& array : scop.arrays()) arrays_[array.name()] = &array;
}

template <typename T>
absl::StatusOr<T> ScopParser::Parse(const std::string& text, const std::string& where) const {
  try {
    const T object(ctx_, text);
    TUNE_RETURN_IF_ERROR(CheckParametersOf(object.space(), where));
    return AlignParameters(object, parameters_);
  } catch (const isl::exception_quota&) {
    throw;
  } catch (const isl::exception_abort&) {
    throw;
  } catch (const isl::exception& error) {
    return Invalid(where, absl::StrCat("not in isl's notation: ", error.what(), ": ", text));
  }
}

absl::Status ScopParser::CheckParametersOf(const isl::space& space, const std::string& where) const {
  const int count = Dimensions(space, isl_dim_param);
  for (int i = 0; i < count; ++i) {
    const std::string name = DimensionName(space, isl_dim_param, i);
    if (FindDimension(parameters_, isl_dim_param, name) < 0) {
      return Invalid(where, absl::StrCat("uses \"", name, "\", which is not a parameter of the scop"));
    }
  }
  return absl::OkStatus();
}

absl::Status ScopParser::CheckParameters() const {
  std::set<std::string> names, variables;
  for (const v1::Parameter& parameter : scop_.parameters()) {
    const std::string where = absl::StrCat("parameter \"", parameter.name(), "\"");
    if (!IsCIdentifier(parameter.name())) return Invalid(where, "the name is not a C identifier");
    if (!IsArithmeticType(parameter.c_type())) return Invalid(where, "its type is none of C's integers");
    for (const std::string& factor : parameter.factors()) {
      if (variables.count(factor) == 0)
        return Invalid(where, "a factor is no variable that stands before it");
    }
    if (parameter.factors().empty()) variables.insert(parameter.name());
    if (!names.insert(parameter.name()).second) return Invalid(where, "appears twice");
  }
  return absl::OkStatus();
}

absl::Status ScopParser::CheckTexts() const {
  const std::string& function = scop_.region().function();
  if (!function.empty() && !IsCIdentifier(function))
    return Invalid("region", "the function's name is not a C identifier");
  for (const v1::Meaning& meaning : scop_.meanings())
    TUNE_RETURN_IF_ERROR(At("meanings", CheckMeaning(meaning)));
  return absl::OkStatus();
}

absl::Status ScopParser::CheckArrays() const {
  std::set<std::string> names;
  for (const v1::Parameter& parameter : scop_.parameters()) names.insert(parameter.name());
  for (const v1::Array& array : scop_.arrays()) {
    const std::string where = absl::StrCat("array \"", array.name(), "\"");
    if (!IsCIdentifier(array.name())) return Invalid(where, "the name is not a C identifier");
    if (!names.insert(array.name()).second) return Invalid(where, "another array or parameter has this name");
    if (array.element_type() == v1::ELEMENT_TYPE_UNSPECIFIED ||
        !v1::ElementType_IsValid(array.element_type())) {
      return Invalid(where, "no element type");
    }
    for (int i = 0; i < array.extents_size(); ++i) {
      const std::string extent = absl::StrCat(where, ", extent ", i);
      const std::string& expression = array.extents(i).c_expression();
      if (!expression.empty()) TUNE_RETURN_IF_ERROR(At(extent, CheckCExpression(expression)));
      if (!array.extents(i).accessed().empty()) {
        TUNE_ASSIGN_OR_RETURN(const isl::pw_aff accessed,
                              Parse<isl::pw_aff>(array.extents(i).accessed(), extent));
        if (!IsParameterDomain(DomainSpace(accessed))) {
          return Invalid(extent, "must depend on parameters only");
        }
      } else if (array.extents(i).c_expression().empty()) {
        return Invalid(extent, "neither c_expression nor accessed is set");
      }
    }
    if (array.has_structure()) TUNE_RETURN_IF_ERROR(At(where, CheckStructure(array)));
    if (!array.object().empty() && !IsCIdentifier(array.object()))
      return Invalid(where, "the name of its object is not a C identifier");
  }
  return At("arrays", CheckOneObjects(scop_));
}

absl::StatusOr<isl::set> ScopParser::Context() const {
  TUNE_ASSIGN_OR_RETURN(const isl::set context, Parse<isl::set>(scop_.context(), "context"));
  if (!IsParameterDomain(context)) {
    return Invalid("context", absl::StrCat("must be a set over parameters only: ", scop_.context()));
  }
  if (context.is_empty()) return Invalid("context", "no parameter values satisfy it");
  return context;
}

absl::StatusOr<ParsedStatement> ScopParser::Statement(int index, const isl::set& context) const {
  const v1::Statement& proto = scop_.statements(index);
  ParsedStatement statement;
  statement.name = absl::StrCat("S", index);
  statement.kind = proto.kind();
  statement.proto = &proto;
  if (proto.name() != statement.name) {
    return Invalid(absl::StrCat("statement ", index),
                   absl::StrCat("its name must be ", statement.name, ", not \"", proto.name(), "\""));
  }
  if (proto.kind() != v1::Statement::ASSIGN && proto.kind() != v1::Statement::KILL) {
    return Invalid(Where(statement, "kind"), "must be ASSIGN or KILL");
  }
  TUNE_ASSIGN_OR_RETURN(statement.domain, Parse<isl::set>(proto.domain(), Where(statement, "domain")));
  if (IsParameterDomain(statement.domain) || TupleName(statement.domain).empty() ||
      statement.name != TupleName(statement.domain) ||
      static_cast<int>(statement.domain.tuple_dim()) != proto.iterators_size()) {
    return Invalid(Where(statement, "domain"),
                   absl::StrCat("must be a set of ", statement.name, "[...] with ", proto.iterators_size(),
                                " dimensions: ", proto.domain()));
  }
  statement.domain = statement.domain.intersect_params(context);
  const std::vector<bool> of_data = AreOfData(proto);
  for (int i = 0; i < proto.accesses_size(); ++i) {
    TUNE_ASSIGN_OR_RETURN(ParsedAccess access, Access(statement, i, of_data[i]));
    statement.accesses.push_back(std::move(access));
  }
  if (statement.kind == v1::Statement::KILL) {
    if (statement.accesses.size() != 1)
      return Invalid(Where(statement, "accesses"), "a KILL has exactly one");
    return statement;
  }
  TUNE_RETURN_IF_ERROR(CheckTarget(statement));
  TUNE_RETURN_IF_ERROR(CheckExpression(statement, proto.value(), [&](const std::string& text) {
    return Parse<isl::pw_aff>(text, Where(statement, "value"));
  }));
  for (const v1::Expression* expression : AffineExpressions(proto.value())) {
    TUNE_ASSIGN_OR_RETURN(isl::pw_aff value,
                          Parse<isl::pw_aff>(expression->affine(), Where(statement, "value")));
    statement.affine.push_back(std::move(value));
  }
  return statement;
}

absl::StatusOr<ParsedAccess> ScopParser::Access(const ParsedStatement& statement, int index,
                                                bool of_data) const {
  const v1::Access& proto = statement.proto->accesses(index);
  const std::string where = Where(statement, absl::StrCat("access ", index));
  const auto array = arrays_.find(proto.array());
  if (array == arrays_.end()) return Invalid(where, absl::StrCat("unknown array \"", proto.array(), "\""));
  if (proto.kind() == v1::Access::KIND_UNSPECIFIED || !v1::Access::Kind_IsValid(proto.kind())) {
    return Invalid(where, "no kind");
  }
  TUNE_ASSIGN_OR_RETURN(const isl::map relation, Parse<isl::map>(proto.relation(), where));  // S -> A
  if (!relation.has_domain_tuple_id() || relation.domain_tuple_id().name() != statement.name ||
      relation.domain_tuple_dim() != statement.domain.tuple_dim()) {
    return Invalid(where, absl::StrCat("must map from ", statement.name,
                                       "[...] with the domain's dimensions: ", proto.relation()));
  }
  if (!relation.has_range_tuple_id() || relation.range_tuple_id().name() != proto.array() ||
      static_cast<int>(relation.range_tuple_dim()) != array->second->extents_size()) {
    return Invalid(where, absl::StrCat("must map to ", proto.array(), " with ", array->second->extents_size(),
                                       " subscripts: ", proto.relation()));
  }
  if (statement.kind == v1::Statement::ASSIGN) {
    if (!statement.domain.is_subset(relation.domain())) {
      return Invalid(where,
                     absl::StrCat("not defined for every instance of the statement: ", proto.relation()));
    }
    if (!of_data && !relation.is_single_valued()) {
      return Invalid(where, absl::StrCat("names several elements for one instance: ", proto.relation()));
    }
    if (proto.kind() != v1::Access::READ && array->second->read_only()) {
      return Invalid(where, absl::StrCat("writes \"", proto.array(), "\", which is marked read-only"));
    }
  }
  return ParsedAccess{proto.array(), proto.kind(), relation, of_data};
}

absl::Status ScopParser::CheckTarget(const ParsedStatement& statement) const {
  const v1::Statement& proto = *statement.proto;
  if (proto.target() < 0 || proto.target() >= proto.accesses_size()) {
    return Invalid(Where(statement, "target"), absl::StrCat("there is no access ", proto.target()));
  }
  if (!v1::UpdateOperator_IsValid(proto.update()))
    return Invalid(Where(statement, "update"), "unknown operator");
  const v1::Array& array = *arrays_.at(statement.accesses[proto.target()].array);
  if (proto.update() != v1::NONE && array.element_type() == v1::ELEMENT_TYPE_FLOAT16)
    return Invalid(Where(statement, "update"), "of _Float16, which rounds each time; assign the new value");
  if ((proto.update() == v1::MIN || proto.update() == v1::MAX) && IsComplex(array.element_type()))
    return Invalid(Where(statement, "update"), "of complex numbers, none of which is the larger one");
  // Whether something stays of what the target's elements were: of those that data choose most do.
  const bool keeps = proto.update() != v1::NONE || statement.accesses[proto.target()].of_data;
  for (int i = 0; i < proto.accesses_size(); ++i) {
    v1::Access::Kind wanted = v1::Access::READ;
    if (i == proto.target()) wanted = keeps ? v1::Access::UPDATE : v1::Access::WRITE;
    if (proto.accesses(i).kind() == wanted) continue;
    return Invalid(Where(statement, absl::StrCat("access ", i)),
                   absl::StrCat("its kind must be ", v1::Access::Kind_Name(wanted), ", not ",
                                v1::Access::Kind_Name(proto.accesses(i).kind())));
  }
  return absl::OkStatus();
}

absl::StatusOr<isl::schedule> ScopParser::Schedule() const {
  try {
    const isl::schedule schedule(ctx_, scop_.schedule());
    TUNE_RETURN_IF_ERROR(CheckParametersOf(schedule.domain().space(), "schedule"));
    const bool plain = schedule.root().every_descendant([](const isl::schedule_node& node) {
      return !node.isa<isl::schedule_node_extension>() && !node.isa<isl::schedule_node_expansion>() &&
             !node.isa<isl::schedule_node_context>() && !node.isa<isl::schedule_node_guard>();
    });
    if (!plain)
      return Invalid("schedule", "only domain, band, sequence, set, filter and mark nodes are possible");
    return AlignParameters(schedule, parameters_);
  } catch (const isl::exception_quota&) {
    throw;
  } catch (const isl::exception_abort&) {
    throw;
  } catch (const isl::exception& error) {
    return Invalid("schedule", absl::StrCat("not a schedule tree in isl's notation: ", error.what()));
  }
}

}  // namespace tune
