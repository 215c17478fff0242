// The loops of a file as people and programs read them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/profile/program_profile.h"
#include "client/report/json.h"
#include "tune/v1/regions.pb.h"

namespace tune {

// What is said of nests beside what the front end says of them.
struct NestFigures {
  std::map<std::string, int64_t> parameters;  // sizes at which operations are counted
  std::optional<ProgramProfile> profile;      // of the program that they are in
};

bool IsAccepted(const v1::LoopNest& nest);

// Rows of a table, of `file`; with a profile by share, largest first, with what was spent outside of loops
// and a line on what was measured.
std::string PrintNests(const v1::LoopNests& nests, const std::string& file, const NestFigures& figures);

struct FileNests {
  std::string file;
  const v1::LoopNests* nests;
};

// Rows of a table whose first column is the file, without a profile.
std::string PrintNestsOfFiles(const std::vector<FileNests>& files, const NestFigures& figures);

// A list of all nests; with a profile an object that has it as `nests`.
Json NestsJson(const v1::LoopNests& nests, const NestFigures& figures);

}  // namespace tune
