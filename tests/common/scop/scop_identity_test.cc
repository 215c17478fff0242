// Which scops are one computation, which one but for their sizes.
#include "common/scop/scop_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/scop/scop.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

// for (i = 0; i < n; i++) for (j = 1; j < n - 1; j++) y[i] += a[i][n - 1 - j]
v1::Scop Mirrored(int64_t n, const std::string& y, int64_t lowest = 1) {
  const std::string size = absl::StrCat(n);
  return testing::ScopBuilder("mirrored", {}, "1 = 1")
      .Array(y, {size})
      .Array("a", {size, size})
      .Begin("i", "0 <= i < " + size)
      .Begin("j", absl::StrCat(lowest, " <= j < ", size, " - 1"))
      .Update(v1::ADD, {y, "i"}, {{"a", "i, " + size + " - 1 - j"}}, testing::Read(0))
      .End()
      .End()
      .Build();
}

TEST(ScopIdentityTest, FingerprintIsTheScops) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    EXPECT_EQ(IdentifyScop(sample.make()).fingerprint, ScopFingerprint(sample.make())) << sample.name;
  }
}

TEST(ScopIdentityTest, SizesAreNoPartOfTheShape) {
  const ScopIdentity small = IdentifyScop(Mirrored(100, "y"));
  const ScopIdentity large = IdentifyScop(Mirrored(4000, "z"));
  EXPECT_NE(small.fingerprint, large.fingerprint);
  EXPECT_EQ(small.shape, large.shape);
  ASSERT_EQ(small.sizes.size(), large.sizes.size());
  ASSERT_FALSE(small.sizes.empty());
  for (size_t i = 0; i < small.sizes.size(); ++i) {
    EXPECT_EQ(large.sizes[i] - small.sizes[i], 3900) << i;  // n, n - 1, n - 2
  }
}

TEST(ScopIdentityTest, SmallConstantsArePartOfTheShape) {
  EXPECT_NE(IdentifyScop(Mirrored(100, "y", 1)).shape, IdentifyScop(Mirrored(100, "y", 2)).shape);
}

TEST(ScopIdentityTest, ShapesOfDifferentComputationsDiffer) {
  std::map<std::string, std::string> seen;
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    const std::string shape = IdentifyScop(sample.make()).shape;
    EXPECT_TRUE(seen.emplace(shape, sample.name).second) << sample.name << " = " << seen[shape];
  }
}

TEST(ScopIdentityTest, WhatDoesNotParseHasItsOwnShape) {
  v1::Scop broken = Mirrored(100, "y");
  broken.set_context("nonsense");
  EXPECT_FALSE(NormalisedScop(broken).ok());
  const ScopIdentity identity = IdentifyScop(broken);
  EXPECT_EQ(identity.shape, identity.fingerprint);
  EXPECT_TRUE(identity.sizes.empty());
  EXPECT_NE(identity.shape, IdentifyScop(Mirrored(100, "y")).shape);
}

}  // namespace
}  // namespace tune
