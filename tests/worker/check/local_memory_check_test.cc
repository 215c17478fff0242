#include "worker/check/local_memory_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/functions.h"
#include "tests/worker/check/sample_mapping.h"

namespace tune {
namespace {

using ::testing::AllOf;
using testing::Changed;
using testing::CopyOf;
using testing::Drop;
using ::testing::HasSubstr;
using testing::IsFilterWith;
using testing::MakeGemm;

// place + 1 along the first dimension
isl::pw_multi_aff Shifted(const isl::pw_multi_aff& place) {
  const isl::pw_aff first = place.at(0);
  const isl::pw_aff one = ConstantOn(first.domain(), isl::val::one(first.ctx()));
  return isl::multi_pw_aff(place).set_at(0, first.add(one)).as_map().as_pw_multi_aff();
}

TEST(LocalMemoryCheck, FindsATileThatIsFilledFromElsewhere) {
  const auto mapping = MakeGemm();
  isl::pw_multi_aff& offset = CopyOf(*mapping, CopyStatement::Kind::kFillShared).places[0];
  offset = Shifted(offset);
  EXPECT_THAT(
      mapping->Failure(),
      AllOf(HasSubstr("reference 1 of S1 to A through A_shared0 reads another element"), HasSubstr("S1[")));
}

TEST(LocalMemoryCheck, FindsATileThatIsNotFilled) {
  const auto mapping = MakeGemm();
  Drop(*mapping, CopyOf(*mapping, CopyStatement::Kind::kFillShared));
  EXPECT_THAT(mapping->Failure(), HasSubstr("through A_shared0 is never filled before"));
}

TEST(LocalMemoryCheck, FindsAnIndexOutsideOfItsTile) {
  const auto mapping = MakeGemm();
  --mapping->kernel().memory.tiles.at(0).extents[1];
  EXPECT_THAT(mapping->Failure(),
              HasSubstr("reference 1 of S1 to A through A_shared0 has an index outside of the tile"));
}

TEST(LocalMemoryCheck, FindsABarrierThatSomeThreadsMiss) {
  const auto mapping = MakeGemm();
  const std::string name = CopyOf(*mapping, CopyStatement::Kind::kFillShared).name;
  mapping->kernel().thread = Changed(mapping->kernel().thread, [&](const isl::schedule_node& node) {
    if (!IsFilterWith(node, name + "[")) return node;
    const isl::union_set some(node.ctx(), absl::StrCat("[tune_t1] -> { ", name, "[p] : tune_t1 < 5 }"));
    return node.child(0).insert_filter(some).parent();
  });
  EXPECT_THAT(mapping->Failure(), HasSubstr("not all threads of a block reach the barrier of " + name));
}

TEST(LocalMemoryCheck, FindsARegisterThatIsNotStored) {
  const auto mapping = MakeGemm();
  Drop(*mapping, CopyOf(*mapping, CopyStatement::Kind::kStore));
  EXPECT_THAT(mapping->Failure(), HasSubstr("to C through C_registers is never stored after"));
}

TEST(LocalMemoryCheck, FindsARegisterThatIsStoredElsewhere) {
  const auto mapping = MakeGemm();
  isl::pw_multi_aff& element = CopyOf(*mapping, CopyStatement::Kind::kStore).places[0];
  element = Shifted(element);
  EXPECT_THAT(mapping->Failure(), AllOf(HasSubstr("to C through C_registers is not stored after"),
                                        HasSubstr("-> [C_registers[")));
}

TEST(LocalMemoryCheck, FindsARegisterThatIsLoadedFromElsewhere) {
  const auto mapping = MakeGemm();
  isl::pw_multi_aff& element = CopyOf(*mapping, CopyStatement::Kind::kLoad).places[0];
  element = Shifted(element);
  EXPECT_THAT(mapping->Failure(), HasSubstr("to C through C_registers is not loaded before"));
}

TEST(LocalMemoryCheck, FindsAReferenceThatMeetsARegistersElement) {
  const auto mapping = MakeGemm();
  ASSERT_EQ(mapping->kernel().memory.references.erase({"S0", 1}), 1);
  EXPECT_THAT(mapping->Failure(),
              HasSubstr("reference 1 of S0 to C meets an element that C_registers holds: [S0["));
}

}  // namespace
}  // namespace tune
