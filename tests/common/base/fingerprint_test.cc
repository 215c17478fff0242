#include "common/base/fingerprint.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(FingerprintTest, IsTheStartOfSha256) {
  EXPECT_EQ(Fingerprint("abc"), "ba7816bf8f01cfea414140de5dae2223");
  EXPECT_EQ(Fingerprint(""), "e3b0c44298fc1c149afbf4c8996fb924");
}

TEST(FingerprintTest, FirstBitsAreItsFirstDigits) {
  EXPECT_EQ(FirstBits(Fingerprint("abc")), 0xba7816bf8f01cfeaU);
  EXPECT_EQ(FirstBits(""), 0u);
  EXPECT_EQ(FirstBits("no fingerprint, but text"), 0u);
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
