#include "worker/lease/lease_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/clock.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LeaseStateTest : public ::testing::Test {
 protected:
  LeaseStateTest() : state_({"w", "session", "0.2.0", {v1::Device()}}, 1) {}

  // One call that the server answers with `response`.
  LeaseActions Call(const v1::SynchronizeResponse& response) {
    request_ = state_.MakeRequest();
    return state_.OnResponse(request_, response, clock_.Now());
  }
  LeaseActions Grant(const std::string& lease_id) {
    v1::SynchronizeResponse response;
    response.add_leases()->set_lease_id(lease_id);
    response.set_next_synchronization_ms(10'000);
    return Call(response);
  }
  void Finish(const std::string& lease_id) {
    v1::LeaseResult result;
    result.set_lease_id(lease_id);
    state_.OnFinished(result, clock_.Now());
  }
  bool Due() const { return state_.next() <= clock_.Now(); }

  ManualClock clock_;
  LeaseState state_;
  v1::SynchronizeRequest request_;
};

TEST_F(LeaseStateTest, IdleWorkerOffersItsSlotAndWaits) {
  EXPECT_TRUE(Due());
  const v1::SynchronizeRequest request = state_.MakeRequest();
  EXPECT_EQ(request.worker(), "w");
  EXPECT_EQ(request.session(), "session");
  EXPECT_EQ(request.free_slots(), 1);
  EXPECT_EQ(request.wait_ms(), 120'000);
  EXPECT_THAT(request.devices(), SizeIs(1));
}

TEST_F(LeaseStateTest, LeaseResultAcknowledgement) {
  EXPECT_THAT(Grant("a").start, SizeIs(1));
  EXPECT_TRUE(state_.busy());
  state_.OnStage("a", "compile");
  v1::SynchronizeRequest request = state_.MakeRequest();
  EXPECT_EQ(request.free_slots(), 0);
  EXPECT_EQ(request.wait_ms(), 0);
  ASSERT_THAT(request.active(), SizeIs(1));
  EXPECT_EQ(request.active(0).stage(), "compile");

  EXPECT_FALSE(Due());
  Finish("a");
  EXPECT_TRUE(Due());  // results are not kept waiting
  request = state_.MakeRequest();
  EXPECT_THAT(request.active(), IsEmpty());
  ASSERT_THAT(request.results(), SizeIs(1));
  EXPECT_EQ(request.free_slots(), 1);  // the answer may bring the next lease

  v1::SynchronizeResponse response;
  response.add_acknowledged("a");
  response.add_leases()->set_lease_id("b");
  EXPECT_THAT(Call(response).start, SizeIs(1));
  EXPECT_THAT(state_.MakeRequest().results(), IsEmpty());
}

TEST_F(LeaseStateTest, ResultIsSentUntilAcknowledged) {
  Grant("a");
  Finish("a");
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(state_.MakeRequest().results(), SizeIs(1));
    state_.OnFailure(clock_.Now());
  }
  Call({});  // the server could not store it
  EXPECT_THAT(request_.results(), SizeIs(1));
  EXPECT_GE(state_.next() - clock_.Now(), absl::Seconds(1));
  v1::SynchronizeResponse response;
  response.add_acknowledged("a");
  Call(response);
  EXPECT_THAT(state_.MakeRequest().results(), IsEmpty());
}

TEST_F(LeaseStateTest, ResultsThatAreManyGoWithSeveralCalls) {
  WorkerIdentity identity{"w", "session", "0.2.0", {v1::Device()}};
  identity.slots = 3;
  LeaseState state(identity, 1);
  v1::SynchronizeResponse grants;
  for (const char* id : {"a", "b", "c"}) grants.add_leases()->set_lease_id(id);
  state.OnResponse(state.MakeRequest(), grants, clock_.Now());
  for (const char* id : {"a", "b", "c"}) {
    v1::LeaseResult result;
    result.set_lease_id(id);
    // The last one is too large for any request: its texts stay here.
    result.mutable_evaluate()->mutable_evaluation()->set_code(
        std::string(id[0] == 'c' ? 9 << 20 : 5 << 20, 'x'));
    state.OnFinished(result, clock_.Now());
  }
  std::vector<std::string> sent;
  while (sent.size() < 3) {
    const v1::SynchronizeRequest request = state.MakeRequest();
    ASSERT_LT(request.ByteSizeLong(), size_t{8} << 20);
    // What is not sent yet is not given back.
    EXPECT_EQ(request.active_size() + request.results_size(), static_cast<int>(3 - sent.size()));
    v1::SynchronizeResponse response;
    response.set_next_synchronization_ms(10'000);
    for (const v1::LeaseResult& result : request.results()) {
      sent.push_back(result.lease_id());
      response.add_acknowledged(result.lease_id());
    }
    ASSERT_GT(request.results_size(), 0);
    state.OnResponse(request, response, clock_.Now());
    EXPECT_EQ(state.next() <= clock_.Now(), sent.size() < 3);
  }
  EXPECT_THAT(sent, ElementsAre("a", "b", "c"));
}

TEST_F(LeaseStateTest, ResultThatComesDuringACallGoesWithTheNextAtOnce) {
  Grant("a");
  const v1::SynchronizeRequest heartbeat = state_.MakeRequest();
  Finish("a");
  v1::SynchronizeResponse response;
  response.set_next_synchronization_ms(10'000);
  state_.OnResponse(heartbeat, response, clock_.Now());
  EXPECT_TRUE(Due());
}

TEST_F(LeaseStateTest, AnswerMayBeSeenTwice) {
  EXPECT_THAT(Grant("a").start, SizeIs(1));
  EXPECT_THAT(Grant("a").start, IsEmpty());
}

TEST_F(LeaseStateTest, MoreLeasesThanSlotsAreReturned) {
  Grant("a");
  EXPECT_THAT(Grant("b").start, IsEmpty());
  EXPECT_TRUE(Due());
  EXPECT_THAT(state_.MakeRequest().returned(), ElementsAre("b"));
  state_.OnFailure(clock_.Now());
  EXPECT_THAT(state_.MakeRequest().returned(), ElementsAre("b"));
  Call({});
  EXPECT_THAT(state_.MakeRequest().returned(), IsEmpty());
}

TEST_F(LeaseStateTest, CancelledLeaseHasNoResult) {
  Grant("a");
  v1::SynchronizeResponse response;
  response.add_cancelled("a");
  EXPECT_THAT(Call(response).cancel, ElementsAre("a"));
  EXPECT_THAT(Call(response).cancel, IsEmpty());
  v1::SynchronizeRequest request = state_.MakeRequest();
  EXPECT_THAT(request.active(), IsEmpty());
  EXPECT_EQ(request.free_slots(), 0);  // the work has not noticed yet
  Finish("a");
  request = state_.MakeRequest();
  EXPECT_THAT(request.results(), IsEmpty());
  EXPECT_EQ(request.free_slots(), 1);
}

TEST_F(LeaseStateTest, ResultOfALeaseCancelledTooLateIsDropped) {
  Grant("a");
  Finish("a");
  v1::SynchronizeResponse response;
  response.add_cancelled("a");
  EXPECT_THAT(Call(response).cancel, IsEmpty());
  EXPECT_THAT(state_.MakeRequest().results(), IsEmpty());
}

TEST_F(LeaseStateTest, DroppedLeaseIsNoLongerListed) {
  Grant("a");
  state_.OnDropped("a", clock_.Now());
  EXPECT_TRUE(Due());
  EXPECT_THAT(state_.MakeRequest().active(), IsEmpty());
  EXPECT_THAT(state_.MakeRequest().returned(), IsEmpty());
}

TEST_F(LeaseStateTest, RetriesWaitLongerAndLonger) {
  absl::Duration last;
  for (int i = 0; i < 10; ++i) {
    state_.OnFailure(clock_.Now());
    const absl::Duration pause = state_.next() - clock_.Now();
    EXPECT_LE(pause, absl::Seconds(2.2));
    if (i > 0 && i < 4) {
      EXPECT_GT(pause, last);
    }
    last = pause;
  }
  EXPECT_GE(last, absl::Seconds(2));
  Call({});
  EXPECT_EQ(state_.failures(), 0);
}

TEST_F(LeaseStateTest, WorkGoesOnWhileTheServerIsAway) {
  Grant("a");
  state_.OnFailure(clock_.Now());
  EXPECT_THAT(state_.MakeRequest().active(), SizeIs(1));
  Finish("a");
  EXPECT_FALSE(Due());  // no hurry to ask a server that is away
  EXPECT_THAT(state_.MakeRequest().results(), SizeIs(1));
}

TEST_F(LeaseStateTest, JitterIsAtMostATenth) {
  v1::SynchronizeResponse response;
  response.set_next_synchronization_ms(10'000);
  absl::Duration low = absl::InfiniteDuration(), high;
  for (int i = 0; i < 200; ++i) {
    Call(response);
    low = std::min(low, state_.next() - clock_.Now());
    high = std::max(high, state_.next() - clock_.Now());
  }
  EXPECT_GE(low, absl::Seconds(10));
  EXPECT_LE(high, absl::Seconds(11));
  EXPECT_GT(high - low, absl::Milliseconds(500));
}

TEST_F(LeaseStateTest, ServerThatAnswersNothingIsNotFlooded) {
  Call({});
  EXPECT_GE(state_.next() - clock_.Now(), absl::Milliseconds(50));
}

TEST_F(LeaseStateTest, StopReturnsTheLease) {
  Grant("a");
  EXPECT_THAT(state_.Stop(clock_.Now()), ElementsAre("a"));
  EXPECT_TRUE(Due());
  EXPECT_FALSE(state_.done());
  const v1::SynchronizeRequest request = state_.MakeRequest();
  EXPECT_THAT(request.returned(), ElementsAre("a"));
  EXPECT_THAT(request.active(), IsEmpty());
  EXPECT_TRUE(request.draining());
  EXPECT_EQ(request.free_slots(), 0);
  Finish("a");  // too late: it has been returned
  EXPECT_THAT(state_.MakeRequest().results(), IsEmpty());
  Call({});
  EXPECT_TRUE(state_.told());
  EXPECT_TRUE(state_.done());
}

TEST_F(LeaseStateTest, AnswerToAnOlderCallDoesNotCountAsGoodbye) {
  const v1::SynchronizeRequest before = state_.MakeRequest();
  state_.Stop(clock_.Now());
  v1::SynchronizeResponse response;
  response.add_leases()->set_lease_id("late");
  EXPECT_THAT(state_.OnResponse(before, response, clock_.Now()).start, IsEmpty());
  EXPECT_FALSE(state_.done());
  EXPECT_THAT(state_.MakeRequest().returned(), ElementsAre("late"));
}

TEST_F(LeaseStateTest, DrainFinishesFirst) {
  Grant("a");
  state_.Drain(clock_.Now());
  v1::SynchronizeRequest request = state_.MakeRequest();
  EXPECT_THAT(request.active(), SizeIs(1));
  EXPECT_TRUE(request.draining());
  Call({});
  EXPECT_FALSE(state_.done());
  Finish("a");
  v1::SynchronizeResponse response;
  response.add_acknowledged("a");
  Call(response);
  EXPECT_TRUE(state_.done());
}

TEST_F(LeaseStateTest, QuarantineIsKnown) {
  v1::SynchronizeResponse response;
  response.set_quarantine("known-good candidates fail here");
  Call(response);
  EXPECT_EQ(state_.quarantine(), "known-good candidates fail here");
}

TEST(LeaseStateDevicesTest, EveryRequestTellsWhichDevicesAreGivenUp) {
  std::string why;
  WorkerIdentity identity{"w", "session", "0.2.0", {v1::Device(), v1::Device()}};
  identity.mark_devices = [&](std::vector<v1::Device>* devices) { devices->at(1).set_quarantine(why); };
  LeaseState state(identity, 1);
  EXPECT_EQ(state.MakeRequest().devices(1).quarantine(), "");
  why = "broken";
  EXPECT_EQ(state.MakeRequest().devices(0).quarantine(), "");
  EXPECT_EQ(state.MakeRequest().devices(1).quarantine(), "broken");
}

TEST(LeaseStateSlotsTest, OffersWhatIsFreeAndReturnsWhatIsTooMuch) {
  ManualClock clock;
  LeaseState state({"w", "session", "0.2.0", {v1::Device()}, 3}, 1);
  v1::SynchronizeRequest request = state.MakeRequest();
  EXPECT_EQ(request.free_slots(), 3);
  v1::SynchronizeResponse response;
  for (const char* id : {"a", "b"}) response.add_leases()->set_lease_id(id);
  EXPECT_THAT(state.OnResponse(request, response, clock.Now()).start, SizeIs(2));
  request = state.MakeRequest();
  EXPECT_EQ(request.free_slots(), 1);
  // It waits, but not so long that what it holds runs out.
  EXPECT_GT(request.wait_ms(), 0);
  EXPECT_LE(request.wait_ms(), 10'000);
  response.clear_leases();
  for (const char* id : {"c", "d"}) response.add_leases()->set_lease_id(id);
  EXPECT_THAT(state.OnResponse(request, response, clock.Now()).start, SizeIs(1));
  request = state.MakeRequest();
  EXPECT_EQ(request.free_slots(), 0);
  EXPECT_EQ(request.wait_ms(), 0);
  EXPECT_THAT(request.returned(), ElementsAre("d"));
  EXPECT_FALSE(state.news());
  v1::LeaseResult result;
  result.set_lease_id("b");
  state.OnFinished(result, clock.Now());
  EXPECT_TRUE(state.news());
  EXPECT_EQ(state.MakeRequest().free_slots(), 1);
}

}  // namespace
}  // namespace tune
