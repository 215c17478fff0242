#include "server/dashboard/change_feed.h"

#include "common/scop/scop.h"
#include "tests/server/dashboard/dashboard_fixture.h"

namespace tune {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class ChangeFeedTest : public DashboardTest {
 protected:
  // Reads a stream of `path` until `enough` of what has come.
  std::string Read(const std::string& path, const std::function<bool(const std::string&)>& enough) {
    std::string text;
    Open().Get(path.c_str(), [&](const char* data, size_t size) {
      text.append(data, size);
      return !enough(text);
    });
    return text;
  }
};

TEST_F(ChangeFeedTest, TellsPagesWhatHasChanged) {
  Serve();
  std::thread study;
  const std::string text = Read("/api/v1/events", [&](const std::string& so_far) {
    if (!study.joinable()) study = std::thread([&] { RunStudy(); });
    return so_far.find("\"s1\"") != std::string::npos && so_far.find("\"workers\":true") != std::string::npos;
  });
  study.join();
  EXPECT_EQ(text.substr(0, text.find("\n\n")), "retry: 3000\nevent: hello\ndata: {}");
  EXPECT_THAT(text, HasSubstr("event: change\ndata: {\"studies\":[\"s1\"]"));
}

TEST_F(ChangeFeedTest, AStudysStreamNamesNoOther) {
  Serve();
  RunStudy();
  ASSERT_TRUE(coordinator_->Submit(SyntheticSpec(), "").ok());
  std::thread cancel;
  const std::string text = Read("/api/v1/studies/s2/events", [&](const std::string& so_far) {
    if (!cancel.joinable()) cancel = std::thread([&] { EXPECT_TRUE(coordinator_->Cancel("s2").ok()); });
    return so_far.find("change") != std::string::npos;
  });
  cancel.join();
  EXPECT_THAT(text, HasSubstr("{\"studies\":[\"s2\"],\"workers\":false}"));
}

TEST_F(ChangeFeedTest, ChangesThatNobodyTakesAreMerged) {
  StudyIndex index(coordinator_.get(), absl::ZeroDuration());
  ChangeFeed feed(coordinator_.get(), &index, {absl::Milliseconds(1), 64});
  const auto slow = feed.Subscribe("").value();
  const auto quick = feed.Subscribe("").value();
  EXPECT_THAT(*slow->Next(absl::Minutes(1)), HasSubstr("hello"));
  EXPECT_THAT(*quick->Next(absl::Minutes(1)), HasSubstr("hello"));
  for (int i = 1; i <= 40; ++i) {
    ASSERT_TRUE(coordinator_->Submit(SyntheticSpec(), "").ok());
    std::string seen;
    while (seen.find(absl::StrCat("\"s", i, "\"")) == std::string::npos) {
      seen += quick->Next(absl::Minutes(1)).value();
    }
  }
  const std::string merged = *slow->Next(absl::Minutes(1));
  EXPECT_THAT(merged, HasSubstr("\"s1\""));
  EXPECT_THAT(merged, HasSubstr("\"s40\""));
  EXPECT_EQ(*slow->Next(absl::ZeroDuration()), "");
}

TEST_F(ChangeFeedTest, NoMoreStreamsThanAllowedAndOneThatLeavesMakesRoom) {
  DashboardOptions options = Options();
  options.most_streams = 2;
  Serve(options);
  StudyIndex index(coordinator_.get(), absl::ZeroDuration());
  ChangeFeed feed(coordinator_.get(), &index, {absl::Milliseconds(1), 2});
  auto first = feed.Subscribe("").value();
  const auto second = feed.Subscribe("").value();
  EXPECT_TRUE(absl::IsResourceExhausted(feed.Subscribe("").status()));
  first.reset();
  EXPECT_TRUE(feed.Subscribe("").ok());
  // Over the network: the third is told so.
  const std::string text = Read("/api/v1/events", [&](const std::string&) {
    Read("/api/v1/events", [&](const std::string&) {
      EXPECT_THAT(Refusal("/api/v1/events", 503), HasSubstr("2 pages follow this server already"));
      return true;
    });
    return true;
  });
  EXPECT_THAT(text, HasSubstr("hello"));
}

// A page that never reads holds up neither the others nor the end of the server.
TEST_F(ChangeFeedTest, TheServerEndsWithStreamsOpen) {
  Serve();
  std::atomic<int> open{0};
  std::vector<std::thread> pages;
  for (int i = 0; i < 10; ++i) {
    pages.emplace_back([&] {
      bool counted = false;
      Read("/api/v1/events", [&](const std::string&) {
        if (!counted) ++open;
        counted = true;
        return false;
      });
    });
  }
  while (open < 10) EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_EQ(Get("/api/v1/studies").status, 200);
  dashboard_->Stop();
  for (std::thread& page : pages) page.join();
}

TEST_F(ChangeFeedTest, AnIndexFollowsWhatIsNewAndWhatChanges) {
  StudyIndex index(coordinator_.get(), absl::ZeroDuration());
  uint64_t version = 0;
  EXPECT_EQ(index.ChangedSince(&version)->size(), 0);
  ASSERT_TRUE(coordinator_->Submit(SyntheticSpec(), "").ok());
  ASSERT_TRUE(coordinator_->Submit(SyntheticSpec(), "").ok());
  EXPECT_EQ(index.ChangedSince(&version)->size(), 2);
  EXPECT_EQ(index.ChangedSince(&version)->size(), 0);
  ASSERT_TRUE(coordinator_->Cancel("s1").ok());
  EXPECT_EQ(*index.ChangedSince(&version), std::vector<std::string>({"s1"}));
  ASSERT_TRUE(coordinator_->Submit(SyntheticSpec(), "").ok());
  EXPECT_EQ(*index.ChangedSince(&version), std::vector<std::string>({"s3"}));
  const StudyIndex::List all = index.All().value();
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all[0]->study.id(), "s3");
  EXPECT_EQ(all[2]->study.state(), v1::STOPPED);
  EXPECT_EQ(*index.ScopOf("s1"), ScopFingerprint(SyntheticSpec().scop()));
  EXPECT_EQ(*index.ScopOf("s1"), *index.ScopOf("s3"));
  EXPECT_TRUE(absl::IsNotFound(index.ScopOf("s4").status()));
  const auto removed = [&] { return coordinator_->RemoveStudy("s1").value_or(false); };
  while (!removed()) EXPECT_TRUE(index.All().ok());  // until the server has put it away
  EXPECT_EQ(*index.ChangedSince(&version), std::vector<std::string>({"s1"}));
  EXPECT_EQ(index.All()->size(), 2);
}

}  // namespace
}  // namespace tune
