#include "common/transform/streamed_tiles/stream_gain.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tune {
namespace {

// Whether streamed tiles load no more from shared memory than tiles of time. The former have in registers
// what a thread has made itself, and load each of the other elements. In the latter a thread has points along
// the first dimension, for each of which it loads an element a column that is read.
bool LoadsAreFewer(const ParsedScop& scop, const StencilLoop& loop, const StreamPlan& plan) {
  using Column = std::pair<std::string, isl::set>;
  size_t streamed = 0, whole = 0;
  for (size_t s = 0; s < loop.statements.size(); ++s) {
    std::vector<Column> columns;
    for (const auto& [reference, read] : plan.reads) {
      if (reference.first != s) continue;
      if (!read.own) ++streamed;
      const std::string& array = scop.statements[loop.statements[s].index].accesses[reference.second].array;
      const isl::set& beside = read.beside;
      const bool known = std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
        return column.first == array && column.second.is_equal(beside);
      });
      if (!known) columns.emplace_back(array, beside);
    }
    whole += columns.size();
  }
  return streamed <= whole;
}

}  // namespace

// A thread waits for what those beside it compute in each row, where tiles of time wait once a step: others
// are to be there meanwhile, as many as a quarter of those that a multiprocessor can hold, and on most of the
// device. Planes take about as long as from memory.
bool StreamsFaster(const StencilLoop& loop, const ParsedScop& scop, const StreamPlan& plan,
                   const StreamShape& shape, const DeviceFacts& device) {
  if (loop.dimensions != 2 || shape.blocks == 0) return false;
  const int64_t threads = device.registers_per_multiprocessor / shape.registers;
  const int64_t tiles = shape.tile.count[0] * shape.tile.count[1];
  return 4 * threads >= device.max_threads_per_multiprocessor && 4 * tiles >= 3 * shape.blocks &&
         LoadsAreFewer(scop, loop, plan);
}

}  // namespace tune
