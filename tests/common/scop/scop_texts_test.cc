#include "common/scop/scop_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/scop/scop.h"
#include "common/scop/scop_identity.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

TEST(ScopTexts, TakesScopsOfPeople) {
  for (const testing::SampleScop& sample : testing::SampleScops())
    EXPECT_EQ(CheckScopTexts(sample.make()), absl::OkStatus()) << sample.name;
  for (uint64_t seed = 0; seed < 100; ++seed)
    EXPECT_EQ(CheckScopTexts(testing::MakeRandomScop(seed)), absl::OkStatus()) << seed;
}

TEST(ScopTexts, TakesAContextWithFacts) {
  const v1::Scop scop = WithParameterFacts(testing::GemmScop(), {{"ni", 100}, {"nj", 1}, {"nk", -3}});
  EXPECT_EQ(CheckScopTexts(scop), absl::OkStatus()) << scop.context();
}

TEST(ScopTexts, TheLineOfAStatementIsNamed) {
  v1::Scop scop = testing::GemmScop();
  scop.mutable_statements(1)->set_line(37);
  scop.mutable_statements(1)->set_domain("{ S1[i] : i ^ 2 }");
  EXPECT_THAT(CheckScopTexts(scop).message(), HasSubstr("line 37, statement S1, domain"));
}

TEST(ScopTexts, EveryTextIsChecked) {
  constexpr char kForeign[] = "[n] -> { S0[i] : i ^ 2 }";
  const auto expect_refused = [&](const std::string& field, void (*damage)(v1::Scop&, const char*)) {
    v1::Scop scop = testing::GemmScop();
    damage(scop, kForeign);
    EXPECT_THAT(CheckScopTexts(scop).message(), HasSubstr(field));
    // Those who give the texts to isl ask first.
    EXPECT_THAT(NormalisedScop(scop).status().message(), HasSubstr(field));
    IslContext context;
    EXPECT_THAT(ParseScop(context, scop).status().message(), HasSubstr(field));
  };
  expect_refused("scop, context: not in isl's notation: byte ",
                 [](v1::Scop& s, const char* text) { s.set_context(text); });
  expect_refused("statement S0, domain",
                 [](v1::Scop& s, const char* text) { s.mutable_statements(0)->set_domain(text); });
  expect_refused("statement S1, access 2", [](v1::Scop& s, const char* text) {
    s.mutable_statements(1)->mutable_accesses(2)->set_relation(text);
  });
  expect_refused("statement S0, value", [](v1::Scop& s, const char* text) {
    v1::Expression affine;
    affine.set_affine(text);
    *s.mutable_statements(0)->mutable_value() = testing::Add(testing::Call("sqrt", {affine}), affine);
  });
  expect_refused("array \"A\", extent 1", [](v1::Scop& s, const char* text) {
    for (v1::Array& array : *s.mutable_arrays()) {
      if (array.name() == "A") array.mutable_extents(1)->set_accessed(text);
    }
  });
  expect_refused("schedule", [](v1::Scop& s, const char* text) {
    s.set_schedule(absl::StrCat("{ domain: \"", text, "\" }"));
  });
}

TEST(ScopTexts, NumbersOfPartsAreBounded) {
  v1::Scop scop = testing::GemmScop();
  while (scop.statements_size() <= 1000) *scop.add_statements() = scop.statements(0);
  EXPECT_THAT(CheckScopTexts(scop).message(), HasSubstr("statements: more than 1000"));
  scop = testing::GemmScop();
  while (scop.statements(0).accesses_size() <= 10'000)
    *scop.mutable_statements(0)->add_accesses() = scop.statements(0).accesses(0);
  EXPECT_THAT(CheckScopTexts(scop).message(), HasSubstr("more than 10000 accesses"));
  scop = testing::GemmScop();
  while (scop.arrays_size() <= 1000) *scop.add_arrays() = scop.arrays(0);
  EXPECT_THAT(CheckScopTexts(scop).message(), HasSubstr("arrays: more than 1000"));
  scop = testing::GemmScop();
  while (scop.parameters_size() <= 64) *scop.add_parameters() = scop.parameters(0);
  EXPECT_THAT(CheckScopTexts(scop).message(), HasSubstr("parameters: more than 64"));
  scop = testing::GemmScop();
  const std::string long_domain = absl::StrCat("{ S0[i, j] }", std::string(60'000, ' '));
  for (int i = 0; i < 100; ++i) {
    *scop.add_statements() = scop.statements(0);
    scop.mutable_statements(scop.statements_size() - 1)->set_domain(long_domain);
  }
  EXPECT_THAT(CheckScopTexts(scop).message(), HasSubstr("longer than 4194304 bytes"));
}

}  // namespace
}  // namespace tune
