// What the functions of a CUDA text mention, found without compiling it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tune::simt {

// Functions and macros by their names, without namespaces; those of one name are taken for one. Nothing is
// understood but tokens and brackets: a name that occurs in a function is mentioned by it. Tables of
// functions are not followed.
class TextFunctions {
 public:
  explicit TextFunctions(absl::string_view text);

  bool Has(const std::string& function) const { return functions_.count(function) > 0; }

  // The function's name and all names that it mentions, or that what it mentions does, and so on: what it may
  // call or use. Empty when the text does not tell: no such function, or a macro makes names with `##`.
  std::optional<std::set<std::string>> Mentioned(const std::string& function) const;

  // For each parameter whether it is `const T *__restrict__ name`, whose memory nobody changes. Empty when
  // there is no such function.
  std::vector<bool> ConstantParameters(const std::string& function) const;

 private:
  struct Function {
    std::set<std::string> mentioned;
    std::vector<bool> constant_parameters;
  };
  using Tokens = std::vector<absl::string_view>;

  void ReadDirective(absl::string_view line);
  void ReadFunctions(const Tokens& tokens);

  std::map<std::string, Function> functions_;
  bool makes_names_ = false;
};

}  // namespace tune::simt
