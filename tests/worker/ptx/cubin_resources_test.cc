#include "worker/ptx/cubin_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/worker/ptx/golden_kernels.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// What `ptxas -v` says of kernels/resources.cu.
TEST(CubinResourcesTest, AreThoseOfTheCompiler) {
  const auto resources = ReadCubinResources(testing::GoldenText("resources.cubin"));
  ASSERT_TRUE(resources.ok()) << resources.status();
  ASSERT_EQ(resources->size(), 2);
  EXPECT_EQ(resources->at("small").registers, 10);
  EXPECT_EQ(resources->at("small").stack_bytes, 0);
  EXPECT_EQ(resources->at("with_stack").registers, 12);
  EXPECT_EQ(resources->at("with_stack").stack_bytes, 256);
}

TEST(CubinResourcesTest, OtherBytesAreRefused) {
  EXPECT_THAT(ReadCubinResources("").status().message(), HasSubstr("no program for a GPU"));
  EXPECT_THAT(ReadCubinResources(testing::GoldenText("loops.ptx")).status().message(),
              HasSubstr("no program for a GPU"));
}

TEST(CubinResourcesTest, BrokenBytesAreReadOrRefused) {
  const std::string good = testing::GoldenText("resources.cubin");
  size_t most_refused = 0;
  for (size_t size = 0; size < good.size(); size += 37) {
    if (!ReadCubinResources(absl::string_view(good).substr(0, size)).ok()) most_refused = size;
  }
  EXPECT_GT(most_refused, good.size() / 2) << "the table of sections is near the end";
  std::mt19937 random(5);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    for (int i = 0; i < 8; ++i) bad[random() % bad.size()] = static_cast<char>(random());
    bad[random() % 64] = static_cast<char>(random());  // of the header
    refused += !ReadCubinResources(bad).ok();
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 3000);
}

}  // namespace
}  // namespace tune
