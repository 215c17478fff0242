// What a computed schedule says about statements whose outer loops are chosen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/schedule/statement_group.h"

namespace tune {

// A place in a computed schedule tree: a node, and of a band those members that are not used yet. A value.
// All functions throw isl::exception.
class ScheduleSuggestion {
 public:
  ScheduleSuggestion() = default;  // says nothing
  explicit ScheduleSuggestion(const isl::schedule& schedule);

  bool empty() const { return !node_.has_value(); }
  // Statements that share the next loop, in the order in which they run; `statements`: all that stand here,
  // in the scop's order, as are those of each part.
  std::vector<std::vector<std::string>> Parts(const std::vector<std::string>& statements) const;
  // The place where those statements stand; empty when they are not together. `exactly`: and no others.
  ScheduleSuggestion For(const std::vector<std::string>& statements, bool exactly) const;

  // Loops that may come next: the unused members of a band, else none.
  size_t loops() const { return members_.size(); }
  // Whether other members of the band are used already.
  bool is_begun() const;
  // Precondition: index < loops().
  ScheduleRow Row(size_t index, const std::vector<std::string>& statements) const;
  ScheduleSuggestion Below(size_t index) const;

 private:
  ScheduleSuggestion(const isl::schedule_node& node, std::vector<int> members)
      : node_(node), members_(std::move(members)) {}
  static ScheduleSuggestion At(const isl::schedule_node& node);

  std::optional<isl::schedule_node> node_;
  std::vector<int> members_;
};

}  // namespace tune
