#include <cstdlib>

#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/scop/reference_tag.h"
#include "common/scop/scop.h"
#include "common/scop/scop_parser.h"
#include "common/scop/scop_texts.h"

namespace tune {
namespace {

absl::Status Invalid(const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat("scop, ", why));
}

// { S -> A } -> { [S -> R] -> A }, R = tag[].
isl::map Tag(const isl::map& relation, const std::string& tag) {
  isl::space space = relation.space().domain().map_from_set();
  space = DropDimensions(space, isl_dim_out, 0, Dimensions(space, isl_dim_out));
  space = WithTupleName(space, isl_dim_out, tag);
  const isl::map tagger = DomainMap(isl::map::universe(space));  // [S -> R] -> S
  return tagger.apply_range(relation);
}

void UniteAccesses(ParsedScop& scop) {
  for (const ParsedStatement& statement : scop.statements) {
    scop.domain = scop.domain.unite(statement.domain);
    if (statement.kind == v1::Statement::KILL) continue;
    for (size_t i = 0; i < statement.accesses.size(); ++i) {
      const ParsedAccess& access = statement.accesses[i];
      const isl::map relation = access.relation.intersect_domain(statement.domain);  // S -> A
      const isl::map tagged = Tag(relation, ReferenceTag(statement.name, static_cast<int>(i)));
      if (access.reads()) {
        scop.reads = scop.reads.unite(relation);
        scop.tagged_reads = scop.tagged_reads.unite(tagged);
      }
      if (access.writes()) {
        scop.writes = scop.writes.unite(relation);
        scop.tagged_writes = scop.tagged_writes.unite(tagged);
        if (access.of_data) continue;
        scop.certain_writes = scop.certain_writes.unite(relation);
        scop.tagged_certain_writes = scop.tagged_certain_writes.unite(tagged);
      }
    }
  }
}

// A kill covers what the region accesses of its array at all: nothing else can matter.
void UniteKills(ParsedScop& scop) {
  const isl::union_set accessed = scop.reads.range().unite(scop.writes.range()).coalesce();
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::KILL) continue;
    const isl::space array = statement.accesses[0].relation.space().range();
    const isl::union_set elements = accessed.extract_set(array);
    scop.kills = scop.kills.unite(isl::union_map::from_domain_and_range(statement.domain, elements));
  }
}

absl::Status CheckSchedule(const ParsedScop& scop) {
  const isl::union_set scheduled = scop.schedule.domain().intersect_params(scop.context);
  if (!scheduled.is_equal(scop.domain)) {
    const isl::union_set missing = scop.domain.subtract(scheduled);
    const isl::union_set extra = scheduled.subtract(scop.domain);
    return Invalid(absl::StrCat("schedule: its domain is not the union of the statements' domains: ",
                                missing.is_empty() ? "it also has " : "it lacks ",
                                IslText(missing.is_empty() ? extra : missing)));
  }
  if (!scop.schedule.map().intersect_domain(scop.domain).is_injective()) {
    return Invalid("schedule: it gives the same time to several statement instances");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const ParsedScop>> Parse(IslContext& context, const v1::Scop& proto) {
  auto scop = std::make_shared<ParsedScop>();
  scop->proto = proto;
  const ScopParser parser(context, scop->proto);
  TUNE_RETURN_IF_ERROR(parser.CheckParameters());
  TUNE_RETURN_IF_ERROR(parser.CheckTexts());
  TUNE_RETURN_IF_ERROR(parser.CheckArrays());
  TUNE_ASSIGN_OR_RETURN(scop->context, parser.Context());
  if (proto.statements_size() == 0) return Invalid("statements: there are none");
  for (int i = 0; i < proto.statements_size(); ++i) {
    TUNE_ASSIGN_OR_RETURN(ParsedStatement statement, parser.Statement(i, scop->context));
    scop->statements.push_back(std::move(statement));
  }
  TUNE_ASSIGN_OR_RETURN(scop->schedule, parser.Schedule());
  const isl::union_set no_instances = isl::union_set::empty(context.ctx());
  const isl::union_map no_accesses = isl::union_map::empty(context.ctx());
  scop->domain = no_instances;
  scop->reads = scop->writes = scop->kills = scop->tagged_reads = scop->tagged_writes = no_accesses;
  scop->certain_writes = scop->tagged_certain_writes = no_accesses;
  UniteAccesses(*scop);
  UniteKills(*scop);
  TUNE_RETURN_IF_ERROR(CheckSchedule(*scop));
  scop->schedule = IntersectDomain(scop->schedule, scop->domain);
  return std::shared_ptr<const ParsedScop>(std::move(scop));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ParsedScop>> ParseScop(IslContext& context, const v1::Scop& scop) {
  TUNE_RETURN_IF_ERROR(CheckScopTexts(scop));
  return context.Run("reading the scop", [&] { return Parse(context, scop); });
}

const ParsedStatement& ParsedScop::statement(absl::string_view name) const {
  for (const ParsedStatement& statement : statements) {
    if (statement.name == name) return statement;
  }
  std::abort();
}

const v1::Array& ParsedScop::array(absl::string_view name) const {
  for (const v1::Array& array : proto.arrays()) {
    if (array.name() == name) return array;
  }
  std::abort();
}

}  // namespace tune
