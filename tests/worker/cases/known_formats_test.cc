#include "worker/cases/known_formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "tests/worker/cases/example_programs.h"
#include "worker/cases/case_discussion.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::CaseFormat Format(const std::string& kernel, std::vector<int64_t> block, int64_t n) {
  v1::CaseFormat format;
  format.set_kernel(kernel);
  format.set_device("GPU \"A\" \\ 1\n");
  for (const int64_t threads : block) format.add_block(threads);
  format.set_points(2);
  format.set_strip(16);
  format.set_source("s1 */ //");
  v1::ParameterValue& value = *format.add_parameters();
  value.set_name("n");
  value.set_value(n);
  return format;
}

std::string FileWith(const v1::CaseFormats& formats) {
  std::vector<std::string> notes;
  const auto discussion = DiscussCases(ExampleScop("product"), {"", false, formats}, &notes);
  EXPECT_TRUE(discussion.ok()) << discussion.status();
  return discussion.ok() ? discussion->device_file() : "";
}

TEST(KnownFormatsTest, AreTriedBeforeTheTable) {
  v1::CaseFormats formats;
  *formats.add_formats() = Format("k[S0,S1]", {4, 64}, 500);
  const std::string text = FileWith(formats);
  EXPECT_THAT(text, HasSubstr(R"({"GPU \"A\" \\ 1\012", {4, 64, 1}, 2, 16},  // s1_*/_//)"));
  EXPECT_THAT(text, HasSubstr("{500},"));
  EXPECT_LT(text.find("Nearest(product_kernel0_known"), text.find("static const long long formats[][3]"));
}

// Nothing of them is in the file.
TEST(KnownFormatsTest, ThoseOfOtherKernelsFormsAndSizesAreLeftOut) {
  v1::CaseFormats formats;
  *formats.add_formats() = Format("k[S0]", {4, 64}, 500);
  *formats.add_formats() = Format("k[S0,S1]", {64}, 500);
  *formats.add_formats() = Format("k[S0,S1]", {4, 2048}, 500);
  *formats.add_formats() = Format("k[S0,S1]", {4, 64}, 500);
  formats.mutable_formats(3)->mutable_parameters(0)->set_name("other");
  EXPECT_EQ(FileWith(formats), FileWith({}));
  EXPECT_THAT(FileWith({}), Not(HasSubstr("Nearest")));
}

// By the rule that libtune has for wisdom: of this device, none of the sizes more than twice or less than
// half.
TEST(KnownFormatsTest, TheNearestSizesOfTheDeviceCount) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string program = absl::StrCat("#include <cstring>\n", kNearSizes, R"(
int main() {
  const Known known[] = {{"A", {1, 1, 1}, 1, 1}, {"B", {1, 1, 1}, 1, 1}, {"A", {1, 1, 1}, 1, 1}, {"A", {1, 1, 1}, 1, 1}};
  const long long sizes[] = {500, 500, 1000, 1000, 1000, 900, 4000, 0};
  const auto find = [&](const char *device, long long n, long long m, const bool *tried) {
    const long long wanted[] = {n, m};
    return Nearest(known, sizes, 4, 2, device, wanted, tried);
  };
  const bool none[4] = {}, third[4] = {false, false, true, false};
  if (find("A", 500, 500, none) != 0) return 1;
  if (find("A", 1000, 1000, none) != 2) return 2;
  if (find("A", 1000, 1000, third) != 0) return 3;   // exactly half
  if (find("A", 1001, 1001, third) != -1) return 4;
  if (find("B", 1000, 1000, none) != 1) return 5;
  if (find("C", 1000, 1000, none) != -1) return 6;
  if (find("A", 4000, 0, none) != 3) return 7;
  if (find("A", 4000, 1, none) != -1) return 8;
  return Nearest(known, sizes, 4, 0, "B", 0, none) == 1 ? 0 : 9;
}
)");
  ASSERT_TRUE(WriteFile(folder.path() + "/near.cc", program).ok());
  const auto built = RunSubprocess(
      {"c++", "-std=c++17", "-Wall", "-Werror", folder.path() + "/near.cc", "-o", folder.path() + "/near"},
      {});
  ASSERT_TRUE(built.ok() && built->ok()) << built->standard_error;
  EXPECT_EQ(RunSubprocess({folder.path() + "/near"}, {})->exit_code, 0);
}

}  // namespace
}  // namespace tune
