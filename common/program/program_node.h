// The nodes of programs between schedule tree and text: what runs in which order, as data.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "common/program/index_expression.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct Node;
// What runs one after the other.
using Block = std::vector<Node>;

// An element of an array of the scop, of a tile, or a variable, which has no subscripts; nor has an array's
// element that data decide, of which the statement's value says which one it is.
struct ElementAccess {
  std::string array;
  std::vector<IndexExpression> subscripts;
  bool operator==(const ElementAccess&) const = default;
};

// Which instance of which statement of the schedule tree a node runs: for checks, and there only when they
// ask.
struct Origin {
  std::string statement;  // of the scop, or one that the mapping added
  std::vector<IndexExpression> iterators;
  bool operator==(const Origin&) const = default;
};

// An element that stands in a variable for a while.
struct KeptElement {
  ElementAccess element;
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  // Of Loop::fetched and Loop::collected: so many iterations' elements, neighbours in a row, are loaded or
  // stored at once (row_access.h).
  int64_t width = 1;
  bool operator==(const KeptElement&) const = default;
};

struct Loop {
  static constexpr int64_t kCompilerDecides = 0, kNever = 1, kWhole = -1;

  std::string iterator;
  IndexExpression first, condition, step;
  Block body;
  // What the compiler is asked for: one of the above, or to unroll by this factor.
  int64_t unroll = kCompilerDecides;
  // More than 0: it goes over points of a thread; the iterator stays below this and is never negative.
  int64_t points = 0;
  // OpenMP: the iterations run in parallel. Of the host: each is a tile, the work of one block
  // (MergedLaunch).
  bool parallel = false;
  int threads = 0;    // on at most so many threads; 0: on as many as the run time has
  bool simd = false;  // OpenMP: the iterations are independent and hold no loop
  // OpenMP's private and lastprivate, where iterations run in parallel or are vectorised.
  std::vector<std::string> local, last;
  // More than 0, for loops of step 1 with canonical conditions: each iteration finds `fetched`, elements as
  // its nodes read them, in variables, into which they were loaded so many iterations before, or up to twice
  // as many. Only what iterations that there are read is loaded.
  int64_t ahead = 0;
  std::vector<KeptElement> fetched;
  // Where it loads ahead: each iteration writes these elements to variables, from which it and later ones
  // read them, and which are stored after `width` iterations (collected_stores.h). Of a wide loop: those of
  // `fetched` that it updates in their variables and stores, so many at once, behind its last iteration
  // (updated_in_place.h).
  std::vector<KeptElement> collected;
  // The remainder of the iterations that begin pieces, modulo the largest width: those before the first of
  // them load and store each for itself.
  int64_t phase = 0;
  // The loop has just so many iterations, from 0 on, and loads the elements of all of them, neighbours in a
  // row, at once before the first (neighbour_access.h).
  bool wide = false;
  // It sums, and matrix instructions of a warp compute it with the loops inside (warp_product.h).
  bool warp_product = false;
  bool operator==(const Loop&) const = default;
};

// `otherwise` is empty where there is no such part.
struct Condition {
  IndexExpression condition;
  Block then, otherwise;
  bool operator==(const Condition&) const = default;
};

// Names that its definitions introduce end with it.
struct Scope {
  Block body;
  // What the body touches as written here, and in no other way: read before it and stored after.
  std::vector<KeptElement> kept = {};
  bool operator==(const Scope&) const = default;
};

// An integer by name.
struct Definition {
  std::string type;  // of C
  std::string name;
  IndexExpression value;
  bool constant = true;
  bool operator==(const Definition&) const = default;
};

// One instance of a statement of the scop.
struct Instance {
  std::string statement;
  std::vector<ElementAccess> accesses;  // parallel to Statement::accesses
  std::vector<IndexExpression> affine;  // of the value's affine expressions, in preorder
  bool atomic = false;  // its store is an atomic exchange, of the host its whole update atomic
  // It touches its target only where its condition on data holds (GuardOf), as elsewhere there may be no such
  // element.
  bool guarded = false;
  Origin origin = {};
  bool operator==(const Instance&) const = default;
};

// to = from, or to = to op from.
struct Transfer {
  ElementAccess to, from;
  v1::ElementType type = v1::ELEMENT_TYPE_UNSPECIFIED;
  v1::UpdateOperator update = v1::NONE;
  bool atomic = false;  // the store, or the update
  Origin origin = {};
  // More than 1: so many neighbours at once, of which these are the first. In printed text alone.
  int64_t width = 1;
  bool operator==(const Transfer&) const = default;
};

// Copies the elements of a tile from its array.
struct TileFill {
  ElementAccess to;                    // the tile; its subscripts say which copy, where there are several
  std::vector<IndexExpression> first;  // where the tile begins in the array
  // Of each dimension: whether a part of the tile may lie before the array's first element, or behind its
  // last. Such elements are left out, or zero.
  std::vector<bool> before, behind;
  bool unroll = false;
  int64_t width = 1;  // elements along the last dimension that are copied at once
  // The copies only begin here; AwaitFills says when they have ended.
  bool asynchronous = false;
  bool operator==(const TileFill&) const = default;
};

// Threads of a block take turns over the elements of each tile in shared memory: neighbours in a warp copy
// neighbours in memory.
struct Fill {
  std::vector<TileFill> tiles;
  bool zero_outside = false;  // what lies outside of the array; else it is left out
  int64_t threads = 1;        // that take part
  std::string lane;           // number of a thread among them
  bool ahead = false;         // for a later iteration: what reads the tiles does not stand right behind it
  Origin origin = {};
  bool operator==(const Fill&) const = default;

  // Whether the copies of some tile are.
  bool IsAsynchronous() const;
};

// All threads of the block, or of the launch, wait here for each other.
struct Barrier {
  enum class Of { kBlock, kGrid };
  Of of = Of::kBlock;
  bool operator==(const Barrier&) const = default;
};

// The asynchronous copies that a thread has begun since the last of these become one group.
struct CommitFills {
  bool operator==(const CommitFills&) const = default;
};

// A thread waits until all of its groups have ended, but for the last `open` ones.
struct AwaitFills {
  int64_t open = 0;
  bool operator==(const AwaitFills&) const = default;
};

// The partial values of a register tile become one in the first thread along the axis (0: x).
struct BlockReduction {
  std::string tile;
  int axis = 0;
  Origin origin = {};
  bool operator==(const BlockReduction&) const = default;
};

// A launch of a kernel.
struct Launch {
  int kernel = 0;                      // in DeviceProgram::kernels
  std::vector<IndexExpression> host;   // value of each host loop
  std::vector<IndexExpression> first;  // first block along each axis, x first
  std::vector<IndexExpression> count;  // blocks along each axis
  bool operator==(const Launch&) const = default;
};

// The same inside of a merged launch, whose blocks take the launch's blocks in turns.
struct BlockTurns {
  Launch launch;
  int64_t at_once = 1;  // blocks of `launch` that run in one block at the same time; threads left over wait
  int64_t own = 0;      // blocks of a launch of others (MergedLaunch::joined) that run nothing else
  bool operator==(const BlockTurns&) const = default;
};

// One launch that runs several: barriers stand in place of their ends.
struct MergedLaunch {
  std::string function;
  int64_t threads = 1;  // of a block; at least those of each kernel
  int64_t blocks = 1;   // of the launch
  // Each block runs one iteration of the parallel loops, which the body begins with, and waits for no other.
  // Else all blocks must be on the device at once.
  bool tiles = false;
  // The body is turns alone, which need nothing of each other: one after the other has so many blocks of its
  // own, which wait for no other.
  bool joined = false;
  int64_t per_processor = 1;                // blocks that a multiprocessor must hold
  std::vector<std::string> iterators = {};  // of the host's loops around it, which are passed
  Block body;                               // turns and barriers, in loops and conditions
  bool operator==(const MergedLaunch&) const = default;

  // Whether all of its blocks run parts of each kernel, and wait for each other.
  bool HasGridBarriers() const { return blocks > 1 && !tiles && !joined; }
};

// How a product is computed in register tiles, with its terms packed (Goto and van de Geijn, TOMS 2008).
struct ProductBlocks {
  // Of the tile whose elements stay in registers. No rows: as many as the machine that the code is compiled
  // for has registers for.
  int tile_rows = 0, tile_vectors = 0;
  int64_t i_block = 0, j_block = 0;  // rows and columns of a block of tiles, about: what a thread takes
  int64_t k_block = 0;               // iterations of the sum for which terms are packed at a time
  bool operator==(const ProductBlocks&) const = default;
};

// One of a product's loops, of step 1.
struct ProductLoop {
  std::string iterator;
  IndexExpression first, last;
  bool inclusive = false;  // `last` is an iteration
  bool operator==(const ProductLoop&) const = default;
};

// A product in the wide sense: C[i][j] += f(a[i][k], b[k][j]).
struct Product {
  ProductBlocks blocks;
  bool parallel = false;  // blocks run in parallel
  int threads = 0;        // on at most so many threads; 0: on as many as the run time has
  ProductLoop sum, row, column;
  bool triangular = false;  // the columns' bounds depend on the row
  Instance instance;
  Block plain;  // the same as loops, for where there is no memory and for compilers without vectors
  bool operator==(const Product&) const = default;
};

using NodeKind =
    std::variant<Loop, Condition, Scope, Definition, Instance, Transfer, Fill, Barrier, CommitFills,
                 AwaitFills, BlockReduction, Launch, BlockTurns, MergedLaunch, Product>;

struct Node {
  NodeKind kind;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&kind);
  }
  template <typename T>
  T* As() {
    return std::get_if<T>(&kind);
  }
  // What it holds, in the order of the text.
  std::vector<const Block*> blocks() const;
  std::vector<Block*> blocks();
  bool operator==(const Node&) const = default;
};

// Calls visit(node) for each node, one before what it holds.
template <typename Visit>
void ForEachNode(const Block& block, const Visit& visit) {
  for (const Node& node : block) {
    visit(node);
    for (const Block* inner : node.blocks()) ForEachNode(*inner, visit);
  }
}
template <typename Visit>
void ForEachNode(Block& block, const Visit& visit) {
  for (Node& node : block) {
    visit(node);
    for (Block* inner : node.blocks()) ForEachNode(*inner, visit);
  }
}

// The expressions of the node itself, not of what it holds.
std::vector<const IndexExpression*> ExpressionsOf(const Node& node);

// Adds the names that the expressions of the block mention.
void CollectNames(const Block& block, std::set<std::string>* names);

// The access with `value` in place of the name.
ElementAccess Replace(const ElementAccess& access, const std::string& name, const IndexExpression& value);

}  // namespace tune
