// Shadow memory: for every element that kernels may touch, who touched it last and how.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/simt/interface.h"

namespace tune::simt {

// Who accesses. Threads of a block are ordered by block barriers, and lanes of a warp also by __syncwarp:
// `known` holds, for each lane of the warp, how many of its warp barriers this thread has synchronised with.
struct Accessor {
  uint32_t thread;        // linear index in the block
  uint32_t clock;         // warp barriers that it has passed since the last block barrier
  const uint32_t* known;  // 32 values; null when no lane of the warp has passed a warp barrier
};

// Kinds of access beside those of interface.h, as which a thread's asynchronous copy touches the shared
// memory that it writes: at its begin, and once more when the thread has waited for it.
enum : unsigned { kCopyBegins = 16, kCopyEnds = 32 };

// Checks accesses for bounds, for reads of what was never written, and for races: two accesses of one launch
// that touch the same bytes, not both reads nor both atomic updates, and not ordered by a barrier of the
// block or of the grid. Between its begin and its end nobody may touch what an asynchronous copy writes. What
// a launch reads as constant data it may not change, barriers or not. Communication through atomics and
// fences is not taken for order. The epochs of FastTrack (Flanagan and Freund, PLDI 2009) with barriers as
// the only synchronisation; of several readers between two barriers two are kept, of different warps where
// there are. Nothing is reported that is no race; where reads and atomic updates of one element mix between
// two barriers of the block and warp barriers order some of them, a race may be missed.
class Shadow {
 public:
  // Memory of the device. Unless `defined`, its content may be read only after it was written. Regions must
  // not overlap: false, and nothing is added, when it would.
  bool AddGlobal(const std::string& name, const void* begin, size_t bytes, bool defined);

  // Shared memory of blocks, accessible in the launches that name the returned number.
  int AddShared(const std::string& name, const void* begin, size_t capacity);

  struct Shared {
    int number;
    size_t bytes;
  };
  // Reads of the global regions in which the addresses `constant` lie are SIMT_CONSTANT.
  void BeginLaunch(const std::vector<Shared>& shared, bool one_thread,
                   const std::vector<const void*>& constant = {});
  void BeginBlock();  // what shared memory holds is undefined now
  void Barrier();     // of all threads of the block

  // Instead of BeginBlock where blocks 0 .. count - 1 run in turns, each with its own shared memory: a turn
  // begins, for the first time or after a barrier of the block or of the grid.
  void BeginResident(int count);
  void BeginTurn(int block);
  void GridBarrier();  // of all threads of all blocks; a turn follows

  enum class Verdict { kGood, kUnknownMemory, kFault };

  // kUnknownMemory: no byte, or not every byte, lies in a region. On kFault `fault` says what is wrong.
  Verdict Check(const Accessor& accessor, uintptr_t address, size_t bytes, unsigned kind, const void* site);

  struct Fault {
    enum class With { kNobody, kBlock, kThread };
    const char* what = "";      // "is a read of memory that was not written", "races with a write"
    With with = With::kNobody;  // whose access it conflicts with
    uint32_t number = 0;        // of the block, in the order of BeginBlock, or of the thread in this block
  };
  const Fault& fault() const { return fault_; }

  // "A+16"; for an address in no region where the nearest one is.
  std::string Describe(uintptr_t address) const;

 private:
  // Epochs count intervals between block barriers, over all blocks and launches: an epoch tells block and
  // launch. A phase is what lies between two grid barriers: all of a launch that has none. A stamp is one
  // access: epoch (27 bits), thread (10), clock (20), kinds (4). A mark is epoch (27) and kinds (5).
  struct Cell {
    uint64_t write;      // the last write
    uint64_t others[2];  // of accesses since then that are no writes
    uint32_t mark;       // last epoch that touched it, all kinds of that epoch's block in that phase, and of
                         // the whole launch before: constant reads, changes in earlier phases; of shared
                         // memory in which epoch an asynchronous copy to it began, 0: none is under way
    uint32_t before;     // last epoch and all kinds of the other blocks in that phase before that one
  };
  struct Free {
    void operator()(void* cells) const { std::free(cells); }
  };
  struct Cells {
    std::unique_ptr<Cell, Free> cells;
    int shift;     // a cell stands for 2^shift bytes
    size_t count;  // for all bytes, and one more
  };
  struct Region {
    std::string name;
    uintptr_t begin;
    size_t bytes;  // 0: not accessible now
    size_t capacity;
    bool shared;
    bool defined;
    bool constant;  // in this launch
    Cells shadow;
  };
  // A block has run without a switch to another since this epoch.
  struct Turn {
    uint32_t epoch;
    uint32_t block;
  };

  static Cells NewCells(size_t bytes, int shift);
  int Add(const std::string& name, const void* begin, size_t capacity, bool shared, bool defined);
  Region* Find(uintptr_t address, size_t bytes, const void* site);
  static void Refine(Cells& shadow, size_t offset_and_bytes);
  bool CheckCell(const Region& region, Cell& cell, const Accessor& accessor, unsigned kind);
  bool CheckCopies(Cell& cell, unsigned kind) const;
  bool CheckBlocks(Cell& cell, unsigned kind);
  unsigned Carry(Cell& cell) const;
  bool CheckThreads(Cell& cell, const Accessor& accessor, unsigned kind);
  void Insert(Cell& cell, uint64_t stamp, const Accessor& accessor) const;
  bool Ordered(uint64_t stamp, const Accessor& accessor) const;
  bool Fail(const char* what, Fault::With with = Fault::With::kNobody, uint32_t number = 0);
  uint32_t BlockNumber(uint32_t epoch) const;
  void NextEpoch();
  void Forget();
  void Forget(Cells& shadow, bool shared) const;
  void TakeShared(uint32_t block);

  std::vector<std::unique_ptr<Region>> regions_;
  std::array<Region*, 1024> recent_{};  // by the site of the access
  uint32_t epoch_ = 1;
  uint32_t launch_ = 1;          // its first epoch
  uint32_t phase_ = 1;           // its first epoch
  uint32_t turn_ = 1;            // its first epoch
  uint32_t block_ = 1;           // since this epoch only the present block uses the cells of shared memory
  std::vector<Turn> turns_;      // of the phase
  std::vector<Region*> shared_;  // of the launch
  uint32_t current_ = 0;         // number of the block
  // For each of shared_, of resident blocks; where it is the turn of one, its place is empty. At last those
  // of launches whose blocks are not resident.
  std::vector<std::vector<Cells>> parked_;
  bool one_thread_ = false;
  Fault fault_;
};

}  // namespace tune::simt
