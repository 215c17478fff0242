#include "common/transform/streaming_loads/streaming_loads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using ::testing::Contains;
using testing::Keys;
using testing::MakeKernel;
using ::testing::Not;

TEST(StreamingLoads, AreAskedOfKernelsThatReadWhatTheyDoNotWrite) {
  Kernel kernel = MakeKernel({true}, {4000});
  EXPECT_THAT(Keys(kernel), Not(Contains("k.streaming")));
  kernel.read_only_arrays = {"x"};
  EXPECT_THAT(Keys(kernel), Contains("k.streaming"));
  EXPECT_FALSE(testing::Default(kernel).Get<StreamingLoads>().on);
}

// y = A x: A passes the caches by, x stays, y is written.
struct Product {
  Product() {
    for (const auto& [name, extents] :
         std::map<std::string, std::vector<int64_t>>{{"A", {100, 200}}, {"x", {200}}, {"y", {100}}}) {
      DeviceArray array;
      array.name = array.scop_name = name;
      array.type = v1::ELEMENT_TYPE_DOUBLE;
      array.extents = extents;
      arrays.push_back(array);
    }
    lowered.name = "k";
    lowered.arrays = {{0}, {1}, {2, /*writes=*/true}};
  }

  std::vector<ArrayLoads> Apply() {
    Streaming().SetParameters({kernel, plan, together, scop, arrays, names}, &lowered);
    std::vector<ArrayLoads> loads;
    for (const KernelArray& used : lowered.arrays) loads.push_back(used.loads);
    return loads;
  }

  Kernel kernel = MakeKernel({true}, {100});
  KernelPlan plan;
  Decisions together;
  v1::Scop scop;
  std::vector<DeviceArray> arrays;
  const HelperNames names;
  DeviceKernel lowered;
};

TEST(StreamingLoads, AreThoseOfTheLargestArraysThatNothingElseWasDecidedFor) {
  using ::testing::ElementsAre;
  constexpr ArrayLoads kOther = ArrayLoads::kReadOnly;
  EXPECT_THAT(Product().Apply(), ElementsAre(kOther, kOther, kOther));
  Product on;
  on.plan.Set(StreamingLoads{true});
  EXPECT_THAT(on.Apply(), ElementsAre(ArrayLoads::kStreaming, kOther, kOther));
  Product plain;
  plain.plan.Set(StreamingLoads{true});
  plain.lowered.arrays[0].loads = ArrayLoads::kPlain;
  EXPECT_THAT(plain.Apply(), ElementsAre(ArrayLoads::kPlain, kOther, kOther));
}

TEST(StreamingLoads, AKernelThatStreamsUnaskedIsRefused) {
  Product product;
  product.lowered.arrays[0].loads = ArrayLoads::kStreaming;
  const KernelPass pass{product.kernel, product.plan,   product.together,
                        product.scop,   product.arrays, product.names};
  EXPECT_EQ(Streaming().Check(pass, product.lowered).code(), absl::StatusCode::kFailedPrecondition);
  product.plan.Set(StreamingLoads{true});
  EXPECT_EQ(Streaming().Check(pass, product.lowered), absl::OkStatus());
}

}  // namespace
}  // namespace tune
