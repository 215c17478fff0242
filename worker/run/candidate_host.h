// The process that a candidate runs in, from inside.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <string>

#include "worker/run/confinement.h"
#include "worker/run/exchange_page.h"
#include "worker/run/run_arrays.h"

namespace tune {

struct CandidateHostSettings {
  std::string library;
  ConfinementLimits limits;
  pid_t judge = 0;            // its parent
  cpu_set_t processors = {};  // where it may run
};

// For a process that was just forked: keeps nothing of the judge's but arrays and page, confines itself for
// good (confinement.h) and does what the page asks for until it is killed.
[[noreturn]] void ServeCandidate(const CandidateHostSettings& settings, RunArrays* arrays,
                                 const SharedPage& page);

}  // namespace tune
