#include "common/program/thread_subscripts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/program/loop_condition.h"
#include "common/program/node_accesses.h"
#include "common/program/tile_subscripts.h"

namespace tune {
namespace {

// Whether each block of the merged launch runs the kernel once, with all of its threads.
bool RunsOnce(const BlockTurns& turns, const DeviceKernel& kernel, const MergedLaunch& merged) {
  return turns.at_once == 1 && kernel.ThreadCount() == merged.threads &&
         std::all_of(turns.launch.count.begin(), turns.launch.count.end(),
                     [](const IndexExpression& count) { return count == IndexExpression::Constant(1); });
}

// Whether the loop loads elements of the array before the iterations that read them, or stores them later.
bool Moves(const Loop& loop, const std::string& array) {
  const auto is = [&](const KeptElement& kept) { return kept.element.array == array; };
  return std::any_of(loop.fetched.begin(), loop.fetched.end(), is) ||
         std::any_of(loop.collected.begin(), loop.collected.end(), is);
}

bool IsAtomic(const Node& node) {
  const auto* const instance = node.As<Instance>();
  const auto* const transfer = node.As<Transfer>();
  return (instance != nullptr && instance->atomic) || (transfer != nullptr && transfer->atomic);
}

class ThreadArrayCheck {
 public:
  ThreadArrayCheck(const DeviceProgram& program, const HelperNames& names, int array, int64_t of_block)
      : program_(program),
        names_(names),
        array_(array),
        name_(program.arrays[array].scop_name),
        of_block_(of_block) {}

  int64_t Subscripts() {
    bool fits = true;
    ForEachNode(program_.host, [&](const Node& node) {
      const auto* const merged = node.As<MergedLaunch>();
      if (merged == nullptr) return;
      ForEachNode(merged->body, [&](const Node& part) {
        const auto* const turns = part.As<BlockTurns>();
        if (turns == nullptr || !UsesArray(program_.kernels[turns->launch.kernel], array_)) return;
        const DeviceKernel& kernel = program_.kernels[turns->launch.kernel];
        fits = fits && RunsOnce(*turns, kernel, *merged) && HasThreads(kernel) && AccessesFit(kernel);
      });
    });
    return fits ? static_cast<int64_t>(coordinates_.size()) : 0;
  }

 private:
  // Whether its threads are those of the kernels before, whose coordinates are then known.
  bool HasThreads(const DeviceKernel& kernel) {
    if (!coordinates_.empty()) return threads_ == kernel.threads;
    threads_ = kernel.threads;
    for (size_t axis = threads_.size(); axis-- > 0;) {
      if (threads_[axis] > 1)
        coordinates_.push_back(IndexExpression::Name(absl::StrCat(names_.thread, axis)));
    }
    return !coordinates_.empty();
  }

  bool AccessesFit(const DeviceKernel& kernel) const {
    bool fit = true;
    std::set<std::string> between;
    bool atomic = false;
    const auto check = [&](const ElementAccess& access) {
      if (access.array != name_) return;
      fit = fit && !atomic && EndsWithCoordinates(access);
      CollectNamesBetween(access, of_block_, static_cast<int64_t>(coordinates_.size()), &between);
    };
    ForEachNode(kernel.body, [&](const Node& node) {
      atomic = IsAtomic(node);
      ForEachAccess(node, check);
      fit = fit && node.As<Fill>() == nullptr;
    });
    ForEachNode(kernel.body, [&](const Node& node) {
      const auto* const loop = node.As<Loop>();
      if (loop == nullptr) return;
      fit = fit && !Moves(*loop, name_);
      if (between.erase(loop->iterator) > 0) fit = fit && FixedIterations(*loop).has_value();
    });
    return fit && between.empty();
  }

  bool EndsWithCoordinates(const ElementAccess& access) const {
    return access.subscripts.size() > of_block_ + coordinates_.size() &&
           std::equal(coordinates_.rbegin(), coordinates_.rend(), access.subscripts.rbegin());
  }

  const DeviceProgram& program_;
  const HelperNames& names_;
  const int array_;
  const std::string& name_;
  const size_t of_block_;
  std::vector<IndexExpression> coordinates_;  // of a thread, x last, as subscripts are
  std::array<int64_t, 3> threads_ = {};
};

}  // namespace

void CollectNamesBetween(const ElementAccess& access, int64_t first, int64_t last,
                         std::set<std::string>* names) {
  for (size_t i = first; i + last < access.subscripts.size(); ++i) CollectNames(access.subscripts[i], names);
}

int64_t ThreadSubscripts(const DeviceProgram& program, const HelperNames& names, int array,
                         int64_t tile_subscripts) {
  return ThreadArrayCheck(program, names, array, tile_subscripts).Subscripts();
}

}  // namespace tune
