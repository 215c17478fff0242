#include "common/base/source_language.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(SourceLanguageTest, IsToldByTheExtension) {
  for (const char* path : {"a.cpp", "x.y/a.cc", "a.cxx", "a.C", "a.cu", "a.hpp"})
    EXPECT_EQ(LanguageOf(path), SourceLanguage::kCpp) << path;
  for (const char* path : {"a.f", "a.f90", "A.F90", "a.for"})
    EXPECT_EQ(LanguageOf(path), SourceLanguage::kFortran) << path;
  for (const char* path : {"a.c", "a.h", "a", "folder.cpp/a", "", "cpp"})
    EXPECT_EQ(LanguageOf(path), SourceLanguage::kC) << path;
}

TEST(SourceLanguageTest, TunedFilesKeepTheirLanguage) {
  EXPECT_EQ(ExtensionOfTuned("a.c"), ".c");
  EXPECT_EQ(ExtensionOfTuned("a.cc"), ".cc");
  EXPECT_EQ(ExtensionOfTuned("a.hpp"), ".hpp");
  EXPECT_EQ(ExtensionOfTuned("a.cu"), ".cpp");  // a.tuned.cu is the device's
}

TEST(SourceLanguageTest, OnlyExtensionsOfSourcesAreTakenOff) {
  EXPECT_EQ(WithoutSourceExtension("x/gemm.tuned.c"), "x/gemm.tuned");
  EXPECT_EQ(WithoutSourceExtension("gemm.tuned.cpp"), "gemm.tuned");
  EXPECT_EQ(WithoutSourceExtension("gemm.h"), "gemm");
  EXPECT_EQ(WithoutSourceExtension("gemm.tuned"), "gemm.tuned");
}

}  // namespace
}  // namespace tune
