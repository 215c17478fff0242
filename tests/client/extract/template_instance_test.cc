// Regions in templates.
#include "client/extract/source/template_instance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kScaleTemplate[] =
    "namespace space {\n"
    "template <typename T, int m> void scale(int n, T *a) {\n"
    "#pragma scop\n"
    "  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j] *= T(2);\n"
    "#pragma endscop\n"
    "}\n"
    "}\n";

std::string MeaningTexts(const v1::Scop& scop) {
  std::string text;
  for (const v1::Meaning& meaning : scop.meanings()) text += meaning.text() + " " + meaning.value() + "\n";
  return text;
}

TEST(TemplateInstanceTest, TheOnlyInstanceIsTaken) {
  const v1::Extraction extraction =
      ExtractCpp(std::string(kScaleTemplate) + "template void space::scale<float, 7>(int, float *);\n");
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 1);
  EXPECT_EQ(extraction.scops(0).name(), "scale");
  EXPECT_EQ(extraction.scops(0).arrays(0).element_type(), v1::ELEMENT_TYPE_FLOAT);
  EXPECT_EQ(MeaningTexts(extraction.scops(0)), "T float\nm 7\n");
}

TEST(TemplateInstanceTest, OneOfSeveralIsNamed) {
  const std::string text =
      std::string(kScaleTemplate) +
      "void f(float *a, double *b) { space::scale<float, 7>(3, a); space::scale<double, 5>(3, b); }\n";
  v1::Extraction extraction = ExtractCpp(text);
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_THAT(extraction.diagnostics(0).reason(),
              HasSubstr("`space::scale<float, 7>`, `space::scale<double, 5>`"));
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("--function 'space::scale<float, 7>'"));

  for (const char* name : {"space::scale<double, 5>", "scale<double, 5>"}) {
    ExtractionRequest request;
    request.function = name;
    extraction = ExtractCpp(text, request);
    ASSERT_EQ(Problems(extraction), "");
    ASSERT_EQ(extraction.scops_size(), 1);
    EXPECT_EQ(extraction.scops(0).arrays(0).element_type(), v1::ELEMENT_TYPE_DOUBLE);
  }
}

TEST(TemplateInstanceTest, ATemplateAloneHasNoTypes) {
  const v1::Extraction extraction = ExtractCpp(kScaleTemplate);
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("no instance"));
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("template void f<float>"));
}

TEST(TemplateInstanceTest, LoopsWithoutPragmasAreFoundInInstances) {
  ExtractionRequest request;
  request.function = "scale";
  const v1::Extraction extraction = ExtractCpp(
      "template <typename T> void scale(int n, T *a) {\n  for (int i = 0; i < n; i++) a[i] *= 2;\n}\n"
      "template void scale<float>(int, float *);\n",
      request);
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 1);
  EXPECT_EQ(MeaningTexts(extraction.scops(0)), "T float\n");
}

}  // namespace
}  // namespace tune::testing
