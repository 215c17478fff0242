// What PPCG wrote, read back: kernels as text, and the host's loops around their launches.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// Comments that stand around the region in PPCG's input, and so around the code that took its place.
inline constexpr char kPpcgBegin[] = "/* tune: begin */";
inline constexpr char kPpcgEnd[] = "/* tune: end */";

struct PpcgKernel {
  struct Parameter {
    std::string type;  // "int", "double"
    std::string name;
    bool pointer = false;  // to an array on the device, or an array of fixed size
  };
  std::string name;  // "kernel3"
  int number = 0;    // 3: PPCG's, as in --sizes
  std::vector<Parameter> parameters;
  std::string parameters_text;  // between the parentheses
  std::string body;             // braces included
};

struct PpcgLaunch {
  std::string kernel;                  // its name
  std::vector<std::string> grid;       // C expressions, x first, at most three
  std::vector<int64_t> block;          // likewise
  std::vector<std::string> arguments;  // C expressions
};

// One node of the host's code.
struct PpcgHostNode {
  enum class Kind { kSequence, kFor, kIf, kLaunch };
  Kind kind = Kind::kSequence;
  // kFor: "int c0 = 0; c0 <= 5; c0 += 1"; kIf: the condition. Only of iterators of loops around, numbers and
  // PPCG's macros.
  std::string header;
  std::vector<PpcgHostNode> children;   // kFor, kIf: one; kSequence: any number
  std::vector<PpcgHostNode> otherwise;  // kIf: at most one
  PpcgLaunch launch;                    // kLaunch
};

struct PpcgOutput {
  std::vector<PpcgKernel> kernels;      // in the order of their text
  std::vector<std::string> directives;  // `#define ppcg_...` of the host's code, each once, PPCG's own
  PpcgHostNode host;
};

// Allocations, copies, checks and declarations of what is named in `locals` (arrays declared inside the
// region) are left out. INVALID_ARGUMENT when statements of the region are left on the host, naming the
// first; INTERNAL when the files are not as PPCG 0.09 writes them, with file and line.
absl::StatusOr<PpcgOutput> ParsePpcgOutput(absl::string_view kernels, absl::string_view host,
                                           const std::set<std::string>& locals);

// The kernels of a *_kernel.cu alone. INTERNAL as above.
absl::StatusOr<std::vector<PpcgKernel>> ParsePpcgKernels(absl::string_view kernels);

}  // namespace tune
