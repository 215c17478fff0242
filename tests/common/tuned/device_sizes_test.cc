#include "common/tuned/device_sizes.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Scop Region(const std::string& size) {
  v1::Scop scop;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        name: "f"
        parameters { name: "n" c_type: "int" }
        arrays {
          name: "STAGE"
          element_type: ELEMENT_TYPE_DOUBLE
          extents { c_expression: "n" }
        })pb",
      &scop));
  if (!size.empty()) {
    v1::Meaning* meaning = scop.add_meanings();
    meaning->set_text("N");
    meaning->set_kind(v1::Meaning::EXPANSION);
    meaning->set_value(size);
  }
  return scop;
}

v1::Reference At(int64_t n) {
  v1::Reference reference;
  reference.add_parameters()->set_name("n");
  reference.mutable_parameters(0)->set_value(n);
  return reference;
}

TEST(RegionSize, NamesWhatDiffers) {
  const v1::Scop a = Region("10"), b = Region("20");
  const v1::Reference small = At(5), large = At(7), negative = At(-7);
  EXPECT_EQ(FindSizes({{&a, &small}})[0].text, "n = 5, N = 10");
  auto sizes = FindSizes({{&a, &small}, {&a, &large}});
  EXPECT_EQ(sizes[0].text, "n = 5");
  EXPECT_EQ(sizes[1].tag, "n7");
  sizes = FindSizes({{&a, &small}, {&b, &large}});
  EXPECT_EQ(sizes[1].text, "n = 7, N = 20");
  EXPECT_EQ(sizes[1].tag, "n7_N20");
  sizes = FindSizes({{&a, &small}, {&a, &negative}});
  EXPECT_EQ(sizes[1].text, "n = -7");
  EXPECT_EQ(sizes[0].tag, "size1");
  EXPECT_EQ(sizes[1].tag, "size2");
}

TEST(DeviceSizes, RenamesWhatALinkerSees) {
  const auto text = RenameDeviceFile(
      "f_kernel0(f_kernel, f_of); f_workspace_bytes(); tune_region_f(tune_region_ff, gf_run, f_run);", "f",
      "f_n5");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text,
            "f_n5_kernel0(f_kernel, f_of); f_n5_workspace_bytes(); tune_region_f_n5(tune_region_ff, gf_run, "
            "f_n5_run);");
  EXPECT_EQ(RenameCall("{ tune_region_f(tune_arrays); }", "f", "f_n5"), "{ tune_region_f_n5(tune_arrays); }");
  EXPECT_TRUE(absl::IsFailedPrecondition(RenameDeviceFile("kernel0", "f", "f_n5").status()));
}

// Whatever launches are called that run several kernels.
TEST(DeviceSizes, RenamesEveryKernel) {
  const auto text = RenameDeviceFile(
      "f_workspace_bytes(); __global__ void f_one(float *f_a) {} extern \"C\" __global__ void "
      "__launch_bounds__(256, 2)\n"
      "f_together2(const float *f_b) { f_a; f_tile; } f_together2<<<1, 1>>>(f_b); \"f_one\" g_one f_ones",
      "f", "f_n5");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text,
            "f_n5_workspace_bytes(); __global__ void f_n5_one(float *f_a) {} extern \"C\" __global__ void "
            "__launch_bounds__(256, 2)\n"
            "f_n5_together2(const float *f_b) { f_a; f_tile; } f_n5_together2<<<1, 1>>>(f_b); \"f_n5_one\" "
            "g_one f_ones");
}

TEST(DeviceSizes, DispatchesByParametersAndMacros) {
  const v1::Scop a = Region("10"), b = Region("20");
  const v1::Reference small = At(5), large = At(7);
  auto sizes = FindSizes({{&a, &small}, {&a, &large}});
  DeviceDispatch dispatch = PrintDeviceDispatch({{&a, sizes[0]}, {&a, sizes[1]}}, "x.cu");
  EXPECT_THAT(dispatch.header,
              HasSubstr("cudaError_t f_device(double *STAGE, int n, void *workspace, cudaStream_t stream);"));
  EXPECT_THAT(dispatch.header, HasSubstr("cudaError_t f_create(f_handle **handle, int n);"));
  EXPECT_THAT(dispatch.file, HasSubstr("  if (n == 7) return f_n7_device(STAGE, n, workspace, stream);\n"));
  EXPECT_THAT(dispatch.file, HasSubstr("  if (n == 5) error = f_n5_create(&(*handle)->of_n5);\n"));
  EXPECT_THAT(dispatch.header + dispatch.file, Not(HasSubstr("@")));
  sizes = FindSizes({{&a, &small}, {&b, &small}});
  dispatch = PrintDeviceDispatch({{&a, sizes[0]}, {&b, sizes[1]}}, "x.cu");
  EXPECT_THAT(dispatch.header, HasSubstr("f_device(double *STAGE, int n, long size_N, void *workspace"));
  EXPECT_THAT(dispatch.file,
              HasSubstr("  if (size_N == 20) return f_N20_device(STAGE, n, workspace, stream);\n"));
  // A macro that is no number cannot be given to a function.
  const v1::Scop c = Region("(1 << 3)");
  sizes = FindSizes({{&a, &small}, {&c, &small}});
  EXPECT_EQ(PrintDeviceDispatch({{&a, sizes[0]}, {&c, sizes[1]}}, "x.cu").file, "");
}

}  // namespace
}  // namespace tune
