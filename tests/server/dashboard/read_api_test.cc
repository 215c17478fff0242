#include "server/dashboard/read_api.h"

#include "server/study/study_spec.h"
#include "tests/server/dashboard/dashboard_fixture.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ReadApiTest : public DashboardTest {};

v1::StudySpec NamedSpec(const std::string& name, const std::string& owner, int evaluations = 4) {
  v1::StudySpec spec = SyntheticSpec("random", 1, evaluations);
  spec.set_name(name);
  spec.set_owner(owner);
  return spec;
}

std::vector<std::string> Ids(const nlohmann::json& list) {
  std::vector<std::string> ids;
  for (const auto& study : list["studies"]) ids.push_back(study["id"]);
  return ids;
}

TEST_F(ReadApiTest, ListsStudiesNewestFirstFilteredAndPaged) {
  Serve();
  RunStudy(NamedSpec("gemm.c: gemm", "ada@one"));
  RunStudy(NamedSpec("atax.c: atax", "bob@two"));
  ASSERT_TRUE(coordinator_->Submit(NamedSpec("late.c: GEMM two", "ada@one"), "").ok());
  using Names = std::vector<std::string>;
  const nlohmann::json all = Json("/api/v1/studies");
  EXPECT_EQ(Ids(all), Names({"s3", "s2", "s1"}));
  EXPECT_EQ(all["total"], 3);
  EXPECT_EQ(all["states"]["done"], 2);
  EXPECT_EQ(all["studies"][2]["device"], "test cpu");
  EXPECT_EQ(all["studies"][2]["evaluated"], 4);
  EXPECT_EQ(Ids(Json("/api/v1/studies?state=done")), Names({"s2", "s1"}));
  EXPECT_EQ(Ids(Json("/api/v1/studies?state=unfinished")), Names({"s3"}));
  EXPECT_EQ(Ids(Json("/api/v1/studies?owner=ADA")), Names({"s3", "s1"}));
  EXPECT_EQ(Ids(Json("/api/v1/studies?name=gemm")), Names({"s3", "s1"}));
  EXPECT_EQ(Ids(Json("/api/v1/studies?target=cpu")), Names({"s2", "s1"}));
  EXPECT_EQ(Ids(Json("/api/v1/studies?target=cuda")), Names());
  EXPECT_EQ(Ids(Json("/api/v1/studies?device=test&search=bob")), Names({"s2"}));
  EXPECT_EQ(Ids(Json("/api/v1/studies?search=s3")), Names({"s3"}));
  const nlohmann::json page = Json("/api/v1/studies?limit=1&offset=1");
  EXPECT_EQ(Ids(page), Names({"s2"}));
  EXPECT_EQ(page["matching"], 3);
}

TEST_F(ReadApiTest, ShowsOneStudyAsItIs) {
  Serve();
  const std::string id = RunStudy();
  const v1::Study study = coordinator_->GetStudy(id).value();
  const nlohmann::json json = Json("/api/v1/studies/" + id);
  EXPECT_EQ(json["state"], "done");
  EXPECT_EQ(json["best_index"], study.best_index());
  EXPECT_DOUBLE_EQ(json["best_seconds"], study.best().median());
  EXPECT_DOUBLE_EQ(json["sequential_seconds"], study.confirmation().sequential().median());
  EXPECT_DOUBLE_EQ(json["gain_over_default"], study.gain_over_default());
  EXPECT_EQ(json["confirmation"]["candidates"].size(), study.confirmation().candidates_size());
  EXPECT_EQ(json["search"]["strategy"], "ants");
  EXPECT_EQ(json["outcomes"]["correct"], 20);
}

TEST_F(ReadApiTest, ShowsWhatTheSearchDoesWithout) {
  Serve();
  v1::StudySpec spec = SyntheticSpec("ants", 3, 20);
  spec.mutable_search()->set_no_metrics(true);
  spec.mutable_search()->set_no_tree(true);
  const std::string id = RunStudy(spec);
  const nlohmann::json search = Json("/api/v1/studies/" + id)["search"];
  EXPECT_EQ(search["level"], coordinator_->GetStudy(id)->search().level());
  EXPECT_EQ(search["no_kernel_updates"], false);
  EXPECT_EQ(search["no_metrics"], true);
  EXPECT_EQ(search["no_tree"], true);
}

TEST_F(ReadApiTest, CandidateRowsFollowTheBest) {
  Serve();
  FakeWorker worker = MakeWorker();
  const auto good = worker.evaluate;
  worker.evaluate = [&](const v1::EvaluateTask& task) {
    v1::Evaluation evaluation = good(task);
    evaluation.set_worker("w1");
    v1::StageTime* stage = evaluation.add_stages();
    stage->set_stage("compile");
    stage->set_seconds(0.5);
    if (task.candidate_index() % 5 == 2) {
      evaluation.set_outcome(v1::COMPILE);
      evaluation.clear_measurement();
      evaluation.set_message("no such register");
      evaluation.set_code_fingerprint("");
    }
    return evaluation;
  };
  const std::string id = RunStudy(SyntheticSpec("random", 5, 30), worker);
  const nlohmann::json json = Json("/api/v1/studies/" + id + "/candidates");
  ASSERT_EQ(json["candidates"].size(), 30);
  // One worker without slots evaluates in the order of indices.
  double best = 0;
  for (const auto& row : json["candidates"]) {
    const bool correct = row["outcome"] == "correct";
    EXPECT_EQ(row["seconds"].is_null(), !correct);
    if (correct && (best == 0 || row["seconds"] < best)) best = row["seconds"];
    EXPECT_EQ(row["best_so_far"], best > 0 ? nlohmann::json(best) : nlohmann::json()) << row;
  }
  const std::string list = "/api/v1/studies/" + id + "/candidates?";
  EXPECT_GT(Json(list + "outcome=failed")["matching"], 0);
  EXPECT_EQ(Json(list + "outcome=failed")["matching"], Json(list + "outcome=compile")["matching"]);
  EXPECT_EQ(Json(list + "outcome=open")["matching"], 0);
  EXPECT_EQ(Json(list + "first=25")["candidates"][0]["index"], 25);
  EXPECT_EQ(Json(list + "offset=28")["candidates"].size(), 2);
  const nlohmann::json sorted = Json(list + "sort=seconds")["candidates"];
  EXPECT_DOUBLE_EQ(sorted[0]["seconds"], best);
  EXPECT_TRUE(sorted[29]["seconds"].is_null());
  const nlohmann::json timing = Json("/api/v1/studies/" + id + "/timing");
  ASSERT_EQ(timing["stages"].size(), 1);
  EXPECT_EQ(timing["stages"][0]["stage"], "compile");
  EXPECT_DOUBLE_EQ(timing["stages"][0]["seconds"], 0.5 * timing["stages"][0]["evaluations"].get<int>());
}

// Rows read while a study runs are brought up to date, not read anew.
TEST_F(ReadApiTest, RowsOfAStudyThatRuns) {
  Serve();
  const std::string id = coordinator_->Submit(SyntheticSpec("random", 5, 12), "")->id();
  FakeWorker worker = MakeWorker();
  const std::string path = "/api/v1/studies/" + id + "/candidates";
  while (worker.evaluations < 5) {
    ASSERT_TRUE(worker.Call(20).ok());
    if (!worker.leases.empty()) worker.Work();
  }
  ASSERT_TRUE(worker.Call(0).ok());  // delivers the fifth
  EXPECT_EQ(Json(path + "?outcome=correct")["matching"], 5);
  const nlohmann::json open = Json(path + "?outcome=open");  // the search adds more at any time
  EXPECT_EQ(open["matching"], open["total"].get<int>() - 5);
  while (!IsFinished(coordinator_->GetStudy(id)->state())) {
    ASSERT_TRUE(worker.Call(20).ok());
    if (!worker.leases.empty()) worker.Work();
  }
  const nlohmann::json late = Json(path);
  EXPECT_EQ(Json(path + "?outcome=correct")["matching"], 12);
  dashboard_.reset();
  Serve();
  EXPECT_EQ(late, Json(path)) << "a new table is the same";
}

// The fastest is not the best of a study for a metric, of which more is better.
TEST_F(ReadApiTest, RowsOfAStudyForAMetric) {
  Serve();
  v1::StudySpec spec = SyntheticSpec("random", 5, 12);
  v1::MetricDefinition* metric = spec.add_metrics();
  metric->set_name("slowness");
  metric->set_expression("time*1000");
  spec.mutable_search()->set_objective("slowness");
  spec.mutable_search()->set_maximise(true);
  FakeWorker worker = MakeWorker();
  const std::string id = RunStudy(spec, worker);
  const nlohmann::json rows = Json("/api/v1/studies/" + id + "/candidates")["candidates"];
  ASSERT_EQ(rows.size(), 12);
  double best = 0;
  for (const auto& row : rows) {
    EXPECT_DOUBLE_EQ(row["objective"].get<double>(), row["seconds"].get<double>() * 1000);
    EXPECT_EQ(row["metrics"]["slowness"], row["objective"]);
    EXPECT_TRUE(row["joules"].is_null());
    best = std::max(best, row["objective"].get<double>());
    EXPECT_EQ(row["best_so_far"], best);
  }
  const nlohmann::json sorted = Json("/api/v1/studies/" + id + "/candidates?sort=objective")["candidates"];
  EXPECT_EQ(sorted[0]["objective"], best);
  const nlohmann::json study = Json("/api/v1/studies/" + id);
  EXPECT_EQ(study["objective"]["name"], "slowness");
  EXPECT_EQ(study["objective"]["unit"], "");
  EXPECT_EQ(study["objective"]["maximise"], true);
  EXPECT_EQ(study["objective"]["best"], best);
  EXPECT_EQ(study["best_metrics"]["slowness"], best);
  EXPECT_EQ(study["objective"]["default"], rows[0]["objective"]);
  const nlohmann::json candidate = Json("/api/v1/studies/" + id + "/candidates/0");
  EXPECT_EQ(candidate["evaluation"]["metrics"]["slowness"], rows[0]["objective"]);
}

TEST(FollowBestTest, GoesByTheTimeOfEvaluationAndSkipsReplays) {
  const auto row = [](int64_t evaluated, double seconds, v1::Origin origin, v1::Outcome outcome) {
    CandidateRow made;
    made.evaluated_unix_ms = evaluated;
    made.seconds = made.objective = seconds;
    made.cost = outcome == v1::CORRECT ? seconds : 0;
    made.origin = origin;
    made.state = v1::EVALUATED;
    made.outcome = outcome;
    return made;
  };
  std::vector<CandidateRow> rows = {row(30, 2, v1::SEARCH, v1::CORRECT), row(10, 5, v1::SEARCH, v1::CORRECT),
                                    row(5, 1, v1::REPLAY, v1::CORRECT), row(1, 0, v1::SEARCH, v1::COMPILE),
                                    row(40, 3, v1::SEARCH, v1::CORRECT)};
  FollowBest(&rows);
  std::vector<double> best;
  for (const CandidateRow& made : rows) best.push_back(made.best_so_far);
  EXPECT_EQ(best, std::vector<double>({2, 5, 0, 0, 2}));
}

TEST_F(ReadApiTest, CandidateWithItsTextsAndDownloads) {
  Serve();
  const std::string id = RunStudy();
  const std::string base = "/api/v1/studies/" + id;
  const nlohmann::json json = Json(base + "/candidates/0");
  EXPECT_EQ(json["evaluation"]["log"], "a log");
  EXPECT_THAT(json["evaluation"]["code"].get<std::string>(), HasSubstr("d0 = "));
  EXPECT_EQ(json["configuration"].size(), 3);
  // A copy shows the code of what it copies.
  const nlohmann::json rows = Json(base + "/candidates")["candidates"];
  for (const auto& row : rows) {
    if (row["duplicate_of"].is_null()) continue;
    const std::string path = base + "/candidates/";
    const nlohmann::json copy = Json(path + std::to_string(row["index"].get<int>()));
    EXPECT_NE(copy["evaluation"]["code"], "");
  }
  const httplib::Response text = Get(base + "/candidates/0/configuration");
  EXPECT_EQ(text.get_header_value("Content-Disposition"), "attachment; filename=\"s1-0.configuration.txt\"");
  EXPECT_TRUE(ParseConfiguration(text.body).ok()) << text.body;
  const v1::Study study = coordinator_->GetStudy(id).value();
  EXPECT_EQ(Get(base + "/configuration").body,
            PrintConfiguration(coordinator_->GetCandidate(id, study.best_index())->configuration()));
  EXPECT_EQ(Get(base + "/candidates/0/log").body, "a log");
  const nlohmann::json best = Json(base + "/best");
  EXPECT_EQ(best["index"], study.best_index());
  ASSERT_EQ(best["decisions"].size(), 3);
  EXPECT_EQ(best["decisions"][0]["changed"], best["decisions"][0]["default"] != best["decisions"][0]["best"]);
  const nlohmann::json spec = Json(base + "/spec");
  EXPECT_EQ(spec["files"][0]["path"], "a.c");
  EXPECT_EQ(spec["statements"], 1);
}

TEST_F(ReadApiTest, TheTunedFileIsTheUsersWithTheRegionReplaced) {
  Serve();
  v1::StudySpec spec = SyntheticSpec("random", 1, 3);
  const std::string source = "int main() {\n#pragma scop\nx();\n#pragma endscop\n}\n";
  spec.mutable_program()->mutable_files(0)->set_content(source);
  spec.mutable_program()->mutable_files(0)->set_path("dir/we\"irdname.c");
  spec.mutable_program()->set_sources(0, "dir/we\"irdname.c");
  v1::SourceRegion* region = spec.mutable_scop()->mutable_region();
  region->set_file("dir/we\"irdname.c");
  region->set_begin_offset(source.find("#pragma scop"));
  region->set_body_begin_offset(source.find("x();"));
  region->set_body_end_offset(source.find("#pragma endscop"));
  region->set_end_offset(source.find("\n}"));
  const absl::StatusOr<v1::Study> submitted = coordinator_->Submit(spec, "");
  ASSERT_TRUE(submitted.ok()) << submitted.status();
  FakeWorker worker = MakeWorker();
  std::atomic<bool> stop{false};
  std::thread thread([&] { worker.Run(stop); });
  WaitUntilFinished(*coordinator_, submitted->id());
  const httplib::Response response = Get("/api/v1/studies/s1/tuned.c");
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.get_header_value("Content-Disposition"), "attachment; filename=\"weirdname.tuned.c\"");
  EXPECT_THAT(response.body, HasSubstr("Tuned by tunectl, study s1"));
  EXPECT_THAT(response.body, HasSubstr("x();"));
  EXPECT_THAT(Refusal("/api/v1/studies/s1/tuned.cu", 404), HasSubstr("CPU"));
  EXPECT_THAT(Refusal("/api/v1/studies/s1/tuned.h", 404), HasSubstr("CPU"));
  stop = true;
  coordinator_->Shutdown(absl::InfiniteDuration());
  thread.join();
}

TEST_F(ReadApiTest, RefusesWhatItDoesNotKnow) {
  Serve();
  ASSERT_TRUE(coordinator_->Submit(SyntheticSpec(), "").ok());
  const std::vector<std::array<std::string, 2>> refused = {
      {"/api/v1/studies?sate=done", "'sate' is not known here; known are device, limit"},
      {"/api/v1/studies?state=gone", "parameter state: 'gone' is not accepted; give one of queued, "},
      {"/api/v1/studies?limit=0", "parameter limit: '0' is not accepted; give an integer from 1 to 1000"},
      {"/api/v1/studies?limit=1e3", "integer from 1 to 1000"},
      {"/api/v1/studies?offset=-1", "integer from 0 on"},
      {"/api/v1/studies?limit=1&limit=2", "the parameter once"},
      {"/api/v1/studies?search=" + std::string(201, 'x'), "at most 200 bytes"},
      {"/api/v1/workers?a=b", "this address takes none"},
      {"/api/v1/studies/s1/candidates?sort=owner", "one of index, evaluated, seconds, objective"},
      {"/api/v1/events?x=1", "this address takes none"},
  };
  for (const auto& [path, message] : refused) EXPECT_THAT(Refusal(path, 400), HasSubstr(message)) << path;
  for (const std::string path :
       {"/api/v1/studies/s2", "/api/v1/studies/7", "/api/v1/studies/s1/candidates/0",
        "/api/v1/studies/s2/events", "/api/v1/studies/s1/candidates/-1", "/api/v1/studies/s2/candidates",
        "/api/v1/nothing", "/api/v2/studies", "/nothing", "/page/../CMakeLists.txt", "/openapi.json",
        "/api/v1/studies/s1/"}) {
    EXPECT_FALSE(Refusal(path, 404).empty()) << path;
  }
  EXPECT_THAT(Refusal("/api/v1/studies/s1/best", 409), HasSubstr("no correct candidate"));
  EXPECT_THAT(Refusal("/api/v1/studies/s1/tuned.c", 409), HasSubstr("no correct candidate"));
}

// Names and texts that would break a page, a header or a document that was put together carelessly.
TEST_F(ReadApiTest, HostileTextsAreData) {
  Serve();
  const std::string hostile = "<script>alert(1)</script>\"'&\x01\x1b[31m\xff\xfe\r\nX: y";
  FakeWorker worker = MakeWorker("evil");
  const auto good = worker.evaluate;
  const std::string log(3 << 20, '<');
  worker.evaluate = [&](const v1::EvaluateTask& task) {
    v1::Evaluation evaluation = good(task);
    evaluation.set_message(hostile);
    evaluation.set_log(log + hostile);
    evaluation.set_code(hostile);
    return evaluation;
  };
  const std::string id = RunStudy(SyntheticSpec("random", 1, 2), worker);
  // Submit takes no such name, but what was imported or stored before may have it.
  while (coordinator_->IsActive(id)) std::this_thread::yield();
  StudyChange change;
  change.study_id = id;
  change.study = store_->GetStudy(id).value();
  change.study->set_name(hostile);
  change.study->set_owner(hostile);
  ASSERT_TRUE(store_->Apply(change).ok());
  const std::string shown = "<script>alert(1)</script>\"'&\x01\x1b[31m\xef\xbf\xbd\xef\xbf\xbd\r\nX: y";
  EXPECT_EQ(Json("/api/v1/studies")["studies"][0]["name"], shown);
  EXPECT_EQ(Json("/api/v1/results")["results"][0]["owner"], shown);
  EXPECT_EQ(Json("/api/v1/studies/" + id + "/candidates")["candidates"][0]["message"], shown);
  const nlohmann::json evaluation = Json("/api/v1/studies/" + id + "/candidates/0")["evaluation"];
  EXPECT_EQ(evaluation["code"], shown);
  EXPECT_EQ(evaluation["log_bytes"], log.size() + hostile.size());
  EXPECT_LT(evaluation["log"].get<std::string>().size(), 300 << 10);
  const httplib::Response whole = Get("/api/v1/studies/" + id + "/candidates/0/log");
  EXPECT_EQ(whole.body, log + hostile);
  EXPECT_EQ(whole.get_header_value("Content-Type"), "text/plain; charset=utf-8");
  EXPECT_FALSE(whole.has_header("X"));
  EXPECT_EQ(Get("/metrics").status, 200);
}

TEST_F(ReadApiTest, ResultsKeepTheBestOfEachProgramSizeAndDevice) {
  Serve();
  v1::StudySpec spec = NamedSpec("first", "a@b", 3);
  RunStudy(spec);
  spec.set_name("same, renamed");
  FakeWorker fast = MakeWorker();
  fast.confirm = nullptr;
  fast.confirm = [](const v1::ConfirmTask& task) {
    v1::Confirmation confirmation;
    v1::ConfirmedCandidate* candidate = confirmation.add_candidates();
    candidate->set_index(task.candidates(0).index());
    *candidate->mutable_measurement() = Samples(0.25);
    return confirmation;
  };
  const std::string better = RunStudy(spec, fast);
  spec.set_name("other size");
  FakeWorker other = MakeWorker();
  other.reference = [] {
    v1::ReferenceResult result;
    result.mutable_reference()->set_sequential_seconds(20);
    v1::ParameterValue* value = result.mutable_reference()->add_parameters();
    value->set_name("n");
    value->set_value(77);
    return result;
  };
  RunStudy(spec, other);
  const nlohmann::json json = Json("/api/v1/results");
  ASSERT_EQ(json["results"].size(), 2);
  EXPECT_EQ(json["results"][0]["program"], "other size");
  EXPECT_EQ(json["results"][0]["size"], "n = 77");
  EXPECT_EQ(json["results"][1]["study"], better);
  EXPECT_EQ(json["results"][1]["studies"], 2);
  EXPECT_DOUBLE_EQ(json["results"][1]["seconds"], Samples(0.25).median());
  EXPECT_EQ(Json("/api/v1/results?search=RENAMED")["results"].size(), 1);
  EXPECT_EQ(Json("/api/v1/results?search=n%20%3D%2077")["results"].size(), 1);
  EXPECT_EQ(Json("/api/v1/results?target=cuda")["results"].size(), 0);
}

// Results of other programs come without loops: their names tell them apart.
TEST_F(ReadApiTest, ResultsWithoutTheirProgram) {
  Serve();
  for (const std::string name : {"x", "y", "x"}) {
    v1::StudySpec spec;
    spec.set_name(name);
    v1::Study study = NewStudy(spec, 1);
    study.set_name(name);
    study.set_state(v1::DONE);
    study.set_best_index(0);
    *study.mutable_best() = Samples(2);
    study.mutable_provenance()->set_format("T4");
    study.mutable_provenance()->set_fingerprint("f0");
    ASSERT_TRUE(store_->AddStudy(study, spec, "").ok());
  }
  const nlohmann::json json = Json("/api/v1/results");
  ASSERT_EQ(json["results"].size(), 2);
  EXPECT_EQ(json["results"][0]["studies"], 2);
  EXPECT_EQ(json["results"][1]["program"], "y");
  EXPECT_EQ(Json("/api/v1/studies/s1")["provenance"]["format"], "T4");
  EXPECT_EQ(Json("/api/v1/studies/s1")["provenance"]["fingerprint"], "f0");
  EXPECT_EQ(Json("/api/v1/studies/s1/spec")["region"]["text"], "");
}

TEST_F(ReadApiTest, ResultsOfGeneratorsStayApart) {
  Serve();
  for (const char* generator : {"", "ppcg", "builtin"}) {
    v1::StudySpec spec;
    spec.set_name("x");
    spec.set_generator(generator);
    v1::Study study = NewStudy(spec, 1);
    study.set_state(v1::DONE);
    study.set_best_index(0);
    *study.mutable_best() = Samples(2);
    ASSERT_TRUE(store_->AddStudy(study, spec, "").ok());
  }
  const nlohmann::json json = Json("/api/v1/results");
  ASSERT_EQ(json["results"].size(), 2);
  EXPECT_EQ(json["results"][0]["generator"], "builtin");
  EXPECT_EQ(json["results"][0]["studies"], 2);
  EXPECT_EQ(json["results"][1]["generator"], "ppcg");
  EXPECT_EQ(Json("/api/v1/studies/s2")["generator"], "ppcg");
}

TEST_F(ReadApiTest, InspectedConfigurationsWithTheirVerdicts) {
  Serve();
  const std::string id = RunStudy(), base = "/api/v1/studies/" + id;
  EXPECT_TRUE(Json(base)["inspections"].is_null());
  EXPECT_TRUE(Json(base + "/inspections")["inspections"].empty());
  StudyChange change;
  change.study_id = id;
  change.study = store_->GetStudy(id).value();
  change.study->mutable_inspections()->set_inspected(2);
  for (int i = 0; i < 2; ++i) {
    v1::Inspection& inspection = change.inspections.emplace_back();
    inspection.set_index(i);
    *inspection.mutable_configuration() = store_->GetCandidate(id, i)->candidate.configuration();
    v1::InspectedKernel* kernel = inspection.add_kernels();
    kernel->set_instructions(100 * (i + 1));
    kernel->set_regions(50 * (i + 1) * (i + 1));
    kernel->set_threads(64);
    kernel->set_launches(1);
    kernel->set_warps_per_block(2);
    kernel->set_blocks_per_multiprocessor(2);
  }
  ASSERT_TRUE(store_->Apply(change).ok());
  const nlohmann::json inspections = Json(base + "/inspections")["inspections"];
  ASSERT_EQ(inspections.size(), 2);
  EXPECT_EQ(inspections[0]["on_front"], true);
  EXPECT_TRUE(inspections[0]["configuration"].empty()) << "the first one";
  EXPECT_EQ(inspections[1]["removed"], true);
  EXPECT_EQ(inspections[1]["by"], 0);
  EXPECT_EQ(inspections[1]["candidate"], 1);
  EXPECT_FALSE(inspections[1]["configuration"].empty());
}

TEST_F(ReadApiTest, WhatTheSearchHasLearned) {
  Serve();
  const std::string base = "/api/v1/studies/" + RunStudy();
  const nlohmann::json state = Json(base + "/search");
  ASSERT_FALSE(state["edges"].empty());
  int64_t visits = 0;  // of the first decision: every walk passes it
  for (const auto& edge : state["edges"]) visits += edge["key"] == "d0" ? edge["visits"].get<int64_t>() : 0;
  EXPECT_EQ(visits, 20);
  EXPECT_EQ(Json(base + "/search"), state) << "kept";
  EXPECT_EQ(static_cast<size_t>(store_->GetSearchState("s1")->edges_size()), state["edges"].size());
  const nlohmann::json why = Json(base + "/candidates/3/explanation");
  ASSERT_EQ(why["decisions"].size(), 3);
  const nlohmann::json candidate = Json(base + "/candidates/3");
  for (int i = 0; i < 3; ++i) {
    const nlohmann::json& decision = why["decisions"][i];
    EXPECT_EQ(decision["options"][decision["chosen"].get<int>()]["option"],
              candidate["configuration"][i]["option"]);
  }
  EXPECT_FALSE(Refusal(base + "/candidates/20/explanation", 404).empty());
  ASSERT_TRUE(coordinator_->Submit(SyntheticSpec(), "").ok());
  EXPECT_THAT(Refusal("/api/v1/studies/s2/search", 409), HasSubstr("reference"));
}

TEST_F(ReadApiTest, WorkersAndServer) {
  Serve();
  RunStudy();
  const nlohmann::json workers = Json("/api/v1/workers")["workers"];
  ASSERT_EQ(workers.size(), 1);
  EXPECT_EQ(workers[0]["name"], "w1");
  EXPECT_EQ(workers[0]["evaluations"], 20);
  EXPECT_EQ(workers[0]["devices"][0]["cores"], 4);
  const nlohmann::json server = Json("/api/v1/server");
  EXPECT_EQ(server["studies"], 1);
  EXPECT_EQ(server["workers"], 1);
}

}  // namespace
}  // namespace tune
