// What transformations know when they decide something about a kernel.
#pragma once

#include <optional>

#include "common/device/device_facts.h"
#include "common/device/matrix_products.h"
#include "common/kernel/kernel.h"
#include "common/mapping/kernel_plan.h"

namespace tune {

// The device is full with this many threads that run a whole loop each: a quarter of those that it holds, as
// the nearest power of two (65536 on an H200).
double EnoughInstances(const DeviceFacts& device);

// A loop that one thread runs, which holds no other.
struct InnerLoop {
  int64_t iterations = 0;   // -1: unknown
  int64_t words_read = 0;   // KernelBand::words_read
  bool along_rows = false;  // KernelBand::along_rows
};

// The kernel, where it is to run, and what has been decided of it so far. Must not outlive them.
struct KernelSite {
  const Kernel& kernel;
  const DeviceFacts& device;
  bool exact = false;  // sums keep their order: threads do not share a reduction
  const KernelPlan& plan;
  MatrixProducts products = {};  // that tensor cores may compute
  // The most threads that, by default, a block has of the sums that one launch or one tile may run with the
  // kernel, or of the steps of the tile whose elements it copies; 0: there are none.
  int64_t threads_beside = 0;

  const ThreadMapping& threads() const { return plan.threads; }
  std::string Key(const std::string& decision) const { return kernel.name + "." + decision; }
  int64_t TripCount(int member) const { return kernel.bands[0].trip_counts[member]; }

  // Whether its reads that stay are of _Float16, of which tensor cores may compute products.
  bool MultipliesHalves() const {
    return products.halves && device.MultipliesHalves() && kernel.constant_halves;
  }

  // What is left of the threads of a block, and of a thread's points: factors that may still be chosen.
  int64_t ThreadsLeft() const;
  int64_t PointsLeft() const;
  // The most registers that each thread of a block can have.
  int64_t MostRegisters() const;

  // Iterations of the longest loop that a thread runs over a member of the kernel's band; 0: there is none.
  int64_t LongestOfBand(size_t band) const;
  // Of the root band.
  int64_t LongestSerialMember() const { return LongestOfBand(0); }

  double EnoughInstances() const { return tune::EnoughInstances(device); }
  // All combinations of values of the mapped members, those of a reduction left out; an unknown number of
  // values counts as enough.
  double MappedInstances() const;
  // Whether a sum is long, has to keep its order, and there are too few of its kind to fill the device: its
  // threads would wait for memory most of the time.
  bool WaitsForTerms() const;

  // The longest inner loop whose iterations depend on each other; an unknown number counts as long.
  std::optional<InnerLoop> LongestRecurrence() const;
  // Whether there are too few threads to fill the device, and each runs a long recurrence, which is no sum:
  // with nothing else to do they wait for what each iteration reads.
  bool WaitsInRecurrence() const;

  // Whether elements can stand in shared memory or registers while a block works on them: the loops of the
  // root band are all that there are, and each thread runs all of those that are not mapped; not where they
  // stand there anyway, in tiles of time.
  bool CanKeepTiles() const;

 private:
  // Whether a thread runs a loop over the member of the band: not where its values are other threads', nor
  // where it is unrolled as a whole.
  bool IsLoop(size_t band, int member) const;
  // Of the band: the member whose loop a thread runs inside of the others; none where it runs no loop.
  std::optional<int> InnerMember(size_t band) const;
};

// A serial loop of so many iterations is worth fetching its data ahead.
constexpr int64_t kLongLoop = 64;

}  // namespace tune
