#include "worker/reference/instrumentation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kFile[] = "int x;\n#pragma scop\nbody;\nmore;\n#pragma endscop\nint y;\n";

v1::Scop Region(const std::string& file) {
  v1::Scop scop;
  v1::SourceRegion* region = scop.mutable_region();
  region->set_file("a.c");
  region->set_body_begin_offset(file.find("body"));
  region->set_body_end_offset(file.find("#pragma endscop"));
  return scop;
}

TEST(InstrumentSourceTest, KeepsTextAndLines) {
  const auto text = InstrumentSource(Region(kFile), kFile);
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*text, StartsWith("int x;\n#pragma scop\n{ extern"));
  EXPECT_THAT(*text, HasSubstr("\n#line 3\nbody;\nmore;\n"));
  EXPECT_THAT(*text, HasSubstr("\n#line 5\n#pragma endscop\nint y;\n"));
}

TEST(InstrumentSourceTest, BodyThatEndsBeforeItsNewline) {
  v1::Scop scop = Region(kFile);
  scop.mutable_region()->set_body_end_offset(scop.region().body_end_offset() - 1);
  EXPECT_THAT(*InstrumentSource(scop, kFile), HasSubstr("\n#line 4\n\n#pragma endscop"));
}

TEST(InstrumentSourceTest, RegionOutsideTheFile) {
  v1::Scop scop = Region(kFile);
  scop.mutable_region()->set_body_end_offset(1000);
  const auto text = InstrumentSource(scop, kFile);
  EXPECT_EQ(text.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(text.status().message()),
              HasSubstr("a.c: the region does not lie inside the file"));
}

TEST(PrintRecorderTest, ExtentsThatCDoesNotTellAreComputed) {
  v1::Scop scop;
  scop.add_parameters()->set_name("n");
  v1::Array* array = scop.add_arrays();
  array->set_name("x");
  array->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
  array->set_is_pointer(true);
  array->add_extents()->set_accessed("[n] -> { [(2 * n + 1)] }");
  const auto text = PrintRecorder(scop, {"/tmp/with \"quotes\"", 1000});
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("#define TUNE_REFERENCE_FOLDER \"/tmp/with \\\"quotes\\\"\""));
  EXPECT_THAT(*text, HasSubstr("if (array == 0 && dimension == 0) return 2 * n + 1;"));
  array->mutable_extents(0)->set_accessed("nonsense");
  EXPECT_FALSE(PrintRecorder(scop, {}).ok());
}

}  // namespace
}  // namespace tune
