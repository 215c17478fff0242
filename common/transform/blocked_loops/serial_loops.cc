#include "common/transform/blocked_loops/serial_loops.h"

#include "common/isl/functions.h"

namespace tune {

std::vector<SerialLoop> FindSerialLoops(const isl::schedule& schedule) {
  std::vector<SerialLoop> loops;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return true;
    const auto band = node.as<isl::schedule_node_band>();
    if (band.n_member() == 0) return true;
    if (band.member_get_coincident(0)) return false;
    SerialLoop loop;
    PwAffList(band.partial_schedule().at(0)).foreach ([&](const isl::pw_aff& time) {
      loop.times.emplace(time.as_map().domain_tuple_id().name(), time);
    });
    loops.push_back(std::move(loop));
    return false;
  });
  return loops;
}

}  // namespace tune
