#include "worker/print/region_function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/region_library.h"
#include "worker/codegen/code_generator.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RegionFunction, DeclaresWhatTheCodeUses) {
  const v1::Scop scop = testing::GemmScop();
  const v1::Reference reference = testing::MakeReference(scop, {{"ni", 4}, {"nj", 5}, {"nk", 6}});
  const auto text = PrintRegionFunction(scop, reference, "{\n  C[0][0] = alpha * A[1][1];\n}\n");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("void tune_region(void **tune_arrays)"));
  EXPECT_THAT(*text, HasSubstr("static double (*__restrict__ tune_array_2)[5];\n#define C tune_array_2\n"));
  EXPECT_THAT(*text, HasSubstr("\n#undef C\n"));
  EXPECT_THAT(*text, HasSubstr("  tune_array_2 = (double (*)[5])tune_arrays[2];\n"));
  EXPECT_THAT(*text, HasSubstr("const double alpha = *(double *)tune_arrays[0];"));
  EXPECT_THAT(*text, Not(HasSubstr(" beta")));
  EXPECT_THAT(*text, Not(HasSubstr("tune_array_4")));
}

TEST(RegionFunction, DeclaresParametersThatTheCodeNames) {
  const v1::Scop scop = testing::GemmScop();
  const v1::Reference reference = testing::MakeReference(scop, {{"ni", 4}, {"nj", 5}, {"nk", 6}});
  const auto text = PrintRegionFunction(scop, reference, "{\n#define f(nj) nj\n  C[ni - 1][0] = 1;\n}\n");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("const int ni = 4;"));
  EXPECT_THAT(*text, Not(HasSubstr("const int nj")));
}

TEST(RegionFunction, PointersMayOverlap) {
  v1::Scop scop = testing::GemmScop();
  for (v1::Array& array : *scop.mutable_arrays()) array.set_is_pointer(true);
  const v1::Reference reference = testing::MakeReference(scop, {{"ni", 4}, {"nj", 5}, {"nk", 6}});
  const auto text = PrintRegionFunction(scop, reference, "{\n  C[0][0] = A[1][1];\n}\n");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("  double (*C)[5] = (double (*)[5])tune_arrays[2];"));
  EXPECT_THAT(*text, Not(HasSubstr("restrict")));
}

TEST(RegionFunction, StoresWrittenScalarsAtTheEnd) {
  const v1::Scop scop = testing::ZeroDimScop();
  const v1::Reference reference = testing::MakeReference(scop, {{"n", 4}});
  const auto text = PrintRegionFunction(scop, reference, GenerateSequential(scop, reference).value().code);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("double s = *(double *)tune_arrays[0];"));
  EXPECT_THAT(*text, HasSubstr("*(double *)tune_arrays[0] = s;"));
}

TEST(RegionFunction, NeedsExtents) {
  const v1::Scop scop = testing::GemmScop();
  v1::Reference reference = testing::MakeReference(scop, {{"ni", 4}, {"nj", 5}, {"nk", 6}});
  reference.clear_arrays();
  EXPECT_EQ(PrintRegionFunction(scop, reference, "{ C[0][0] = 1; }").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(RegionFunction, CompilesWithoutArrays) {
  const auto text = PrintRegionFunction(v1::Scop(), v1::Reference(), "{\n}\n");
  ASSERT_TRUE(text.ok());
  const auto library = testing::RegionLibrary::Compile({*text});
  EXPECT_TRUE(library.ok()) << library.status();
}

}  // namespace
}  // namespace tune
