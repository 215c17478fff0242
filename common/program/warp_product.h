// Products that the threads of a warp compute together by matrix instructions: mma.m16n8k8 of floats, which
// are split in numbers of TF32, and mma.m16n8k16 of numbers of binary16 (PTX ISA, "Matrix Fragments for
// ...").
//
// A warp is 8 threads along y by 4 along x of a block's tile, and of the instruction's 16 x 8 sums a thread
// has those of two of its rows and two of its columns. So sums stand where they do in any other program, in
// the thread's registers, and some terms may be added by matrix instructions and others without. But terms
// are loaded for others: a thread loads those of two iterations of the sum, of its own rows, and of columns
// of one thread of its warp; halves are loaded by all threads of the warp together.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Threads of a warp along x and y, and iterations of the sum that an instruction takes.
inline constexpr int64_t kWarpColumns = 4, kWarpRows = 8, kWarpSum = 8;

// What is added to a sum, or subtracted from it: the product of all factors, each a float or a half. None
// depends on both row and column, and there is one of each kind at least; what depends on neither is among
// the rows.
struct WarpTerm {
  bool subtracted = false;
  std::vector<const v1::Expression*> rows, columns;
};

// An element of _Float16 of a row or a column: which of the instance's accesses, and whether its neighbours
// in the tile are those of the sum's next iterations; else they are those of other rows, or columns.
struct HalfOperand {
  int access = 0;
  bool along_sum = false;
};

// A term of halves; the factors `same` are those of all rows, columns and iterations.
struct HalfTerm {
  bool subtracted = false;
  HalfOperand row, column;
  std::vector<const v1::Expression*> same;
};

// The parts of a loop with Loop::warp_product. They point into the loop and the scop.
struct WarpProduct {
  const Loop* sum = nullptr;
  // The loops inside, over points of a thread along y and x, outermost first. Each has so many iterations,
  // from 0 on, and one of each kind an even number.
  std::vector<const Loop*> rows, columns;
  const Instance* instance = nullptr;
  const ElementAccess* target = nullptr;  // in a tile in registers
  std::vector<WarpTerm> terms;
  std::vector<HalfTerm>
      halves;  // the same terms, where they are of halves; else empty, and all are of floats
};

// The loop whose iterations, n of them, are taken in pairs, of which one is n / 2 before the other: the
// innermost one that can. Null: there is none.
const Loop* PairedLoop(const std::vector<const Loop*>& loops);

// The loop as such a product; none where it is another. It adds products of floats, or of halves, read from
// tiles in shared memory or from scalars that the kernel does not write, to sums in registers, of which each
// combination of points has one of its own; threads of the kernel's blocks can be arranged in such warps.
std::optional<WarpProduct> FindWarpProduct(const Loop& loop, const DeviceKernel& kernel,
                                           const std::vector<DeviceArray>& arrays, const v1::Scop& scop,
                                           const HelperNames& names);

// Calls visit(loop) for the loops of the kernel's body around which no loop or condition depends on the
// coordinates of threads: all threads of a block run them, with the same values of the iterators around. One
// before those inside it.
void ForEachUniformLoop(const HelperNames& names, DeviceKernel* kernel,
                        const std::function<void(Loop* loop)>& visit);

// Whether some loop of the kernel is computed so: its threads are arranged in such warps.
bool HasWarpProducts(const DeviceKernel& kernel);

}  // namespace tune
