#include "common/kernel/tile_loops.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

constexpr char kTileLoops[] = "tile_loops";

}  // namespace

std::string TileLoopsMark(int64_t registers) {
  return registers == 0 ? kTileLoops : absl::StrCat(kTileLoops, "_", registers);
}

std::optional<int64_t> RegistersOfTileLoops(const std::string& mark) {
  absl::string_view left = mark;
  if (!absl::ConsumePrefix(&left, kTileLoops)) return std::nullopt;
  int64_t registers = 0;
  if (left.empty()) return registers;
  if (!absl::ConsumePrefix(&left, "_") || !absl::SimpleAtoi(left, &registers)) return std::nullopt;
  return registers;
}

}  // namespace tune
