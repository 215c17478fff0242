#include "common/schedule/statement_group.h"

#include <algorithm>

#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/schedule/scheduler.h"

namespace tune {
namespace {

std::string GroupId(const std::vector<std::string>& statements,
                    const std::map<std::string, std::string>& row_texts) {
  std::string id;
  for (const std::string& statement : statements)
    absl::StrAppend(&id, statement, "(", row_texts.at(statement), ")");
  return id;
}

}  // namespace

ScheduleRow ScheduleRow::Of(const isl::union_pw_aff& member, const std::vector<std::string>& statements) {
  ScheduleRow row;
  const isl::pw_aff_list times = PwAffList(member);
  times.foreach ([&](const isl::pw_aff& time) {
    const std::string name = time.as_map().domain_tuple_id().name();
    if (std::find(statements.begin(), statements.end(), name) != statements.end())
      row.times.emplace(name, time);
  });
  return row;
}

isl::union_pw_aff ScheduleRow::Member() const {
  auto time = times.begin();
  isl::union_pw_aff member(time->second);
  for (++time; time != times.end(); ++time) member = member.union_add(isl::union_pw_aff(time->second));
  return member;
}

ScheduleRow ScheduleRow::Part(const std::vector<std::string>& statements) const {
  ScheduleRow part;
  for (const std::string& statement : statements) {
    const auto time = times.find(statement);
    if (time != times.end()) part.times.insert(*time);
  }
  return part;
}

StatementGroup StatementGroup::Whole(IslContext& context, const ParsedScop& scop,
                                     const Dependences& dependences) {
  StatementGroup group;
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind != v1::Statement::ASSIGN) continue;
    group.statements_.push_back(statement.name);
    group.domains_.emplace(statement.name, statement.domain);
    group.row_texts_[statement.name];
  }
  group.id_ = GroupId(group.statements_, group.row_texts_);
  group.domain_ = AssignedInstances(context, scop);
  group.dependences_ = dependences.validity();
  group.flow_ = dependences.flow;
  return group;
}

std::map<std::string, std::string> StatementGroup::TextsBelow(const ScheduleRow& row) const {
  std::map<std::string, std::string> texts = row_texts_;
  for (const std::string& statement : statements_)
    absl::StrAppend(&texts[statement], IslText(row.times.at(statement)));
  return texts;
}

std::string StatementGroup::PartId(const std::vector<std::string>& statements) const {
  return GroupId(statements, row_texts_);
}

std::string StatementGroup::BelowId(const ScheduleRow& row) const {
  return GroupId(statements_, TextsBelow(row));
}

StatementGroup StatementGroup::Part(const std::vector<std::string>& statements) const {
  if (statements == statements_) return *this;
  StatementGroup part;
  part.statements_ = statements;
  part.domain_ = isl::union_set::empty(domain_.ctx());
  for (const std::string& statement : statements) {
    part.domains_.insert(*domains_.find(statement));
    part.row_texts_.insert(*row_texts_.find(statement));
    part.domain_ = part.domain_.unite(domains_.at(statement));
  }
  for (const ScheduleRow& row : rows_) part.rows_.push_back(row.Part(statements));
  part.id_ = GroupId(part.statements_, part.row_texts_);
  const isl::union_set inside = part.domain_.universe();
  part.dependences_ = dependences_.intersect_domain(inside).intersect_range(inside);
  part.flow_ = flow_.intersect_domain(inside).intersect_range(inside);
  return part;
}

StatementGroup StatementGroup::Below(const ScheduleRow& row) const {
  StatementGroup below = *this;
  below.rows_.push_back(row);
  below.row_texts_ = TextsBelow(row);
  below.id_ = GroupId(below.statements_, below.row_texts_);
  const isl::multi_union_pw_aff times(row.Member());
  below.dependences_ = dependences_.eq_at(times);
  below.flow_ = flow_.eq_at(times);
  return below;
}

bool StatementGroup::IsComplete(const std::string& statement) const {
  const isl::set& domain = domains_.at(statement);
  // S -> [rows]
  isl::map times = MapFromDomain(domain);
  for (const ScheduleRow& row : rows_) times = FlatRangeProduct(times, row.times.at(statement).as_map());
  return times.is_injective();
}

}  // namespace tune
