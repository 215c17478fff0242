#include "worker/reference/executed_statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

std::string Found(const std::map<std::string, int64_t>& values, const std::string& context = "") {
  v1::Reference reference;
  for (const auto& [name, value] : values) {
    v1::ParameterValue* parameter = reference.add_parameters();
    parameter->set_name(name);
    parameter->set_value(value);
  }
  v1::Scop scop = testing::GemmScop();
  if (!context.empty()) scop.set_context(context);
  return WhyNothingIsExecuted(scop, reference).value();
}

TEST(WhyNothingIsExecuted, SizesAreNamed) {
  EXPECT_EQ(Found({{"ni", 0}, {"nj", 4}, {"nk", 3}}),
            "ni = 0, nj = 4, nk = 3; run the program with larger sizes");
  EXPECT_EQ(Found({{"ni", 2}, {"nj", 4}, {"nk", 0}}), "");
}

TEST(WhyNothingIsExecuted, ConditionsAreNamed) {
  EXPECT_THAT(Found({{"ni", 0}, {"nj", 4}, {"nk", 3}}, "[ni, nj, nk] -> { : nk = 5 }"),
              ::testing::HasSubstr("can only be tuned where nk == 5, as otherwise"));
}

}  // namespace
}  // namespace tune
