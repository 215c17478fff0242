// The reference of a definition as a line of the short form.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// `default`, `kernel NAME:block=16,16:grid=...:file=plain.cu` (also threads, shared, takes, template),
// `function NAME:file=plain.c:takes=in,out`. Checks stay as they are. INVALID_ARGUMENT with the part that
// cannot be read.
absl::Status ReadReference(absl::string_view text, v1::KernelReference* reference);
// Empty where the reference is unset.
std::string WriteReference(const v1::KernelReference& reference);

// Fields of a kernel by the words of the short form: template, block, grid, threads, shared, takes. False for
// another word.
bool SetKernelField(absl::string_view word, absl::string_view text, v1::KernelFunction* kernel);

// The words of what is set, with their texts, in that order.
std::vector<std::pair<std::string, std::string>> KernelFields(const v1::KernelFunction& kernel);

}  // namespace tune
