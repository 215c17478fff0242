#include "common/base/secret.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <cstdio>
#include <cstdlib>

#include "absl/strings/escaping.h"

namespace tune {
namespace {

constexpr int kSecretBytes = 32;

std::string Hex(const unsigned char* bytes, size_t size) {
  return absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(bytes), size));
}

}  // namespace

std::string MakeSecret() {
  unsigned char bytes[kSecretBytes];
  if (RAND_bytes(bytes, kSecretBytes) != 1) {
    std::fputs("the system's source of randomness fails: no secret can be made\n", stderr);
    std::abort();
  }
  return Hex(bytes, kSecretBytes);
}

std::string Digest(absl::string_view text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr);
  return Hex(digest, size);
}

std::string Seal(absl::string_view key, absl::string_view text) {
  unsigned char seal[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), seal, &size);
  return Hex(seal, size);
}

bool SameSecret(absl::string_view a, absl::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tune
