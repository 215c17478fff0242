// How a product is to be computed, carried by a mark node from the mapper to the printer.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "common/program/program_node.h"

namespace tune {

// Stands as a mark node above three bands of one member: the sum, the rows and the columns of one statement,
// of which the loops as they are would compute the product, too.
struct ProductMark {
  ProductBlocks blocks;
  bool parallel = false;  // blocks run in parallel
  int threads = 0;        // on at most so many threads; 0: on as many as the run time has
  bool operator==(const ProductMark&) const = default;
};

// Name of the mark node: "product: tile 6x2, blocks 48 256 256, parallel 8"; the blocks of rows, columns,
// sum. "fittedx2": of as many rows as there are registers for.
std::string PrintProductMark(const ProductMark& mark);

// The mark with that name; nothing when the name is not one that PrintProductMark prints.
std::optional<ProductMark> ParseProductMark(absl::string_view name);

}  // namespace tune
