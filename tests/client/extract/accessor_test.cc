// Member functions of the program's own classes that return elements and numbers.
#include "client/extract/cpp/accessor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A class with these public functions, and private members.
std::string ClassOf(const std::string& functions) {
  return absl::StrCat(
      "#include <array>\n#include <vector>\n#include <stdexcept>\n"
      "class Matrix {\n  int rows_, cols_;\n  std::vector<double> data_;\n  double fixed_[40], *pointer_;\n"
      "  std::array<std::array<double, 4>, 5> table_;\n  using Hidden = int;\n  struct Inner { int i; };\n "
      "public:\n",
      functions, "\n};\n");
}

constexpr char kElements[] =
    "  double &operator()(int i, int j) { return data_[i * cols_ + j]; }\n"
    "  double operator()(int i, int j) const { return data_[i * cols_ + j]; }\n"
    "  int rows() const { return rows_; }\n  int cols() const { return cols_; }";

v1::Extraction ReadAccessors(const std::string& functions, const std::string& body,
                             const std::string& before = "") {
  return ExtractCpp(before + ClassOf(functions) +
                    Function("void f(int n, Matrix &a, const Matrix &b, const int *chosen)", body));
}

std::string TextOfAccessors(const std::string& functions, const std::string& body) {
  const v1::Extraction extraction = ReadAccessors(functions, body);
  EXPECT_EQ(Problems(extraction), "");
  return extraction.program().files_size() > 0 ? extraction.program().files(0).content() : "";
}

constexpr char kCopy[] =
    "for (int i = 0; i < b.rows(); i++)\n  for (int j = 0; j < b.cols(); j++) a(i, j) = b(i, j);";

TEST(Accessor, ElementsAreThoseOfTheMembers) {
  const v1::Extraction extraction = ReadAccessors(kElements, kCopy);
  ASSERT_EQ(Problems(extraction), "");
  const v1::Scop& scop = extraction.scops(0);
  std::vector<std::string> names;
  for (const v1::Parameter& parameter : scop.parameters()) names.push_back(parameter.name());
  EXPECT_THAT(names, ElementsAre("tune_b_rows", "tune_b_cols", "tune_a_cols"));
  EXPECT_THAT(scop.statements(0).accesses(0).relation(), HasSubstr("tune_b_data_data[i, j]"));
  EXPECT_EQ(scop.arrays(1).overlap(), v1::Array::POINTER);
}

TEST(Accessor, PrivateMembersAreOpenedBeforeTheFunction) {
  const std::string text = TextOfAccessors(kElements, kCopy);
  const size_t opening = text.find("decltype(&::Matrix::cols_), &::Matrix::cols_>;");
  ASSERT_NE(opening, std::string::npos) << text;
  EXPECT_LT(opening, text.find("void f("));
  EXPECT_THAT(text, HasSubstr("auto &tune_a_cols_member = a.*tune_opened(tune_Matrix_cols_"));
  EXPECT_THAT(text, HasSubstr("const __typeof__(tune_a_cols_member) tune_a_cols = tune_a_cols_member;"));
  EXPECT_THAT(text,
              HasSubstr("tune_a_data_data[i * tune_a_cols + j] = tune_b_data_data[i * tune_b_cols + j];"));
  EXPECT_THAT(text, HasSubstr("__is_same(const __typeof__(a), const Matrix)"));
  EXPECT_THAT(text, HasSubstr("(__UINTPTR_TYPE__)(&tune_a_cols_member + 1) <= tune_begin"));
}

TEST(Accessor, RowsOfVectorsAreThoseOfAnArray) {
  const v1::Extraction extraction = ExtractCpp(
      "#include <vector>\nclass Grid {\n  std::vector<std::vector<double>> cells_;\n public:\n"
      "  double &operator()(int i, int j) { return cells_[i][j]; }\n"
      "  int rows() const { return cells_.size(); }\n  int cols() const { return cells_[0].size(); }\n};\n" +
      Function("void f(Grid &a)",
               "for (int i = 0; i < a.rows(); i++)\n  for (int j = 0; j < a.cols(); j++) a(i, j) *= 2;"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(extraction.scops(0).statements(0).accesses(0).relation(),
              HasSubstr("tune_tune_a_cells_data[i, j]"));
  const std::string text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("tune_rows_tune_a_cells[tune_at].size() >= "));
  EXPECT_THAT(text, Not(HasSubstr("[tune_at].size() == ")));
}

TEST(Accessor, MayBeOfASmartPointer) {
  const v1::Extraction extraction = ExtractCpp(
      "#include <memory>\nclass Plane {\n  int cols_;\n  std::unique_ptr<float[]> data_;\n public:\n"
      "  float &operator()(int i, int j) { return data_[i * cols_ + j]; }\n};\n" +
      Function("void f(Plane &a, int n)",
               "for (int i = 0; i < n; i++)\n  for (int j = 0; j < n; j++) a(i, j) *= 2;"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(extraction.scops(0).statements(0).accesses(0).relation(), HasSubstr("tune_a_data_data[i, j]"));
}

TEST(Accessor, PublicMembersAreNamed) {
  const v1::Extraction extraction = ExtractCpp(
      "#include <vector>\nstruct Open { int n; std::vector<float> v; float &at(int i) { return v[i]; } };\n" +
      Function("void f(Open &o)", "for (int i = 0; i < o.n; i++) o.at(i) = i;"));
  ASSERT_EQ(Problems(extraction), "");
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("auto *const tune_o_v_data = o.v.data();"));
  EXPECT_THAT(text, Not(HasSubstr("tune_opened")));
}

// Whatever the function is written of keeps its order and its types.
TEST(Accessor, ExpressionsStayWhatTheyAre) {
  const auto text_of = [](const std::string& body, const std::string& call) {
    return TextOfAccessors(absl::StrCat("  ", body, "\n"),
                           absl::StrCat("for (int i = 0; i < n; i++) ", call, ";"));
  };
  EXPECT_THAT(text_of("double &at(int i) { return data_[(i + 1) * 2]; }", "a.at(n - i) = 1"),
              HasSubstr("tune_a_data_data[((n - i) + 1) * 2] = 1"));
  EXPECT_THAT(text_of("int all() const { return rows_ + cols_; } double &at(long i) { return data_[i]; }",
                      "a.at(i) = a.all() * 2"),
              HasSubstr("tune_a_data_data[((long)i)] = (tune_a_rows + tune_a_cols) * 2"));
  EXPECT_THAT(text_of("float at(int i) const { return data_[i]; } double &to(int i) { return fixed_[i]; }",
                      "a.to(i) = b.at(i)"),
              HasSubstr("= ((float)tune_b_data_data[i])"));
  EXPECT_THAT(text_of("double *row(int i) { return pointer_ + i * cols_; }", "a.row(i)[2] = 1"),
              HasSubstr("(&tune_a_pointer[i * tune_a_cols])[2] = 1"));
  EXPECT_THAT(text_of("double &at(int i) { return table_[i][1]; }", "a.at(i) = 1"),
              HasSubstr("(*tune_a_table_data)[i][1] = 1"));
  EXPECT_THAT(
      text_of("int place(int i) const { return i * cols_; } double &at(int i) { return data_[place(i)]; }",
              "a.at(i) = 1"),
      HasSubstr("tune_a_data_data[(i * tune_a_cols)] = 1"));
}

constexpr char kExtents[] =
    "#include <array>\nclass View {\n  double *data_;\n  std::array<int, 2> ext_;\n  long stride_[2];\n"
    "  unsigned char narrow_[3];\n public:\n  int extent(unsigned k) const { return ext_[k]; }\n"
    "  long size(int k) const { return k == 0 ? ext_[0] : stride_[k]; }\n  int narrow() const { return "
    "narrow_[2]; }\n"
    "  double &operator()(int i, int j) const { return data_[i * stride_[0] + j]; }\n"
    "  int at(int k) const { return ext_[k]; }\n  int either(bool k) const { return k == 1 ? ext_[1] : "
    "ext_[0]; }\n  int &of(int k) { return ext_[k]; }\n};\n";

std::string TextOfExtents(const std::string& body) {
  const v1::Extraction extraction =
      ExtractCpp(kExtents + Function("void f(View &v, int n, double *x)", body));
  EXPECT_EQ(Problems(extraction), "");
  return extraction.program().files_size() > 0 ? extraction.program().files(0).content() : "";
}

TEST(Accessor, ExtentsMayBeElementsOfArrays) {
  const std::string text = TextOfExtents(
      "for (int i = 0; i < v.extent(0); i++)\n  for (int j = 0; j < v.extent(1); j++) v(i, j) += "
      "v.narrow();");
  EXPECT_THAT(text, HasSubstr("const __typeof__(tune_v_ext_member[0]) tune_v_ext_0 = tune_v_ext_member[0];"));
  EXPECT_THAT(text, HasSubstr("(__UINTPTR_TYPE__)(&tune_v_stride_member[0] + 1) <= tune_begin"));
  EXPECT_THAT(text, HasSubstr("j < tune_v_ext_1; j++) tune_v_data[i * tune_v_stride_0 + j] += "
                              "((int)tune_v_narrow_2);"));
}

TEST(Accessor, ArgumentsMayChooseAmongMembers) {
  const std::string text =
      TextOfExtents("for (long i = 0; i < v.size(0); i++) x[i] = v.size(1) + v.size((1)) * v.extent(1);");
  EXPECT_THAT(text, HasSubstr("i < ((long)tune_v_ext_0); i++) x[i] = tune_v_stride_1 + tune_v_stride_1 * "
                              "tune_v_ext_1;"));
}

// Two is true, and so one: not the place 2.
TEST(Accessor, ArgumentsAreOfTheParametersType) {
  EXPECT_THAT(Problems(ExtractCpp(kExtents + Function("void f(View &v, int n, double *x)",
                                                      "for (int i = 0; i < n; i++) x[i] = v.either(2);"))),
              HasSubstr("a call of the member function `either`"));
}

TEST(Accessor, ElementsThatAreSetAreNoExtents) {
  const std::string text = TextOfExtents("for (int i = 0; i < n; i++) { v.of(1) += i; x[i] = v.at(1); }");
  EXPECT_THAT(text, Not(HasSubstr("tune_v_ext_1")));
  EXPECT_THAT(text, HasSubstr("tune_v_ext_data[1] += i; x[i] = tune_v_ext_data[1];"));
  const v1::Extraction outside = ExtractCpp(
      kExtents + Function("void f(View &v)", "for (int i = 0; i < v.extent(2); i++) v(i, 0) = 1;"));
  EXPECT_THAT(Problems(outside), HasSubstr("not an affine expression"));
  const v1::Extraction unknown = ExtractCpp(
      kExtents + Function("void f(View &v, int n)", "for (int i = 0; i < v.size(n); i++) v(i, 0) = 1;"));
  EXPECT_THAT(Problems(unknown), HasSubstr("a call of the member function `size`"));
}

TEST(Accessor, ArgumentsMayHaveOthers) {
  const std::string text =
      TextOfAccessors(std::string(kElements) + "  int first(int i) const { return i + rows_; }",
                      "for (int i = 0; i < n; i++) a(b.first(i), 0) = b(b.first(i + 1), 1);");
  EXPECT_THAT(text, HasSubstr("tune_a_data_data[((i + tune_b_rows)) * tune_a_cols + 0]"));
  EXPECT_THAT(text, HasSubstr("tune_b_data_data[(((i + 1) + tune_b_rows)) * tune_b_cols + 1]"));
}

// What decides what the function says is told by the scop: in other builds it may say something else.
TEST(Accessor, BodiesBelongToTheRegion) {
  const v1::Extraction extraction = ReadAccessors(
      "#ifdef COLUMNS\n  double &at(int i) { return data_[i * cols_]; }\n#else\n"
      "  double &at(int i) { return data_[i * STRIDE]; }\n#endif\n",
      "for (int i = 0; i < n; i++) a.at(i) = 1;", "#define STRIDE 2\n");
  ASSERT_EQ(Problems(extraction), "");
  std::vector<std::string> texts;
  for (const v1::Meaning& meaning : extraction.scops(0).meanings()) texts.push_back(meaning.text());
  EXPECT_THAT(texts, ::testing::IsSupersetOf({"COLUMNS", "STRIDE"}));
}

TEST(Accessor, DataMayDecide) {
  const v1::Extraction extraction =
      ReadAccessors("  double at(int i) const { return data_[i]; } double &to(int i) { return pointer_[i]; }",
                    "for (int i = 0; i < n; i++) a.to(i) = b.at(chosen[i]);");
  EXPECT_EQ(Problems(extraction), "");
}

// A template with pragmas, by the name of an instance.
TEST(Accessor, InstancesOfClassesAreNamed) {
  ExtractionRequest request;
  request.function = "Line<float>::twice";
  const v1::Extraction extraction = ExtractCpp(
      "#include <vector>\ntemplate <class T> struct Line {\n  int n;\n  std::vector<T> v;\n"
      "  T &at(int i) { return v[i]; }\n  void twice() {\n#pragma scop\n"
      "    for (int i = 0; i < n; i++) at(i) = at(i) * 2;\n#pragma endscop\n  }\n};\n"
      "template struct Line<float>;\ntemplate struct Line<double>;\n",
      request);
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops(0).arrays(0).element_type(), v1::ELEMENT_TYPE_FLOAT);
  EXPECT_THAT(extraction.program().files(0).content(),
              HasSubstr("__is_same(const __typeof__(*this), const Line<float>)"));
}

// A call sets one element, to what the parameter is.
TEST(Accessor, ElementsMayBeSet) {
  const std::string text = TextOfAccessors(
      "  double get(int i) const { return data_[i]; }\n"
      "  void set(int i, int j, float v) { data_[i * cols_ + j] = v; }\n"
      "  double &at(int i) { return fixed_[i]; }\n  void add(int i, const double &v) { at(i) += v * 2; }",
      "for (int i = 0; i < n; i++) { a.set(i, 1, b.get(i) + 1); if (i > 2) a.add(i, b.get(i)); }");
  EXPECT_THAT(text,
              HasSubstr("(tune_a_data_data[i * tune_a_cols + 1] = ((float)(tune_b_data_data[i] + 1)));"));
  EXPECT_THAT(text, HasSubstr("((*tune_a_fixed)[i] += "));
}

struct RefusedCase {
  const char *name, *functions, *statement, *reason, *remedy;
};

class RefusedAccessors : public ::testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedAccessors, SaysWhatAndWhatToDo) {
  const v1::Extraction extraction =
      ReadAccessors(absl::StrCat("  ", GetParam().functions),
                    absl::StrCat("for (int i = 0; i < n; i++) ", GetParam().statement));
  ASSERT_GE(extraction.diagnostics_size(), 1);
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr(GetParam().reason));
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr(GetParam().remedy));
}

constexpr RefusedCase kRefusedCases[] = {
    {"Checks", "double &at(int i) { if (i < 0) throw std::out_of_range(\"i\"); return data_[i]; }",
     "a.at(i) = 1;", "member function `at`, which is more than one `return`", "return data[i * cols + j];"},
    {"Effects", "double &at(int i) { ++rows_; return data_[i]; }", "a.at(i) = 1;", "more than one `return`",
     "before the region"},
    {"EffectsInOne", "double &at(int i) { return data_[i + rows_++]; }", "a.at(i) = 1;",
     "a call of the member function `at`", "before the region"},
    {"Virtual", "virtual double &at(int i) { return data_[i]; }", "a.at(i) = 1;", "the virtual function `at`",
     "before the region"},
    {"OtherFile", "double &operator[](int i);", "a[i] = 1;",
     "the overloaded operator `[]` of a class, whose body", "write its body in the class"},
    {"HiddenType", "double &at(int i) { return data_[(long)sizeof(Inner) * i]; }", "a.at(i) = 1;",
     "a call of the member function `at`, which has more in it", "write it of these alone"},
    {"TwiceWithEffects", "double &at(int i) { return data_[i * i]; }", "{ int k = i; a.at(k++) = 1; }",
     "a call of the member function `at`", "before the region"},
    {"Behind", "double &at(int i) { return data_[i]; }", "{ Matrix *p = &a; p->at(i) = 1; }",
     "a call of the member function `at` behind a pointer", "auto &m = *p;"},
    {"Checked", "double &at(int i) { return data_.at(i); }", "a.at(i) = 1;",
     "a call of the member function `at`", "before the region"},
    {"SetsAMember", "void grow(int i) { rows_ = i; }", "a.grow(i);", "one assignment to an element",
     "before the region"},
    {"SetsAParameter", "void none(int i) { i = 2; }", "a.none(i);", "one assignment to an element",
     "before the region"},
    {"SetsTwo", "void both(int i) { data_[i] = 1; data_[i + 1] = 2; }", "a.both(i);",
     "one assignment to an element", "before the region"},
    {"Shifts", "void half(int i) { pointer_[i] = fixed_[i] = 2; }", "a.half(i);",
     "a call of the member function `half`, which has more in it", "before the region"},
    {"AsAWhole", "double &at(int i) { return data_[i]; }", "{ a.at(i) = 1; Matrix &c = a; }",
     "`a` is used as a whole", "its elements"},
};

INSTANTIATE_TEST_SUITE_P(Constructs, RefusedAccessors, ::testing::ValuesIn(kRefusedCases),
                         [](const auto& info) { return info.param.name; });

constexpr char kLine[] =
    "#include <vector>\ntemplate <class T> class Line {\n  using value_type = T;\n  enum { kStep = 2 };\n"
    "  std::vector<T> v_;\n public:\n  static const int kFirst = 1;\n"
    "  value_type &at(int i) { return v_[i * kStep + kFirst]; }\n};\n";

// Other instances have another class, of which the text must not name members.
TEST(Accessor, TemplatesOpenMembersByTheObjectsType) {
  const v1::Extraction extraction = ExtractCpp(
      kLine +
      Function("template <class T> void f(int n, Line<T> &v)", "for (int i = 0; i < n; i++) v.at(i) = i;") +
      "template void f<float>(int, Line<float> &);\n");
  ASSERT_EQ(Problems(extraction), "");
  const std::string& text = extraction.program().files(0).content();
  const size_t opening = text.find("const ::Line<float> *);");
  ASSERT_NE(opening, std::string::npos) << text;
  EXPECT_LT(opening, text.find("template <class T> void f("));
  EXPECT_THAT(text, HasSubstr("auto &tune_v_v_member = tune_opened(tune_Line_v_"));
  EXPECT_THAT(text, HasSubstr("(), __builtin_addressof(v));"));
  EXPECT_THAT(text, HasSubstr("::Line<float>::kFirst == 1"));
}

// What constants and types are is asked where the code is built.
TEST(Accessor, ConstantsAndTypesMayBePrivate) {
  const v1::Extraction extraction = ReadAccessors(
      "  double &at(Hidden i) { return data_[i * kWide + kStep]; }\n private:\n  static constexpr unsigned "
      "short kWide = "
      "7;\n  enum { kStep = 3 };",
      "for (int i = 0; i < n; i++) a.at(i) = 1;");
  ASSERT_EQ(Problems(extraction), "");
  const std::string& text = extraction.program().files(0).content();
  EXPECT_THAT(text, HasSubstr("tune_a_data_data[i * ((unsigned short)7) + 3] = 1;"));
  EXPECT_THAT(text, HasSubstr("__is_same(__typeof__(*tune_opened(tune_Matrix_Hidden_"));
  EXPECT_THAT(text,
              ::testing::ContainsRegex(
                  "__is_same\\(__typeof__\\(\\+tune_opened\\(tune_Matrix_kWide_[0-9]+\\(\\)\\)\\), int\\) "
                  "&& tune_opened\\(tune_Matrix_kWide_[0-9]+\\(\\)\\) == 7"));
  for (const v1::Meaning& meaning : extraction.scops(0).meanings())
    EXPECT_THAT(meaning.text(), Not(HasSubstr("Matrix"))) << meaning.text();
}

TEST(Accessor, ConstantsMayBeEnumerators) {
  const v1::Extraction extraction = ReadAccessors(
      "  enum { W = 64, H = 32 }; double &at(int i, int j) { return data_[i * W + j]; } int rows() "
      "const { return H; }",
      "for (int i = 0; i < a.rows(); i++) a.at(i, Matrix::W) = b.rows();");
  ASSERT_EQ(Problems(extraction), "");
  const v1::Scop& scop = extraction.scops(0);
  EXPECT_TRUE(SameSet(scop.statements(0).domain(), "{ S0[i] : 0 <= i < 32 }"));
  EXPECT_THAT(scop.statements(0).accesses(0).relation(), HasSubstr("64 + 64i"));
  std::vector<std::string> texts;
  for (const v1::Meaning& meaning : scop.meanings()) texts.push_back(meaning.text());
  EXPECT_THAT(texts, ::testing::IsSupersetOf({"::Matrix::W", "::Matrix::H"}));
}

}  // namespace
}  // namespace tune::testing
