#include "server/dispatch/dispatcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr char kKey[] = "the key of the store";

v1::Device SomeDevice(const std::string& model, v1::Target target = v1::CPU, int slots = 0) {
  v1::Device device;
  device.set_model(model);
  device.set_target(target);
  device.set_slots(slots);
  return device;
}

v1::Device Gpu(int ordinal, int slots = 1) {
  v1::Device device = SomeDevice("H200", v1::CUDA, slots);
  device.mutable_cuda()->set_ordinal(ordinal);
  return device;
}

// A worker as the dispatcher sees it.
struct FakeWorker {
  explicit FakeWorker(std::string name, std::string session = "1")
      : name(std::move(name)), session(std::move(session)) {}

  std::string name;
  std::string session;
  std::string secret = "secret";
  std::string model = "cpu model";
  std::vector<v1::Device> devices;  // empty: one of `model` with slots for everything
  std::vector<std::string> active;
  std::vector<std::string> results;
  std::vector<std::string> returned;
  int free_slots = 1;
  bool draining = false;

  v1::SynchronizeRequest Request() const {
    v1::SynchronizeRequest request;
    request.set_worker(name);
    request.set_session(session);
    request.set_secret(secret);
    if (devices.empty()) *request.add_devices() = SomeDevice(model, v1::CPU, 64);
    for (const v1::Device& device : devices) *request.add_devices() = device;
    for (const std::string& id : active) request.add_active()->set_lease_id(id);
    for (const std::string& id : results) request.add_results()->set_lease_id(id);
    for (const std::string& id : returned) request.add_returned(id);
    request.set_free_slots(free_slots);
    request.set_draining(draining);
    return request;
  }
};

class DispatcherTest : public ::testing::Test {
 protected:
  // Synchronize without results, after a look at the clock: enters and takes what is granted. Granted leases
  // become active.
  std::vector<Grant> Call(FakeWorker& worker) {
    Expire();
    const auto entry = dispatcher_.Enter(worker.Request(), &events_);
    EXPECT_TRUE(entry.ok()) << entry.status();
    if (!entry.ok()) return {};
    cancelled_ = entry->cancelled;
    for (const std::string& id : worker.returned) Drop(worker, id);
    for (const std::string& id : cancelled_) Drop(worker, id);
    worker.returned.clear();
    const auto grants = dispatcher_.GrantLeases(worker.name, entry->call, worker.free_slots);
    for (const Grant& grant : grants) worker.active.push_back(grant.lease_id);
    return grants;
  }

  // Sends the result of a lease; whether it was current.
  bool Finish(FakeWorker& worker, const std::string& lease_id, v1::Outcome outcome = v1::CORRECT,
              double seconds = 1) {
    Drop(worker, lease_id);
    worker.results = {lease_id};
    EXPECT_TRUE(dispatcher_.Enter(worker.Request(), &events_).ok());
    worker.results.clear();
    v1::LeaseResult result;
    result.set_lease_id(lease_id);
    const Claim claim = dispatcher_.ClaimResult(worker.name, result, &events_);
    if (claim.current) dispatcher_.Complete(worker.name, lease_id, {outcome, "message", seconds});
    return claim.current;
  }

  // A call that has found nothing and waits.
  void Listen(const FakeWorker& worker) {
    const auto entry = dispatcher_.Enter(worker.Request(), &events_);
    ASSERT_TRUE(entry.ok()) << entry.status();
    EXPECT_THAT(dispatcher_.GrantLeases(worker.name, entry->call, worker.free_slots), IsEmpty());
    EXPECT_EQ(dispatcher_.Wait(worker.name, entry->call, [] {}), Waiting::kWaits);
  }

  void Expire() {
    for (const TaskEvent& event : dispatcher_.Expire()) events_.push_back(event);
  }

  static void Drop(FakeWorker& worker, const std::string& id) {
    worker.active.erase(std::remove(worker.active.begin(), worker.active.end(), id), worker.active.end());
  }

  void AddStudy(int64_t number, int candidates, const std::string& model = "cpu model") {
    dispatcher_.AddStudy(number, {v1::CPU, model});
    for (int i = 0; i < candidates; ++i) dispatcher_.AddTask({number, TaskKind::kEvaluate, i});
  }

  std::vector<TaskEvent::Kind> EventKinds() {
    std::vector<TaskEvent::Kind> kinds;
    for (const TaskEvent& event : events_) kinds.push_back(event.kind);
    return kinds;
  }

  ManualClock clock_;
  Dispatcher dispatcher_{DispatchOptions(), &clock_, /*run=*/5, kKey};
  std::vector<TaskEvent> events_;
  std::vector<std::string> cancelled_;
};

// The id of a lease that a run of the server gave to `worker`.
std::string LeaseOf(const FakeWorker& worker, const TaskId& task, int64_t attempt, int64_t run) {
  return LeaseSeal(kKey).IdOf({task, attempt, run}, {worker.name, worker.session});
}

TEST(LeaseSealTest, RoundTrip) {
  const LeaseSeal seal(kKey);
  for (const LeaseName& name :
       {LeaseName{{3, TaskKind::kReference, 0}, 1, 5}, LeaseName{{3, TaskKind::kConfirm, 0}, 2, 5},
        LeaseName{{12, TaskKind::kEvaluate, 1000000}, 3, 7}, LeaseName{{1, TaskKind::kProbe, 0}, 4, 1}}) {
    const auto parsed = seal.Parse(seal.IdOf(name, {"a", "1"}), {"a", "1"});
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed->task, name.task);
    EXPECT_EQ(parsed->attempt, name.attempt);
    EXPECT_EQ(parsed->run, name.run);
  }
}

TEST(LeaseSealTest, NobodyElsesAndNothingMadeUp) {
  const LeaseSeal seal(kKey);
  const std::string id = seal.IdOf({{1, TaskKind::kEvaluate, 2}, 3, 4}, {"a", "1"});
  EXPECT_THAT(id, StartsWith("s1-2-3-4-"));
  EXPECT_TRUE(seal.Parse(id, {"a", "1"}).ok());
  for (const LeaseHolder& other : {LeaseHolder{"b", "1"}, LeaseHolder{"a", "2"}, LeaseHolder{"a1", ""}}) {
    EXPECT_TRUE(absl::IsPermissionDenied(seal.Parse(id, other).status())) << other.worker;
  }
  EXPECT_FALSE(LeaseSeal("another key").Parse(id, {"a", "1"}).ok());
  const std::string end = id.substr(id.rfind('-'));
  for (const std::string& bad :
       {std::string(), std::string("s1-2-3-4"), "s1-3-3-4" + end, "s2-2-3-4" + end, "s1-2-3-5" + end,
        "s1-02-3-4" + end, "x1-2-3-4" + end, id + "0", id.substr(0, id.size() - 1), "s1-2-3-4-" + end}) {
    EXPECT_FALSE(seal.Parse(bad, {"a", "1"}).ok()) << bad;
  }
}

TEST_F(DispatcherTest, OneTaskPerSlotInOrder) {
  AddStudy(1, 3);
  FakeWorker a{"a"}, b{"b"};
  b.free_slots = 5;
  const auto first = Call(a);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_THAT(first[0].lease_id, StartsWith("s1-0-1-5-"));
  EXPECT_EQ(Call(b).size(), 2u);
  a.free_slots = 0;
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_TRUE(Finish(a, first[0].lease_id));
  EXPECT_FALSE(Finish(a, first[0].lease_id));  // sent again: no lease any more, an extra sample at most
}

TEST_F(DispatcherTest, StudiesTakeTurnsOldestFirst) {
  AddStudy(2, 2);
  AddStudy(1, 3);
  AddStudy(7, 1);
  FakeWorker a{"a"};
  a.free_slots = 6;
  std::vector<int64_t> order;
  for (const Grant& grant : Call(a)) order.push_back(grant.task.study);
  EXPECT_THAT(order, ElementsAre(1, 2, 7, 1, 2, 1));
}

// What a study of `owner` has to do first.
void AddStudyOf(const std::string& owner, int64_t number, Dispatcher* dispatcher) {
  dispatcher->AddStudy(number, {v1::CPU, "", false, owner});
  dispatcher->AddTask({number, TaskKind::kReference, 0});
}

TEST_F(DispatcherTest, AFloodOfStudiesDelaysAnotherOwnerByOneTaskAtMost) {
  for (int64_t number = 1; number <= 500; ++number) AddStudyOf("flood", number, &dispatcher_);
  FakeWorker worker{"a"};
  // One task after another, and what follows from it: the study's candidates.
  const auto work = [&] {
    const std::vector<Grant> grants = Call(worker);
    EXPECT_EQ(grants.size(), 1u);
    const TaskId task = grants.at(0).task;
    EXPECT_TRUE(Finish(worker, grants[0].lease_id));
    if (task.kind == TaskKind::kReference) {
      dispatcher_.BindStudy(task.study, SomeDevice("cpu model"));
      for (int i = 0; i < 50; ++i) dispatcher_.AddTask({task.study, TaskKind::kEvaluate, i});
    }
    return task;
  };
  for (int i = 0; i < 100; ++i) EXPECT_LE(work().study, 500);
  AddStudyOf("another", 501, &dispatcher_);
  std::vector<int64_t> studies;
  TaskId task;
  while (!(task.study == 501 && task.kind == TaskKind::kEvaluate) && studies.size() < 100) {
    task = work();
    studies.push_back(task.study);
  }
  // Reference and first evaluation, with one task of the flood before each.
  ASSERT_LE(studies.size(), 4u);
  EXPECT_EQ(std::count(studies.begin(), studies.end(), 501), 2);
}

TEST_F(DispatcherTest, OwnersTakeTurnsHoweverManyStudiesTheyHave) {
  for (int64_t number = 1; number <= 3; ++number) {
    dispatcher_.AddStudy(number, {v1::CPU, "cpu model", false, number == 3 ? "b" : "a"});
    for (int i = 0; i < 4; ++i) dispatcher_.AddTask({number, TaskKind::kEvaluate, i});
  }
  FakeWorker worker{"w"};
  worker.free_slots = 7;
  std::vector<int64_t> order;
  for (const Grant& grant : Call(worker)) order.push_back(grant.task.study);
  EXPECT_THAT(order, ElementsAre(1, 3, 2, 3, 1, 3, 2));
}

TEST_F(DispatcherTest, PpcgOnlyWhereItIs) {
  dispatcher_.AddStudy(1, {v1::CUDA, "", /*needs_ppcg=*/true});
  dispatcher_.AddTask({1, TaskKind::kReference, 0});
  FakeWorker without{"without"}, with{"with"};
  without.devices = with.devices = {Gpu(0)};
  with.devices[0].set_ppcg("ppcg-0.09");
  EXPECT_THAT(Call(without), IsEmpty());
  ASSERT_EQ(Call(with).size(), 1u);
  dispatcher_.BindStudy(1, SomeDevice("H200", v1::CUDA));
  dispatcher_.AddTask({1, TaskKind::kEvaluate, 0});
  EXPECT_THAT(Call(without), IsEmpty());
  with.free_slots = 2;
  EXPECT_EQ(Call(with).size(), 0u);  // its device has one slot, which is taken
  const std::string reference = with.active.at(0);
  EXPECT_TRUE(Finish(with, reference));
  EXPECT_EQ(Call(with).size(), 1u);
}

TEST_F(DispatcherTest, NewGpusWhereAStudyNeedsThem) {
  StudyTraits traits = {v1::CUDA};
  traits.compute_capability = 8;
  dispatcher_.AddStudy(1, traits);
  dispatcher_.AddTask({1, TaskKind::kReference, 0});
  FakeWorker old{"old"}, recent{"recent"};
  old.devices = recent.devices = {Gpu(0)};
  old.devices[0].mutable_cuda()->set_compute_capability_major(7);
  recent.devices[0].mutable_cuda()->set_compute_capability_major(9);
  EXPECT_THAT(Call(old), IsEmpty());
  EXPECT_EQ(Call(recent).size(), 1u);
}

TEST_F(DispatcherTest, OnlyTheDeviceModelOfTheStudy) {
  AddStudy(1, 1, "another model");
  dispatcher_.AddStudy(2, {v1::CUDA, ""});
  dispatcher_.AddTask({2, TaskKind::kReference, 0});
  FakeWorker a{"a"};
  EXPECT_THAT(Call(a), IsEmpty());
  dispatcher_.AddStudy(3, {v1::CPU, ""});
  dispatcher_.AddTask({3, TaskKind::kReference, 0});
  const auto grants = Call(a);
  ASSERT_EQ(grants.size(), 1u);
  EXPECT_EQ(grants[0].task.study, 3);
  dispatcher_.BindStudy(3, SomeDevice("cpu model"));
  dispatcher_.AddTask({3, TaskKind::kEvaluate, 0});
  FakeWorker other{"other"};
  other.model = "another model";
  const auto others = Call(other);
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].task.study, 1);
}

TEST_F(DispatcherTest, ASilentWorkersLeaseIsLostAndHandedOn) {
  AddStudy(1, 1);
  FakeWorker a{"a"}, b{"b"};
  const std::string lease = Call(a)[0].lease_id;
  clock_.Advance(absl::Seconds(59));
  EXPECT_THAT(dispatcher_.Expire(), IsEmpty());
  EXPECT_THAT(Call(b), IsEmpty());
  clock_.Advance(absl::Seconds(1));
  const auto events = dispatcher_.Expire();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, TaskEvent::kLost);
  EXPECT_EQ(events[0].lost, 1);
  EXPECT_EQ(events[0].worker, "a");
  EXPECT_EQ(dispatcher_.CountWorkers(), 1);  // a is forgotten
  const auto again = Call(b);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].attempt, 2);
  // The late result of a is an extra sample; its lease is cancelled when it still works on it.
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_THAT(cancelled_, ElementsAre(lease));
  EXPECT_FALSE(Finish(a, lease));
  EXPECT_TRUE(Finish(b, again[0].lease_id));
}

TEST_F(DispatcherTest, RenewedLeasesDoNotExpire) {
  AddStudy(1, 1);
  FakeWorker a{"a"};
  const std::string lease = Call(a)[0].lease_id;
  a.free_slots = 0;
  for (int i = 0; i < 30; ++i) {
    clock_.Advance(absl::Seconds(10));
    EXPECT_THAT(Call(a), IsEmpty());
    EXPECT_THAT(cancelled_, IsEmpty());
  }
  EXPECT_THAT(events_, IsEmpty());
  EXPECT_TRUE(Finish(a, lease));
}

// Somebody sets the calendar two hours back or ahead.
TEST_F(DispatcherTest, LeasesDoNotFollowTheCalendar) {
  for (const absl::Duration step : {absl::Hours(2), absl::Hours(-4)}) {
    AddStudy(1, 1);
    FakeWorker worker("w");
    const std::vector<Grant> grants = Call(worker);
    ASSERT_EQ(grants.size(), 1u);
    clock_.Step(step);
    clock_.Advance(absl::Seconds(59));
    EXPECT_THAT(dispatcher_.Expire(), IsEmpty());
    EXPECT_EQ(dispatcher_.ListWorkers()[0].last_seen_unix_ms(),
              absl::ToUnixMillis(clock_.Now() - absl::Seconds(59)));
    clock_.Advance(absl::Seconds(2));
    EXPECT_EQ(dispatcher_.Expire().size(), 1u);
    dispatcher_.RemoveStudy(1);
  }
}

TEST_F(DispatcherTest, APauseOfTheServerIsNoSilenceOfTheWorkers) {
  AddStudy(1, 1);
  FakeWorker worker("w");
  ASSERT_EQ(Call(worker).size(), 1u);
  clock_.Advance(absl::Minutes(10));
  dispatcher_.ForgivePause(absl::Minutes(10));
  EXPECT_THAT(dispatcher_.Expire(), IsEmpty());
  EXPECT_EQ(dispatcher_.CountWorkers(), 1);
  clock_.Advance(absl::Seconds(59));
  EXPECT_THAT(Call(worker), IsEmpty());
  EXPECT_THAT(cancelled_, IsEmpty());
  // From then on the worker's own silence counts; less than a pause is none.
  clock_.Advance(absl::Seconds(61));
  dispatcher_.ForgivePause(absl::Seconds(4));
  EXPECT_EQ(dispatcher_.Expire().size(), 1u);
}

// Killed from outside, say: nobody knows whose fault that is.
TEST_F(DispatcherTest, ATaskThatAWorkerLostGoesToAnother) {
  AddStudy(1, 1);
  FakeWorker first("first"), second("second");
  std::vector<Grant> grants = Call(first);
  ASSERT_EQ(grants.size(), 1u);
  second.free_slots = 0;
  EXPECT_THAT(Call(second), IsEmpty());
  dispatcher_.Lose(grants[0].lease_id, &events_);
  EXPECT_THAT(EventKinds(), ElementsAre(TaskEvent::kLost));
  first.active.clear();
  EXPECT_THAT(Call(first), IsEmpty());
  second.free_slots = 1;
  EXPECT_EQ(Call(second).size(), 1u);
}

TEST_F(DispatcherTest, ATaskThatAWorkerLostDoesNotKeepTheNextFromIt) {
  AddStudy(1, 2);
  FakeWorker first("first"), second("second");
  const std::vector<Grant> grants = Call(first);
  ASSERT_EQ(grants.size(), 1u);
  second.free_slots = 0;
  EXPECT_THAT(Call(second), IsEmpty());
  dispatcher_.Lose(grants[0].lease_id, &events_);
  first.active.clear();
  const std::vector<Grant> next = Call(first);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].task.index, 1);
}

TEST_F(DispatcherTest, ATaskThatTheOnlyWorkerLostStaysThere) {
  AddStudy(1, 1);
  FakeWorker worker("w");
  for (int i = 0; i < 3; ++i) {
    const std::vector<Grant> grants = Call(worker);
    ASSERT_EQ(grants.size(), 1u);
    worker.active.clear();
    dispatcher_.Lose(grants[0].lease_id, &events_);
  }
  EXPECT_EQ(EventKinds().back(), TaskEvent::kAbandoned);
  EXPECT_THAT(Call(worker), IsEmpty());
}

// Each of many waiting workers would look for the one task.
TEST_F(DispatcherTest, ATaskWakesOneWorker) {
  std::vector<FakeWorker> workers;
  for (int i = 0; i < 100; ++i) Listen(workers.emplace_back(absl::StrCat("w", i)));
  AddStudy(1, 3);
  EXPECT_EQ(dispatcher_.CountWakeUps(), 3);
}

TEST_F(DispatcherTest, ATaskWakesNobodyWhoCannotTakeIt) {
  FakeWorker other("other"), full("full"), right("right");
  other.model = "another model";
  full.devices = {SomeDevice("cpu model", v1::CPU, 1)};
  AddStudy(1, 1);
  EXPECT_EQ(Call(full).size(), 1u);
  for (FakeWorker* worker : {&other, &full, &right}) Listen(*worker);
  AddStudy(2, 2);
  EXPECT_EQ(dispatcher_.CountWakeUps(), 1);
}

TEST_F(DispatcherTest, TwoDifferentLostWorkersPoison) {
  AddStudy(1, 1);
  FakeWorker a{"a"}, b{"b"}, c{"c"};
  ASSERT_EQ(Call(a).size(), 1u);
  clock_.Advance(absl::Minutes(1));
  ASSERT_EQ(Call(b).size(), 1u);
  clock_.Advance(absl::Minutes(1));
  EXPECT_THAT(Call(c), IsEmpty());
  EXPECT_THAT(EventKinds(), ElementsAre(TaskEvent::kLost, TaskEvent::kAbandoned));
  EXPECT_TRUE(events_[1].poisoned);
  EXPECT_EQ(events_[1].lost, 2);
}

TEST_F(DispatcherTest, OneWorkerMayLoseATaskThreeTimes) {
  AddStudy(1, 1);
  FakeWorker a{"a"};
  for (int i = 1; i <= 3; ++i) {
    const auto grants = Call(a);
    ASSERT_EQ(grants.size(), 1u);
    EXPECT_EQ(grants[0].attempt, i);
    a.session += "'";  // crashed and started again
    a.active.clear();
  }
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_THAT(EventKinds(), ElementsAre(TaskEvent::kLost, TaskEvent::kLost, TaskEvent::kAbandoned));
  EXPECT_FALSE(events_[2].poisoned);
}

TEST_F(DispatcherTest, ANewSessionEndsTheOldOne) {
  AddStudy(1, 2);
  FakeWorker old{"a"};
  const std::string lease = Call(old)[0].lease_id;
  FakeWorker fresh{"a", "2"};
  const auto grants = Call(fresh);
  ASSERT_EQ(grants.size(), 1u);
  EXPECT_EQ(grants[0].task.index, 0);  // at once, not after the lease's end
  const absl::Status refused = dispatcher_.Enter(old.Request(), &events_).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("--name"));
}

TEST_F(DispatcherTest, ReturnedLeasesDoNotCountAsLost) {
  AddStudy(1, 1);
  FakeWorker a{"a"}, b{"b"};
  for (int i = 1; i <= 10; ++i) {
    FakeWorker& worker = i % 2 == 0 ? a : b;
    worker.draining = false;
    const auto grants = Call(worker);
    ASSERT_EQ(grants.size(), 1u) << i;
    EXPECT_EQ(grants[0].attempt, i);
    worker.returned = {grants[0].lease_id};
    worker.draining = true;
    EXPECT_THAT(Call(worker), IsEmpty());
    EXPECT_EQ(events_.back().kind, TaskEvent::kReturned);
    EXPECT_EQ(events_.back().lost, 0);
  }
}

TEST_F(DispatcherTest, AnUnlistedLeaseIsReturned) {
  AddStudy(1, 1);
  FakeWorker a{"a"}, b{"b"};
  ASSERT_EQ(Call(a).size(), 1u);
  a.active.clear();  // the answer never reached it
  a.free_slots = 0;
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_THAT(EventKinds(), ElementsAre(TaskEvent::kReturned));
  EXPECT_EQ(Call(b).size(), 1u);
}

TEST_F(DispatcherTest, TheSameRequestTwiceChangesNothingMore) {
  AddStudy(1, 3);
  FakeWorker a{"a"};
  const v1::SynchronizeRequest request = a.Request();
  const auto one = dispatcher_.Enter(request, &events_).value();
  const auto first = dispatcher_.GrantLeases("a", one.call, 1);
  const auto two = dispatcher_.Enter(request, &events_).value();
  const auto second = dispatcher_.GrantLeases("a", two.call, 1);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(first[0].task, second[0].task);
  EXPECT_EQ(dispatcher_.ListWorkers()[0].running(), "s1/0");
  // The older call gets nothing any more.
  EXPECT_THAT(dispatcher_.GrantLeases("a", one.call, 1), IsEmpty());
}

TEST_F(DispatcherTest, AResultSentTwiceIsCurrentOnce) {
  AddStudy(1, 2);
  FakeWorker a{"a"};
  const std::string lease = Call(a)[0].lease_id;
  EXPECT_TRUE(Finish(a, lease));
  EXPECT_FALSE(Finish(a, lease));
  EXPECT_EQ(dispatcher_.ListWorkers()[0].evaluations(), 1);
}

TEST_F(DispatcherTest, AResultThatCannotBeStoredIsClaimedAgain) {
  AddStudy(1, 1);
  FakeWorker a{"a"};
  v1::LeaseResult result;
  result.set_lease_id(Call(a)[0].lease_id);
  EXPECT_TRUE(dispatcher_.ClaimResult("a", result, &events_).current);
  clock_.Advance(absl::Minutes(5));
  EXPECT_THAT(dispatcher_.Expire(), IsEmpty());  // being stored
  EXPECT_FALSE(dispatcher_.ClaimResult("a", result, &events_).current);
  dispatcher_.Unclaim(result.lease_id());
  a.results = {result.lease_id()};
  a.active.clear();
  clock_.Advance(-absl::Minutes(5));
  EXPECT_TRUE(dispatcher_.Enter(a.Request(), &events_).ok());
  EXPECT_TRUE(dispatcher_.ClaimResult("a", result, &events_).current);
}

TEST_F(DispatcherTest, LeasesOfAnEarlierRunAreTakenOver) {
  AddStudy(1, 3);
  FakeWorker a{"a"};
  const auto lease = [&](int64_t study, int64_t index, int64_t attempt, int64_t run) {
    return LeaseOf(a, {study, TaskKind::kEvaluate, index}, attempt, run);
  };
  a.active = {lease(1, 1, 4, 3), lease(9, 1, 1, 3), "nonsense", lease(1, 2, 1, 5)};
  const auto entry = dispatcher_.Enter(a.Request(), &events_).value();
  EXPECT_THAT(entry.cancelled, ElementsAre(a.active[1], "nonsense", a.active[3]));
  EXPECT_THAT(EventKinds(), ElementsAre(TaskEvent::kAdopted));
  FakeWorker b{"b"};
  b.free_slots = 5;
  EXPECT_EQ(Call(b).size(), 2u);  // 0 and 2
  EXPECT_TRUE(Finish(a, lease(1, 1, 4, 3)));
  // A result of an earlier run without any word before it.
  dispatcher_.AddTask({1, TaskKind::kEvaluate, 3});
  EXPECT_TRUE(Finish(a, lease(1, 3, 1, 4)));
  EXPECT_FALSE(Finish(a, lease(1, 0, 1, 4)));  // b has it now
  EXPECT_EQ(dispatcher_.ListWorkers()[0].refused(), 0);
}

TEST_F(DispatcherTest, LeasesOfAnEarlierRunThatWereAnothersAreNotTakenOver) {
  AddStudy(1, 3);
  FakeWorker a{"a"}, forger{"forger"};
  forger.active = {LeaseOf(a, {1, TaskKind::kEvaluate, 1}, 1, 3), "s1-1-1-3"};
  EXPECT_THAT(dispatcher_.Enter(forger.Request(), &events_).value().cancelled,
              ElementsAre(forger.active[0], forger.active[1]));
  EXPECT_THAT(events_, IsEmpty());
}

TEST_F(DispatcherTest, AResultForALeaseThatWasNotGrantedIsRefusedAndCounted) {
  AddStudy(1, 2);
  FakeWorker a{"a"}, forger{"forger"};
  const std::string lease = Call(a)[0].lease_id;
  EXPECT_TRUE(dispatcher_.Enter(forger.Request(), &events_).ok());
  for (const std::string& claimed :
       {lease, std::string("s1-1-1-5"), lease.substr(0, 8) + std::string(32, '0')}) {
    v1::LeaseResult result;
    result.set_lease_id(claimed);
    const Claim claim = dispatcher_.ClaimResult("forger", result, &events_);
    EXPECT_FALSE(claim.granted) << claimed;
    EXPECT_FALSE(claim.current) << claimed;
  }
  EXPECT_EQ(dispatcher_.ListWorkers()[1].refused(), 3);
  EXPECT_EQ(dispatcher_.ListWorkers()[0].refused(), 0);
  EXPECT_TRUE(Finish(a, lease));
}

TEST_F(DispatcherTest, AnotherWorkerOfTheSameNameEndsNothing) {
  AddStudy(1, 1);
  FakeWorker a{"a"}, other{"a", "2"};
  const std::string lease = Call(a)[0].lease_id;
  other.secret = "another secret";
  EXPECT_EQ(dispatcher_.Enter(other.Request(), &events_).status().code(),
            absl::StatusCode::kFailedPrecondition);
  other.session = a.session;  // also not with a session that it has seen somewhere
  EXPECT_EQ(dispatcher_.Enter(other.Request(), &events_).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(events_, IsEmpty());
  EXPECT_TRUE(Finish(a, lease));
  // Once the first is forgotten the name is free.
  clock_.Advance(absl::Minutes(2));
  dispatcher_.Expire();
  EXPECT_TRUE(dispatcher_.Enter(other.Request(), &events_).ok());
}

TEST_F(DispatcherTest, HeartbeatsDoNotHoldALeaseForEver) {
  StudyTraits traits{v1::CPU, "cpu model"};
  traits.evaluation_limit = absl::Minutes(5);
  dispatcher_.AddStudy(1, traits);
  dispatcher_.AddTask({1, TaskKind::kEvaluate, 0});
  FakeWorker a{"a"};
  a.devices = {SomeDevice("cpu model", v1::CPU, 1)};
  const std::string lease = Call(a)[0].lease_id;
  a.free_slots = 0;
  const absl::Duration limit = DispatchOptions().lease_slack + absl::Minutes(5);
  for (absl::Duration held; held + absl::Seconds(10) < limit; held += absl::Seconds(10)) {
    clock_.Advance(absl::Seconds(10));
    Call(a);
    ASSERT_THAT(cancelled_, IsEmpty()) << held;
  }
  clock_.Advance(absl::Seconds(10));
  Call(a);
  EXPECT_THAT(cancelled_, ElementsAre(lease));
  EXPECT_THAT(EventKinds(), ElementsAre(TaskEvent::kLost));
}

TEST_F(DispatcherTest, DeviceTimeIsItsOwners) {
  dispatcher_.AddStudy(1, {v1::CPU, "cpu model", false, "alice"});
  for (int i = 0; i < 3; ++i) dispatcher_.AddTask({1, TaskKind::kEvaluate, i});
  FakeWorker a{"a"};
  const std::string finished = Call(a)[0].lease_id;
  clock_.Advance(absl::Seconds(20));
  clock_.Step(absl::Hours(10));  // of the calendar, which does not count
  EXPECT_TRUE(Finish(a, finished));
  EXPECT_EQ(dispatcher_.DeviceTimeOf("alice"), absl::Seconds(20));
  Call(a);
  clock_.Advance(absl::Seconds(30));
  dispatcher_.RemoveStudy(1);  // cancelled
  EXPECT_EQ(dispatcher_.DeviceTimeOf("alice"), absl::Seconds(50));
  EXPECT_EQ(dispatcher_.DeviceTimeOf("bob"), absl::ZeroDuration());
  clock_.Advance(absl::Hours(25));
  EXPECT_EQ(dispatcher_.DeviceTimeOf("alice"), absl::ZeroDuration());
}

TEST_F(DispatcherTest, ThereIsRoomForSoManyWorkers) {
  DispatchOptions options;
  options.most_workers = 2;
  Dispatcher dispatcher(options, &clock_, 1, kKey);
  for (const char* name : {"a", "b", "a"})
    EXPECT_TRUE(dispatcher.Enter(FakeWorker(name).Request(), &events_).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(dispatcher.Enter(FakeWorker("c").Request(), &events_).status()));
}

TEST_F(DispatcherTest, ARemovedStudysLeasesAreCancelled) {
  AddStudy(1, 2);
  FakeWorker a{"a"};
  const std::string lease = Call(a)[0].lease_id;
  dispatcher_.RemoveStudy(1);
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_THAT(cancelled_, ElementsAre(lease));
  EXPECT_FALSE(Finish(a, lease));
  EXPECT_THAT(events_, IsEmpty());
}

TEST_F(DispatcherTest, DrainingWorkersGetNothing) {
  AddStudy(1, 2);
  FakeWorker a{"a"};
  const std::string lease = Call(a)[0].lease_id;
  a.draining = true;
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_EQ(dispatcher_.ListWorkers()[0].state(), v1::WorkerView::DRAINING);
  EXPECT_TRUE(Finish(a, lease));
}

TEST_F(DispatcherTest, AWorkerThatFailsAKnownGoodCandidateIsQuarantined) {
  AddStudy(1, 20);
  dispatcher_.SetKnownGood(1, 0);
  FakeWorker a{"a"};
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Finish(a, Call(a)[0].lease_id, v1::COMPILE));
  const auto probe = Call(a);
  ASSERT_EQ(probe.size(), 1u);
  EXPECT_EQ(probe[0].task, (TaskId{1, TaskKind::kProbe, 0}));
  EXPECT_THAT(Call(a), IsEmpty());  // nothing else before it is known
  EXPECT_TRUE(Finish(a, probe[0].lease_id, v1::COMPILE));
  EXPECT_THAT(Call(a), IsEmpty());
  const v1::WorkerView view = dispatcher_.ListWorkers()[0];
  EXPECT_EQ(view.state(), v1::WorkerView::QUARANTINED);
  EXPECT_THAT(view.note(), HasSubstr("candidate 0 of study s1"));
  EXPECT_EQ(view.failures(), 5);
  a.session = "2";  // repaired and started again
  EXPECT_EQ(Call(a).size(), 1u);
}

TEST_F(DispatcherTest, AProbeThatSucceedsClearsTheWorker) {
  AddStudy(1, 40);
  dispatcher_.SetKnownGood(1, 0);
  FakeWorker a{"a"};
  std::vector<int> probes;
  for (int i = 0; i < 25; ++i) {
    const Grant grant = Call(a).at(0);
    const bool probe = grant.task.kind == TaskKind::kProbe;
    if (probe) probes.push_back(i);
    EXPECT_TRUE(Finish(a, grant.lease_id, probe ? v1::CORRECT : v1::RUNTIME));
  }
  EXPECT_THAT(probes, ElementsAre(5, 16));  // after 5 failures, then after 10 more
  EXPECT_EQ(dispatcher_.ListWorkers()[0].note(), "");
}

TEST_F(DispatcherTest, SlowAndImpossibleCandidatesAreNoSuspicion) {
  AddStudy(1, 20);
  dispatcher_.SetKnownGood(1, 0);
  FakeWorker a{"a"};
  for (int i = 0; i < 15; ++i) {
    const Grant grant = Call(a).at(0);
    EXPECT_EQ(grant.task.kind, TaskKind::kEvaluate);
    EXPECT_TRUE(Finish(a, grant.lease_id, i % 2 == 0 ? v1::TIMEOUT : v1::CONSTRAINTS));
  }
}

// A candidate known to be good exceeds its limit, too, where the host is busy for a moment.
TEST_F(DispatcherTest, AProbeThatIsSlowDecidesNothing) {
  AddStudy(1, 40);
  dispatcher_.SetKnownGood(1, 0);
  FakeWorker a{"a"};
  std::vector<int> probes;
  for (int i = 0; i < 18; ++i) {
    const Grant grant = Call(a).at(0);
    const bool probe = grant.task.kind == TaskKind::kProbe;
    if (probe) probes.push_back(i);
    EXPECT_TRUE(Finish(a, grant.lease_id, probe && probes.size() < 3 ? v1::TIMEOUT : v1::RUNTIME));
  }
  EXPECT_THAT(probes, ElementsAre(5, 11, 17));  // after 5 failures each
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_EQ(dispatcher_.ListWorkers()[0].state(), v1::WorkerView::QUARANTINED);
}

// ---- quarantine of single devices

TEST_F(DispatcherTest, ACheckIsOfWhatAnotherWorkerMeasured) {
  AddStudy(1, 4);
  FakeWorker a("a"), b("b");
  const auto work = [&](FakeWorker& worker) {
    const std::vector<Grant> grants = Call(worker);
    EXPECT_EQ(grants.size(), 1u);
    Finish(worker, grants.at(0).lease_id);
    return grants.at(0);
  };
  EXPECT_EQ(work(a).task, (TaskId{1, TaskKind::kEvaluate, 0}));
  EXPECT_EQ(work(b).task, (TaskId{1, TaskKind::kEvaluate, 1}));  // nothing was known of b
  const Grant check = work(b);
  EXPECT_EQ(check.task, (TaskId{1, TaskKind::kProbe, 0}));
  EXPECT_THAT(check.lease_id, StartsWith("s1-probe0-"));
  EXPECT_EQ(work(b).task, (TaskId{1, TaskKind::kEvaluate, 2}));
}

// Three workers in turns; `pace` is the first one's. Ends when somebody is quarantined, or after 50
// evaluations of each.
class TrustTest : public DispatcherTest {
 protected:
  void Run(double pace, int others, bool times_of_host = false) {
    AddStudy(1, 500);
    StudyTraits traits = {v1::CPU, "cpu model"};
    traits.times_of_host = times_of_host;
    dispatcher_.AddStudy(1, traits);
    for (int i = 0; i <= others; ++i) workers_.emplace_back(std::string(1, static_cast<char>('a' + i)));
    for (int round = 0; round < 50; ++round) {
      for (FakeWorker& worker : workers_) {
        const std::vector<Grant> grants = Call(worker);
        if (grants.empty()) return;
        checks_ += grants[0].task.kind == TaskKind::kProbe;
        Finish(worker, grants[0].lease_id, v1::CORRECT, worker.name == "a" ? pace : 1);
      }
    }
  }
  v1::WorkerView View(const std::string& name) {
    for (const v1::WorkerView& view : dispatcher_.ListWorkers())
      if (view.name() == name) return view;
    return {};
  }

  std::vector<FakeWorker> workers_;
  int checks_ = 0;
};

TEST_F(TrustTest, AWorkerThatTakesLongerThanTheOthersIsSetAside) {
  Run(1.2, 2);
  EXPECT_EQ(View("a").state(), v1::WorkerView::QUARANTINED);
  EXPECT_THAT(View("a").note(), HasSubstr("cpu: takes 1.20 to 1.20 times as long as others"));
  EXPECT_THAT(View("a").note(), HasSubstr("start tune-worker again once it was away for 1m"));
  EXPECT_EQ(View("b").note() + View("c").note(), "");
  EXPECT_TRUE(dispatcher_.IsSetAside("a", 1));
  EXPECT_FALSE(dispatcher_.IsSetAside("b", 1));
  // A restart of the process alone is no repair; an absence is one.
  FakeWorker again("a", "2");
  EXPECT_THAT(Call(again), IsEmpty());
  clock_.Advance(absl::Minutes(2));
  Expire();
  EXPECT_FALSE(dispatcher_.IsSetAside("a", 1));
  EXPECT_THAT(Call(again), ::testing::SizeIs(1));
}

// They take another time, and nobody is to blame.
TEST_F(TrustTest, WorkersWithOtherCoresAreNotCompared) {
  for (const int cores : {4, 8}) {
    workers_.emplace_back(absl::StrCat("cores", cores));
    v1::Device device = SomeDevice("cpu model", v1::CPU, 64);
    device.set_cores(cores);
    workers_.back().devices = {device};
  }
  AddStudy(1, 100);
  for (int round = 0; round < 40; ++round) {
    for (FakeWorker& worker : workers_) {
      const std::vector<Grant> grants = Call(worker);
      ASSERT_EQ(grants.size(), 1u);
      EXPECT_EQ(grants[0].task.kind, TaskKind::kEvaluate);
      Finish(worker, grants[0].lease_id, v1::CORRECT, worker.name == "cores8" ? 1 : 2);
    }
  }
}

TEST_F(TrustTest, TimesThatAreOfHostsTooAreNotCompared) {
  Run(1.2, 2, /*times_of_host=*/true);
  EXPECT_EQ(View("a").note() + View("b").note() + View("c").note(), "");
  EXPECT_EQ(checks_, 0);
}

TEST_F(TrustTest, OfTwoBothAreToldAndGoOn) {
  Run(1.2, 1);
  EXPECT_THAT(View("a").note(), HasSubstr("takes 1.20 to 1.20 times as long as b"));
  EXPECT_THAT(View("b").note(), HasSubstr("takes 0.83 to 0.83 times as long as a"));
  EXPECT_NE(View("a").state(), v1::WorkerView::QUARANTINED);
  EXPECT_FALSE(dispatcher_.IsSetAside("a", 1) || dispatcher_.IsSetAside("b", 1));
}

TEST_F(TrustTest, WorkersThatAgreeGoOn) {
  Run(1.05, 2);
  EXPECT_EQ(View("a").note() + View("b").note() + View("c").note(), "");
  EXPECT_GT(checks_, 15);
  EXPECT_LT(checks_, 50);
}

TEST_F(DispatcherTest, AQuarantinedKindLeavesTheOthersAtWork) {
  dispatcher_.AddStudy(1, {v1::CUDA, "H200"});
  for (int i = 0; i < 20; ++i) dispatcher_.AddTask({1, TaskKind::kEvaluate, i});
  dispatcher_.SetKnownGood(1, 0);
  AddStudy(2, 20);
  FakeWorker a{"a"};
  a.devices = {Gpu(0), SomeDevice("cpu model")};
  a.free_slots = 2;
  // Results of the two come by turns: those of one say nothing of the other.
  for (int i = 0; i < 5; ++i) {
    for (const Grant& grant : Call(a)) {
      EXPECT_TRUE(Finish(a, grant.lease_id, grant.task.study == 1 ? v1::RUNTIME : v1::CORRECT));
    }
  }
  auto grants = Call(a);
  ASSERT_EQ(grants.size(), 2u);
  EXPECT_EQ(grants[0].task, (TaskId{1, TaskKind::kProbe, 0}));
  EXPECT_EQ(grants[1].task.study, 2);
  EXPECT_TRUE(Finish(a, grants[0].lease_id, v1::RUNTIME));
  EXPECT_TRUE(Finish(a, grants[1].lease_id));
  grants = Call(a);
  ASSERT_EQ(grants.size(), 1u);
  EXPECT_EQ(grants[0].task.study, 2);
  const v1::WorkerView view = dispatcher_.ListWorkers()[0];
  EXPECT_EQ(view.state(), v1::WorkerView::BUSY);
  EXPECT_THAT(view.note(), StartsWith("cuda:0: candidate 0 of study s1"));
  EXPECT_THAT(view.devices(0).quarantine(), StartsWith("candidate 0 of study s1"));
  EXPECT_EQ(view.devices(1).quarantine(), "");
}

TEST_F(DispatcherTest, ADeviceThatTheWorkerGaveUpHasNoSlots) {
  dispatcher_.AddStudy(1, {v1::CUDA, "H200"});
  for (int i = 0; i < 20; ++i) dispatcher_.AddTask({1, TaskKind::kEvaluate, i});
  FakeWorker a{"a"};
  a.devices = {Gpu(0, 4), Gpu(1, 4)};
  a.devices[0].set_quarantine("failed where cuda:1 did not");
  a.free_slots = 100;
  EXPECT_EQ(Call(a).size(), 4u);
  v1::WorkerView view = dispatcher_.ListWorkers()[0];
  EXPECT_EQ(view.state(), v1::WorkerView::BUSY);
  EXPECT_EQ(view.note(), "cuda:0: failed where cuda:1 did not");
  // What it has is told to studies as it is without the quarantine.
  v1::LeaseResult result;
  result.set_lease_id(a.active[0]);
  EXPECT_EQ(dispatcher_.ClaimResult("a", result, &events_).device.cuda().ordinal(), 1);
  a.devices[1].set_quarantine("failed where cuda:1 did not");
  EXPECT_THAT(Call(a), IsEmpty());
  view = dispatcher_.ListWorkers()[0];
  EXPECT_EQ(view.state(), v1::WorkerView::QUARANTINED);
  EXPECT_EQ(view.note(), "cuda:0, cuda:1: failed where cuda:1 did not");
}

TEST_F(DispatcherTest, OneBadProbeOfSeveralDevicesIsNoQuarantine) {
  dispatcher_.AddStudy(1, {v1::CUDA, "H200"});
  for (int i = 0; i < 20; ++i) dispatcher_.AddTask({1, TaskKind::kEvaluate, i});
  dispatcher_.SetKnownGood(1, 0);
  FakeWorker a{"a"};
  a.devices = {Gpu(0), Gpu(1)};
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Finish(a, Call(a).at(0).lease_id, v1::RUNTIME));
  for (const v1::Outcome outcome : {v1::RUNTIME, v1::CORRECT}) {
    const Grant probe = Call(a).at(0);
    EXPECT_EQ(probe.task.kind, TaskKind::kProbe);
    EXPECT_TRUE(Finish(a, probe.lease_id, outcome));
    EXPECT_EQ(dispatcher_.ListWorkers()[0].note(), "");
  }
  EXPECT_EQ(Call(a).at(0).task.kind, TaskKind::kEvaluate);
}

TEST_F(DispatcherTest, TheWorkerHearsOfAQuarantineThatLeavesItNothing) {
  FakeWorker a{"a"};
  a.devices = {Gpu(0), SomeDevice("cpu model")};
  const auto quarantine = [&] {
    const v1::SynchronizeRequest request = a.Request();
    v1::SynchronizeResponse response;
    dispatcher_.Leave("a", dispatcher_.Enter(request, &events_).value().call, request, &response);
    return response.quarantine();
  };
  a.devices[0].set_quarantine("broken");
  EXPECT_EQ(quarantine(), "");
  a.devices[1].set_quarantine("broken too");
  EXPECT_EQ(quarantine(), "cuda:0: broken; cpu: broken too");
}

TEST_F(DispatcherTest, FewStudiesAtATimeOnOneModel) {
  DispatchOptions options;
  options.active_studies = 2;
  Dispatcher dispatcher(options, &clock_, 1, kKey);
  for (int study = 1; study <= 4; ++study) {
    dispatcher.AddStudy(study, {v1::CPU, ""});
    dispatcher.AddTask({study, TaskKind::kReference, 0});
  }
  FakeWorker a{"a"};
  a.free_slots = 10;
  auto call = dispatcher.Enter(a.Request(), &events_).value().call;
  auto grants = dispatcher.GrantLeases("a", call, 10);
  ASSERT_EQ(grants.size(), 2u);
  for (const Grant& grant : grants) {
    dispatcher.BindStudy(grant.task.study, SomeDevice("cpu model"));
    dispatcher.Complete("a", grant.lease_id, {});
  }
  EXPECT_THAT(dispatcher.GrantLeases("a", call, 10), IsEmpty());
  dispatcher.RemoveStudy(1);
  grants = dispatcher.GrantLeases("a", call, 10);
  ASSERT_EQ(grants.size(), 1u);
  EXPECT_EQ(grants[0].task.study, 3);
}

TEST_F(DispatcherTest, AWaitEndsWithWorkANewerCallOrTheServer) {
  dispatcher_.AddStudy(1, {v1::CPU, "cpu model"});
  FakeWorker a{"a"};
  int woken = 0;
  const auto wake = [&woken] { ++woken; };
  const uint64_t first = dispatcher_.Enter(a.Request(), &events_).value().call;
  EXPECT_THAT(dispatcher_.GrantLeases("a", first, 1), IsEmpty());
  EXPECT_EQ(dispatcher_.Wait("a", first, wake), Waiting::kWaits);
  dispatcher_.AddTask({1, TaskKind::kEvaluate, 0});
  EXPECT_EQ(woken, 1);
  dispatcher_.AddTask({1, TaskKind::kEvaluate, 1});
  EXPECT_EQ(woken, 1) << "it has been woken and has not looked yet";
  EXPECT_EQ(dispatcher_.GrantLeases("a", first, 1).size(), 1u);
  EXPECT_EQ(dispatcher_.Wait("a", first, wake), Waiting::kWaits);
  const uint64_t second = dispatcher_.Enter(a.Request(), &events_).value().call;
  EXPECT_GT(second, first);
  EXPECT_EQ(woken, 2);
  EXPECT_EQ(dispatcher_.Wait("a", first, wake), Waiting::kOver);
  EXPECT_EQ(dispatcher_.Wait("a", second, wake), Waiting::kWaits);
  dispatcher_.Shutdown();
  EXPECT_EQ(woken, 3);
  EXPECT_EQ(dispatcher_.Wait("a", second, wake), Waiting::kOver);
}

TEST_F(DispatcherTest, WhatChangesBeforeAWaitIsNotMissed) {
  dispatcher_.AddStudy(1, {v1::CPU, "cpu model"});
  FakeWorker a{"a"};
  const uint64_t call = dispatcher_.Enter(a.Request(), &events_).value().call;
  EXPECT_THAT(dispatcher_.GrantLeases("a", call, 1), IsEmpty());
  dispatcher_.AddTask({1, TaskKind::kEvaluate, 0});
  const auto never = [] { ADD_FAILURE(); };
  EXPECT_EQ(dispatcher_.Wait("a", call, never), Waiting::kChanged);
  // Nor that its time is up.
  dispatcher_.Wake("a", call);
  EXPECT_EQ(dispatcher_.Wait("a", call, never), Waiting::kChanged);
}

TEST_F(DispatcherTest, ATaskOfAWorkerThatLeavesIsAnothers) {
  dispatcher_.AddStudy(1, {v1::CPU, "cpu model"});
  const std::vector<FakeWorker> workers = {FakeWorker{"a"}, FakeWorker{"b"}};
  std::map<std::string, int> woken;
  std::map<std::string, uint64_t> calls;
  for (const FakeWorker& worker : workers) {
    calls[worker.name] = dispatcher_.Enter(worker.Request(), &events_).value().call;
    EXPECT_THAT(dispatcher_.GrantLeases(worker.name, calls[worker.name], 1), IsEmpty());
    EXPECT_EQ(dispatcher_.Wait(worker.name, calls[worker.name], [&, name = worker.name] { ++woken[name]; }),
              Waiting::kWaits);
  }
  dispatcher_.AddTask({1, TaskKind::kEvaluate, 0});
  ASSERT_EQ(woken["a"] + woken["b"], 1);
  const std::string first = woken["a"] == 1 ? "a" : "b", other = first == "a" ? "b" : "a";
  v1::SynchronizeResponse response;
  dispatcher_.Leave(first, calls[first], workers[0].Request(), &response);
  EXPECT_EQ(woken[other], 1);
}

TEST_F(DispatcherTest, NextCallsAreWhenTheProtocolSays) {
  AddStudy(1, 1);
  FakeWorker a{"a"};
  const auto next = [&](int64_t wait_ms, int leases) {
    v1::SynchronizeRequest request = a.Request();
    request.set_wait_ms(wait_ms);
    v1::SynchronizeResponse response;
    for (int i = 0; i < leases; ++i) response.add_leases();
    const uint64_t call = dispatcher_.Enter(request, &events_).value().call;
    dispatcher_.Leave("a", call, request, &response);
    return response.next_synchronization_ms();
  };
  EXPECT_EQ(next(60'000, 0), 0);  // waits in the server
  EXPECT_EQ(next(0, 0), 2'000);
  ASSERT_EQ(Call(a).size(), 1u);
  a.free_slots = 0;
  EXPECT_EQ(next(0, 0), 10'000);
}

// ---- devices and their slots

TEST_F(DispatcherTest, ADeviceThatNamesNoSlotsHasOne) {
  AddStudy(1, 5);
  FakeWorker a{"a"};
  a.devices = {SomeDevice("cpu model")};
  a.free_slots = 5;
  const auto grants = Call(a);
  ASSERT_EQ(grants.size(), 1u);
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_TRUE(Finish(a, grants[0].lease_id));
  EXPECT_EQ(Call(a).size(), 1u);
}

TEST_F(DispatcherTest, SlotsOfDevicesOfOneModelAddUp) {
  dispatcher_.AddStudy(1, {v1::CUDA, "H200"});
  for (int i = 0; i < 20; ++i) dispatcher_.AddTask({1, TaskKind::kEvaluate, i});
  FakeWorker a{"a"};
  a.devices = {SomeDevice("H200", v1::CUDA, 4), SomeDevice("H200", v1::CUDA, 3),
               SomeDevice("other", v1::CUDA, 8), SomeDevice("cpu model", v1::CPU, 9)};
  a.free_slots = 2;
  EXPECT_EQ(Call(a).size(), 2u);  // no more than asked for
  a.free_slots = 100;
  EXPECT_EQ(Call(a).size(), 5u);
  EXPECT_THAT(Call(a), IsEmpty());
  const std::string done = a.active[3];
  EXPECT_TRUE(Finish(a, done));
  EXPECT_EQ(Call(a).size(), 1u);
}

TEST_F(DispatcherTest, AFullDeviceDoesNotHoldUpAnother) {
  dispatcher_.AddStudy(1, {v1::CUDA, "H200"});
  for (int i = 0; i < 5; ++i) dispatcher_.AddTask({1, TaskKind::kEvaluate, i});
  AddStudy(2, 5);
  FakeWorker a{"a"};
  a.devices = {SomeDevice("H200", v1::CUDA, 2), SomeDevice("cpu model", v1::CPU, 1)};
  a.free_slots = 10;
  std::vector<int64_t> studies;
  for (const Grant& grant : Call(a)) studies.push_back(grant.task.study);
  EXPECT_THAT(studies, ElementsAre(1, 2, 1));
}

TEST_F(DispatcherTest, EveryLeaseOfALostWorkerComesBack) {
  AddStudy(1, 4);
  FakeWorker a{"a"}, b{"b"};
  a.free_slots = b.free_slots = 4;
  ASSERT_EQ(Call(a).size(), 4u);
  clock_.Advance(absl::Minutes(1));
  EXPECT_EQ(Call(b).size(), 4u);
  EXPECT_EQ(EventKinds(), std::vector<TaskEvent::Kind>(4, TaskEvent::kLost));
}

TEST_F(DispatcherTest, SomeLeasesReturnedTheOthersKept) {
  AddStudy(1, 4);
  FakeWorker a{"a"}, b{"b"};
  a.free_slots = 4;
  ASSERT_EQ(Call(a).size(), 4u);
  a.returned = {a.active[1], a.active[2]};
  a.free_slots = 0;
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_THAT(EventKinds(), ElementsAre(TaskEvent::kReturned, TaskEvent::kReturned));
  b.free_slots = 4;
  std::vector<int64_t> candidates;
  for (const Grant& grant : Call(b)) candidates.push_back(grant.task.index);
  EXPECT_THAT(candidates, ElementsAre(1, 2));
  EXPECT_TRUE(Finish(a, a.active[0]));
}

TEST_F(DispatcherTest, LeasesOfAnEarlierRunCountAgainstTheSlots) {
  AddStudy(1, 6);
  FakeWorker a{"a"};
  a.devices = {SomeDevice("cpu model", v1::CPU, 3)};
  for (const int64_t index : {4, 5}) a.active.push_back(LeaseOf(a, {1, TaskKind::kEvaluate, index}, 1, 3));
  a.free_slots = 3;
  EXPECT_EQ(Call(a).size(), 1u);
  EXPECT_THAT(cancelled_, IsEmpty());
  EXPECT_THAT(EventKinds(), ElementsAre(TaskEvent::kAdopted, TaskEvent::kAdopted));
}

TEST_F(DispatcherTest, AProbeRunsBesideLeasesThatAreUnderWay) {
  AddStudy(1, 30);
  dispatcher_.SetKnownGood(1, 0);
  FakeWorker a{"a"};
  a.devices = {SomeDevice("cpu model", v1::CPU, 8)};
  a.free_slots = 8;
  ASSERT_EQ(Call(a).size(), 8u);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Finish(a, std::string(a.active[0]), v1::RUNTIME));
  const auto probe = Call(a);
  ASSERT_EQ(probe.size(), 1u);
  EXPECT_EQ(probe[0].task.kind, TaskKind::kProbe);
  while (a.active.size() > 1) EXPECT_TRUE(Finish(a, std::string(a.active[0]), v1::RUNTIME));
  EXPECT_THAT(Call(a), IsEmpty());
  EXPECT_TRUE(Finish(a, probe[0].lease_id, v1::CORRECT));
  EXPECT_EQ(Call(a).size(), 8u);
  EXPECT_EQ(dispatcher_.ListWorkers()[0].note(), "");
}

// ---- studies that leave their target open

class OpenTargetTest : public DispatcherTest {
 protected:
  void SetUp() override {
    gpu_.devices = {SomeDevice("cpu model"), SomeDevice("H200", v1::CUDA)};
    host_.devices = {SomeDevice("cpu model")};
    dispatcher_.AddStudy(1, {v1::TARGET_UNSPECIFIED, ""});
  }
  void AddReference() { dispatcher_.AddTask({1, TaskKind::kReference, 0}); }
  // Of the result of the worker's only lease.
  Claim ClaimOf(const FakeWorker& worker) {
    v1::LeaseResult result;
    result.set_lease_id(worker.active.at(0));
    return dispatcher_.ClaimResult(worker.name, result, &events_);
  }

  FakeWorker gpu_{"gpu"}, host_{"host"};
};

TEST_F(OpenTargetTest, GoesToTheGpuWhicheverWorkerCameFirst) {
  for (const bool gpu_first : {true, false}) {
    FakeWorker& first = gpu_first ? gpu_ : host_;
    FakeWorker& second = gpu_first ? host_ : gpu_;
    EXPECT_THAT(Call(first), IsEmpty());
    EXPECT_THAT(Call(second), IsEmpty());
    AddReference();
    EXPECT_THAT(Call(host_), IsEmpty());
    ASSERT_EQ(Call(gpu_).size(), 1u);
    const Claim claim = ClaimOf(gpu_);
    EXPECT_TRUE(claim.current);
    EXPECT_EQ(claim.device.target(), v1::CUDA);
    EXPECT_EQ(claim.device.model(), "H200");
    dispatcher_.Complete("gpu", gpu_.active[0], {});
    gpu_.active.clear();
  }
}

TEST_F(OpenTargetTest, GoesToACpuWhenNoWorkerHasAGpu) {
  AddReference();
  ASSERT_EQ(Call(host_).size(), 1u);
  EXPECT_THAT(Call(gpu_), IsEmpty());
  EXPECT_EQ(ClaimOf(host_).device.target(), v1::CPU);
}

TEST_F(OpenTargetTest, DoesNotWaitForAGpuWhoseWorkerLeaves) {
  gpu_.draining = true;
  EXPECT_THAT(Call(gpu_), IsEmpty());
  AddReference();
  EXPECT_EQ(Call(host_).size(), 1u);
}

TEST_F(OpenTargetTest, DoesNotWaitForAGpuWhoseWorkerIsLost) {
  EXPECT_THAT(Call(gpu_), IsEmpty());
  AddReference();
  EXPECT_THAT(Call(host_), IsEmpty());
  clock_.Advance(absl::Minutes(1));
  EXPECT_EQ(Call(host_).size(), 1u);
}

TEST_F(OpenTargetTest, IsBoundToTargetAndModel) {
  AddReference();
  ASSERT_EQ(Call(gpu_).size(), 1u);
  const Claim claim = ClaimOf(gpu_);
  dispatcher_.BindStudy(1, claim.device);
  dispatcher_.Complete("gpu", gpu_.active[0], {});
  gpu_.active.clear();
  dispatcher_.AddTask({1, TaskKind::kEvaluate, 0});
  FakeWorker namesake{"namesake"};  // the model's name alone does not make it the same
  namesake.devices = {SomeDevice("H200", v1::CPU)};
  EXPECT_THAT(Call(namesake), IsEmpty());
  EXPECT_THAT(Call(host_), IsEmpty());
  EXPECT_EQ(Call(gpu_).size(), 1u);
}

TEST_F(OpenTargetTest, AStudyForCudaWaitsForAGpu) {
  dispatcher_.AddStudy(2, {v1::CUDA, ""});
  dispatcher_.AddTask({2, TaskKind::kReference, 0});
  EXPECT_THAT(Call(host_), IsEmpty());
  ASSERT_EQ(Call(gpu_).size(), 1u);
}

}  // namespace
}  // namespace tune
