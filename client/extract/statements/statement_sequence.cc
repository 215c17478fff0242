#include "client/extract/statements/statement_sequence.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/isl/functions.h"
#include "common/isl/schedule.h"

namespace tune {

void Append(Schedule* all, Schedule next) {
  if (!next) return;
  *all = *all ? ScheduleSequence(*(*all), *next) : *next;
}

isl::schedule InsertLoop(const isl::schedule& body, int depth, bool decreases) {
  isl::union_set domain = body.domain();
  isl::union_pw_aff member = EmptyUnionPwAff(domain.space());  // { S -> [i] }
  domain.foreach_set([&](isl::set set) {
    isl::pw_aff iterator = VariableOn(set.space(), depth);
    if (decreases) iterator = iterator.neg();
    member = member.union_add(iterator);
  });
  isl::multi_union_pw_aff band = isl::multi_union_pw_aff(member);
  return InsertPartialSchedule(body, band);
}

std::string StatementSequence::NextName() const { return absl::StrCat("S", statements_.size()); }

Schedule StatementSequence::Add(Accepted<v1::Statement> read, const LoopNest& nest) {
  if (auto* refusal = std::get_if<Refusal>(&read)) return Refuse(std::move(*refusal));
  isl::set domain = BindDomain(region_, nest, NextName());
  statements_.push_back(std::move(std::get<0>(read)));
  return isl::schedule::from_domain(isl::union_set(domain));
}

Schedule StatementSequence::Refuse(Refusal refusal) {
  refusals_.push_back(std::move(refusal));
  return std::nullopt;
}

}  // namespace tune
