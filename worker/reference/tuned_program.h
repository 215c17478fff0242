// The last check of a result: the user's program with the tuned region in it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tune/v1/study.pb.h"
#include "worker/reference/reference_data.h"

namespace tune {

// What the tuned program is made of besides the user's files and flags.
struct TunedProgram {
  std::string code;                        // in the region's place, as TunedRegion has it
  std::vector<std::string> compile_flags;  // of the C files
  std::vector<std::string> link_flags;     // objects and libraries
  std::map<std::string, std::string>
      files;                 // content of what these flags name, by its path beside the user's files
  std::string prepare;       // C statements to be run once, before the region's clock starts
  bool limit_memory = true;  // false: it reserves addresses that it does not use
  bool device = false;       // it uses a GPU
  int threads = 0;           // that OpenMP starts in both programs; 0: as the environment says
};

// Puts the code into the user's file as `tunectl fetch` does, builds the program and runs it under the
// study's limits. The arrays that the region's first execution leaves are compared with the reference's, but
// for elements that both leave as they find them; that the tuned code ran, and not the original text beside
// it, is made sure. Then both programs are run in turns for their times (CompareInTurns). `index` of the
// result is not set. Trouble of whatever kind is the check's outcome.
v1::ProgramCheck CheckTunedProgram(const v1::StudySetup& setup, const ReferenceTools& tools,
                                   const ReferenceData& reference, const TunedProgram& tuned);

}  // namespace tune
