// What stands in for a compiler's results where there is none for GPUs.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tune::simt {

// PTX with the kernels of a generated text: each has as many additions as it has statements, loads as
// subscripts and barriers as there are in its text. So other texts have other metrics, and nothing else of it
// is meant.
std::string PtxStandIn(absl::string_view text);

// A cubin that tells of 32 registers for each kernel of the text, and holds the text.
std::string CubinStandIn(absl::string_view text);
// The text of one; of anything else all of it.
std::string TextInCubin(const std::string& cubin);

}  // namespace tune::simt
