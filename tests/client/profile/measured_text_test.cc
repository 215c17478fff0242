#include "client/profile/measured_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace tune {
namespace {

// A nest of `part` of the text, which stands there once.
v1::LoopNest NestOf(const std::string& text, const std::string& part, bool in_block) {
  v1::LoopNest nest;
  const size_t begin = text.find(part);
  EXPECT_NE(begin, std::string::npos) << part;
  nest.set_begin_offset(static_cast<int64_t>(begin));
  nest.set_end_offset(static_cast<int64_t>(begin + part.size()));
  nest.set_in_block(in_block);
  return nest;
}

// What counts is written as "count[K];".
std::string Short(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"(tune_profile_calls ? tune_profile_calls : tune_profile_thread())", "count"}, {"]++;", "];"}});
}

// The copy without what it begins with.
std::string Shown(const MeasuredText& measured) {
  return Short(measured.text.substr(measured.text.find("}\n#endif\n") + 9));
}

// The lines of nest i, joined by '|'.
std::string Lines(const MeasuredText& measured, size_t i) {
  const std::vector<std::string> lines = absl::StrSplit(measured.text, '\n');
  std::string text;
  for (int line = measured.nests[i].begin_line; line <= measured.nests[i].end_line; ++line)
    absl::StrAppend(&text, text.empty() ? "" : "|", lines.at(static_cast<size_t>(line) - 1));
  return Short(text);
}

TEST(MeasuredText, ANestHasLinesOfItsOwn) {
  const std::string text = "int f(void) {\n  x = 1; for (;;) a();\n  for (;;)\n    b(); y = 2;\n}\n";
  v1::LoopNests nests;
  *nests.add_nests() = NestOf(text, "for (;;) a();\n  for (;;)\n    b();", true);
  const MeasuredText measured = MeasureNests(text, nests);
  EXPECT_EQ(Shown(measured),
            "int f(void) {\n  x = 1; \ncount[0];\nfor (;;) a();\n  for (;;)\n    b();\n y = 2;\n}\n");
  EXPECT_EQ(Lines(measured, 0), "count[0];|for (;;) a();|  for (;;)|    b();");
  EXPECT_TRUE(measured.nests[0].counted);
}

TEST(MeasuredText, ABodyWithoutBracesGetsSome) {
  const std::string text = "if (c) for (;;) a(); else\n#pragma omp parallel for\nfor (;;) b();\n";
  v1::LoopNests nests;
  *nests.add_nests() = NestOf(text, "for (;;) a();", false);
  *nests.add_nests() = NestOf(text, "#pragma omp parallel for\nfor (;;) b();", false);
  const MeasuredText measured = MeasureNests(text, nests);
  EXPECT_EQ(Shown(measured),
            "if (c) \n{ count[0];\nfor (;;) a();\n}\n else\n\n{ count[1];\n#pragma omp parallel for\n"
            "for (;;) b();\n}\n\n");
  EXPECT_EQ(Lines(measured, 0), "{ count[0];|for (;;) a();");
  EXPECT_EQ(Lines(measured, 1), "{ count[1];|#pragma omp parallel for|for (;;) b();");
}

// The outer one ends where the inner one does, and begins where another one ended.
TEST(MeasuredText, NestsInNests) {
  const std::string text = "for (;;) a();for (;;) for (;;) b();}";
  v1::LoopNests nests;
  *nests.add_nests() = NestOf(text, "for (;;) a();", true);
  *nests.add_nests() = NestOf(text, "for (;;) for (;;) b();", true);
  *nests.add_nests() = NestOf(text, "for (;;) b();", false);
  const MeasuredText measured = MeasureNests(text, nests);
  EXPECT_EQ(Shown(measured),
            "\ncount[0];\nfor (;;) a();\n\ncount[1];\nfor (;;) \n{ count[2];\nfor (;;) b();\n}\n\n}");
  EXPECT_EQ(Lines(measured, 0), "count[0];|for (;;) a();");
  EXPECT_EQ(Lines(measured, 1), "count[1];|for (;;) |{ count[2];|for (;;) b();|}|");
  EXPECT_EQ(Lines(measured, 2), "{ count[2];|for (;;) b();");
}

TEST(MeasuredText, WhatNothingCanBePutBeforeKeepsItsLines) {
  const std::string text = "x();\nTWO;\nfor (;;) a();\nEND";
  v1::LoopNests nests;
  v1::LoopNest& macro = *nests.add_nests();
  macro.set_begin_line(2);
  macro.set_end_line(2);
  *nests.add_nests() = NestOf(text, "for (;;) a();", true);
  v1::LoopNest& last = *nests.add_nests();
  last.set_begin_line(4);
  last.set_end_line(4);
  const MeasuredText measured = MeasureNests(text, nests);
  EXPECT_EQ(Shown(measured), "x();\nTWO;\n\ncount[1];\nfor (;;) a();\n\nEND");
  EXPECT_EQ(Lines(measured, 0), "TWO;");
  EXPECT_EQ(Lines(measured, 2), "END");
  EXPECT_FALSE(measured.nests[0].counted);
  EXPECT_TRUE(measured.nests[1].counted);
}

// The compiler is to tell the copy's lines.
TEST(MeasuredText, NoLinesOfOtherFiles) {
  const std::string text =
      "#line 7 \"a.y\"\n  # 9 \"b.y\"\r\n# line 3\n#lines\n#define line 3\nfor (;;) a();\n";
  v1::LoopNests nests;
  *nests.add_nests() = NestOf(text, "for (;;) a();", true);
  const MeasuredText measured = MeasureNests(text, nests);
  EXPECT_EQ(Shown(measured),
            "#pragma tune_line\n#pragma tune_line\n#pragma tune_line\n#lines\n#define line 3\n\ncount[0];\n"
            "for (;;) a();\n\n");
  EXPECT_EQ(Lines(measured, 0), "count[0];|for (;;) a();");
}

TEST(MeasuredText, AByteOrderMarkIsLeftOut) {
  EXPECT_EQ(Shown(MeasureNests("\xEF\xBB\xBFint x;", {})), "int x;");
}

TEST(MeasuredText, WithoutNestsOnlyTheBeginningIsNew) {
  EXPECT_EQ(Shown(MeasureNests("int main(void) {}", {})), "int main(void) {}");
}

}  // namespace
}  // namespace tune
