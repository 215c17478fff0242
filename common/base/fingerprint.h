// Identity of content.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tune {

// 128 bits of SHA-256 as 32 hexadecimal digits: equal for equal text, on every machine and version.
std::string Fingerprint(absl::string_view text);

// The first 64 bits of a fingerprint; 0 when it is none.
uint64_t FirstBits(absl::string_view fingerprint);

// For data that comes in pieces: Add every piece, then Finish once.
class Fingerprinter {
 public:
  Fingerprinter();
  ~Fingerprinter();
  Fingerprinter(const Fingerprinter&) = delete;
  Fingerprinter& operator=(const Fingerprinter&) = delete;
  void Add(absl::string_view piece);
  std::string Finish();

 private:
  void* context_;  // EVP_MD_CTX, owned
};

}  // namespace tune
