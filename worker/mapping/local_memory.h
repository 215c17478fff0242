// Copies of array elements in shared memory and registers: which references use them, what fills them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// Elements of one array that stand elsewhere while a block, or a thread, works on them.
struct LocalTile {
  std::string array;
  std::string name;              // "A_shared0", "C_registers"
  std::vector<int64_t> extents;  // of the tile; empty: one element
  bool shared = false;           // else in registers
  // Elements between the starts of rows, at least the last extent: in shared memory odd, since an even length
  // would put the elements of a column into few banks.
  int64_t row_length = 1;
};

// A statement that the mapper adds to the tree.
struct CopyStatement {
  enum class Kind {
    kFillShared,  // every thread of the block: barrier, all shared tiles, barrier
    kLoad,        // one element of a register tile
    kStore,       // the same, back to the array
  };
  std::string name;  // of its tuple in the tree
  Kind kind = Kind::kLoad;
  int tile = -1;  // of kLoad and kStore, in LocalMemory::tiles
  // kFillShared: where each shared tile begins, in the order of the tiles, { [prefix] -> A[first element] };
  // else { [w] -> A[element] } and { [w] -> tile[index] }.
  std::vector<isl::pw_multi_aff> places;
};

// A reference: a statement and the number of its access.
using ReferenceName = std::pair<std::string, int>;

struct LocalMemory {
  std::vector<LocalTile> tiles;
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
