// The statements of a scop that instances run.
#pragma once

#include <algorithm>

#include "common/program/program_node.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The scop's statement of which it is an instance, and whose accesses are parallel to the instance's; null
// where there is none.
inline const v1::Statement* StatementOf(const Instance& instance, const v1::Scop& scop) {
  const auto found =
      std::find_if(scop.statements().begin(), scop.statements().end(),
                   [&](const v1::Statement& statement) { return statement.name() == instance.statement; });
  const bool fits = found != scop.statements().end() &&
                    static_cast<size_t>(found->accesses_size()) == instance.accesses.size();
  return fits ? &*found : nullptr;
}

}  // namespace tune
