#include "common/scop/parameter_product.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

v1::Scop ScopWithProduct() {
  v1::Scop scop;
  for (const char* name : {"n", "m", "p"}) scop.add_parameters()->set_name(name);
  for (const char* factor : {"n", "m", "n"}) scop.mutable_parameters(2)->add_factors(factor);
  return scop;
}

TEST(ParameterProduct, HasTheValueOfItsFactors) {
  std::map<std::string, int64_t> values = {{"n", -3}, {"m", 5}};
  ASSERT_TRUE(AddProducts(ScopWithProduct(), &values).ok());
  EXPECT_EQ(values.at("p"), 45);
}

TEST(ParameterProduct, HasNoneWithoutThem) {
  std::map<std::string, int64_t> values = {{"n", 3}};
  ASSERT_TRUE(AddProducts(ScopWithProduct(), &values).ok());
  EXPECT_EQ(values.count("p"), 0);
}

TEST(ParameterProduct, DoesNotWrapAround) {
  std::map<std::string, int64_t> values = {{"n", int64_t{1} << 31}, {"m", 2}};
  EXPECT_EQ(AddProducts(ScopWithProduct(), &values).code(), absl::StatusCode::kInvalidArgument);
}

TEST(ParameterProduct, IsAnExpressionOfTheProgram) {
  const v1::Scop scop = ScopWithProduct();
  EXPECT_EQ(ParameterText(scop.parameters(0)), "n");
  EXPECT_EQ(ParameterText(scop.parameters(2)), "((long long)(n) * (m) * (n))");
}

}  // namespace
}  // namespace tune
