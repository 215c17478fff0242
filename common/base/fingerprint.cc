#include "common/base/fingerprint.h"

#include <openssl/evp.h>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"

namespace tune {

Fingerprinter::Fingerprinter() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context_), EVP_sha256(), nullptr);
}

Fingerprinter::~Fingerprinter() { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context_)); }

void Fingerprinter::Add(absl::string_view piece) {
  EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_), piece.data(), piece.size());
}

std::string Fingerprinter::Finish() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_), digest, nullptr);
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<char*>(digest), 16));
}

std::string Fingerprint(absl::string_view text) {
  Fingerprinter fingerprinter;
  fingerprinter.Add(text);
  return fingerprinter.Finish();
}

uint64_t FirstBits(absl::string_view fingerprint) {
  uint64_t bits = 0;
  return absl::SimpleHexAtoi(fingerprint.substr(0, 16), &bits) ? bits : 0;
}

}  // namespace tune
