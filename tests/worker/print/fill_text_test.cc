#include "worker/print/fill_text.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/program/expression_reader.h"

namespace tune {
namespace {

// A tile of an array, as `threads` threads fill it.
struct Filled {
  std::vector<int64_t> extents;  // of the array's part
  bool transposed = false;
  int64_t width = 1, threads = 32;
  bool unroll = true;
  bool ends_inside = false;  // the array does so along the last dimension
  v1::ElementType type = v1::ELEMENT_TYPE_FLOAT;

  std::string Text() const {
    return absl::StrCat(absl::StrJoin(extents, " x "), transposed ? " transposed" : "", ", ", width,
                        " at once, ", threads, " threads", unroll ? "" : ", a loop");
  }
};

std::vector<std::string> Lines(const Filled& filled) {
  DeviceKernel kernel;
  Tile& tile = kernel.tiles.emplace_back();
  tile.name = "T";
  tile.array = "A";
  tile.type = filled.type;
  tile.shared = true;
  tile.transposed = filled.transposed;
  tile.extents = filled.extents;
  if (filled.transposed) std::swap(tile.extents[0], tile.extents[1]);
  tile.row_length = tile.extents.back();
  Fill fill;
  TileFill& part = fill.tiles.emplace_back();
  part.to.array = "T";
  part.first.assign(filled.extents.size(), IndexExpression::Constant(0));
  part.before.assign(filled.extents.size(), false);
  part.behind.assign(filled.extents.size(), false);
  part.behind.back() = filled.ends_inside;
  part.width = filled.width;
  part.unroll = filled.unroll;
  fill.threads = filled.threads;
  fill.zero_outside = true;
  fill.lane = "lane";
  DeviceArray array;
  array.scop_name = array.name = "A";
  array.extents = filled.extents;
  IndexPrinter indices(HelperNames("t_"), "int");
  std::vector<std::string> lines;
  for (const TextLine& line : FillLines(fill, kernel, {array}, &indices)) lines.push_back(line.text);
  return lines;
}

// The text between the two.
std::string Between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

int64_t Value(const std::string& text, int64_t lane, int64_t q) {
  IndexExpression expression = ReadIndexExpression(text).value();
  expression = Replace(expression, "lane", IndexExpression::Constant(lane));
  expression = Folded(Replace(expression, "t_q", IndexExpression::Constant(q)));
  EXPECT_TRUE(expression.IsConstant()) << text;
  return expression.value;
}

std::string LineWith(const std::vector<std::string>& lines, const std::string& part) {
  for (const std::string& line : lines) {
    if (absl::StrContains(line, part)) return line;
  }
  ADD_FAILURE() << "no line has " << part;
  return "";
}

// Each piece of the array's part is copied by one thread, once, to its place in the tile.
void ExpectEachPieceOnce(const Filled& filled) {
  SCOPED_TRACE(filled.Text());
  const std::vector<std::string> lines = Lines(filled);
  const std::string loop = LineWith(lines, "for (int t_q = ");
  const std::string begin = Between(loop, "t_q = ", ";"), end = Between(loop, "t_q < ", ";");
  const std::string step = Between(loop, "t_q += ", ")"), to = LineWith(lines, "T[");
  std::vector<std::string> in_array, in_tile;
  size_t from = to.find("T[") + 1;
  for (size_t i = 0; i < filled.extents.size(); ++i) {
    in_array.push_back(Between(LineWith(lines, absl::StrCat("t_q", i, " = ")), " = ", ";"));
    in_tile.push_back(Between(to.substr(from), "[", "]"));
    from = to.find(']', from) + 1;
  }
  std::set<std::vector<int64_t>> copied;
  size_t pieces = 1;
  for (const int64_t extent : filled.extents) pieces *= extent;
  pieces /= filled.width;
  for (int64_t lane = 0; lane < filled.threads; ++lane) {
    for (int64_t q = Value(begin, lane, 0); q < Value(end, lane, 0); q += Value(step, lane, 0)) {
      std::vector<int64_t> element, place;
      for (size_t i = 0; i < filled.extents.size(); ++i) {
        element.push_back(Value(in_array[i], lane, q));
        place.push_back(Value(in_tile[i], lane, q));
        EXPECT_TRUE(0 <= element[i] && element[i] < filled.extents[i]);
      }
      EXPECT_EQ(element.back() % filled.width, 0);
      if (filled.transposed) std::swap(place[0], place[1]);
      EXPECT_EQ(place, element);
      EXPECT_TRUE(copied.insert(element).second);
    }
  }
  EXPECT_EQ(copied.size(), pieces);
}

TEST(FillTextTest, EachPieceIsCopiedOnce) {
  ExpectEachPieceOnce({{128, 16}, false, 4, 128});
  ExpectEachPieceOnce({{16, 64}, false, 4, 128});
  ExpectEachPieceOnce({{64, 16}, true, 1, 128});
  ExpectEachPieceOnce({{4, 8, 16}, false, 2, 32});
  ExpectEachPieceOnce({{2, 3, 64}, false, 1, 32});
  ExpectEachPieceOnce({{256}, false, 1, 64});
  ExpectEachPieceOnce({{7, 5}, false, 1, 32});
  ExpectEachPieceOnce({{128, 16}, false, 4, 128, /*unroll=*/false});
}

TEST(FillTextTest, EachPieceOfRandomTilesIsCopiedOnce) {
  std::mt19937 random(11);
  const auto one_of = [&](std::vector<int64_t> values) { return values[random() % values.size()]; };
  for (int i = 0; i < 60; ++i) {
    Filled filled;
    const size_t dimensions = 1 + random() % 3;
    for (size_t d = 0; d < dimensions; ++d) filled.extents.push_back(one_of({1, 2, 3, 4, 5, 8, 12, 16}));
    filled.width = one_of({1, 2, 4});
    filled.extents.back() *= filled.width;
    filled.transposed = dimensions == 2 && filled.width == 1 && random() % 2 == 0;
    filled.threads = one_of({8, 12, 16, 24, 32, 64});
    ExpectEachPieceOnce(filled);
  }
}

TEST(FillTextTest, WhatIsOutsideIsAZeroOfTheType) {
  const auto copied = [](v1::ElementType type) {
    Filled filled{{16, 16}};
    filled.ends_inside = true;
    filled.type = type;
    return LineWith(Lines(filled), " ? ");
  };
  EXPECT_TRUE(absl::EndsWith(copied(v1::ELEMENT_TYPE_FLOAT), " : 0;"));
  EXPECT_TRUE(absl::EndsWith(copied(v1::ELEMENT_TYPE_FLOAT16), " : 0.0f;"));
  EXPECT_TRUE(absl::EndsWith(copied(v1::ELEMENT_TYPE_COMPLEX_FLOAT), " : _Complex float{0};"));
}

// Places of a thread's pieces differ by constants.
TEST(FillTextTest, TurnsOfWholeRowsHaveOneAddress) {
  const std::vector<std::string> lines = Lines({{128, 16}, false, 4, 128});
  EXPECT_EQ(LineWith(lines, "for"), "for (int t_q = 0; t_q < 4; t_q += 1) {");
  EXPECT_EQ(LineWith(lines, "t_q0 ="), "const int t_q0 = 0 + (lane / 4 + 32 * t_q);");
  EXPECT_EQ(LineWith(lines, "t_q1 ="), "const int t_q1 = 0 + lane % 4 * 4;");
}

}  // namespace
}  // namespace tune
