#include "common/mapping/part_mark.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/mapping/mark_node.h"

namespace tune {
namespace {

constexpr char kPrefix[] = "unless: ";

}  // namespace

isl::schedule_node InsertPartMark(const isl::schedule_node& node, const isl::set& blocks) {
  return node.insert_mark(isl::id(node.ctx(), absl::StrCat(kPrefix, IslText(blocks)), blocks));
}

std::optional<isl::set> BlocksWithout(const isl::id& mark) {
  if (std::optional<isl::set> blocks = mark.try_user<isl::set>()) return blocks;
  const std::string name = mark.name();
  absl::string_view text = name;
  if (!absl::ConsumePrefix(&text, kPrefix)) return std::nullopt;
  return isl::set(mark.ctx(), std::string(text));  // of a tree that was read
}

std::optional<isl::set> PartBelow(const isl::schedule_node& node) {
  if (!node.isa<isl::schedule_node_mark>()) return std::nullopt;
  const std::optional<isl::set> others = BlocksWithout(MarkId(node));
  if (!others) return std::nullopt;
  return others->complement();
}

}  // namespace tune
