// Asking the server what it knows of a program before it is tuned.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "client/cli/session.h"
#include "client/submit/exchange_client.h"

namespace tune {

inline constexpr int kMaxSeeds = 3;

// The request for one region. `program` as in the study's spec: with parameter values where it has no main.
v1::LookUpRequest LookUpRequestFor(const v1::Scop& scop, const v1::Program& program, v1::Target target,
                                   const std::map<std::string, int64_t>& parameters);

// The configurations to begin with, nearest match first: at most kMaxSeeds, each once.
std::vector<v1::Configuration> ChooseSeeds(const v1::LookUpResponse& known);

// Looks the studies up, gives them the seeds and tells on standard output what was found. On an error the
// specs that were not looked up stay as they are: they can be submitted all the same.
absl::Status SeedFromKnown(Session& session, StudyClient& client, std::vector<v1::StudySpec>* specs);

}  // namespace tune
