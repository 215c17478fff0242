#include "worker/reference/executed_statements.h"

#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

std::string Found(const std::map<std::string, int64_t>& values) {
  v1::Reference reference;
  for (const auto& [name, value] : values) {
    v1::ParameterValue* parameter = reference.add_parameters();
    parameter->set_name(name);
    parameter->set_value(value);
  }
  return SizesWithoutStatements(testing::GemmScop(), reference).value();
}

TEST(SizesWithoutStatements, AreNamed) {
  EXPECT_EQ(Found({{"ni", 0}, {"nj", 4}, {"nk", 3}}), "ni = 0, nj = 4, nk = 3");
  EXPECT_EQ(Found({{"ni", 2}, {"nj", 4}, {"nk", 0}}), "");
}

}  // namespace
}  // namespace tune
