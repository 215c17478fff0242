#include "worker/kernels/trip_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<TripNote>& notes) {
  std::vector<std::string> texts;
  for (const TripNote& note : notes) texts.push_back(absl::StrCat(note.line, ": ", note.expression));
  return texts;
}

TEST(TripNotesTest, AreOfTheirLineOrTheNextOneWithCode) {
  EXPECT_THAT(
      Texts(TripNotesIn("int a;\n"
                        "  for (int i = begin[r]; i < end[r]; i++) {  // tune: trips nonzeros / rows\n"
                        "    // tune: trips 2.5  \n"
                        "\n"
                        "    // of the list\n"
                        "#pragma unroll 1\n"
                        "    while (list[j] > 0)\n"
                        "      j++;\n"
                        "  } // tune:trips 3\n"
                        "//tune: trips n")),
      ::testing::ElementsAre("2: nonzeros / rows", "7: 2.5"));
}

TEST(TripNotesTest, OtherCommentsAreNone) {
  EXPECT_THAT(TripNotesIn("for (;;) // tune trips 3\nfor (;;) // tune: trips\nx(); // trips 4\n"), IsEmpty());
  EXPECT_THAT(TripNotesIn(""), IsEmpty());
}

TEST(TripNotesTest, AreEvaluatedAtTheConfiguration) {
  v1::Program program;
  v1::SourceFile& file = *program.add_files();
  file.set_path("kernels/k.cu");
  file.set_content("for (;;)  // tune: trips n // tile + 0.5\n");
  NamedValues names;
  names["n"] = Value::Integer(100);
  names["tile"] = Value::Integer(8);
  const auto trips = TripsOfSources(program, names);
  ASSERT_TRUE(trips.ok()) << trips.status();
  ASSERT_EQ(trips->size(), 1u);
  EXPECT_EQ((*trips)[0].file, "kernels/k.cu");
  EXPECT_EQ((*trips)[0].line, 1);
  EXPECT_EQ((*trips)[0].trips, 12.5);
  for (const auto& [note, why] :
       std::vector<std::pair<std::string, std::string>>{{"m", "k.cu:1: tune: trips m: "},
                                                        {"n /", "column"},
                                                        {"n - 101", "from 0 on"},
                                                        {"'a'", "from 0 on"}}) {
    file.set_content("for (;;)  // tune: trips " + note);
    const absl::Status refused = TripsOfSources(program, names).status();
    EXPECT_TRUE(absl::IsFailedPrecondition(refused));
    EXPECT_THAT(std::string(refused.message()), HasSubstr(why));
  }
}

}  // namespace
}  // namespace tune
