// std::vector<std::vector<T>> as arrays in two dimensions, where its rows are.
#include "client/extract/cpp/vector_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kVectorsHead[] =
    "#include <vector>\n"
    "struct Holder { std::vector<std::vector<float>> rows; };\n"
    "void f(int n, std::vector<std::vector<float>> &a, const std::vector<std::vector<float>> &b,\n"
    "       std::vector<std::vector<int>> &chosen, std::vector<std::vector<bool>> &bits, Holder &held, float "
    "*y)";

v1::Extraction ReadVectors(const std::string& body) { return ExtractCpp(Function(kVectorsHead, body)); }

std::string TextOfVectors(const std::string& body) {
  const v1::Extraction extraction = ReadVectors(body);
  EXPECT_EQ(Problems(extraction), "");
  return extraction.program().files_size() > 0 ? extraction.program().files(0).content() : "";
}

TEST(VectorTable, RowsAreThoseOfAnArray) {
  const v1::Extraction extraction =
      ReadVectors("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = b[j][i];");
  ASSERT_EQ(Problems(extraction), "");
  const v1::Scop& scop = extraction.scops(0);
  EXPECT_THAT(scop.statements(0).accesses(0).relation(), HasSubstr("tune_b_data[j, i]"));
  EXPECT_EQ(scop.arrays(0).extents(1).c_expression(), "tune_row_b");
  EXPECT_TRUE(scop.arrays(0).read_only());
}

TEST(VectorTable, ProgramChecksTheRows) {
  const std::string text =
      TextOfVectors("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = b[j][i];");
  EXPECT_THAT(text, HasSubstr("auto *const tune_rows_a = a.data();"));
  EXPECT_THAT(text, HasSubstr("(__SIZE_TYPE__)tune_count_a <= a.size()"));
  EXPECT_THAT(text, HasSubstr("tune_rows_a[tune_at].size() >= (__SIZE_TYPE__)tune_used_a"));
  EXPECT_THAT(text, HasSubstr("(__UINTPTR_TYPE__)tune_rows_a[tune_at].data()"));
  EXPECT_THAT(text, HasSubstr("(__UINTPTR_TYPE__)(&a + 1) <= tune_begin"));
  EXPECT_THAT(text, HasSubstr("__is_same(const __typeof__(a), const std::vector<std::vector<float>>)"));
  EXPECT_THAT(text,
              HasSubstr("tune_element_a (*tune_a_data)[tune_row_a] = (__typeof__(tune_a_data))tune_base_a;"));
}

TEST(VectorTable, SizesAreVariables) {
  const std::string text = TextOfVectors(
      "for (std::size_t i = 0; i < a.size(); i++)\n  for (std::size_t j = 0; j < a[0].size(); j++) a[i][j] = "
      "1;");
  EXPECT_THAT(text, HasSubstr("const auto tune_a_size = a.size();"));
  EXPECT_THAT(text, HasSubstr("const auto tune_a_size_1 = a.empty() ? 0 : a[0].size();"));
  EXPECT_THAT(text, HasSubstr("i < tune_a_size; i++)"));
  EXPECT_THAT(text, HasSubstr("j < tune_a_size_1; j++) tune_a_data[i][j] = 1;"));
  EXPECT_THAT(text, Not(HasSubstr("a[tune_at].size() == a[0].size()")));
}

// The length of any row stands for that of all.
TEST(VectorTable, RowsOfOneLengthAreChecked) {
  const std::string text = TextOfVectors(
      "for (std::size_t i = 0; i < a.size(); i++)\n  for (std::size_t j = 0; j < a[i].size(); j++) a[i][j] = "
      "1;");
  EXPECT_THAT(text, HasSubstr("a[tune_at].size() == a[0].size()"));
}

TEST(VectorTable, ReferencesToRowsAreRowsOfTheArray) {
  const std::string text = TextOfVectors(
      "for (int i = 1; i < n; i++) {\n  auto &row = a[i];\n  const std::vector<float> &above = b[i - 1];\n"
      "  for (std::size_t j = 0; j < row.size(); j++) row[j] += above[j];\n}");
  EXPECT_THAT(text, HasSubstr("  auto *row = tune_a_data[i];\n"));
  EXPECT_THAT(text, HasSubstr("  auto *above = tune_b_data[i - 1];\n"));
  EXPECT_THAT(text, HasSubstr("j < tune_a_size_1; j++) row[j] += above[j];"));
  EXPECT_THAT(text, HasSubstr("a[tune_at].size() == a[0].size()"));
}

TEST(VectorTable, RangeLoopsHaveSubscripts) {
  const std::string text = TextOfVectors("for (auto &row : a)\n  for (float &x : row) x *= 2;");
  EXPECT_THAT(text, HasSubstr("for (__SIZE_TYPE__ tune_at_row = 0; tune_at_row < tune_a_size; ++tune_at_row) "
                              "{ auto *row = tune_a_data[tune_at_row];"));
  EXPECT_THAT(text,
              HasSubstr("tune_at_x < tune_a_size_1; ++tune_at_x) { float &x = row[tune_at_x]; x *= 2; } }"));
}

TEST(VectorTable, ValuesInRangeLoopsHaveTheElementsType) {
  const std::string text = TextOfVectors("for (auto &row : a)\n  for (auto x : row) y[0] += x;");
  EXPECT_THAT(text, HasSubstr("{ float x = row[tune_at_x]; y[0] += x; }"));
}

// There is no array of them, whose rows could be looked at.
TEST(VectorTable, SizesAloneAreNumbers) {
  const std::string text = TextOfVectors("for (std::size_t i = 0; i < b.size(); i++) y[i] += b[0].size();");
  EXPECT_THAT(text, HasSubstr("i < tune_b_size; i++) y[i] += tune_b_size_1;"));
  EXPECT_THAT(text, Not(HasSubstr("tune_rows_b")));
  EXPECT_NE(ReadVectors("for (std::size_t i = 0; i < b.size(); i++) y[i] += b[i].size();").diagnostics_size(),
            0);
}

TEST(VectorTable, BodiesOfRangeLoopsStayTheirBodies) {
  const std::string text =
      TextOfVectors("for (auto &row : a) {\n  for (float x : row) { if (x < 0) continue; y[0] += x; }\n}");
  EXPECT_THAT(text, HasSubstr("++tune_at_row) { auto *row = tune_a_data[tune_at_row];\n"));
  EXPECT_THAT(text,
              HasSubstr("++tune_at_x) { float x = row[tune_at_x]; if (x < 0) continue; y[0] += x; }\n}"));
}

TEST(VectorTable, MayBeAMember) {
  const v1::Extraction extraction = ReadVectors(
      "for (std::size_t i = 0; i < held.rows.size(); i++)\n"
      "  for (std::size_t j = 0; j < held.rows[i].size(); j++) held.rows[i][j] = 1;");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_THAT(extraction.scops(0).statements(0).accesses(0).relation(),
              HasSubstr("tune_tune_held_rows_data[i, j]"));
  EXPECT_THAT(extraction.program().files(0).content(), HasSubstr("auto &tune_held_rows = held.rows;"));
}

TEST(VectorTable, OthersAreRefused) {
  const auto refused = [](const std::string& body) {
    const v1::Extraction extraction = ReadVectors(body);
    return extraction.diagnostics_size() > 0 ? extraction.diagnostics(0) : v1::Diagnostic();
  };
  const v1::Diagnostic pointed = refused("for (int i = 0; i < n; i++) (&held)->rows[i][0] = 1;");
  EXPECT_THAT(pointed.reason(), HasSubstr("rows may lie anywhere"));
  EXPECT_THAT(pointed.remedy(), HasSubstr("a reference, `auto &v = m.rows;`"));
  EXPECT_NE(
      refused("for (int i = 0; i < n; i++) { auto &row = a[i]; row[0] = 1; row.push_back(1); }").reason(),
      "");
  EXPECT_NE(refused("for (auto &row : a) { row[0] = 1; row = b[0]; }").reason(), "");
  EXPECT_NE(refused("for (auto row : a) row[0] = 1;").reason(), "");
  EXPECT_NE(refused("for (int i = 0; i < n; i++) { a[i].push_back(1); a[i][0] = 1; }").reason(), "");
  EXPECT_NE(refused("for (int i = 0; i < n; i++) bits[i][0] = 1;").reason(), "");
  EXPECT_NE(refused("for (int i = 0; i < n; i++) { a[i][0] = 1; a[i] = b[i]; }").reason(), "");
  EXPECT_THAT(refused("for (int i = 0; i < n; i++) y[i] = a[chosen[i][0]][1];").reason(),
              HasSubstr("data decide"));
}

}  // namespace
}  // namespace tune::testing
