#include "worker/cases/split_part.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "worker/cases/case_arguments.h"
#include "worker/cases/case_call.h"
#include "worker/cases/plain_expression.h"
#include "worker/cases/split_host_text.h"
#include "worker/cases/symbolic_part.h"

namespace tune {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

std::string Number(double value) { return absl::StrFormat("%.17g", value); }

// Of RangesOfSums.
Words RuleWords(const SplitPrograms& split) {
  std::vector<std::string> tiles;
  for (const PartModel::Tile& tile : split.model.tiles)
    tiles.push_back(
        absl::StrCat("{", tile.rows, ", ", tile.columns, ", ", tile.warps, ", ", Number(tile.addition), "}"));
  return {{"TILES", absl::StrJoin(tiles, ", ")},
          {"LARGEST", absl::StrCat(kLargestRows, ", ", kLargestColumns)},
          {"FILLED", Number(split.filled)},
          {"ENOUGH", Number(split.least_places)},
          {"LEAST", absl::StrCat(kLeastCount)},
          {"MANY_TOO", split.many_blocks_too ? "false && " : ""},
          {"MANY", absl::StrCat(kManyRounds)},
          {"AT_ONCE", absl::StrCat(kBlocksAtOnce)},
          {"NO_WARP", Number(kSpeedOfNoWarp)},
          {"WARP", Number(kSpeedOfWarp)},
          {"ADDITIONS", Number(split.model.additions)},
          {"WHOLE", Number(split.model.whole)},
          {"OVERHEAD", Number(kPartOverhead)},
          {"PLACE_SECONDS", Number(split.model.place_seconds)},
          {"LAUNCH_SECONDS", Number(kLaunchSeconds)},
          {"MOST", absl::StrCat(kMostParts)},
          {"GAIN", Number(kLeastGain)}};
}

// The region whose arrays and parameters are those of the split.
ParametricRegion RegionOf(const SplitPrograms& split, const ParametricRegion& region) {
  ParametricRegion with_parts;
  with_parts.scop = split.scop;
  with_parts.names = region.names;
  with_parts.own_parameters = split.scop.parameters_size();
  with_parts.own_extents = region.own_extents;
  return with_parts;
}

// Of LaunchInParts.
Words LaunchWords(const SplitPrograms& split, const ParametricRegion& region) {
  const std::string prefix = HelperPrefix(region.names);
  const int arrays = region.scop.arrays_size();
  std::vector<std::string> sizes, memory, parts = {prefix + "parts"};
  for (int i = 0; i < arrays; ++i) {
    memory.push_back(absl::StrCat(prefix, "memory[", i, "]"));
    const std::string& name = region.scop.arrays(i).name();
    for (int d = 0; d < region.scop.arrays(i).extents_size(); ++d) {
      const std::string extent = ExtentName(region.names, i, d);
      if (region.own_extents.count(name) == 0) sizes.push_back(extent);
      if (name == split.like) parts.push_back(extent);
    }
  }
  memory.push_back("0");
  sizes.insert(sizes.end(), parts.begin(), parts.end());
  for (const v1::Parameter& parameter : region.scop.parameters()) sizes.push_back(parameter.name());
  const std::string last = prefix + "last";
  sizes.insert(sizes.end(), {last, absl::StrCat(prefix, "terms - ", last), prefix + "parts"});
  const v1::Array& sums = split.scop.arrays(arrays);
  return {{"TERMS", PlainText(split.additions)},
          {"ROWS", PlainText(split.rows)},
          {"COLUMNS", PlainText(split.columns)},
          {"ROUNDING", absl::StrCat(kPartRounding)},
          {"ALL_SIZES", absl::StrJoin(sizes, ", ")},
          {"ALL_MEMORY", absl::StrJoin(memory, ", ")},
          {"SUMS", absl::StrCat(arrays)},
          {"BYTES", absl::StrCat("(size_t)", ElementSize(sums.element_type()), " * (size_t)",
                                 absl::StrJoin(parts, " * (size_t)"))}};
}

}  // namespace

std::string SplitKernels(const SplitPrograms& split) {
  return absl::StrCat(
      "// What follows splits the sums of ", split.like,
      ": each part of their terms is added up by blocks of its own, along an axis of\n"
      "// the launch, and another launch adds the parts. How many there are is told when it runs.\n",
      SymbolicKernels(split.programs));
}

std::string SplitFunctions(const SplitPrograms& split, const ParametricRegion& region) {
  std::string calls;
  for (size_t number = 0; number < split.programs.programs.size(); ++number)
    calls += absl::StrReplaceAll(kSplitProgramCall, {{"NUMBER", absl::StrCat(number)}});
  Words words = RuleWords(split);
  for (auto& word : LaunchWords(split, region)) words.push_back(std::move(word));
  words.emplace_back("DEFINITIONS", SizeDefinitions(region, SizeChoice::kAll));
  words.emplace_back("CALLS", WithHelperPrefix(calls, region.names));
  words.emplace_back("FUNCTIONS", SymbolicFunctions(split.programs, RegionOf(split, region)));
  return absl::StrReplaceAll(WithHelperPrefix(kSplitHost, region.names), words);
}

std::string SplitCall(const ParametricRegion& region) { return WithHelperPrefix(kSplitCall, region.names); }

}  // namespace tune
