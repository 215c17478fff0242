#include "worker/codegen/parts_of_blocks.h"

#include <algorithm>
#include <optional>
#include <set>

#include "common/program/rewrite.h"
#include "common/program/thread_names.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

bool AsksForPart(const SymbolicSplit& split, const std::set<std::string>& names) {
  return names.count(split.first) > 0 || names.count(split.count) > 0;
}

bool AsksForPart(const SymbolicSplit& split, const Block& block) {
  std::set<std::string> names;
  CollectNames(block, &names);
  return AsksForPart(split, names);
}

// The only launch of the kernel, alone or beside others; null where there is none, or more.
const Launch* OnlyLaunch(const DeviceProgram& program, int kernel) {
  std::vector<const Launch*> found;
  bool fits = true;
  ForEachNode(program.host, [&](const Node& node) {
    if (const auto* const launch = node.As<Launch>(); launch != nullptr && launch->kernel == kernel)
      found.push_back(launch);
    if (const auto* const turns = node.As<BlockTurns>(); turns != nullptr && turns->launch.kernel == kernel)
      found.push_back(&turns->launch);
    if (const auto* const merged = node.As<MergedLaunch>(); merged != nullptr && !merged->joined)
      fits = false;
  });
  return fits && found.size() == 1 ? found[0] : nullptr;
}

// The axis along which the launch has a block for each part.
std::optional<int> AxisOfParts(const SymbolicSplit& split, const DeviceKernel& kernel, const Launch& launch) {
  for (size_t axis = 0; axis < launch.count.size(); ++axis) {
    std::set<std::string> names;
    CollectNames(launch.count[axis], &names);
    if (names != std::set<std::string>{split.parts}) continue;
    const GridAxis& blocks = kernel.axes[axis];
    if (!blocks.first_is_constant || blocks.first != 0 || kernel.threads[axis] != 1) continue;
    bool each = true;
    for (int parts = 1; parts <= kMostParts; ++parts)
      each = each && Evaluate(launch.count[axis], [&](const std::string&) { return parts; }) == parts;
    if (each) return static_cast<int>(axis);
  }
  return std::nullopt;
}

// Definitions of what the block's part has, in place of what the last one has.
Block PartOfBlock(const SymbolicSplit& split, const HelperNames& names, const DeviceKernel& kernel,
                  int axis) {
  const IndexExpression part = IndexExpression::Of(Op::kToIndex, {BlockIndex(names, kernel, axis)}),
                        parts = IndexExpression::Name(split.parts), one = IndexExpression::Constant(1),
                        before = IndexExpression::Of(Op::kMaximum, {parts - one, one}),  // the last part
      each = IndexExpression::Of(Op::kQuotient, {IndexExpression::Name(split.first), before});
  const IndexExpression is_last = IndexExpression::Of(Op::kEqual, {part + one, parts});
  return {
      {Definition{kernel.index_type, names.block + "_first", part * each}},
      {Definition{kernel.index_type, names.block + "_count",
                  IndexExpression::Of(Op::kSelect, {is_last, IndexExpression::Name(split.count), each})}}};
}

}  // namespace

absl::Status GivePartsToBlocks(const SymbolicSplit& split, const HelperNames& names, DeviceProgram* program) {
  const auto refused = [](const char* why) {
    return absl::InvalidArgumentError(absl::StrCat("sums are not split for all sizes: ", why));
  };
  if (AsksForPart(split, program->host)) return refused("launches depend on what a part has");
  DeviceKernel* of_parts = nullptr;
  for (DeviceKernel& kernel : program->kernels) {
    if (!AsksForPart(split, kernel.body) && !AsksForPart(split, kernel.coordinates)) continue;
    if (of_parts != nullptr) return refused("several kernels add up parts");
    of_parts = &kernel;
  }
  if (of_parts == nullptr) return refused("no kernel adds up parts");
  const Launch* const launch = OnlyLaunch(*program, static_cast<int>(of_parts - program->kernels.data()));
  if (launch == nullptr || of_parts->linear_grid) return refused("parts have no launch of blocks");
  const std::optional<int> axis = AxisOfParts(split, *of_parts, *launch);
  if (!axis) return refused("blocks have several parts");
  Block own = PartOfBlock(split, names, *of_parts, *axis);
  for (const auto& [name, definition] : {std::pair(split.first, 0), std::pair(split.count, 1)}) {
    const IndexExpression value =
        IndexExpression::Name(own[static_cast<size_t>(definition)].As<Definition>()->name);
    ReplaceName(name, value, &of_parts->coordinates);
    ReplaceName(name, value, &of_parts->body);
  }
  of_parts->coordinates.insert(of_parts->coordinates.begin(), own.begin(), own.end());
  return absl::OkStatus();
}

}  // namespace tune
