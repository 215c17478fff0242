#include "common/mapping/product_mark.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

constexpr char kFittedRows[] = "fitted";  // in place of a number

}  // namespace

std::string PrintProductMark(const ProductMark& mark) {
  const ProductBlocks& blocks = mark.blocks;
  const std::string rows = blocks.tile_rows > 0 ? absl::StrCat(blocks.tile_rows) : kFittedRows;
  std::string name = absl::StrCat("product: tile ", rows, "x", blocks.tile_vectors, ", blocks ",
                                  blocks.i_block, " ", blocks.j_block, " ", blocks.k_block);
  if (mark.parallel) name += ", parallel";
  if (mark.parallel && mark.threads > 0) absl::StrAppend(&name, " ", mark.threads);
  return name;
}

std::optional<ProductMark> ParseProductMark(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "product: tile ")) return std::nullopt;
  const std::vector<absl::string_view> words =
      absl::StrSplit(name, absl::ByAnyChar("x, "), absl::SkipEmpty());
  ProductMark mark;
  ProductBlocks& blocks = mark.blocks;
  const bool parsed =
      words.size() >= 6 && words.size() <= 8 && words[2] == "blocks" &&
      (words[0] == kFittedRows || absl::SimpleAtoi(words[0], &blocks.tile_rows)) &&
      absl::SimpleAtoi(words[1], &blocks.tile_vectors) && absl::SimpleAtoi(words[3], &blocks.i_block) &&
      absl::SimpleAtoi(words[4], &blocks.j_block) && absl::SimpleAtoi(words[5], &blocks.k_block);
  if (!parsed) return std::nullopt;
  mark.parallel = words.size() > 6;
  if (mark.parallel && words[6] != "parallel") return std::nullopt;
  if (words.size() > 7 && !absl::SimpleAtoi(words[7], &mark.threads)) return std::nullopt;
  return mark;
}

}  // namespace tune
