#include "common/scop/c_text_check.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(CTextCheck, ExpressionsOfExtents) {
  for (const char* text : {"n", "1000 + 0", "(n + 1) * 2", "sizeof(A[0]) / sizeof(A[0][0])", "s->n", "(int)n",
                           "(size_t)(n + 1)", "(unsigned int)(n)", "n > 3 ? n : 3", "abs(n)"})
    EXPECT_TRUE(CheckCExpression(text).ok()) << text << ": " << CheckCExpression(text);
  for (const char* text : {"", "f(n)", "(f)(n)", "(*f)(n)", "f[0](n)", "n = 3", "n; system(0)", "({ 1; })",
                           "puts(\"a\")", "\"a\"[0]", "(n", "n)", "a[1", "n) + (1))", "__asm__(n)"})
    EXPECT_FALSE(CheckCExpression(text).ok()) << text;
}

bool Passes(v1::Meaning::Kind kind, const std::string& text, const std::string& value) {
  v1::Meaning meaning;
  meaning.set_kind(kind);
  meaning.set_text(text);
  meaning.set_value(value);
  return CheckMeaning(meaning).ok();
}

TEST(CTextCheck, Meanings) {
  EXPECT_TRUE(Passes(v1::Meaning::EXPANSION, "N", "1000"));
  EXPECT_TRUE(Passes(v1::Meaning::EXPANSION, "SCALAR_VAL(1.5)", "1.5"));
  EXPECT_TRUE(Passes(v1::Meaning::EXPANSION, "MAX(a, (b + 1))", "((a) > (b + 1) ? (a) : (b + 1))"));
  EXPECT_TRUE(Passes(v1::Meaning::DEFINED, "FAST", ""));
  EXPECT_TRUE(Passes(v1::Meaning::TYPE, "real", "double"));
  EXPECT_TRUE(Passes(v1::Meaning::TYPE, "__typeof__(n)", "unsigned int"));
  EXPECT_TRUE(Passes(v1::Meaning::CONSTANT, kSignOfCharacters, "255"));
  EXPECT_TRUE(Passes(v1::Meaning::CONSTANT, "kSize", "-12"));
  EXPECT_TRUE(Passes(v1::Meaning::CONSTANT, "kHalf", "5.000000000e-01f"));
  EXPECT_TRUE(Passes(v1::Meaning::CONSTANT, "sizeof (A[0])", "8"));
  EXPECT_TRUE(Passes(v1::Meaning::CONSTANT, "sizeof(struct particle)", "24"));

  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "N), system(\"true\"", "1"));
  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "N(1), M(2)", "1"));
  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "_Pragma(\"x\")", "1"));
  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "N", "1\n#include \"x\""));
  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "N", "?\?/"));
  EXPECT_FALSE(Passes(v1::Meaning::DEFINED, "A) || (1", ""));
  EXPECT_FALSE(Passes(v1::Meaning::TYPE, "real", "double), system(0"));
  EXPECT_FALSE(Passes(v1::Meaning::TYPE, "__typeof__(f())", "int"));
  EXPECT_FALSE(Passes(v1::Meaning::TYPE, "__typeof__(n", "int"));
  EXPECT_FALSE(Passes(v1::Meaning::CONSTANT, "(char)-2", "-2"));
  EXPECT_FALSE(Passes(v1::Meaning::CONSTANT, "kSize", "f()"));
  EXPECT_FALSE(Passes(v1::Meaning::CONSTANT, "sizeof (f())", "8"));
  EXPECT_FALSE(Passes(v1::Meaning::CONSTANT, "sizeof (a) == 8 || (b)", "8"));
  EXPECT_FALSE(Passes(v1::Meaning::CONSTANT, "sizeof (a = 2)", "8"));
  EXPECT_FALSE(Passes(v1::Meaning::KIND_UNSPECIFIED, "N", "1"));
}

absl::Status CheckMember(const std::string& type, const std::string& path, int64_t place) {
  v1::Array array;
  array.add_extents()->set_c_expression("n");
  array.add_extents()->set_c_expression("4");
  array.mutable_structure()->set_c_type(type);
  v1::Member* member = array.mutable_structure()->add_members();
  member->set_path(path);
  member->set_place(place);
  return CheckStructure(array);
}

TEST(CTextCheck, Structures) {
  for (const char* path : {"x", "at.x", "rows[0][12]", "rows[1].at.x"})
    EXPECT_TRUE(CheckMember("struct particle", path, 3).ok()) << CheckMember("struct particle", path, 3);
  EXPECT_TRUE(CheckMember("particle", "x", 0).ok());
  EXPECT_TRUE(CheckMember("", "x", 0).ok());
  for (const char* path : {"", ".x", "x.", "x y", "x[i]", "x[1", "x[]", "x)+system(0", "x, y", "0", "x[-1]"})
    EXPECT_FALSE(CheckMember("particle", path, 0).ok()) << path;
  for (const char* type : {"struct", "struct ", "a b", "struct { int x; }", "x; int", "int (*)"})
    EXPECT_FALSE(CheckMember(type, "x", 0).ok()) << type;
  EXPECT_FALSE(CheckMember("particle", "x", 4).ok());
  EXPECT_FALSE(CheckMember("particle", "x", -1).ok());

  v1::Array array;
  array.add_extents()->set_c_expression("4");
  const auto add = [&](int64_t first, int64_t count) {
    v1::Places* places = array.mutable_structure()->add_others();
    places->set_first(first);
    places->set_count(count);
    return CheckStructure(array).ok();
  };
  EXPECT_TRUE(add(0, 1));
  EXPECT_TRUE(add(2, 2));
  EXPECT_FALSE(add(3, 1));
  array.mutable_structure()->clear_others();
  EXPECT_FALSE(add(3, 2));
  array.mutable_structure()->clear_others();
  array.mutable_extents(0)->set_c_expression("n");
  EXPECT_FALSE(CheckStructure(array).ok());
}

}  // namespace
}  // namespace tune
