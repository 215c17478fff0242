#include "common/dependence/update_order.h"

#include <gtest/gtest.h>

#include "tests/common/testing/scop_builder.h"

namespace tune {
namespace {

using testing::Read;
using testing::ScopBuilder;

// "S0S1 " for each two that commute.
std::string Commuting(const v1::Scop& proto) {
  IslContext context;
  const auto scop = ParseScop(context, proto).value();
  std::string names;
  for (const ParsedStatement& a : scop->statements) {
    for (const ParsedStatement& b : scop->statements)
      if (Commute(*scop, a, b)) absl::StrAppend(&names, a.name, b.name, " ");
  }
  return names;
}

ScopBuilder Sums(v1::UpdateOperator second, const std::string& target) {
  return std::move(ScopBuilder("sums", {"n"}, "n >= 1")
                       .Array("s", {"n"})
                       .Array("t", {"n"})
                       .Array("A", {"n", "n"})
                       .Begin("i", "0 <= i < n")
                       .Begin("j", "0 <= j < n")
                       .Update(v1::ADD, {"s", "i"}, {{"A", "i, j"}}, Read(0))
                       .Update(second, {target, "j"}, {{"A", "i, j"}}, Read(0))
                       .End()
                       .End());
}

TEST(UpdateOrder, UpdatesOfOneArrayByOneOperatorCommute) {
  EXPECT_EQ(Commuting(Sums(v1::ADD, "s").Build()), "S0S0 S0S1 S1S0 S1S1 ");
  EXPECT_EQ(Commuting(Sums(v1::MULTIPLY, "s").Build()), "S0S0 S1S1 ");
  EXPECT_EQ(Commuting(Sums(v1::ADD, "t").Build()), "S0S0 S1S1 ");
}

TEST(UpdateOrder, PairsMeetInOneElement) {
  IslContext context;
  const auto scop = ParseScop(context, Sums(v1::ADD, "s").Build()).value();
  const isl::union_map expected(context.ctx(),
                                "[n] -> { S0[i, j] -> S0[i, k] : 0 <= i, j, k < n; S1[i, j] -> S1[k, j] : 0 "
                                "<= i, j, k < n; S0[i, j] -> S1[k, i] : 0 <= i, j, k < n; S1[i, j] -> S0[j, "
                                "k] : 0 <= i, j, k < n }");
  const isl::union_map pairs = CommutingUpdates(context, *scop).intersect_params(scop->context);
  EXPECT_TRUE(pairs.is_equal(expected.intersect_params(scop->context))) << IslText(pairs);
}

TEST(UpdateOrder, BytesAreNotExchanged) {
  v1::Scop proto = Sums(v1::ADD, "s").Build();
  for (v1::Array& array : *proto.mutable_arrays()) array.set_element_type(v1::ELEMENT_TYPE_CHAR);
  EXPECT_EQ(Commuting(proto), "");
}

}  // namespace
}  // namespace tune
