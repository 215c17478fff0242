#include "worker/cases/time_tile_host.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "worker/cases/case_call.h"
#include "worker/cases/plain_expression.h"
#include "worker/cases/time_tile_host_text.h"
#include "worker/cases/time_tile_parts.h"

namespace tune {
namespace {

std::string ListOf(const std::vector<std::string>& items) { return absl::StrJoin(items, ", "); }

std::string ListOf(const std::vector<IndexExpression>& items) {
  std::vector<std::string> texts;
  for (const IndexExpression& item : items) texts.push_back(PlainText(item));
  return ListOf(texts);
}

// Of each tiled array, {first, last} along each dimension.
std::string UsedBoxesText(const TimeTiles& tiles, const ParametricRegion& region) {
  std::vector<std::string> boxes;
  for (const int array : tiles.arrays) {
    std::vector<std::string> ends;
    for (int d = 0; d < tiles.dimensions; ++d)
      ends.push_back(absl::StrCat("{", PlainText(FirstUsed(region, array, d)), ", ",
                                  PlainText(LastUsed(region, array, d)), "}"));
    boxes.push_back(absl::StrCat("{", ListOf(ends), "}"));
  }
  return ListOf(boxes);
}

// Sets the bits of those that each step makes.
std::string MadeText(const TimeTiles& tiles, const std::string& prefix) {
  std::string text;
  for (size_t j = 0; j < tiles.made.size(); ++j) {
    if (!tiles.made[j]) continue;
    std::vector<std::string> same;
    for (int d = 0; d < tiles.dimensions; ++d)
      same.push_back(absl::StrCat(PlainText(tiles.made[j]->first[d]), " == ", prefix, "low[", d, "] && ",
                                  PlainText(tiles.made[j]->last[d]), " == ", prefix, "high[", d, "]"));
    absl::StrAppend(&text, "  if (", absl::StrJoin(same, " && "), ") ", prefix, "made |= ", int64_t{1} << j,
                    ";\n");
  }
  return text;
}

// Bytes of each tiled array.
std::string BytesText(const TimeTiles& tiles, const ParametricRegion& region) {
  std::vector<std::string> bytes;
  for (const int array : tiles.arrays) {
    std::string text = absl::StrCat(ElementSize(region.scop.arrays(array).element_type()));
    for (int d = 0; d < tiles.dimensions; ++d)
      absl::StrAppend(&text, " * (size_t)", ExtentName(region.names, array, d));
    bytes.push_back(text);
  }
  return ListOf(bytes);
}

// Definitions of the kernel's arguments, and their addresses.
std::string LaunchArguments(const TimeTiles& tiles, const ParametricRegion& region,
                            std::vector<std::string>* addresses) {
  const std::string prefix = HelperPrefix(region.names);
  std::string text;
  const auto pass = [&](const std::string& type, const std::string& value) {
    const std::string name = absl::StrCat(prefix, "argument", addresses->size());
    absl::StrAppend(&text, "    ", type, " ", name, " = ", value, ";\n");
    addresses->push_back(absl::StrCat("(void *)&", name));
  };
  for (const CaseArgument& argument : ArgumentsOfTiles(region))
    pass(absl::StrReplaceAll(argument.type, {{"__restrict__ ", ""}}), argument.value);
  for (size_t j = 0; j < tiles.arrays.size(); ++j) {
    const std::string memory = absl::StrCat(prefix, "memory[", tiles.arrays[j], "]"),
                      borrowed = absl::StrCat(prefix, "borrowed[", j, "]");
    pass("const void *", absl::StrCat(prefix, "turn % 2 == 0 ? ", memory, " : ", borrowed));
    pass("void *", absl::StrCat(prefix, "turn % 2 == 0 && !", prefix, "one ? ", borrowed, " : ", memory));
  }
  pass("int", absl::StrCat("(int)", prefix, "count"));
  pass("int", prefix + "made");
  pass("int", absl::StrCat(prefix, "turn + 1 == ", prefix, "turns"));
  pass("int", absl::StrCat("!", prefix, "one"));
  for (int d = 0; d < tiles.dimensions; ++d) {
    pass("int", absl::StrCat("(int)", prefix, "own[", d, "]"));
    pass("int", absl::StrCat("(int)", prefix, "margin[", d, "]"));
  }
  return text;
}

// What is told of the tiles and their kernel, by words in capitals.
std::vector<std::pair<std::string, std::string>> KernelWords(const TimeTiles& tiles,
                                                             const ParametricRegion& region) {
  const TileBlock block = BlockOf(tiles);
  return {{"FUNCTION", FunctionOfTiles(tiles, region)},
          {"THREADS", absl::StrCat(block.Threads())},
          {"SHARED", absl::StrCat(BytesOfElement(tiles, region) * ElementsOfTile(tiles))},
          {"BLOCK", absl::StrCat(block.x, ", ", block.y)}};
}

std::string Numbers(const std::vector<int64_t>& numbers) { return absl::StrJoin(numbers, ", "); }

}  // namespace

std::string TimeTilesHostFunction(const TimeTiles& tiles, const ParametricRegion& region) {
  const std::string prefix = HelperPrefix(region.names);
  std::vector<std::string> addresses;
  const std::string arguments = LaunchArguments(tiles, region, &addresses);
  std::vector<int64_t> spoilt;
  for (int d = 0; d < tiles.dimensions; ++d) spoilt.push_back(tiles.before[d] + tiles.behind[d]);
  const std::optional<TimeTiles> small = SmallTiles(tiles);
  const std::string choice =
      small ? absl::StrReplaceAll(WithHelperPrefix(kSmallTile, region.names), KernelWords(*small, region))
            : "";
  std::vector<std::pair<std::string, std::string>> words = KernelWords(tiles, region);
  const std::vector<std::pair<std::string, std::string>> others = {
      {"DEFINITIONS", SizeDefinitions(region, SizeChoice::kAll)},
      {"REQUIREMENT", PlainText(region.requirement)},
      {"ANY", PlainText(tiles.written.any)},
      {"STEPS", PlainText(tiles.where)},
      {"CHOICE", choice},
      {"SMALL_SIDE", absl::StrCat(small ? small->sides[0] : 0)},
      {"DIMENSIONS", absl::StrCat(tiles.dimensions)},
      {"ARRAYS", absl::StrCat(tiles.arrays.size())},
      {"LOW", ListOf(tiles.written.first)},
      {"HIGH", ListOf(tiles.written.last)},
      {"SIDES", Numbers(tiles.sides)},
      {"BEFORE", Numbers(tiles.before)},
      {"SPOILT", Numbers(spoilt)},
      {"USED", UsedBoxesText(tiles, region)},
      {"SIZES", BytesText(tiles, region)},
      {"PHASES", absl::StrCat(tiles.phases.size())},
      {"ITERATOR", tiles.steps.iterator},
      {"BEGIN", PlainText(tiles.steps.first)},
      {"GOES_ON", PlainText(tiles.steps.condition)},
      {"STEP", absl::StrCat(region.names.host, 0)},
      {"MADE", MadeText(tiles, prefix)},
      {"ARGUMENTS", arguments},
      {"ADDRESSES", absl::StrJoin(addresses, ", ")}};
  words.insert(words.end(), others.begin(), others.end());
  return absl::StrReplaceAll(WithHelperPrefix(kTimeTilesHost, region.names), words);
}

}  // namespace tune
