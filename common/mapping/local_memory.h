// Copies of array elements in shared memory and registers: which references use them, what fills them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "common/kernel/kernel.h"
#include "common/program/device_program.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Elements of one array that stand elsewhere while a block, or a thread, works on them.
struct LocalTile {
  std::string array;
  std::string name;              // "A_shared0", "C_registers"
  std::vector<int64_t> extents;  // of the tile; empty: one element
  bool shared = false;           // else in registers
  bool transposed = false;       // its last two dimensions are the array's in the other order
  // Elements between the starts of rows, at least the last extent.
  int64_t row_length = 1;
  // Of a shared one, where it begins: { [prefix] -> A[first element] }.
  std::optional<isl::multi_aff> first = {};
  // Partial values of a reduction: begins with what the operator leaves unchanged. NONE: it is no such tile.
  v1::UpdateOperator combined_by = v1::NONE;
  // In registers: those whose elements are copied in or out.
  std::vector<ReferenceName> references;
};

// A statement that the mapper adds to the tree.
struct CopyStatement {
  enum class Kind {
    kFillShared,  // every thread of the block: all shared tiles, with barriers
    kLoad,        // one element of a register tile
    kStore,       // the same, back to the array
    kCombine,     // every thread of the block: the partial values of one place become one
    kAccumulate,  // updates an element by one of a tile, with the tile's operator
  };
  std::string name;  // of its tuple in the tree
  Kind kind = Kind::kLoad;
  int tile = -1;        // of kLoad, kStore and kAccumulate, in LocalMemory::tiles
  bool atomic = false;  // of kAccumulate: other blocks of the launch accumulate the same elements
  // kFillShared: where each shared tile begins, in the order of the tiles, { [prefix] -> A[first element] };
  // kCombine: none; else { [w] -> A[element] } and { [w] -> tile[index] }, the former in another tile when
  // the element is in registers.
  std::vector<isl::pw_multi_aff> places;
};

struct LocalMemory {
  std::vector<LocalTile> tiles;
  // Instances that are none of the scop's use the tiles too (padding.h): tiles are zero where the arrays have
  // no element.
  bool padded = false;
  std::vector<CopyStatement> copies;
  std::map<ReferenceName, isl::pw_multi_aff> references;  // { S -> tile[index] }

  const CopyStatement* FindCopy(const std::string& name) const {
    for (const CopyStatement& copy : copies) {
      if (copy.name == name) return &copy;
    }
    return nullptr;
  }
};

}  // namespace tune
