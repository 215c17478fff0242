// Which references of pieces read copies, and which of them the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"
#include "common/transform/pivot_blocks/pivot_pieces.h"

namespace tune {

struct PivotReader {
  const PivotPiece* piece = nullptr;
  int access = 0;

  const ParsedAccess& Access(const ParsedScop& scop) const {
    return scop.statement(piece->name).accesses[access];
  }
};

// References, of one origin and to one element, whose instances of equal `kept` dimensions all read what the
// same write left, or all what was there before the region.
struct CopiedValue {
  std::vector<PivotReader> readers;
  std::vector<int> kept;  // dimensions of Q: block, time, and those that the element depends on; ascending
};

// The references to elements that other pieces of the same block write later, in the fewest values. Pieces of
// which nothing but the time is inside of the block do not write what any of them reads. `scop`: of pieces;
// `dependences`: of the scop before it had blocks. nullopt: some such reference cannot read a copy, as its
// element is not affine, data decide it, each of its elements is read once, or different values are read.
// Throws isl::exception.
std::optional<std::vector<CopiedValue>> FindCopiedValues(const ParsedScop& scop,
                                                         const Dependences& dependences,
                                                         const std::vector<PivotPiece>& pieces);

// { Q -> name[kept] }, at all of Q, and at the instances of the reader's piece. Throw isl::exception.
isl::map CopyOfAll(const isl::space& space, const std::vector<int>& kept, const std::string& name);
isl::map CopyOf(const ParsedScop& scop, const PivotReader& reader, const std::vector<int>& kept,
                const std::string& name);

// { Q -> S }: the instances before they had blocks. Throws isl::exception.
isl::map OriginOf(const ParsedScop& scop, const PivotPiece& piece);

// { Q -> W }: who wrote what is read, in the scop before it had blocks, whose `flow` is
// Dependences::tagged_flow. Throws isl::exception.
isl::union_map SourcesOf(const ParsedScop& scop, const PivotReader& reader, const isl::union_map& flow);

}  // namespace tune
