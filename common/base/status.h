// Shorthand for absl::Status: early return and context.
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tune {

// The same code with "context: " before the message. OK stays OK.
inline absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(context, ": ", status.message()));
}

}  // namespace tune

// Returns the status of `expression` from the enclosing function unless it is OK.
#define TUNE_RETURN_IF_ERROR(expression)                                                   \
  do {                                                                                     \
    if (absl::Status tune_status_ = (expression); !tune_status_.ok()) return tune_status_; \
  } while (false)

// `TUNE_ASSIGN_OR_RETURN(auto x, F())`: x is the value of the StatusOr, or its status is returned.
#define TUNE_ASSIGN_OR_RETURN(declaration, expression) \
  TUNE_ASSIGN_OR_RETURN_(TUNE_CONCAT_(tune_status_or_, __LINE__), declaration, expression)
#define TUNE_ASSIGN_OR_RETURN_(temporary, declaration, expression) \
  auto temporary = (expression);                                   \
  if (!temporary.ok()) return std::move(temporary).status();       \
  declaration = *std::move(temporary)
#define TUNE_CONCAT_(a, b) TUNE_CONCAT_2_(a, b)
#define TUNE_CONCAT_2_(a, b) a##b
