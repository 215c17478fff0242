#include "common/mapping/part_mark.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/mapping/mark_node.h"

namespace tune {
namespace {

constexpr char kPartMarkPrefix[] = "unless: ";

}  // namespace

std::string PrintPartMark(const isl::set& blocks) { return absl::StrCat(kPartMarkPrefix, IslText(blocks)); }

std::optional<isl::set> ParsePartMark(isl::ctx ctx, absl::string_view name) {
  if (!absl::ConsumePrefix(&name, kPartMarkPrefix)) return std::nullopt;
  return isl::set(ctx, std::string(name));
}

std::optional<isl::set> PartBelow(const isl::schedule_node& node) {
  if (!node.isa<isl::schedule_node_mark>()) return std::nullopt;
  const std::optional<isl::set> others = ParsePartMark(node.ctx(), MarkName(node));
  if (!others) return std::nullopt;
  return others->complement();
}

}  // namespace tune
