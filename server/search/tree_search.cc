#include "server/search/tree_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace tune {
namespace {

constexpr TreeOptions kPapersTree = {.smallest_leaf = 1, .attributes = 1, .middle = true};
constexpr uint64_t kTreeStream = uint64_t{1} << 60;  // apart from the samples' random sequences

}  // namespace

TreeSearch::TreeSearch(const v1::SearchOptions& options, Space* space, std::vector<v1::Configuration> seeds)
    : UniformSequence(space, std::move(seeds)), options_(options) {}

int64_t TreeSearch::SizeFor(int optimisations) const {
  return static_cast<int64_t>(std::ceil(options_.sigma() * optimisations + options_.base_offset()));
}

void TreeSearch::Generated(int64_t index) {
  if (index > 0) return;
  const Trace& trace = entries().at(0).trace;
  size_ =
      SizeFor(static_cast<int>(std::count_if(trace.begin(), trace.end(), [](const TracedDecision& traced) {
        return traced.point.options.size() > 1;
      })));
}

std::optional<ProposalSequence::Entry> TreeSearch::Draw(int64_t index) {
  Random random(options_.seed(), index);
  for (size_t steps = path().size() + 1; steps-- > 0;) {
    const OptionFilter filter = Narrowed(steps);
    std::optional<Entry> entry = NewWalk(steps > 0 ? Region{&table_, &filter} : Region(), &random);
    if (!entry.has_value()) continue;
    entry->origin = steps == 0 ? "a sample of the space"
                               : absl::StrCat("a sample of the space narrowed by ", steps, " of ",
                                              path().size(), " constraints of the fastest leaf");
    return entry;
  }
  return std::nullopt;
}

const std::vector<PathStep>& TreeSearch::path() {
  if (regression_.has_value() || !table_.HasSuccess(table_.rows())) return path_;
  std::vector<int> rows(table_.rows());
  std::iota(rows.begin(), rows.end(), 0);
  Random random(options_.seed(), kTreeStream + first_);
  regression_ = RegressionTree::Grow(table_.MakeSamples(rows), rows, kPapersTree, &random);
  path_ = PathTo(*regression_, LeastLeaf(*regression_));
  return path_;
}

OptionFilter TreeSearch::Narrowed(size_t steps) {
  OptionFilter filter;
  for (size_t i = 0; i < steps; ++i) {
    const RegressionTree::Node& split = regression_->nodes()[path_[i].node];
    path_[i].below ? filter.KeepBelow(split.attribute, split.threshold)
                   : filter.KeepAbove(split.attribute, split.threshold);
  }
  return filter;
}

void TreeSearch::Observed(int64_t) {
  if (++observed_ == size_) EndRound();
}

void TreeSearch::EndRound() {
  for (auto it = entries().lower_bound(first_); it != entries().end(); ++it) {
    table_.Add(it->second.trace, it->second.seconds);
  }
  first_ += size_;
  observed_ = 0;
  size_ = SizeFor(table_.Decisions());
  regression_.reset();
  path_.clear();
  ReleaseBelow(first_);
}

void TreeSearch::DescribeState(v1::Explanation* explanation) {
  if (path().empty()) return;
  const RegressionTree::Node& leaf = regression_->nodes()[LeastLeaf(*regression_)];
  std::string text =
      absl::StrFormat("the fastest leaf: %.4g s (%d candidates)\n", std::exp(leaf.mean), leaf.samples);
  for (const PathStep& step : path()) {
    const RegressionTree::Node& split = regression_->nodes()[step.node];
    const std::vector<std::string> below = table_.OptionsBelow(split.attribute, split.threshold);
    absl::StrAppend(&text, "  ", table_.key(split.attribute),
                    below.empty()
                        ? (step.below ? " is not asked" : " is asked")
                        : absl::StrCat(step.below ? " in {" : " not in {", absl::StrJoin(below, ", "), "}"),
                    "\n");
  }
  explanation->set_tree(text);
}

}  // namespace tune
