#include "common/mapping/product_mark.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(ProductMark, IsReadAsItWasPrinted) {
  ProductMark mark;
  mark.blocks = {6, 2, 48, 256, 128};
  EXPECT_EQ(PrintProductMark(mark), "product: tile 6x2, blocks 48 256 128");
  EXPECT_EQ(ParseProductMark(PrintProductMark(mark)), mark);
  mark.parallel = true;
  EXPECT_EQ(ParseProductMark(PrintProductMark(mark)), mark);
  mark.threads = 8;
  EXPECT_EQ(PrintProductMark(mark), "product: tile 6x2, blocks 48 256 128, parallel 8");
  EXPECT_EQ(ParseProductMark(PrintProductMark(mark)), mark);
  mark.blocks.tile_rows = 0;
  EXPECT_EQ(PrintProductMark(mark), "product: tile fittedx2, blocks 48 256 128, parallel 8");
  EXPECT_EQ(ParseProductMark(PrintProductMark(mark)), mark);
}

TEST(ProductMark, OtherNamesAreNone) {
  for (const char* name : {"loop: parallel", "product: tile 6x2", "product: tile 6x2, blocks 48 256 x",
                           "product: tile 6x2, blocks 1 2 3, serial"}) {
    EXPECT_EQ(ParseProductMark(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace tune
