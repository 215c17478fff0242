#include "client/submit/study_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/rpc/channel.h"
#include "tests/client/testing/fake_server.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

v1::Study Study(const std::string& id, v1::StudyState state, int evaluated = 0) {
  v1::Study study;
  study.set_id(id);
  study.set_state(state);
  study.set_evaluated(evaluated);
  return study;
}

class StudyWatchTest : public ::testing::Test {
 protected:
  // The next event that `wanted` accepts; fails after many.
  template <typename Wanted>
  static StudyWatch::Event Await(StudyWatch& watch, Wanted wanted) {
    for (int i = 0; i < 200; ++i) {
      StudyWatch::Event event = watch.Wait(absl::Milliseconds(100));
      if (wanted(event)) return event;
    }
    ADD_FAILURE() << "the event did not come";
    return {};
  }
  std::unique_ptr<StudyClient> Client() { return StudyClient::Open({server_.address(), "", ""}).value(); }

  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  FakeServer server_{folder_.path() + "/s"};
};

TEST_F(StudyWatchTest, DeliversUpdatesUntilTheEnd) {
  server_.Put(Study("s1", v1::SEARCHING, 1));
  const auto client = Client();
  StudyWatch watch(client.get(), "s1");
  auto at = [](int evaluated) {
    return [=](const StudyWatch::Event& event) {
      return event.study.has_value() && event.study->evaluated() == evaluated;
    };
  };
  EXPECT_FALSE(Await(watch, at(1)).finished);
  server_.Put(Study("s1", v1::SEARCHING, 2));
  Await(watch, at(2));
  server_.Put(Study("s1", v1::DONE, 3));
  EXPECT_TRUE(Await(watch, at(3)).finished);
}

TEST_F(StudyWatchTest, GoesOnAfterTheServerWasAway) {
  server_.Put(Study("s1", v1::SEARCHING, 1));
  const auto client = Client();
  StudyWatch watch(client.get(), "s1");
  Await(watch, [](const auto& event) { return event.study.has_value(); });
  server_.Stop();
  Await(watch, [](const auto& event) { return event.unreachable_since != absl::InfinitePast(); });
  server_.Put(Study("s1", v1::DONE, 5));
  server_.Start();
  const auto event = Await(watch, [](const auto& event) { return event.finished; });
  EXPECT_EQ(event.unreachable_since, absl::InfinitePast());
  EXPECT_TRUE(event.status.ok());
}

TEST_F(StudyWatchTest, UnknownStudyEnds) {
  const auto client = Client();
  StudyWatch watch(client.get(), "s9");
  const auto event = Await(watch, [](const auto& event) { return !event.status.ok(); });
  EXPECT_EQ(event.status.code(), absl::StatusCode::kNotFound);
}

TEST_F(StudyWatchTest, CanBeLeftAtAnyTime) {
  server_.Put(Study("s1", v1::SEARCHING, 1));
  const auto client = Client();
  for (int i = 0; i < 20; ++i) StudyWatch watch(client.get(), "s1");
  server_.Stop();
  for (int i = 0; i < 3; ++i) StudyWatch watch(client.get(), "s1");
}

TEST_F(StudyWatchTest, ClientReadsAllPages) {
  for (int i = 1; i <= 5; ++i) server_.Put(Study(absl::StrCat("s", i), v1::DONE));
  for (int i = 0; i < 5; ++i) {
    v1::Candidate candidate;
    candidate.set_index(2 * i);
    server_.Put("s1", candidate);
  }
  const auto client = Client();
  const auto studies = client->ListStudies(100);
  ASSERT_TRUE(studies.ok());
  EXPECT_EQ(studies->size(), 5u);
  EXPECT_EQ(studies->front().id(), "s5");
  EXPECT_EQ(client->ListStudies(3)->size(), 3u);
  const auto candidates = client->ListCandidates("s1");
  ASSERT_EQ(candidates->size(), 5u);
  EXPECT_EQ(candidates->back().index(), 8);
}

TEST_F(StudyWatchTest, RepeatedSubmissionMakesOneStudy) {
  const auto client = Client();
  v1::StudySpec spec;
  spec.set_name("gemm");
  EXPECT_EQ(client->Submit(spec, "id1")->id(), "s1");
  EXPECT_EQ(client->Submit(spec, "id1")->id(), "s1");
  EXPECT_EQ(client->Submit(spec, "id2")->id(), "s2");
}

TEST_F(StudyWatchTest, ErrorsSayWhatToDo) {
  const auto client = Client();
  server_.FailWith({grpc::StatusCode::UNAUTHENTICATED, "no token"});
  EXPECT_THAT(std::string(client->GetStudy("s1").status().message()), HasSubstr("--token-file"));
  EXPECT_FALSE(IsUnreachable(client->GetStudy("s1").status()));
  server_.Stop();
  const absl::Status gone = client->GetStudy("s1").status();
  EXPECT_TRUE(IsUnreachable(gone));
  EXPECT_THAT(std::string(gone.message()), HasSubstr(server_.address()));
  EXPECT_TRUE(IsUnreachable(client->Submit({}, "x", absl::ZeroDuration()).status()));
}

}  // namespace
}  // namespace tune
