// Errors as values: a code of tune.h and a sentence.
#pragma once

#include <string>
#include <utility>

#include "libtune/include/tune.h"

namespace libtune {

class Status {
 public:
  Status() = default;
  Status(tune_status code, std::string text) : code_(code), text_(std::move(text)) {}

  bool ok() const { return code_ == TUNE_OK; }
  tune_status code() const { return code_; }
  // What happened, where, and what to do next; empty when ok.
  const std::string& text() const { return text_; }

 private:
  tune_status code_ = TUNE_OK;
  std::string text_;
};

inline Status Invalid(std::string text) { return {TUNE_INVALID_ARGUMENT, std::move(text)}; }
inline Status WrongState(std::string text) { return {TUNE_WRONG_STATE, std::move(text)}; }

}  // namespace libtune
