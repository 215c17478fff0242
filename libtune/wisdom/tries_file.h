// What searches try, one line each, for who watches them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libtune/base/status.h"
#include "libtune/wisdom/wisdom.h"

namespace libtune {

enum class TryKind {
  kTry,      // this configuration took so many seconds
  kSettled,  // the search has ended with this one
};

struct Try {
  TryKind kind = TryKind::kTry;
  WisdomKey key;
  WisdomEntry entry;
};

//   try     <tab> 1 <tab> what an entry of a wisdom file has behind its first field (wisdom_text.h)
//   settled <tab> 1 <tab> ...
std::string TryLine(const Try& tried);

// Of a line without its end. Nothing where it is of another version, or no such line.
std::optional<Try> ParseTryLine(std::string_view line);

// Lines are added by one write each, so that several processes can do so. May be used by several threads.
class TriesFile {
 public:
  explicit TriesFile(std::string path) : path_(std::move(path)) {}

  // IO when it cannot be written.
  Status Add(const Try& tried) const;

 private:
  const std::string path_;
};

}  // namespace libtune
