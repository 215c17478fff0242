// What strangers can send, each as a function of bytes that must come back from any of them.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tune::testing {

struct FuzzTarget {
  const char* name;
  void (*run)(absl::string_view input);
  std::vector<std::string> (*seeds)();  // inputs to begin with, made of the repository's samples
};

FuzzTarget IslTextTarget();           // a letter for the kind (isl_target.cc), then a set or relation
FuzzTarget ScheduleTarget();          // a schedule tree
FuzzTarget ScopTarget();              // v1.Scop in the text format of protocol buffers
FuzzTarget ArchiveTarget();           // an archive file, or what one would hold unzipped
FuzzTarget T4Target();                // JSON
FuzzTarget T1Target();                // JSON
FuzzTarget ShortFormTarget();         // lines of words
FuzzTarget KernelDefinitionTarget();  // v1.KernelDefinition in the text format
FuzzTarget KernelSourceTarget();      // C or CUDA
FuzzTarget BundleTarget();            // v1.StudySpec in the text format
FuzzTarget HttpTarget();              // what a client writes to the page's server
FuzzTarget ParametersTarget();        // lines: tuning parameters with their values, and constraints
FuzzTarget PtxTarget();               // PTX, as a user's compiler flags and tuned files make it

}  // namespace tune::testing
