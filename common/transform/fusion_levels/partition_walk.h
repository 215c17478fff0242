// The decisions about which components of a statement graph share a loop.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/decision/chooser.h"
#include "common/schedule/statement_graph.h"

namespace tune {

// Indices of components, in the order in which they run.
using ComponentOrder = std::vector<size_t>;

struct PartitionQuestion {
  std::string key;  // what is parted: "schedule[S0-S3]@1"
  const StatementGraph* graph = nullptr;
  // What is taken by default: all components, in a legal order, in parts. A part of these is never masked.
  std::vector<ComponentOrder> standard;
  // Whether at least two components may share their next loop. Asked for consecutive ones, in ascending
  // order; where some may not, no larger set that has them may.
  std::function<absl::StatusOr<bool>(const ComponentOrder&)> fuses;
};

// Level O2 of the Coding Ants paper (section 5.1.2, figure 4). Asks, in this order: `.order_N`, the component
// that comes N-th (from 0), any whose predecessors came; `.partitions`, how many parts there are; for each
// part but the last, `.size_C`, how many components it has, C being the statement that begins it, so that the
// key says what is decided and not what was decided before. Masked are numbers and sizes that leave
// components which cannot be parted so. A decision with one allowed option is not asked. Returns the parts in
// their order.
absl::StatusOr<std::vector<ComponentOrder>> ChoosePartition(Chooser& chooser,
                                                            const PartitionQuestion& question);

}  // namespace tune
