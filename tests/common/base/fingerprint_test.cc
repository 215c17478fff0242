#include "common/base/fingerprint.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(FingerprintTest, IsTheStartOfSha256) {
  EXPECT_EQ(Fingerprint("abc"), "ba7816bf8f01cfea414140de5dae2223");
  EXPECT_EQ(Fingerprint(""), "e3b0c44298fc1c149afbf4c8996fb924");
}

TEST(FingerprintTest, PiecesEqualTheWhole) {
  Fingerprinter fingerprinter;
  fingerprinter.Add("a");
  fingerprinter.Add("");
  fingerprinter.Add("bc");
  EXPECT_EQ(fingerprinter.Finish(), Fingerprint("abc"));
}

}  // namespace
}  // namespace tune
