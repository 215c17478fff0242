#include "common/tuned/cpp_text.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(CppTextTest, WordsOfCAreThoseOfCpp) {
  EXPECT_EQ(ToCpp("_Bool x = (_Bool)y;\nfloat *restrict p_Bool;\n").text,
            "bool x = (bool)y;\nfloat *__restrict__ p_Bool;\n");
  EXPECT_EQ(ToCpp("__auto_type p = q;").text, "auto p = q;");
  EXPECT_EQ(ToCpp("f(\"_Bool \\\" restrict\");\n  #define B _Bool").text,
            "f(\"_Bool \\\" restrict\");\n  #define B _Bool");
}

TEST(CppTextTest, FunctionsAreDeclaredAsInC) {
  const CppCode code = ToCpp("{\n  extern int tune_f(void *const *arrays);\n  tune_f(0);\n}\n");
  EXPECT_EQ(code.declarations, "extern \"C\" int tune_f(void *const *arrays);\n");
  EXPECT_EQ(code.text, "{\n  tune_f(0);\n}\n");
  const CppCode line = ToCpp("{ extern int f(int) __asm__(\"g\"); f(1); }");
  EXPECT_EQ(line.declarations, "extern \"C\" int f(int) __asm__(\"g\");\n");
  EXPECT_EQ(line.text, "{  f(1); }");
}

}  // namespace
}  // namespace tune
