// Look-up, exchange and retention over a real connection, between two servers.
#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/exchange/archive.h"
#include "common/rpc/status.h"
#include "server/service/server.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/testing/sanitized.h"
#include "tests/server/access/authorities.h"
#include "tests/server/study/harness.h"
#include "tune/v1/exchange_service.grpc.pb.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// A server on a store, with a study of gemm done by a fake worker.
class Lab {
 public:
  Lab(std::unique_ptr<Store> store, const std::string& socket, const std::string& token = "")
      : store_(std::move(store)) {
    coordinator_ =
        Coordinator::Start(TestOptions(), store_.get(), &Clock::Real(), SyntheticFactory({2, 4, 4})).value();
    authority_ = AuthorityOf(token);
    server_ = Server::Start({"unix:" + socket, authority_.get(), "", ""}, coordinator_.get()).value();
    stub_ = v1::ExchangeService::NewStub(OpenChannel({server_->address(), token, ""}).value());
    stranger_ = v1::ExchangeService::NewStub(OpenChannel({server_->address(), "", ""}).value());
  }
  ~Lab() {
    coordinator_->Shutdown(absl::InfiniteDuration());
    server_.reset();
  }

  std::string Tune() {
    const std::string id = coordinator_->Submit(GemmSpec(), "").value().id();
    std::atomic<bool> stop{false};
    std::thread thread([&] {
      FakeWorker worker("w", [&](const v1::SynchronizeRequest& request) {
        return SynchronizeNow(*coordinator_, request, [&] { return stop.load(); });
      });
      worker.Run(stop, 1'000'000);
    });
    EXPECT_EQ(WaitUntilFinished(*coordinator_, id).state(), v1::DONE);
    stop = true;
    thread.join();
    return id;
  }

  static v1::StudySpec GemmSpec() {
    v1::StudySpec spec = SyntheticSpec("ants", 3, 12);
    *spec.mutable_scop() = testing::GemmScop();
    spec.mutable_scop()->mutable_region()->set_file("a.c");
    return spec;
  }

  // The whole stream; its fingerprint is checked.
  template <typename Request, typename Method>
  absl::StatusOr<std::string> Download(const Request& request, Method method) {
    grpc::ClientContext context;
    auto reader = (stub_.get()->*method)(&context, request);
    v1::FilePart part;
    std::string file, fingerprint;
    while (reader->Read(&part)) {
      file += part.data();
      fingerprint = part.fingerprint();
    }
    TUNE_RETURN_IF_ERROR(FromGrpc(reader->Finish()));
    EXPECT_EQ(fingerprint, Fingerprint(file));
    return file;
  }
  absl::StatusOr<std::string> Export(const std::vector<std::string>& ids) {
    v1::ExportStudiesRequest request;
    request.mutable_study_ids()->Assign(ids.begin(), ids.end());
    return Download(request, &v1::ExchangeService::Stub::ExportStudies);
  }
  absl::StatusOr<std::string> Backup() {
    return Download(v1::BackupRequest(), &v1::ExchangeService::Stub::Backup);
  }
  absl::StatusOr<v1::ImportStudiesResponse> Import(const std::string& file,
                                                   const std::string& source = "other lab") {
    grpc::ClientContext context;
    v1::ImportStudiesResponse response;
    auto writer = stub_->ImportStudies(&context, &response);
    v1::FilePart part;
    part.set_source(source);
    for (size_t sent = 0; sent < file.size(); sent += 1000) {
      part.set_data(file.substr(sent, 1000));
      writer->Write(part);
      part.clear_source();
    }
    writer->WritesDone();
    TUNE_RETURN_IF_ERROR(FromGrpc(writer->Finish()));
    return response;
  }
  absl::Status LookUp(const v1::Scop& scop) {
    v1::LookUpRequest request;
    *request.mutable_scop() = scop;
    grpc::ClientContext context;
    v1::LookUpResponse response;
    return FromGrpc(stub_->LookUp(&context, request, &response));
  }
  v1::LookUpResponse LookUpGemm() {
    v1::LookUpRequest request;
    *request.mutable_scop() = testing::GemmScop();
    grpc::ClientContext context;
    v1::LookUpResponse response;
    EXPECT_TRUE(stub_->LookUp(&context, request, &response).ok());
    return response;
  }

  std::unique_ptr<Store> store_;
  std::unique_ptr<Authority> authority_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<v1::ExchangeService::Stub> stub_, stranger_;
};

class ExchangeServiceTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

TEST_F(ExchangeServiceTest, OneServersResultAnswersOnAnother) {
  Lab here(MakeMemoryStore(), path("here"));
  Lab there(OpenSqliteStore(path("there.db")).value(), path("there"));
  const std::string id = here.Tune();
  EXPECT_EQ(here.LookUpGemm().matches(0).study().id(), id);
  EXPECT_EQ(there.LookUpGemm().matches_size(), 0);
  const std::string file = here.Export({id}).value();
  const v1::ImportStudiesResponse imported = there.Import(file).value();
  ASSERT_EQ(imported.studies_size(), 1);
  EXPECT_FALSE(imported.studies(0).duplicate());
  EXPECT_EQ(imported.studies(0).study().provenance().server(), "other lab");
  const v1::LookUpResponse found = there.LookUpGemm();
  ASSERT_EQ(found.matches_size(), 1);
  const v1::Study original = here.coordinator_->GetStudy(id).value();
  EXPECT_EQ(found.matches(0).study().best().median(), original.best().median());
  EXPECT_EQ(found.matches(0).configuration().SerializeAsString(),
            here.coordinator_->GetCandidate(id, original.best_index())->configuration().SerializeAsString());
  // Twice is once, in both directions.
  EXPECT_TRUE(there.Import(file).value().studies(0).duplicate());
  EXPECT_TRUE(
      here.Import(there.Export({imported.studies(0).study().id()}).value()).value().studies(0).duplicate());
  EXPECT_EQ(here.store_->CountStudies().value(), 1);
  EXPECT_EQ(there.store_->CountStudies().value(), 1);
}

// isl faults at this text.
TEST_F(ExchangeServiceTest, AScopThatIslFaultsAtDoesNotEndTheServer) {
  Lab here(MakeMemoryStore(), path("here"));
  v1::StudySpec spec = Lab::GemmSpec();
  spec.mutable_scop()->set_schedule("{ domain: 5 }");
  here.LookUp(spec.scop()).IgnoreError();
  here.coordinator_->Submit(spec, "").status().IgnoreError();
  const std::string id = here.Tune();
  EXPECT_EQ(here.LookUpGemm().matches(0).study().id(), id);
}

TEST_F(ExchangeServiceTest, ABadFileChangesNothing) {
  Lab here(MakeMemoryStore(), path("here")), there(MakeMemoryStore(), path("there"));
  const std::string id = here.Tune();
  const std::string file = here.Export({id}).value();
  EXPECT_TRUE(absl::IsDataLoss(there.Import(file.substr(0, file.size() / 2)).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(there.Import("something else").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(there.Import("").status()));
  // One good and one bad study: none.
  v1::Archive archive = ParseArchive(file).value();
  v1::ArchivedStudy& second = *archive.add_studies();
  second = archive.studies(0);
  second.mutable_study()->set_best_index(999);
  const auto refused = there.Import(PrintArchive(archive).value());
  EXPECT_TRUE(absl::IsInvalidArgument(refused.status()));
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("999"));
  EXPECT_EQ(there.store_->CountStudies().value(), 0);
  EXPECT_TRUE(absl::IsNotFound(here.Export({"s9"}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(here.Export({}).status()));
}

TEST_F(ExchangeServiceTest, ABackupAnswersTheSame) {
  std::string file, summary;
  {
    Lab here(OpenSqliteStore(path("here.db")).value(), path("here"));
    const std::string id = here.Tune();
    file = here.Backup().value();
    summary = here.coordinator_->GetStudy(id).value().SerializeAsString();
    EXPECT_GT(here.coordinator_->Info().value().database_bytes(), 0);
  }
  ASSERT_TRUE(WriteFile(path("copy.db"), file).ok());
  ASSERT_EQ(RestoreSqliteFile(path("copy.db"), path("restored.db")).value(), "");
  Lab restored(OpenSqliteStore(path("restored.db")).value(), path("restored"));
  EXPECT_EQ(restored.coordinator_->GetStudy("s1").value().SerializeAsString(), summary);
  EXPECT_EQ(restored.LookUpGemm().matches(0).study().id(), "s1");
  Lab memory(MakeMemoryStore(), path("memory"));
  EXPECT_TRUE(absl::IsFailedPrecondition(memory.Backup().status()));
}

// Who reads a backup slowly keeps nobody from the rest.
TEST_F(ExchangeServiceTest, ABackupThatIsNotReadStopsOnlyOtherBackups) {
  if (testing::kSanitizedThreads) GTEST_SKIP() << "megabytes from gRPC's library are suppressed word by word";
  Lab here(OpenSqliteStore(path("here.db")).value(), path("here"));
  v1::StudySpec large;
  large.mutable_program()->set_standard_input(std::string(16 << 20, 'x'));
  here.store_->AddStudy({}, large, "").value();
  {
    // What is sent and not read stays small.
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    const auto stub = v1::ExchangeService::NewStub(
        grpc::CreateCustomChannel(here.server_->address(), grpc::InsecureChannelCredentials(), arguments));
    grpc::ClientContext slow;
    auto reader = stub->Backup(&slow, {});
    v1::FilePart part;
    ASSERT_TRUE(reader->Read(&part));
    const absl::Status second = here.Backup().status();
    EXPECT_TRUE(absl::IsFailedPrecondition(second)) << second;
    EXPECT_THAT(std::string(second.message()), HasSubstr("another backup"));
    grpc::ClientContext context;
    v1::CollectGarbageRequest request;
    request.set_dry_run(true);
    v1::CollectGarbageResponse response;
    EXPECT_TRUE(here.stub_->CollectGarbage(&context, request, &response).ok());
    slow.TryCancel();
    reader->Finish();
  }
  absl::StatusOr<std::string> later = here.Backup();
  for (int i = 0; i < 1000 && absl::IsFailedPrecondition(later.status()); ++i) later = here.Backup();
  EXPECT_TRUE(later.ok()) << later.status();
  EXPECT_FALSE(std::filesystem::exists(path("here.db.backup")));
}

TEST_F(ExchangeServiceTest, TheSourceOfAnImportIsOneShortText) {
  Lab here(MakeMemoryStore(), path("here")), there(MakeMemoryStore(), path("there"));
  const std::string file = here.Export({here.Tune()}).value();
  EXPECT_TRUE(absl::IsInvalidArgument(there.Import(file, std::string(2000, 'x')).status()));
  EXPECT_EQ(there.store_->CountStudies().value(), 0);
}

TEST_F(ExchangeServiceTest, GarbageIsCollectedInTheServer) {
  Lab here(OpenSqliteStore(path("here.db")).value(), path("here"));
  const std::string id = here.Tune();
  // A study is put away a moment after its end.
  for (int i = 0; i < 10'000 && here.coordinator_->IsActive(id); ++i) absl::SleepFor(absl::Milliseconds(1));
  v1::CollectGarbageRequest request;
  request.set_dry_run(true);
  const auto collect = [&] {
    grpc::ClientContext context;
    v1::CollectGarbageResponse response;
    EXPECT_TRUE(here.stub_->CollectGarbage(&context, request, &response).ok());
    return response;
  };
  const int64_t told = collect().texts();
  EXPECT_GT(told, 0);
  EXPECT_NE(here.coordinator_->GetCandidate(id, 5)->evaluation().code() +
                here.coordinator_->GetCandidate(id, 6)->evaluation().code(),
            "");
  request.set_dry_run(false);
  EXPECT_EQ(collect().texts(), told);
  EXPECT_EQ(collect().texts(), 0);
  const v1::Study study = here.coordinator_->GetStudy(id).value();
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_TRUE(here.Export({id}).ok());
}

TEST_F(ExchangeServiceTest, EveryCallAsksForTheToken) {
  Lab here(MakeMemoryStore(), path("here"), "0123456789abcdef0123456789abcdef");
  const auto code = [&](auto call) {
    grpc::ClientContext context;
    return call(context).error_code();
  };
  const auto drain = [](auto reader) {
    v1::FilePart part;
    while (reader->Read(&part)) {
    }
    return reader->Finish();
  };
  v1::LookUpResponse found;
  v1::CollectGarbageResponse collected;
  v1::ImportStudiesResponse imported;
  auto& stub = *here.stranger_;
  EXPECT_EQ(code([&](auto& c) { return stub.LookUp(&c, {}, &found); }), grpc::UNAUTHENTICATED);
  EXPECT_EQ(code([&](auto& c) { return stub.CollectGarbage(&c, {}, &collected); }), grpc::UNAUTHENTICATED);
  EXPECT_EQ(code([&](auto& c) { return drain(stub.ExportStudies(&c, {})); }), grpc::UNAUTHENTICATED);
  EXPECT_EQ(code([&](auto& c) { return drain(stub.Backup(&c, {})); }), grpc::UNAUTHENTICATED);
  EXPECT_EQ(code([&](auto& c) { return stub.ImportStudies(&c, &imported)->Finish(); }),
            grpc::UNAUTHENTICATED);
}

}  // namespace
}  // namespace tune
