#include "common/schedule/schedule_suggestion.h"

#include <algorithm>
#include <set>

#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

bool IsParted(const isl::schedule_node& node) {
  return node.isa<isl::schedule_node_sequence>() || node.isa<isl::schedule_node_set>();
}

// Of the instances that reach `node`.
std::set<std::string> NamesAt(const isl::schedule_node& node) {
  std::set<std::string> names;
  const isl::union_set domain = NodeDomain(node);
  domain.foreach_set([&](const isl::set& set) { names.insert(TupleName(set)); });
  return names;
}

// The nodes below sequences and sets, in order.
void CollectParts(const isl::schedule_node& node, std::vector<isl::schedule_node>& parts) {
  if (!IsParted(node)) return parts.push_back(node);
  const int count = static_cast<int>(node.n_children());
  for (int i = 0; i < count; ++i) CollectParts(node.child(i).child(0), parts);
}

}  // namespace

ScheduleSuggestion ScheduleSuggestion::At(const isl::schedule_node& node) {
  std::vector<int> members;
  if (node.isa<isl::schedule_node_band>()) {
    const int count = static_cast<int>(node.as<isl::schedule_node_band>().n_member());
    for (int i = 0; i < count; ++i) members.push_back(i);
  }
  return ScheduleSuggestion(node, std::move(members));
}

ScheduleSuggestion::ScheduleSuggestion(const isl::schedule& schedule)
    : ScheduleSuggestion(At(schedule.root().child(0))) {}

std::vector<std::vector<std::string>> ScheduleSuggestion::Parts(
    const std::vector<std::string>& statements) const {
  std::vector<isl::schedule_node> nodes;
  CollectParts(*node_, nodes);
  std::vector<std::vector<std::string>> parts;
  for (const isl::schedule_node& node : nodes) {
    const std::set<std::string> names = NamesAt(node);
    std::vector<std::string>& part = parts.emplace_back();
    std::copy_if(statements.begin(), statements.end(), std::back_inserter(part),
                 [&](const std::string& name) { return names.count(name) > 0; });
    if (part.empty()) parts.pop_back();
  }
  return parts;
}

ScheduleSuggestion ScheduleSuggestion::For(const std::vector<std::string>& statements, bool exactly) const {
  if (empty()) return {};
  std::vector<isl::schedule_node> nodes;
  CollectParts(*node_, nodes);
  for (const isl::schedule_node& node : nodes) {
    const std::set<std::string> names = NamesAt(node);
    if (exactly && names.size() != statements.size()) continue;
    const bool has_all = std::all_of(statements.begin(), statements.end(),
                                     [&](const std::string& name) { return names.count(name) > 0; });
    if (has_all) return IsParted(*node_) ? At(node) : *this;
  }
  return {};
}

bool ScheduleSuggestion::is_begun() const {
  return !members_.empty() && members_.size() < node_->as<isl::schedule_node_band>().n_member();
}

ScheduleRow ScheduleSuggestion::Row(size_t index, const std::vector<std::string>& statements) const {
  const isl::multi_union_pw_aff members = node_->as<isl::schedule_node_band>().partial_schedule();
  return ScheduleRow::Of(members.at(members_[index]), statements);
}

ScheduleSuggestion ScheduleSuggestion::Below(size_t index) const {
  std::vector<int> left = members_;
  left.erase(left.begin() + static_cast<long>(index));
  return left.empty() ? At(node_->child(0)) : ScheduleSuggestion(*node_, left);
}

}  // namespace tune
