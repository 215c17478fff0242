// The front end: from files in C and C++ to scops and a program that can travel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tune/v1/extraction.pb.h"
#include "tune/v1/regions.pb.h"

namespace tune {

struct ExtractionRequest {
  std::string file;  // the file with the regions, in C or, by its extension, in C++
  std::vector<std::string> include_directories;  // -I
  std::vector<std::string> defines;              // -D, "NAME" or "NAME=VALUE"
  std::vector<std::string> with;                 // further files of the program
  std::vector<std::string> compile_flags;        // for the host compiler
  std::vector<std::string> link_flags;
  std::vector<std::string> arguments;  // of the program
  std::vector<std::string> fixed;  // names of parameters that contexts fix where the file has their values
  std::map<std::string, int64_t> constants;  // parameters, and what they are taken for: contexts demand it
  std::string standard_input;                // text for the program
  std::string function;  // its loops are the regions, without any pragma; empty: what pragmas mark
};

// Never fails: what is wrong with the input is in `diagnostics`.
v1::Extraction ExtractScops(const ExtractionRequest& request);

// What could be regions of the file, or of one function of it.
v1::LoopNests FindLoopNests(const ExtractionRequest& request);

}  // namespace tune
