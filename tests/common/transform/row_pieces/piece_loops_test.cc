#include "common/transform/row_pieces/piece_loops.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// v and the doubles d are read, p, q and the doubles e are written; rows of w have 102 elements. S0 writes
// its first access. `loop`: of the kernel.
std::string After(const std::string& loop, const std::string& loads = "") {
  v1::Scop scop;
  v1::Statement* const statement = scop.add_statements();
  statement->set_name("S0");
  statement->add_accesses()->set_kind(v1::Access::WRITE);
  for (int i = 0; i < 2; ++i) statement->add_accesses()->set_kind(v1::Access::READ);
  std::vector<DeviceArray> arrays;
  for (const char* name : {"v", "d", "w", "p", "q", "e"}) {
    DeviceArray array;
    array.name = array.scop_name = name;
    const bool is_double = array.name == "d" || array.name == "e";
    array.type = is_double ? v1::ELEMENT_TYPE_DOUBLE : v1::ELEMENT_TYPE_FLOAT;
    array.extents = {100, array.name == "w" ? 102 : 100};
    arrays.push_back(array);
  }
  const std::string head = absl::StrCat("kernel f of k, threads 32 1 1\n  array 0", loads,
                                        "\n  array 1\n  array 2\n  array 3, writes\n  array 4, writes\n"
                                        "  array 5, writes\n  body\n");
  DeviceKernel kernel = testing::KernelOf(absl::StrCat(head, loop));
  LoadAndStorePieces(scop, arrays, &kernel);
  return testing::TextOf(kernel).substr(testing::TextOf(kernel).find("  body\n") + 7);
}

TEST(PieceLoops, LoadAndStoreAlongRows) {
  EXPECT_EQ(After(R"(    for i = 1; i <= 98; i += 1, ahead 16
      fetch v[t - 1][i], type float
      fetch v[t][i], type float
      run S0(p[t][i], p[t][i - 1], v[t - 1][i])
      run S0(q[t][i], q[t][i - 1], v[t][i])
)"),
            R"(    for i = 1; i <= 98; i += 1, ahead 16
      fetch v[t - 1][i], type float, width 4
      fetch v[t][i], type float, width 4
      collect p[t][i], type float, width 4
      collect q[t][i], type float, width 4
      run S0(p[t][i], p[t][i - 1], v[t - 1][i])
      run S0(q[t][i], q[t][i - 1], v[t][i])
)");
}

TEST(PieceLoops, BackAlongRows) {
  EXPECT_EQ(After(R"(    for i = 0; i <= 97; i += 1, ahead 8
      fetch d[t][-i + 98], type double
      fetch v[t][-i + 98], type float
      run S0(e[t][-i + 98], e[t][-i + 99], d[t][-i + 98])
      run S0(p[i][t], v[t][-i + 98], v[t][-i + 98])
)"),
            R"(    for i = 0; i <= 97; i += 1, ahead 8, phase 3
      fetch d[t][-i + 98], type double, width 2
      fetch v[t][-i + 98], type float, width 4
      collect e[t][-i + 98], type double, width 2
      run S0(e[t][-i + 98], e[t][-i + 99], d[t][-i + 98])
      run S0(p[i][t], v[t][-i + 98], v[t][-i + 98])
)");
}

// Those that begin at the same time.
TEST(PieceLoops, AsManyAsCanBe) {
  EXPECT_EQ(After(R"(    for i = 1; i <= 98; i += 1, ahead 8
      fetch v[t][i - 1], type float
      fetch v[t][i], type float
      fetch w[t][i], type float
      fetch v[i][t], type float
      run S0(p[t][i - 1], v[t][i - 1], v[t][i])
      run S0(q[t][i], w[t][i], v[i][t])
      run S0(q[t][i], v[t][i], v[i][t])
)"),
            R"(    for i = 1; i <= 98; i += 1, ahead 8
      fetch v[t][i - 1], type float
      fetch v[t][i], type float, width 4
      fetch w[t][i], type float
      fetch v[i][t], type float
      collect q[t][i], type float, width 4
      run S0(p[t][i - 1], v[t][i - 1], v[t][i])
      run S0(q[t][i], w[t][i], v[i][t])
      run S0(q[t][i], v[t][i], v[i][t])
)");
}

TEST(PieceLoops, DoublesAlone) {
  EXPECT_EQ(After(R"(    for i = 0; i < 98; i += 1, ahead 4
      fetch d[t][i + 3], type double
      run S0(p[i][t], d[t][i + 3], d[t][i + 3])
)"),
            R"(    for i = 0; i < 98; i += 1, ahead 4, phase 1
      fetch d[t][i + 3], type double, width 2
      run S0(p[i][t], d[t][i + 3], d[t][i + 3])
)");
}

void ExpectSame(const std::string& loop, const std::string& loads = "") {
  EXPECT_EQ(After(loop, loads), loop);
}

TEST(PieceLoops, OthersStayAsTheyAre) {
  const std::string body = "      run S0(p[i][t], v[t][i], v[t][i])\n";
  const std::string fetch = "      fetch v[t][i], type float\n";
  ExpectSame("    for i = 1; i < 98; i += 1\n" + body);
  ExpectSame("    for i = 1; i < 98; i += 1, ahead 8\n" + fetch + body, ", loads texture");
  ExpectSame("    for i = 0; i < 2; i += 1, unroll whole, ahead 2, wide\n" + fetch + body);
  ExpectSame(
      "    for i = 1; i < 98; i += 1, ahead 8\n      fetch v[i][t], type float\n"
      "      run S0(p[i][t], v[i][t], p[i - 1][t])\n");
}

}  // namespace
}  // namespace tune
