#include "common/transform/packed_product/product_loops.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

constexpr char kLoops[] = R"(for k = 0; k < 30; k += 1
  for i = 1; i <= n - 1; i += 1
    for j = i + 2; j < 40; j += 1
      run S1(alpha, A[i][k], B[k][j], C[i][j])
)";

// After the pass, of a product of S1 of gemm: C[i][j] += alpha * A[i][k] * B[k][j].
std::string Found(const std::string& plain) {
  Product product;
  product.blocks.tile_rows = 6;
  product.parallel = true;
  product.plain = ReadBlock(plain).value();
  OpenMpProgram program;
  program.body = {{Scope{{{product}}}}};
  FindProductLoops(testing::GemmScop(), &program);
  return PrintBlockText(program.body.at(0).As<Scope>()->body);
}

std::string Replaced(const std::string& from, const std::string& to) {
  std::string text = kLoops;
  text.replace(text.find(from), from.size(), to);
  return text;
}

void ExpectNone(const std::string& plain) { EXPECT_EQ(Found(plain), plain); }

TEST(FindProductLoops, LoopsAndInstanceAreThoseOfThePlainLoops) {
  EXPECT_EQ(Found(kLoops), R"(product, rows 6, parallel, triangular
  sum k = 0; k < 30
  row i = 1; i <= n - 1
  column j = i + 2; j < 40
  run S1(alpha, A[i][k], B[k][j], C[i][j])
  plain
    for k = 0; k < 30; k += 1
      for i = 1; i <= n - 1; i += 1
        for j = i + 2; j < 40; j += 1
          run S1(alpha, A[i][k], B[k][j], C[i][j])
)");
}

TEST(FindProductLoops, ColumnsThatDoNotDependOnTheRowAreNoTriangle) {
  const std::string found = Found(Replaced("j = i + 2", "j = 2"));
  EXPECT_EQ(found.substr(0, found.find('\n')), "product, rows 6, parallel");
}

TEST(FindProductLoops, NeighboursMayBeShifted) {
  EXPECT_EQ(Found(Replaced("C[i][j]", "C[i][n - i + (j - 1)]")).substr(0, 8), "product,");
}

TEST(FindProductLoops, OtherLoopsAreNoProduct) {
  ExpectNone(Replaced("k += 1", "k += 2"));
  ExpectNone(Replaced("k < 30", "k < 30 && k < n"));
  ExpectNone(Replaced("k < 30", "30 > k"));
  // The bounds of row and column depend on the sum.
  ExpectNone(Replaced("i = 1", "i = k"));
  ExpectNone(Replaced("j < 40", "j < k"));
  ExpectNone("for k = 0; k < 30; k += 1\n  run S1(alpha, A[0][k], B[k][0], C[0][0])\n");
}

TEST(FindProductLoops, OtherNodesAmongTheLoopsAreNoProduct) {
  ExpectNone(std::string(kLoops) + "barrier block\n");
  ExpectNone(std::string(kLoops) + "    run S1(alpha, A[i][k], B[k][0], C[i][0])\n");
  ExpectNone(Replaced("      run", "      if i\n        run"));
  ExpectNone("");
}

TEST(FindProductLoops, OtherTargetsAreNoProduct) {
  // No neighbours in a row; several elements in a sum; no row at all.
  ExpectNone(Replaced("C[i][j]", "C[i][2 * j]"));
  ExpectNone(Replaced("C[i][j]", "C[i][i - j]"));
  ExpectNone(Replaced("C[i][j]", "C[i][j + j]"));
  ExpectNone(Replaced("C[i][j]", "C[j][i]"));
  ExpectNone(Replaced("C[i][j]", "C[i + k][j]"));
  ExpectNone(Replaced("C[i][j]", "C[i][j + k]"));
  ExpectNone(Replaced("C[i][j]", "C[j]"));
}

TEST(FindProductLoops, OtherStatementsAreNoProduct) {
  // S0 is C[i][j] *= beta; terms of S1 that do not change along the sum.
  ExpectNone(Replaced("S1(alpha, A[i][k], B[k][j], C[i][j])", "S0(beta, C[i][j])"));
  ExpectNone(Replaced("A[i][k]", "A[i][0]"));
  ExpectNone(Replaced("B[k][j]", "B[0][j]"));
  ExpectNone(Replaced("B[k][j]", "B[k][0]"));
}

}  // namespace
}  // namespace tune
