#include "common/isl/schedule.h"

#include <exception>

namespace tune {
namespace {

struct Change {
  const std::function<isl::schedule_node(isl::schedule_node)>& function;
  std::exception_ptr error;
};

// Nothing is thrown through isl, which is C.
isl_schedule_node* Apply(isl_schedule_node* node, void* user) {
  auto* const change = static_cast<Change*>(user);
  try {
    return change->function(isl::manage(node)).release();
  } catch (...) {
    change->error = std::current_exception();
    return nullptr;
  }
}

}  // namespace

isl::schedule ChangeNodes(const isl::schedule& schedule,
                          const std::function<isl::schedule_node(isl::schedule_node)>& change) {
  Change user{change, nullptr};
  isl_schedule* const changed = isl_schedule_map_schedule_node_bottom_up(schedule.copy(), &Apply, &user);
  if (user.error) std::rethrow_exception(user.error);
  return isl::manage(changed);
}

}  // namespace tune
