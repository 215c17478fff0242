// Calls of regions.
#include <cmath>
#include <cstring>

#include "libtune/runtime/c_objects.h"
#include "libtune/runtime/monotonic_clock.h"

namespace {

using libtune::Guarded;
using libtune::Invalid;
using libtune::Region;
using libtune::Status;

// tune_call::internal. Without a region the call has ended.
struct Pending {
  Region* region;
  libtune::InputState* state;
  uint64_t ticket;  // 0: nothing is tried
  int64_t start;    // nanoseconds; 0: by tune_next
};
static_assert(sizeof(Pending) <= sizeof(tune_call::internal));

Pending PendingOf(const tune_call& call) {
  Pending pending;
  std::memcpy(&pending, call.internal, sizeof(pending));
  return pending;
}

Status Ended() { return libtune::WrongState("this call has ended already, or never began"); }

// Takes what is pending from the call.
Status End(tune_call* call, Pending* pending) {
  if (call == nullptr) return Invalid("the call is NULL");
  *pending = PendingOf(*call);
  if (pending->region == nullptr) return Ended();
  std::memset(call->internal, 0, sizeof(call->internal));
  return {};
}

Status Abandon(const Pending& pending) {
  if (pending.state == nullptr || pending.ticket == 0 || pending.region->context()->InForkedChild())
    return {};
  pending.state->Abandon(pending.ticket);
  return {};
}

Status Drop(Region* region, int parameter, int choice) {
  const libtune::RegionDefinition& definition = region->definition();
  if (parameter < 0 || parameter >= definition.space.size() ||
      definition.space.at(parameter).choices.empty()) {
    return Invalid("region " + definition.name + " has no nominal parameter " + std::to_string(parameter));
  }
  if (choice == 0) {
    return libtune::WrongState("region " + definition.name + ": the first choice of " +
                               definition.space.at(parameter).name +
                               " cannot be dropped; it is what the program does without tuning");
  }
  if (!region->context()->InForkedChild()) region->Drop(parameter, choice);
  return {};
}

Status Report(const tune_call& call, const Pending& pending, double seconds) {
  if (!(std::isfinite(seconds) && seconds > 0)) {
    Abandon(pending);
    return Invalid("a computation takes a positive number of seconds; this call does not count");
  }
  if (pending.state == nullptr || pending.region->context()->InForkedChild()) return {};
  Region::Turn turn;
  turn.state = pending.state;
  turn.attempt.ticket = pending.ticket;
  if (pending.ticket != 0) {
    pending.region->Report(turn, seconds);
  } else if (call.settled == 1) {
    turn.attempt.settled = pending.state->settled();
    // Not when the configuration is another one than that of the call.
    if (turn.attempt.settled != nullptr && turn.attempt.settled->values.data() == call.values) {
      pending.region->ObserveSettled(turn, seconds);
    }
  }
  return {};
}

Status Begin(tune_region* region, const long* inputs, int count, tune_call* call) {
  if (region == nullptr || call == nullptr) return Invalid("the region or the call is NULL");
  std::memset(call, 0, sizeof(*call));
  Region::Turn turn;
  if (Status status = region->region->Begin(inputs, count, &turn); !status.ok()) return status;
  call->values = turn.attempt.values->data();
  call->count = static_cast<int>(turn.attempt.values->size());
  call->settled = turn.attempt.settled != nullptr ? 1 : 0;
  Pending pending = {region->region, turn.state, turn.attempt.ticket, 0};
  std::memcpy(call->internal, &pending, sizeof(pending));
  return {};
}

}  // namespace

tune_status tune_next(tune_region* region, const long* inputs, int count, tune_call* call) {
  return Guarded([&] { return Begin(region, inputs, count, call); });
}

tune_status tune_report(tune_call* call, double seconds) {
  return Guarded([&]() -> Status {
    Pending pending = {};
    if (Status status = End(call, &pending); !status.ok()) return status;
    return Report(*call, pending, seconds);
  });
}

tune_status tune_begin(tune_region* region, const long* inputs, int count, tune_call* call) {
  return Guarded([&]() -> Status {
    if (Status status = Begin(region, inputs, count, call); !status.ok()) return status;
    Pending pending = PendingOf(*call);
    pending.start = libtune::Nanoseconds();
    std::memcpy(call->internal, &pending, sizeof(pending));
    return {};
  });
}

tune_status tune_end(tune_call* call) {
  const int64_t now = libtune::Nanoseconds();
  return Guarded([&]() -> Status {
    Pending pending = {};
    if (Status status = End(call, &pending); !status.ok()) return status;
    if (pending.start == 0) {
      Abandon(pending);
      return libtune::WrongState("this call was begun by tune_next; end it by tune_report with its time");
    }
    const int64_t taken = now - pending.start;
    return Report(*call, pending, static_cast<double>(taken > 0 ? taken : 1) * 1e-9);
  });
}

tune_status tune_abandon(tune_call* call) {
  return Guarded([&]() -> Status {
    Pending pending = {};
    if (Status status = End(call, &pending); !status.ok()) return status;
    return Abandon(pending);
  });
}

tune_status tune_reject(tune_call* call) {
  return Guarded([&]() -> Status {
    Pending pending = {};
    if (Status status = End(call, &pending); !status.ok()) return status;
    if (pending.state == nullptr || pending.ticket == 0 || pending.region->context()->InForkedChild())
      return {};
    return pending.state->Reject(pending.ticket);
  });
}

tune_status tune_drop(tune_call* call, int parameter) {
  return Guarded([&]() -> Status {
    Pending pending = {};
    const int choice = call == nullptr ? 0 : static_cast<int>(tune_integer(call, parameter));
    if (Status status = End(call, &pending); !status.ok()) return status;
    Abandon(pending);
    return Drop(pending.region, parameter, choice);
  });
}

double tune_value(const tune_call* call, int parameter) {
  if (call == nullptr || call->values == nullptr || parameter < 0 || parameter >= call->count) return 0;
  return call->values[parameter];
}

long tune_integer(const tune_call* call, int parameter) { return std::lround(tune_value(call, parameter)); }

tune_status tune_run(tune_region* region, const long* inputs, int count, void* arguments) {
  return Guarded([&]() -> Status {
    if (region == nullptr) return Invalid("the region is NULL");
    return region->runner.Run(inputs, count, arguments);
  });
}

tune_status tune_look_up(tune_region* region, const long* inputs, int count, double* values, int value_count,
                         tune_progress* progress) {
  return Guarded([&]() -> Status {
    if (region == nullptr) return Invalid("the region is NULL");
    if (progress != nullptr && progress->struct_size != sizeof(tune_progress)) {
      return Invalid("struct_size is not sizeof(tune_progress)");
    }
    const int parameters = region->region->definition().space.size();
    if (value_count < 0 || (value_count > 0 && values == nullptr) ||
        (values != nullptr && value_count < parameters)) {
      return Invalid("there are " + std::to_string(parameters) + " parameters, and room for " +
                     std::to_string(value_count) + " values");
    }
    libtune::Values found;
    tune_progress facts = {};
    facts.struct_size = sizeof(tune_progress);
    if (Status status = region->region->LookUp(inputs, count, &found, &facts); !status.ok()) return status;
    for (size_t i = 0; values != nullptr && i < found.size(); ++i) values[i] = found[i];
    if (progress != nullptr) *progress = facts;
    return {};
  });
}
