// Studies whose history is the same whatever happens to the programs: tests disturb them and compare.
#pragma once

#include <string>
#include <vector>

#include "tests/end_to_end/installation.h"

namespace tune {

inline constexpr int kSteadyEvaluations = 24;

inline std::string SteadyWorker() { return TUNE_BINARY_DIR "/tests/steady_worker"; }

inline std::vector<std::string> SteadyArguments(const std::string& strategy,
                                                int evaluations = kSteadyEvaluations) {
  return {TUNE_SOURCE_DIR "/tests/end_to_end/small.c",
          "--strategy",
          strategy,
          "--evaluations",
          absl::StrCat(evaluations),
          "--ants",
          "6",
          "--seed",
          "11"};
}

// Everything that must not depend on what happens: index, decisions, outcome and time of each candidate.
inline std::string History(const Installation& installation, const std::string& study,
                           int evaluations = kSteadyEvaluations) {
  std::string text;
  for (int index = 0; index < evaluations; ++index) {
    const Json candidate = installation.TunectlJson({"show", absl::StrCat(study, "/", index)});
    absl::StrAppend(&text, index, " ", candidate["configuration"].dump(), " ",
                    candidate["evaluation"]["outcome"].dump(), " ",
                    candidate["evaluation"]["measurement"].dump(), "\n");
  }
  return text;
}

// The history of a study that nothing happens to.
inline std::string UndisturbedHistory(const std::string& strategy) {
  Installation installation;
  installation.StartServer();
  installation.StartWorker(SteadyWorker());
  const std::string study = installation.Submit(SteadyArguments(strategy))[0];
  EXPECT_EQ(installation.WaitForEnd(study).value("state", ""), "done");
  return History(installation, study);
}

}  // namespace tune
