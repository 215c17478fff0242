#include "client/report/table.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(TableTest, AlignsColumns) {
  Table table({{"name"}, {"time", Table::Align::kRight}, {"note"}});
  table.AddRow({"gemm", "1.32 ms", "x"});
  table.AddRow({"floyd-warshall", "850 ns", ""});
  EXPECT_EQ(table.Print(),
            "name               time  note\n"
            "gemm            1.32 ms  x\n"
            "floyd-warshall   850 ns\n");
}

TEST(TableTest, CountsCharactersNotBytes) {
  Table table({{"name"}, {"x"}});
  table.AddRow({"f\xc3\xbc", "1"});  // an umlaut takes two bytes
  table.AddRow({"abc", "2"});
  EXPECT_EQ(table.Print(), "name  x\nf\xc3\xbc    1\nabc   2\n");
}

TEST(TableTest, MissingCellsAreEmptyAndExtraOnesDropped) {
  Table table({{"a"}, {"b"}});
  EXPECT_TRUE(table.empty());
  table.AddRow({"1"});
  table.AddRow({"1", "2", "3"});
  EXPECT_EQ(table.Print(), "a  b\n1\n1  2\n");
}

TEST(PrintableTest, KeepsLinesAndTabs) {
  EXPECT_EQ(Printable("a\tb\n\033[31mc\r\n"), "a\tb\n [31mc \n");
  EXPECT_EQ(OneLine("a\tb\n"), "a b ");
  EXPECT_EQ(OneLine("a\xC2\x9B"
                    "2Jb\xE2\x80\xAE"
                    "c\xC3\xA9"),
            "a 2Jb c\xC3\xA9");
}

TEST(TableTest, ControlCharactersOfOthersDoNotReachTheTerminal) {
  Table table({{"a"}});
  table.AddRow({"x\033[31m\ny\r"});
  EXPECT_EQ(table.Print(), "a\nx [31m y\n");
}

TEST(TableTest, ARedRowIsAlignedAsOthers) {
  Table table({{"a"}, {"b"}});
  table.AddRow({"long", "1"}, /*red=*/true);
  table.AddRow({"x", "2"});
  EXPECT_EQ(table.Print(), "a     b\n\033[31mlong  1\033[0m\nx     2\n");
}

}  // namespace
}  // namespace tune
