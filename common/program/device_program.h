// A program for a device between schedule tree and text: kernels, tiles, launches, as data without isl.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/program/device_array.h"
#include "common/program/program_node.h"

namespace tune {

// Tiles in shared memory begin where so many bytes can be read at once: the most that a thread can.
constexpr int64_t kTileAlignment = 16;
// What such a tile of so many bytes takes up.
constexpr int64_t AlignedBytes(int64_t bytes) {
  return (bytes + kTileAlignment - 1) / kTileAlignment * kTileAlignment;
}

// How a kernel reads an array that it does not write, where no tile in shared memory stands for it: as memory
// that nobody writes (const __restrict__, which the compiler reads as __ldg does), as any other memory,
// through a texture object, or as what is read once and need not stay in the caches (__ldcs).
enum class ArrayLoads { kReadOnly, kPlain, kTexture, kStreaming };

// Whether the first block of a launch begins, or the last; or in turn over the iterations of the innermost
// host loop, of which the even ones are forward, or backward.
enum class BlockOrder { kForward, kBackward, kAlternating, kAlternatingBackward };

// Of `count` dimensions of an array and its tile, where `transposed` exchanges the last two.
constexpr size_t OtherDimensionOf(size_t dimension, size_t count, bool transposed) {
  return transposed && dimension + 2 >= count ? 2 * count - 3 - dimension : dimension;
}

// Elements of one array that stand elsewhere while a block, or a thread, works on them.
struct Tile {
  std::string name;   // "A_shared0", "C_registers"
  std::string array;  // of the scop
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  std::vector<int64_t> extents;  // of a copy; empty: one element
  int64_t row_length = 1;        // elements between the starts of rows, at least the last extent
  bool shared = false;           // else in registers
  bool transposed = false;       // its last two dimensions are the array's in the other order
  int64_t copies = 1;            // more than 1: a first subscript says which
  int64_t offset = 0;   // where DeviceKernel::given_shared_bytes > 0: bytes before it, of shared ones
  bool zeroed = false;  // begins with zeros
  // Partial values of a reduction: begins with what the operator leaves unchanged.
  v1::UpdateOperator combined_by = v1::NONE;
  bool operator==(const Tile&) const = default;

  // Of one copy, without what rows are longer by.
  int64_t Elements() const;
  // Which of the array's dimensions that of the tile is, and the other way round.
  size_t OtherDimension(size_t dimension) const {
    return OtherDimensionOf(dimension, extents.size(), transposed);
  }
  // Of shared memory, or registers, with all copies.
  int64_t Bytes() const;
};

// An array as a kernel takes it.
struct KernelArray {
  int array = 0;        // in DeviceProgram::arrays
  bool writes = false;  // by this kernel
  bool shared = false;  // the launch writes it, in this kernel or another: not `__restrict__`
  ArrayLoads loads = ArrayLoads::kReadOnly;  // unless the launch writes it
  bool operator==(const KernelArray&) const = default;
};

// The coordinates of blocks along one axis.
struct GridAxis {
  bool first_is_constant = false;  // the first block is the same in every launch
  int64_t first = 0;               // then
  int64_t most_blocks = 1;         // in any launch
  bool operator==(const GridAxis&) const = default;
};

struct DeviceKernel {
  std::string function;                        // in the text: "gemm_kernel0"
  std::string name;                            // in the decisions' keys: "k[S0,S1]"
  std::array<int64_t, 3> threads = {1, 1, 1};  // of a block, x first
  int64_t min_blocks = 0;  // that a multiprocessor must have room for; 0: the compiler decides
  int carveout = -1;       // percent of a multiprocessor's memory to be shared memory; -1: the driver decides
  std::vector<KernelArray> arrays;  // in the scop's order
  std::vector<std::string> sizes;   // integers that are passed by these names: parameters, arrays' extents
  int host_depth = 0;               // values of the host loops are passed
  std::vector<GridAxis> axes;       // x first; those whose first block varies are passed
  // CUDA allows 65,535 blocks along y and z: where there may be more, all blocks lie along x, and the numbers
  // of blocks along the first axes are passed.
  bool linear_grid = false;
  std::string index_type = "int";  // of what is passed and of iterators
  // A merged launch runs it: it is a device function, which is told its block and thread.
  bool is_function = false;
  // More than 0: the launch gives so much shared memory, in which the tiles lie at their offsets.
  int64_t given_shared_bytes = 0;
  std::vector<Tile> tiles;
  Block coordinates;  // definitions that stand before the tiles
  Block body;
  bool operator==(const DeviceKernel&) const = default;

  int64_t ThreadCount() const { return threads[0] * threads[1] * threads[2]; }
  // Of a block's shared memory: tiles and what its reduction exchanges.
  int64_t SharedBytes() const;
  // Null where there is none of that name.
  const Tile* FindTile(const std::string& tile) const;
};

// Whether the kernel reads the array, of the scop's name, at its addresses and by loads without a hint to the
// caches, so that several elements can be read at once.
bool LoadsPlainly(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays,
                  const std::string& array);

// Bytes that are copied at once.
int64_t BytesAtOnce(const TileFill& part, const Tile& tile);

// Whether the node, not what it holds, reads a tile in shared memory.
bool ReadsSharedTile(const DeviceKernel& kernel, const Node& node);

// Calls visit(part, tile) for each tile of each fill of a kernel, which may be constant. Precondition: fills
// are of tiles that there are.
template <typename Kernel, typename Visit>
void ForEachTileFill(Kernel& kernel, const Visit& visit) {
  ForEachNode(kernel.body, [&](auto& node) {
    auto* const fill = node.template As<Fill>();
    if (fill == nullptr) return;
    for (auto& part : fill->tiles) visit(part, *kernel.FindTile(part.to.array));
  });
}

struct DeviceProgram {
  std::vector<DeviceArray> arrays;  // parallel to the scop's
  std::vector<DeviceKernel> kernels;
  Block host;                            // launches, some of which may be merged
  std::string host_index_type = "long";  // of iterators there
  bool graph = false;                    // launches are recorded and handed to the device in one call
  bool operator==(const DeviceProgram&) const = default;
};

// A variable that the region declares.
struct LocalVariable {
  std::string name;
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  std::vector<int64_t> extents;  // empty: a scalar
  bool read = true;              // by some statement
  bool operator==(const LocalVariable&) const = default;
};

// A block of C for the host, with OpenMP's pragmas.
struct OpenMpProgram {
  std::string index_type = "int";  // of iterators
  std::vector<LocalVariable> locals;
  Block body;
  bool operator==(const OpenMpProgram&) const = default;
};

}  // namespace tune
