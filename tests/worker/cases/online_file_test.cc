#include "worker/cases/online_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/base/file.h"
#include "tests/worker/cases/example_programs.h"
#include "worker/cases/case_discussion.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::CaseDiscussion Discuss(const v1::Scop& scop, bool online = true) {
  std::vector<std::string> notes;
  const auto discussion = DiscussCases(scop, {"", online, {}}, &notes);
  EXPECT_TRUE(discussion.ok()) << discussion.status();
  EXPECT_TRUE(notes.empty()) << notes[0];
  return discussion.value_or(v1::CaseDiscussion());
}

TEST(OnlineFileTest, TheProductHasAllRulesWithTheirPolynomials) {
  const std::string text = Discuss(ExampleScop("product")).device_file();
  EXPECT_THAT(text, HasSubstr("Rule(TUNE_MIN_COMPUTE, choice, 1, "));
  EXPECT_THAT(text, HasSubstr("Rule(TUNE_COMPUTE_INTENSITY, choice, 2, "));
  EXPECT_THAT(text, HasSubstr("Rule(TUNE_MIN_REUSE, shared, 1, "));
  EXPECT_THAT(text, HasSubstr("tune_value += 1.0 * n * n * n;"));
}

// Its tile is there so that neighbours read neighbours: no element is read twice, and it pays.
TEST(OnlineFileTest, TilesThatTransposeHaveNoRuleOfReuse) {
  const std::string text = Discuss(ExampleScop("transposition")).device_file();
  EXPECT_THAT(text, HasSubstr("\"shared\""));
  EXPECT_THAT(text, Not(HasSubstr("TUNE_MIN_REUSE, ")));
  EXPECT_THAT(text, Not(HasSubstr("_reuse(")));
}

TEST(OnlineFileTest, OnlyFilesThatAreAskedForNeedTheLibrary) {
  const v1::CaseDiscussion plain = Discuss(ExampleScop("product"), false),
                           online = Discuss(ExampleScop("product"));
  EXPECT_THAT(plain.device_file(), Not(HasSubstr("tune.h")));
  EXPECT_EQ(plain.after_original(), "");
  EXPECT_THAT(online.device_file(), HasSubstr("#include <tune.h>"));
  EXPECT_THAT(online.after_original(), HasSubstr("tune_original_"));
}

// A change of the text is another region, of which wisdom says nothing.
TEST(OnlineFileTest, TheIdentityFollowsFromWhatIsComputed) {
  v1::Scop scop = ExampleScop("transposition");
  const auto identity = [](const std::string& text) {
    const size_t begin = text.find("Create(gpu, \"");
    return text.substr(begin, text.find(')', begin) - begin);
  };
  const std::string before = identity(Discuss(scop).device_file());
  EXPECT_THAT(before, HasSubstr(absl::StrCat("\"", scop.name(), ":")));
  scop.mutable_region()->set_begin_line(scop.region().begin_line() + 3);
  EXPECT_EQ(identity(Discuss(scop).device_file()), before);
  scop.mutable_arrays(0)->set_element_type(v1::ELEMENT_TYPE_FLOAT);
  EXPECT_NE(identity(Discuss(scop).device_file()), before);
}

TEST(OnlineFileTest, NamesOfLibtuneAreRefused) {
  v1::Scop scop = ExampleScop("transposition");
  scop.set_name("create");
  EXPECT_THAT(CheckOnlineName(scop).message(), HasSubstr("rename the function"));
  scop.set_name("creates");
  EXPECT_TRUE(CheckOnlineName(scop).ok());
}

}  // namespace
}  // namespace tune
