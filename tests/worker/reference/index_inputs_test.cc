#include "worker/reference/index_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using testing::Read;
using testing::ScopBuilder;

TEST(ArraysThatIndex, AreThoseOfSubscripts) {
  const v1::Scop scop =
      ScopBuilder("sums", {"n"}, "n >= 1")
          .Array("hist", {"9"})
          .Array("idx", {"n"})
          .Array("w", {"n"})
          .Array("to", {"n"})
          .Begin("i", "0 <= i < n")
          .Update(v1::ADD, {"hist", "o", "0 <= o < 9"}, {{"idx", "i"}, {"w", "o", "0 <= o < n"}, {"to", "i"}},
                  testing::UpdateOf(testing::ElementOf(1, {testing::ToInteger(Read(0))}),
                                    {testing::ToInteger(Read(2))}))
          .End()
          .Build();
  EXPECT_THAT(ArraysThatIndex(scop), ElementsAre("idx", "to"));
}

TEST(ArraysThatIndex, AreAlsoWhatTheseAreComputedFrom) {
  const v1::Scop scop = ScopBuilder("chain", {"n"}, "n >= 1")
                            .Array("x", {"n"})
                            .Array("at", {"n"})
                            .Array("y", {"n"})
                            .Array("z", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Assign({"at", "i"}, {{"x", "i"}}, Read(0))
                            .Assign({"z", "i"}, {{"at", "i"}, {"y", "o", "0 <= o < n"}},
                                    testing::ElementOf(1, {testing::ToInteger(Read(0))}))
                            .End()
                            .Build();
  EXPECT_THAT(ArraysThatIndex(scop), ElementsAre("at", "x"));
}

TEST(ArraysThatIndex, AreAlsoThoseOfConditions) {
  const v1::Expression element = testing::ElementOf(2, {testing::ToInteger(Read(1))});
  const v1::Scop scop = ScopBuilder("choice", {"n"}, "n >= 1")
                            .Array("c", {"n"})
                            .Array("at", {"n"})
                            .Array("y", {"n"})
                            .Array("z", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Assign({"z", "i"}, {{"c", "i"}, {"at", "i"}, {"y", "o", "0 <= o < n"}},
                                    testing::Operation("?:", {Read(0), element, testing::Literal("1")}))
                            .End()
                            .Build();
  EXPECT_THAT(ArraysThatIndex(scop), ElementsAre("at", "c"));
}

TEST(ArraysThatIndex, AreNoneWhereNoDataDecide) {
  const v1::Scop scop = ScopBuilder("copy", {"n"}, "n >= 1")
                            .Array("x", {"n"})
                            .Array("y", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Assign({"y", "i"}, {{"x", "i"}}, Read(0))
                            .End()
                            .Build();
  EXPECT_THAT(ArraysThatIndex(scop), ElementsAre());
}

}  // namespace
}  // namespace tune
