// Asking the server what it knows of a program before it is tuned.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "client/cli/session.h"
#include "client/submit/exchange_client.h"

namespace tune {

inline constexpr int kMaxSeeds = 3;
// That are asked for, as expectations of the search.
inline constexpr int kMaxResultsOfAMatch = 200;

// The request for one region. `program` as in the study's spec: with parameter values where it has no main.
// `kind`: a ResultKind.
v1::LookUpRequest LookUpRequestFor(const v1::Scop& scop, const v1::Program& program, v1::Target target,
                                   const std::string& kind, const std::map<std::string, int64_t>& parameters);

// The configurations to begin with, nearest match first: at most kMaxSeeds, each once.
std::vector<v1::Configuration> ChooseSeeds(const v1::LookUpResponse& known);

// --fresh of the verbs that submit.
void AddFresh(CLI::App& verb, bool* fresh);

// Unless `fresh`, looks the studies up, gives them the seeds and tells on standard output what was found;
// then submits them. A look-up that fails is told on standard error: the study is submitted all the same. The
// studies in the order of the specs.
absl::StatusOr<std::vector<v1::Study>> SubmitWithKnown(Session& session, StudyClient& client, bool fresh,
                                                       std::vector<v1::StudySpec>* specs);

// For the help of these verbs.
inline constexpr char kLookUpHelp[] =
    "What the server knows of the same computation is looked up first: the best configuration, and up to "
    "three in "
    "all,\nare evaluated before the search begins, so that none is trusted unverified; results on other "
    "devices and "
    "with\nother sizes are what the ants expect at first.\n";

}  // namespace tune
