// Messages of protocol buffers as text, quietly.
#pragma once

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <string>

#include "absl/strings/string_view.h"

namespace tune::testing {

// Whether `text` is such a message.
template <typename Message>
bool ReadText(absl::string_view text, Message* message) {
  class Silent : public google::protobuf::io::ErrorCollector {
    void AddError(int, int, const std::string&) override {}
  } silent;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&silent);
  parser.SetRecursionLimit(100);
  return parser.ParseFromString(std::string(text), message);
}

inline std::string WriteText(const google::protobuf::Message& message) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  return text;
}

}  // namespace tune::testing
