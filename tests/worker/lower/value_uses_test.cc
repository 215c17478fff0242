#include "worker/lower/value_uses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Read;
using testing::ScopBuilder;

ValueUses UsesIn(const v1::Scop& proto) {
  IslContext context;
  const auto scop = ParseScop(context, proto).value();
  return FindValueUses(context, *scop, ComputeDependences(context, *scop).value()).value();
}

// t[i] = x[i], y[i] = t[i]; then t[i] = y[i] from `first` on, z[i] = t[i].
v1::Scop WrittenTwice(const std::string& first) {
  return ScopBuilder("twice", {"n"}, "n >= 4")
      .Array("x", {"n"})
      .Array("y", {"n"})
      .Array("z", {"n"})
      .Array("t", {"n"})
      .Begin("i", "0 <= i < n")
      .Assign({"t", "i"}, {{"x", "i"}}, Read(0))
      .Assign({"y", "i"}, {{"t", "i"}}, Read(0))
      .End()
      .Begin("i", first + " <= i < n")
      .Assign({"t", "i"}, {{"y", "i"}}, Read(0))
      .End()
      .Begin("i", "0 <= i < n")
      .Assign({"z", "i"}, {{"t", "i"}}, Read(0))
      .End()
      .Build();
}

TEST(ValueUses, OfElementsThatAreWrittenAgain) {
  const ValueUses uses = UsesIn(WrittenTwice("0"));
  EXPECT_THAT(uses.at("S0").readers, ElementsAre("S1"));
  EXPECT_FALSE(uses.at("S0").outlives);
  EXPECT_THAT(uses.at("S1").readers, ElementsAre("S2"));
  EXPECT_TRUE(uses.at("S1").outlives);
  EXPECT_THAT(uses.at("S2").readers, ElementsAre("S3"));
  EXPECT_TRUE(uses.at("S2").outlives);
  EXPECT_THAT(uses.at("S3").readers, IsEmpty());
}

// The first one is not.
TEST(ValueUses, OfElementsOfWhichSomeAreWrittenAgain) {
  const ValueUses uses = UsesIn(WrittenTwice("1"));
  EXPECT_THAT(uses.at("S0").readers, ElementsAre("S1", "S3"));
  EXPECT_TRUE(uses.at("S0").outlives);
}

}  // namespace
}  // namespace tune
