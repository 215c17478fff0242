// Arguments of kernels, and checks of outputs, as lines of the short form.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// What stands in help texts.
inline constexpr char kArgumentForm[] = "NAME:TYPE[COUNT]:...";

// `in:float[n*n]:random`, `width:int:4096`: colons between name, type with the count of elements (none: a
// scalar), and any of
//   VALUE or value=EXPRESSION, random or random=LOW..HIGH, seed=NUMBER, generator=EXPRESSION (of `i`),
//   file=PATH, hdf5=PATH, dataset=NAME; in, out, inout; symbol, texture, local; copy-to=SYMBOL; bytes=NUMBER
//   (of a custom type); extents=EXPRESSION,..., linear, normalized, address=clamp|border|wrap|mirror.
// INVALID_ARGUMENT with the part that cannot be read.
absl::StatusOr<v1::KernelArgument> ReadArgument(absl::string_view text);
std::string WriteArgument(const v1::KernelArgument& argument);

// `out`, `out:each=0.1:generator=2*i+3`: colons between the output's name, the method (norm, sum, each,
// relative, none) with its threshold, and what is expected, as above.
absl::StatusOr<v1::OutputCheck> ReadOutputCheck(absl::string_view text);
std::string WriteOutputCheck(const v1::OutputCheck& check);

}  // namespace tune
