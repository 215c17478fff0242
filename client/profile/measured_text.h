// A copy of the user's file that counts how often its loops are entered, and in whose lines nothing but one
// nest stands.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tune/v1/regions.pb.h"

namespace tune {

struct MeasuredNest {
  int begin_line = 0;  // of the copy, from 1; where it is counted, that of the count
  int end_line = 0;
  bool counted = false;  // else nothing could be put before it, and its lines may hold other statements, too
};

struct MeasuredText {
  std::string text;
  std::vector<MeasuredNest> nests;  // as given
};

// `text`: the file that the nests are of. Nest k adds 1 to element k of `tune_profile_calls`
// (profile_runtime.h) each time that it begins.
MeasuredText MeasureNests(absl::string_view text, const v1::LoopNests& nests);

}  // namespace tune
