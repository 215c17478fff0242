#include "worker/generate/assumed_reference.h"

#include <gmock/gmock.h>

#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// gemm's C[ni][nj], A[ni][nk], B[nk][nj].
v1::Scop Gemm() { return testing::GemmScop(); }
const std::map<std::string, int64_t> kSizes = {{"ni", 20}, {"nj", 30}, {"nk", 40}};

v1::Array& ArrayOf(v1::Scop& scop, const std::string& name) {
  for (v1::Array& array : *scop.mutable_arrays()) {
    if (array.name() == name) return array;
  }
  std::abort();
}

std::vector<int64_t> ExtentsOf(const v1::Reference& reference, const std::string& name) {
  for (const v1::ArrayExtents& array : reference.arrays()) {
    if (array.name() == name) return {array.extents().begin(), array.extents().end()};
  }
  return {};
}

TEST(AssumedReferenceTest, ExtentsAreThoseOfTheText) {
  v1::Scop scop = Gemm();
  ArrayOf(scop, "C").mutable_extents(0)->set_c_expression("ni + 1");
  ArrayOf(scop, "C").mutable_extents(1)->set_c_expression("2 * (nj)");
  std::vector<std::string> notes;
  const auto reference = AssumeReference(scop, kSizes, &notes);
  ASSERT_TRUE(reference.ok()) << reference.status();
  EXPECT_THAT(ExtentsOf(*reference, "C"), ElementsAre(21, 60));
  EXPECT_THAT(ExtentsOf(*reference, "A"), ElementsAre(20, 40));
  EXPECT_EQ(reference->parameters_size(), 3);
  EXPECT_THAT(notes, IsEmpty());
}

TEST(AssumedReferenceTest, WhatHasNoValueIsWhatTheRegionUses) {
  v1::Scop scop = Gemm();
  ArrayOf(scop, "C").mutable_extents(1)->set_c_expression("pitch");
  std::vector<std::string> notes;
  const auto reference = AssumeReference(scop, kSizes, &notes);
  ASSERT_TRUE(reference.ok()) << reference.status();
  EXPECT_THAT(ExtentsOf(*reference, "C"), ElementsAre(20, 30));
  EXPECT_THAT(notes, ElementsAre(AllOf(HasSubstr("`pitch`"), HasSubstr("--parameter pitch=N"))));
  notes.clear();
  std::map<std::string, int64_t> more = kSizes;
  more["pitch"] = 64;
  EXPECT_TRUE(CheckValues({&scop}, more).ok());
  EXPECT_THAT(ExtentsOf(AssumeReference(scop, more, &notes).value(), "C"), ElementsAre(20, 64));
  EXPECT_THAT(notes, IsEmpty());
}

// Conditions in values may keep accesses from elements that relations name.
TEST(AssumedReferenceTest, AccessesMayReachLessThanTheyName) {
  v1::Scop scop = Gemm();
  ArrayOf(scop, "C").mutable_extents(0)->clear_c_expression();
  ArrayOf(scop, "C").mutable_extents(0)->set_accessed("[ni] -> { [(ni - 1)] }");
  std::vector<std::string> notes;
  const auto reference = AssumeReference(scop, kSizes, &notes);
  ASSERT_TRUE(reference.ok()) << reference.status();
  EXPECT_THAT(ExtentsOf(*reference, "C"), ElementsAre(19, 30));
}

TEST(AssumedReferenceTest, ValuesAreThoseOfTheTypes) {
  const v1::Scop scop = Gemm();
  std::map<std::string, int64_t> values = kSizes;
  values["ni"] = 3000000000;
  EXPECT_THAT(std::string(CheckValues({&scop}, values).message()),
              HasSubstr("--parameter ni=3000000000: the variable is of type int"));
}

TEST(AssumedReferenceTest, MissingAndForeignValuesAreNamed) {
  const v1::Scop scop = Gemm();
  const absl::Status missing = CheckValues({&scop}, {{"nj", 5}});
  EXPECT_TRUE(absl::IsInvalidArgument(missing));
  EXPECT_THAT(std::string(missing.message()), HasSubstr("--parameter ni=1000 --parameter nk=1000"));
  std::map<std::string, int64_t> more = kSizes;
  more["typo"] = 1;
  EXPECT_THAT(std::string(CheckValues({&scop}, more).message()),
              AllOf(HasSubstr("--parameter typo=1"), HasSubstr("ni, nj, nk")));
  EXPECT_TRUE(CheckValues({&scop}, kSizes).ok());
}

TEST(AssumedReferenceTest, OnlyValuesOfAContextAreTaken) {
  v1::Scop scop = Gemm();
  scop.set_context("[ni, nj, nk] -> { : ni = 13 and nk > 4 }");
  const std::map<std::string, int64_t> rest = {{"nj", 6}, {"nk", 7}};
  EXPECT_TRUE(CheckValues({&scop}, rest).ok());
  std::vector<std::string> notes;
  const auto reference = AssumeReference(scop, rest, &notes);
  ASSERT_TRUE(reference.ok()) << reference.status();
  EXPECT_EQ(reference->parameters(0).name(), "ni");
  EXPECT_EQ(reference->parameters(0).value(), 13);
  EXPECT_THAT(std::string(CheckValues({&scop}, {{"nj", 6}}).message()), HasSubstr("the value of nk is"));
}

TEST(AssumedReferenceTest, ValuesMustBePossible) {
  v1::Scop scop = Gemm();
  scop.set_context("[ni, nj, nk] -> { : ni >= 1 }");
  std::map<std::string, int64_t> values = kSizes;
  values["ni"] = -1;
  EXPECT_THAT(std::string(CheckValues({&scop}, values).message()), HasSubstr("ni = -1"));
}

}  // namespace
}  // namespace tune
