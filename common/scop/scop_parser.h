// The parts of ParseScop: each checks one piece of the proto and turns its texts into isl objects.
#pragma once

#include <map>
#include <string>

#include "common/scop/scop.h"

namespace tune {

// Reads pieces of one scop. Errors are INVALID_ARGUMENT that name the statement and the field. All functions
// throw isl::exception when a limit is reached: call them inside IslContext::Run.
class ScopParser {
 public:
  // `scop` must outlive the parser, and its texts be in their notations (CheckScopTexts).
  ScopParser(IslContext& context, const v1::Scop& scop);

  absl::Status CheckParameters() const;
  // What becomes text of C beside names and values: the function's name, meanings.
  absl::Status CheckTexts() const;
  absl::Status CheckArrays() const;
  absl::StatusOr<isl::set> Context() const;
  absl::StatusOr<ParsedStatement> Statement(int index, const isl::set& context) const;
  absl::StatusOr<isl::schedule> Schedule() const;

 private:
  // Object of type T from `text`, with the parameters in the scop's order.
  template <typename T>
  absl::StatusOr<T> Parse(const std::string& text, const std::string& where) const;
  absl::Status CheckParametersOf(const isl::space& space, const std::string& where) const;
  absl::StatusOr<ParsedAccess> Access(const ParsedStatement& statement, int index, bool of_data) const;
  absl::Status CheckTarget(const ParsedStatement& statement) const;

  isl::ctx ctx_;
  const v1::Scop& scop_;
  isl::space parameters_;  // the scop's, in order
  std::map<std::string, const v1::Array*> arrays_;
};

}  // namespace tune
