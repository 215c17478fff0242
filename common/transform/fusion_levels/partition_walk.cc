#include "common/transform/fusion_levels/partition_walk.h"

#include <algorithm>

#include "common/decision/simple_choices.h"

namespace tune {
namespace {

class PartitionWalk {
 public:
  PartitionWalk(Chooser& chooser, const PartitionQuestion& question)
      : chooser_(chooser), question_(question), count_(question.graph->components().size()) {}

  absl::StatusOr<std::vector<ComponentOrder>> Walk() {
    TUNE_RETURN_IF_ERROR(ChooseOrder());
    TUNE_RETURN_IF_ERROR(FindRuns());
    FindNumbers();
    const std::vector<size_t> standard = StandardSizes();
    TUNE_ASSIGN_OR_RETURN(size_t left, ChooseNumberOfParts(standard.size()));
    const bool is_standard = left == standard.size();
    std::vector<ComponentOrder> parts;
    for (size_t begin = 0; begin < count_; --left) {
      const bool expected = is_standard && parts.size() < standard.size();
      TUNE_ASSIGN_OR_RETURN(const size_t size,
                            ChooseSize(begin, left, expected ? standard[parts.size()] : 0));
      parts.emplace_back(order_.begin() + static_cast<long>(begin),
                         order_.begin() + static_cast<long>(begin + size));
      begin += size;
    }
    return parts;
  }

 private:
  // As ChooseUnlessForced.
  absl::StatusOr<int> Ask(const std::string& key, const std::vector<std::string>& options, int standard,
                          const std::vector<bool>& allowed) {
    return ChooseUnlessForced(chooser_, absl::StrCat(question_.key, ".", key), options, standard, allowed);
  }

  absl::Status ChooseOrder() {
    std::vector<std::string> names;
    for (const auto& component : question_.graph->components()) names.push_back(JoinStatements(component));
    ComponentOrder standard;
    for (const ComponentOrder& part : question_.standard)
      standard.insert(standard.end(), part.begin(), part.end());
    std::vector<bool> placed(count_);
    while (order_.size() < count_) {
      std::vector<bool> allowed(count_);
      for (size_t c = 0; c < count_; ++c) allowed[c] = !placed[c] && IsFree(c, placed);
      const auto first = std::find_if(standard.begin(), standard.end(), [&](size_t c) { return allowed[c]; });
      TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(absl::StrCat("order_", order_.size()), names,
                                                  static_cast<int>(*first), allowed));
      order_.push_back(static_cast<size_t>(chosen));
      placed[chosen] = true;
    }
    return absl::OkStatus();
  }

  bool IsFree(size_t component, const std::vector<bool>& placed) const {
    for (size_t c = 0; c < count_; ++c) {
      if (!placed[c] && question_.graph->Precedes(c, component)) return false;
    }
    return true;
  }

  // may_part_[b][n]: n components from place b on may be a part.
  absl::Status FindRuns() {
    may_part_.assign(count_, std::vector<bool>(count_ + 1));
    for (size_t begin = 0; begin < count_; ++begin) {
      may_part_[begin][1] = true;
      for (size_t size = 2; begin + size <= count_; ++size) {
        TUNE_ASSIGN_OR_RETURN(const bool fuses, question_.fuses(Run(begin, size)));
        if (!fuses) break;
        may_part_[begin][size] = true;
      }
      const size_t standard = StandardSizeAt(begin);
      if (standard > 0) may_part_[begin][standard] = true;
    }
    return absl::OkStatus();
  }

  // Ascending.
  ComponentOrder Run(size_t begin, size_t size) const {
    ComponentOrder run(order_.begin() + static_cast<long>(begin),
                       order_.begin() + static_cast<long>(begin + size));
    std::sort(run.begin(), run.end());
    return run;
  }

  // Of the whole standard part that stands at `begin`, in any order; 0: none.
  size_t StandardSizeAt(size_t begin) const {
    for (ComponentOrder part : question_.standard) {
      if (begin + part.size() > count_) continue;
      std::sort(part.begin(), part.end());
      if (Run(begin, part.size()) == part) return part.size();
    }
    return 0;
  }

  // numbers_[b][n]: what comes from place b on may be n parts.
  void FindNumbers() {
    numbers_.assign(count_ + 1, std::vector<bool>(count_ + 1));
    numbers_[count_][0] = true;
    for (size_t begin = count_; begin-- > 0;) {
      for (size_t size = 1; begin + size <= count_; ++size) {
        if (!may_part_[begin][size]) continue;
        for (size_t number = 0; number < count_; ++number)
          numbers_[begin][number + 1] = numbers_[begin][number + 1] || numbers_[begin + size][number];
      }
    }
  }

  // Whole standard parts where the order has them together, else single components.
  std::vector<size_t> StandardSizes() const {
    std::vector<size_t> sizes;
    for (size_t begin = 0; begin < count_; begin += sizes.back())
      sizes.push_back(std::max<size_t>(1, StandardSizeAt(begin)));
    return sizes;
  }

  std::vector<std::string> Numbers() const {
    std::vector<std::string> numbers;
    for (size_t n = 1; n <= count_; ++n) numbers.push_back(absl::StrCat(n));
    return numbers;
  }

  absl::StatusOr<size_t> ChooseNumberOfParts(size_t standard) {
    const std::vector<bool> allowed(numbers_[0].begin() + 1, numbers_[0].end());
    TUNE_ASSIGN_OR_RETURN(const int chosen,
                          Ask("partitions", Numbers(), static_cast<int>(standard) - 1, allowed));
    return static_cast<size_t>(chosen) + 1;
  }

  // `left`: parts, this one included. `standard`: 0 when there is none; then the smallest that is allowed.
  absl::StatusOr<size_t> ChooseSize(size_t begin, size_t left, size_t standard) {
    std::vector<bool> allowed(count_);
    for (size_t size = 1; begin + size <= count_; ++size)
      allowed[size - 1] = may_part_[begin][size] && numbers_[begin + size][left - 1];
    const std::string& statement = question_.graph->components()[order_[begin]].front();
    TUNE_ASSIGN_OR_RETURN(const int chosen,
                          Ask(absl::StrCat("size_", statement), Numbers(),
                              static_cast<int>(std::max<size_t>(standard, 1)) - 1, allowed));
    return static_cast<size_t>(chosen) + 1;
  }

  Chooser& chooser_;
  const PartitionQuestion& question_;
  const size_t count_;
  ComponentOrder order_;
  std::vector<std::vector<bool>> may_part_, numbers_;
};

}  // namespace

absl::StatusOr<std::vector<ComponentOrder>> ChoosePartition(Chooser& chooser,
                                                            const PartitionQuestion& question) {
  return PartitionWalk(chooser, question).Walk();
}

}  // namespace tune
