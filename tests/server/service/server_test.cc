// The services over a real connection.
#include "server/service/server.h"

#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "absl/synchronization/notification.h"
#include "common/base/file.h"
#include "common/rpc/message_parts.h"
#include "common/rpc/status.h"
#include "common/rpc/version.h"
#include "tests/common/testing/sanitized.h"
#include "tests/server/access/authorities.h"
#include "tests/server/study/harness.h"
#include "tune/v1/exchange_service.grpc.pb.h"
#include "tune/v1/state_service.grpc.pb.h"
#include "tune/v1/study_service.grpc.pb.h"
#include "tune/v1/worker_service.grpc.pb.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kToken[] = "0123456789abcdef0123456789abcdef";

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    coordinator_ =
        Coordinator::Start(TestOptions(), store_.get(), &Clock::Real(), SyntheticFactory({2, 4, 4})).value();
  }
  void TearDown() override { Stop(); }
  void Stop() {
    if (coordinator_ != nullptr) coordinator_->Shutdown(absl::InfiniteDuration());
    server_.reset();
    coordinator_.reset();
  }
  absl::Status Serve(const std::string& listen, const std::string& token = "") {
    server_.reset();
    authority_ = AuthorityOf(token);
    auto server = Server::Start({listen, authority_.get(), "", ""}, coordinator_.get());
    if (server.ok()) server_ = *std::move(server);
    return server.status();
  }
  std::shared_ptr<grpc::Channel> Open(const std::string& token = "") {
    return OpenChannel({server_->address(), token, ""}).value();
  }
  // One message of bytes, whatever they are.
  grpc::Status CallRaw(const std::string& path, const grpc::Slice& message, const std::string& token) {
    grpc::GenericStub stub(Open(token));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(2));
    grpc::ByteBuffer request(&message, 1), response;
    grpc::Status status;
    grpc::CompletionQueue queue;
    const auto call = stub.PrepareUnaryCall(&context, path, request, &queue);
    call->StartCall();
    call->Finish(&response, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    EXPECT_TRUE(queue.Next(&tag, &ok));
    return status;
  }
  std::string Socket() const { return "unix:" + folder_.path() + "/socket"; }

  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Authority> authority_ = AuthorityOf("");
  std::unique_ptr<Server> server_;
};

// What is written to a BIO.
std::string TextOf(const std::function<void(BIO*)>& write) {
  BIO* bio = BIO_new(BIO_s_mem());
  write(bio);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string result(data, size);
  BIO_free(bio);
  return result;
}

// A key and a certificate for "localhost" with this common name, as PEM, signed by itself.
std::pair<std::string, std::string> SelfSigned(const std::string& common_name = "localhost") {
  EVP_PKEY* key = EVP_RSA_gen(2048);
  X509* certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost");
  X509_add_ext(certificate, names, -1);
  X509_EXTENSION_free(names);
  X509_sign(certificate, key, EVP_sha256());
  const std::string key_text =
      TextOf([&](BIO* bio) { PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr); });
  const std::string certificate_text = TextOf([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
  X509_free(certificate);
  EVP_PKEY_free(key);
  return {key_text, certificate_text};
}

// Calls a unary method with default deadline.
template <typename Stub, typename Request, typename Response>
absl::Status Unary(Stub& stub, grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                   const Request& request, Response* response) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(2));
  return FromGrpc((stub.*method)(&context, request, response));
}

// What a client of Submit sends, and what it gets.
absl::Status SubmitInParts(v1::StudyService::Stub& stub, const v1::SubmitRequest& request,
                           v1::SubmitResponse* response) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(2));
  const auto writer = stub.Submit(&context, response);
  if (SendInParts(request, [&](const v1::FilePart& part) { return writer->Write(part); }))
    writer->WritesDone();
  return FromGrpc(writer->Finish());
}

// The message whose parts `reader` gives.
template <typename Message>
absl::StatusOr<Message> ReadParts(std::unique_ptr<grpc::ClientReader<v1::FilePart>> reader) {
  Message message;
  const absl::Status read =
      ReadInParts([&](v1::FilePart* part) { return reader->Read(part); }, kMaxMessageBytes, &message);
  const absl::Status ended = FromGrpc(reader->Finish());
  if (!ended.ok()) return ended;
  if (!read.ok()) return read;
  return message;
}

TEST_F(ServerTest, AStudyOverTheWire) {
  for (const std::string& listen : {Socket(), std::string("127.0.0.1:0")}) {
    ASSERT_TRUE(Serve(listen).ok());
    const auto channel = Open();
    v1::StudyService::Stub studies(channel);
    v1::StateService::Stub state(channel);
    v1::SubmitRequest submit;
    *submit.mutable_spec() = SyntheticSpec("ants", 3, 20);
    v1::SubmitResponse submitted;
    ASSERT_TRUE(SubmitInParts(studies, submit, &submitted).ok());
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (const char* name : {"a", "b"}) {
      threads.emplace_back([&, name] {
        v1::WorkerService::Stub stub(Open());
        FakeWorker worker(name, [&](const v1::SynchronizeRequest& request) {
          v1::SynchronizeResponse response;
          const absl::Status status = Unary(stub, &v1::WorkerService::Stub::Synchronize, request, &response);
          return status.ok() ? absl::StatusOr<v1::SynchronizeResponse>(response) : status;
        });
        worker.request().set_session(absl::StrCat(name, listen));
        worker.Run(stop);
      });
    }
    v1::GetStudyRequest get;
    get.set_study_id(submitted.study().id());
    grpc::ClientContext context;
    const auto reader = state.WatchStudy(&context, get);
    v1::Study study;
    int views = 0;
    while (reader->Read(&study)) ++views;
    EXPECT_TRUE(reader->Finish().ok());
    EXPECT_GE(views, 1);
    EXPECT_EQ(study.state(), v1::DONE);
    EXPECT_EQ(study.evaluated(), 20);
    v1::ListCandidatesRequest list;
    list.set_study_id(get.study_id());
    list.set_page_size(7);
    int64_t seen = 0;
    v1::ListCandidatesResponse page;
    do {
      list.set_first_index(seen);
      ASSERT_TRUE(Unary(state, &v1::StateService::Stub::ListCandidates, list, &page).ok());
      seen += page.candidates_size();
    } while (page.more());
    EXPECT_EQ(seen, 20);
    v1::GetCandidateRequest one;
    one.set_study_id(get.study_id());
    one.set_index(3);
    v1::Candidate candidate;
    ASSERT_TRUE(Unary(state, &v1::StateService::Stub::GetCandidate, one, &candidate).ok());
    EXPECT_EQ(candidate.evaluation().log(), "a log");
    v1::ListWorkersResponse workers;
    ASSERT_TRUE(Unary(state, &v1::StateService::Stub::ListWorkers, v1::ListWorkersRequest(), &workers).ok());
    EXPECT_EQ(workers.workers_size(), 2);
    v1::ServerInfo info;
    ASSERT_TRUE(Unary(state, &v1::StateService::Stub::GetServerInfo, v1::GetServerInfoRequest(), &info).ok());
    EXPECT_EQ(info.version(), kVersion);
    Stop();  // the workers' long polls end at once
    for (std::thread& thread : threads) thread.join();
    SetUp();
  }
}

TEST_F(ServerTest, EveryMethodWantsTheToken) {
  ASSERT_TRUE(Serve(Socket(), kToken).ok());
  for (const std::string& token : {std::string(), std::string("fedcba9876543210fedcba9876543210")}) {
    const auto channel = Open(token);
    v1::StudyService::Stub studies(channel);
    v1::StateService::Stub state(channel);
    v1::WorkerService::Stub workers(channel);
    const auto refused = [&](auto& stub, auto method, auto request, auto response) {
      const absl::Status status = Unary(stub, method, request, &response);
      EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr("token"));
    };
    refused(studies, &v1::StudyService::Stub::Cancel, v1::CancelRequest(), v1::CancelResponse());
    refused(studies, &v1::StudyService::Stub::Replay, v1::ReplayRequest(), v1::ReplayResponse());
    refused(state, &v1::StateService::Stub::GetServerInfo, v1::GetServerInfoRequest(), v1::ServerInfo());
    refused(state, &v1::StateService::Stub::ListStudies, v1::ListStudiesRequest(), v1::ListStudiesResponse());
    refused(state, &v1::StateService::Stub::GetStudy, v1::GetStudyRequest(), v1::Study());
    refused(state, &v1::StateService::Stub::ListCandidates, v1::ListCandidatesRequest(),
            v1::ListCandidatesResponse());
    refused(state, &v1::StateService::Stub::GetCandidate, v1::GetCandidateRequest(), v1::Candidate());
    refused(state, &v1::StateService::Stub::ListWorkers, v1::ListWorkersRequest(), v1::ListWorkersResponse());
    refused(workers, &v1::WorkerService::Stub::Synchronize, v1::SynchronizeRequest(),
            v1::SynchronizeResponse());
    grpc::ClientContext context;
    const auto reader = state.WatchStudy(&context, v1::GetStudyRequest());
    v1::Study study;
    EXPECT_FALSE(reader->Read(&study));
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::UNAUTHENTICATED);
  }
  v1::StateService::Stub state(Open(kToken));
  v1::ServerInfo info;
  EXPECT_TRUE(Unary(state, &v1::StateService::Stub::GetServerInfo, v1::GetServerInfoRequest(), &info).ok());
}

TEST_F(ServerTest, EveryMethodIsServedAndWantsATokenBeforeItsMessage) {
  ASSERT_TRUE(Serve(Socket(), kToken).ok());
  // Not a message at all: who reads it before the token says so.
  const grpc::Slice nonsense(std::string(1 << 20, '\xff'));
  int methods = 0;
  for (const google::protobuf::FileDescriptor* file :
       {v1::SubmitRequest::descriptor()->file(), v1::GetStudyRequest::descriptor()->file(),
        v1::SynchronizeRequest::descriptor()->file(), v1::LookUpRequest::descriptor()->file()}) {
    const google::protobuf::ServiceDescriptor& service = *file->service(0);
    for (int i = 0; i < service.method_count(); ++i, ++methods) {
      const std::string path = "/" + service.full_name() + "/" + service.method(i)->name();
      EXPECT_EQ(CallRaw(path, nonsense, "").error_code(), grpc::StatusCode::UNAUTHENTICATED) << path;
      EXPECT_EQ(CallRaw(path, nonsense, kToken).error_code(), grpc::StatusCode::INVALID_ARGUMENT) << path;
    }
  }
  EXPECT_GE(methods, 19);
}

TEST_F(ServerTest, MessagesThatWouldFillTheMemoryAreRefused) {
  ASSERT_TRUE(Serve(Socket()).ok());
  // Two bytes each: an empty device of a worker, which takes hundreds.
  std::string devices;
  while (devices.size() < (3 << 20)) devices += std::string("\x22\x00", 2);
  const grpc::Status many = CallRaw("/tune.v1.WorkerService/Synchronize", grpc::Slice(devices), "");
  EXPECT_EQ(many.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(many.error_message(), HasSubstr("64 MiB of memory"));
  const grpc::Status large =
      CallRaw("/tune.v1.StateService/GetStudy", grpc::Slice(std::string(5 << 20, 'x')), "");
  EXPECT_EQ(large.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(large.error_message(), HasSubstr("at most 4194304"));
}

// Bytes of this process that are in memory.
int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST_F(ServerTest, ProgramsAreOnTheDiskAndComeBack) {
  Stop();
  store_ = OpenSqliteStore(folder_.path() + "/t.db").value();
  SetUp();
  ASSERT_TRUE(Serve(Socket()).ok());
  const auto channel = Open();
  v1::StudyService::Stub studies(channel);
  v1::SubmitRequest submit;
  *submit.mutable_spec() = SyntheticSpec();
  submit.mutable_spec()->mutable_program()->set_standard_input(std::string(6 << 20, 'x'));
  v1::SubmitResponse submitted;
  ASSERT_TRUE(SubmitInParts(studies, submit, &submitted).ok());
  const int64_t before = ResidentBytes();
  const int more = testing::kSanitized ? 5 : 50;
  for (int i = 0; i < more; ++i) ASSERT_TRUE(SubmitInParts(studies, submit, &submitted).ok());
  // 300 MiB of programs, of which one at a time is here, in a few copies. Sanitizers keep what is freed.
  if (!testing::kSanitized) {
    EXPECT_LT(ResidentBytes() - before, 100 << 20);
  }

  v1::StateService::Stub state(channel);
  v1::GetStudyRequest get;
  get.set_study_id(submitted.study().id());
  grpc::ClientContext spec_context, setup_context, gone_context;
  const auto spec = ReadParts<v1::StudySpec>(state.GetStudySpec(&spec_context, get));
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->program().SerializeAsString(), submit.spec().program().SerializeAsString());
  EXPECT_EQ(spec->owner(), "tester");
  v1::WorkerService::Stub workers(channel);
  v1::GetStudySetupRequest ask;
  ask.set_study_id(get.study_id());
  const auto setup = ReadParts<v1::StudySetup>(workers.GetStudySetup(&setup_context, ask));
  ASSERT_TRUE(setup.ok()) << setup.status();
  EXPECT_EQ(setup->program().SerializeAsString(), submit.spec().program().SerializeAsString());
  EXPECT_EQ(setup->study_id(), get.study_id());
  ask.set_study_id("s999");
  EXPECT_TRUE(
      absl::IsNotFound(ReadParts<v1::StudySetup>(workers.GetStudySetup(&gone_context, ask)).status()));
  // Of a program that is too large nothing is kept.
  submit.mutable_spec()->mutable_program()->set_standard_input(std::string(80 << 20, 'x'));
  const absl::Status large = SubmitInParts(studies, submit, &submitted);
  EXPECT_TRUE(absl::IsInvalidArgument(large)) << large;
  EXPECT_EQ(coordinator_->ListStudies({}).value().studies_size(), 1 + more);
}

TEST_F(ServerTest, ASubmissionThatWouldFillTheMemoryIsRefused) {
  ASSERT_TRUE(Serve(Socket()).ok());
  v1::StudyService::Stub studies(Open());
  v1::SubmitRequest submit;
  // A few bytes each on the wire.
  for (int i = 0; i < (3 << 20); ++i) submit.mutable_spec()->mutable_scop()->add_statements();
  v1::SubmitResponse submitted;
  const absl::Status status = SubmitInParts(studies, submit, &submitted);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("MiB of memory"));
}

TEST_F(ServerTest, QuotasAreTheClients) {
  Stop();
  CoordinatorOptions options = TestOptions();
  options.quotas = {2, 1000, 0, 0};
  coordinator_ =
      Coordinator::Start(options, store_.get(), &Clock::Real(), SyntheticFactory({2, 4, 4})).value();
  const std::string alice = "secret-of-alice-16", bob = "secret-of-bob-is-it";
  ASSERT_TRUE(
      Serve(Socket(), TokenLine("client", "alice", alice) + TokenLine("client", "bob", bob) + kToken).ok());
  v1::SubmitRequest submit;
  *submit.mutable_spec() = SyntheticSpec("random", 1, 400);
  v1::SubmitResponse submitted;
  const auto submit_as = [&](const std::string& token) {
    v1::StudyService::Stub stub(Open(token));
    return SubmitInParts(stub, submit, &submitted);
  };
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(submit_as(alice).ok());
  const std::string last = submitted.study().id();
  const absl::Status third = submit_as(alice);
  EXPECT_TRUE(absl::IsResourceExhausted(third)) << third;
  EXPECT_THAT(std::string(third.message()), HasSubstr("the quota of alice is 2 studies at once"));
  // Nobody else is concerned, and admins have none.
  EXPECT_TRUE(submit_as(bob).ok());
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(submit_as(kToken).ok());
  // What has ended counts no more.
  ASSERT_TRUE(coordinator_->Cancel(last).ok());
  EXPECT_TRUE(submit_as(alice).ok());
  submit.mutable_spec()->mutable_search()->set_evaluations(601);
  EXPECT_THAT(std::string(submit_as(bob).message()), HasSubstr("1000 evaluations"));
}

TEST_F(ServerTest, RolesAreKept) {
  const std::string alice = "secret-of-alice-16", bob = "secret-of-bob-is-it", node = "secret-of-node-seven";
  ASSERT_TRUE(Serve(Socket(), TokenLine("client", "alice", alice) + TokenLine("client", "bob", bob) +
                                  TokenLine("worker", "node7", node) + kToken)
                  .ok());
  v1::SubmitRequest submit;
  *submit.mutable_spec() = SyntheticSpec();
  submit.mutable_spec()->set_owner("somebody else");
  submit.set_request_id("1");
  v1::SubmitResponse submitted;
  const auto submit_as = [&](const std::string& token) {
    v1::StudyService::Stub stub(Open(token));
    return SubmitInParts(stub, submit, &submitted);
  };
  EXPECT_TRUE(absl::IsPermissionDenied(submit_as(node)));
  ASSERT_TRUE(submit_as(alice).ok());
  const std::string id = submitted.study().id();
  EXPECT_EQ(submitted.study().owner(), "alice");
  ASSERT_TRUE(submit_as(alice).ok());
  EXPECT_EQ(submitted.study().id(), id) << "the same request";
  ASSERT_TRUE(submit_as(bob).ok());
  EXPECT_NE(submitted.study().id(), id) << "another's request";
  // A client is no worker.
  FakeWorker fake("w", nullptr);
  v1::SynchronizeResponse ignored;
  v1::WorkerService::Stub as_client(Open(alice)), as_worker(Open(node));
  EXPECT_TRUE(absl::IsPermissionDenied(
      Unary(as_client, &v1::WorkerService::Stub::Synchronize, fake.request(), &ignored)));
  EXPECT_TRUE(Unary(as_worker, &v1::WorkerService::Stub::Synchronize, fake.request(), &ignored).ok());
  // A study is its owner's.
  const auto cancel_as = [&](const std::string& token) {
    v1::StudyService::Stub stub(Open(token));
    v1::CancelRequest cancel;
    cancel.set_study_id(id);
    v1::CancelResponse cancelled;
    return Unary(stub, &v1::StudyService::Stub::Cancel, cancel, &cancelled);
  };
  EXPECT_TRUE(absl::IsPermissionDenied(cancel_as(bob)));
  EXPECT_TRUE(cancel_as(alice).ok());
  EXPECT_TRUE(cancel_as(kToken).ok());
}

TEST_F(ServerTest, MalformedRequestsSayWhatIsWrong) {
  ASSERT_TRUE(Serve(Socket()).ok());
  const auto channel = Open();
  v1::StudyService::Stub studies(channel);
  v1::StateService::Stub state(channel);
  v1::WorkerService::Stub workers(channel);
  v1::SubmitResponse submitted;
  absl::Status status = SubmitInParts(studies, v1::SubmitRequest(), &submitted);
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  v1::GetStudyRequest get;
  get.set_study_id("s7");
  v1::Study study;
  status = Unary(state, &v1::StateService::Stub::GetStudy, get, &study);
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("tunectl ls"));
  FakeWorker good("w", nullptr);
  const auto refused = [&](const std::function<void(v1::SynchronizeRequest*)>& change, absl::StatusCode code,
                           const std::string& text) {
    v1::SynchronizeRequest request = good.request();
    change(&request);
    v1::SynchronizeResponse response;
    const absl::Status answer = Unary(workers, &v1::WorkerService::Stub::Synchronize, request, &response);
    EXPECT_EQ(answer.code(), code) << answer;
    EXPECT_THAT(std::string(answer.message()), HasSubstr(text));
  };
  const auto invalid = absl::StatusCode::kInvalidArgument;
  refused([](auto* r) { r->clear_worker(); }, invalid, "worker");
  refused([](auto* r) { r->clear_session(); }, invalid, "session");
  refused([](auto* r) { r->clear_devices(); }, invalid, "devices");
  refused([](auto* r) { r->set_worker("a\x1b[2J"); }, invalid, "worker");
  refused([](auto* r) { r->set_worker(std::string(100'000, 'x')); }, invalid, "worker");
  refused([](auto* r) { r->clear_secret(); }, invalid, "secret");
  refused([](auto* r) { r->mutable_devices(0)->set_model(std::string(100'000, 'x')); }, invalid, "devices");
  refused([](auto* r) { r->mutable_devices(0)->set_compiler("cc\nforged"); }, invalid, "devices");
  refused(
      [](auto* r) {
        while (r->devices_size() <= 64) *r->add_devices() = r->devices(0);
      },
      invalid, "devices");
  refused([](auto* r) { r->add_active()->set_stage("run\r"); }, invalid, "stage");
  refused([](auto* r) { r->mutable_devices(0)->clear_model(); }, invalid, "devices");
  refused([](auto* r) { r->set_free_slots(-1); }, invalid, "free_slots");
  refused([](auto* r) { r->set_version("9.0.0"); }, absl::StatusCode::kFailedPrecondition, "same version");
  refused([](auto*) {}, absl::StatusCode::kOk, "");
}

TEST_F(ServerTest, AClientThatLeavesFreesItsCall) {
  ASSERT_TRUE(Serve(Socket()).ok());
  v1::SubmitRequest submit;
  *submit.mutable_spec() = SyntheticSpec();
  v1::SubmitResponse submitted;
  const auto channel = Open();
  v1::StudyService::Stub studies(channel);
  ASSERT_TRUE(SubmitInParts(studies, submit, &submitted).ok());
  v1::StateService::Stub state(channel);
  v1::GetStudyRequest get;
  get.set_study_id(submitted.study().id());
  for (int i = 0; i < 20; ++i) {
    grpc::ClientContext context;
    const auto reader = state.WatchStudy(&context, get);
    v1::Study study;
    EXPECT_TRUE(reader->Read(&study));
    context.TryCancel();
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
}

// Calls of Synchronize that wait in the server, without a thread of their own here either.
class WaitingWorkers {
 public:
  WaitingWorkers(int count, std::shared_ptr<grpc::Channel> channel, int64_t wait_ms)
      : stub_(channel), calls_(static_cast<size_t>(count)) {
    for (int i = 0; i < count; ++i) {
      Call& call = calls_[static_cast<size_t>(i)];
      call.request = FakeWorker(absl::StrCat("worker", i), nullptr).request();
      call.request.set_wait_ms(wait_ms);
      stub_.async()->Synchronize(&call.context, &call.request, &call.response, [&call](grpc::Status status) {
        call.status = std::move(status);
        call.answered.Notify();
      });
    }
  }
  ~WaitingWorkers() {
    for (Call& call : calls_) call.context.TryCancel();
    for (Call& call : calls_) call.answered.WaitForNotification();
  }
  // The status of each, when all are answered.
  std::vector<grpc::Status> Await() {
    std::vector<grpc::Status> all;
    for (Call& call : calls_) {
      call.answered.WaitForNotification();
      all.push_back(call.status);
    }
    return all;
  }

 private:
  struct Call {
    grpc::ClientContext context;
    v1::SynchronizeRequest request;
    v1::SynchronizeResponse response;
    grpc::Status status;
    absl::Notification answered;
  };

  v1::WorkerService::Stub stub_;
  std::vector<Call> calls_;
};

int64_t CountThreads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

TEST_F(ServerTest, CallsThatWaitHoldNoThread) {
  ASSERT_TRUE(Serve(Socket()).ok());
  v1::StateService::Stub state(Open());
  v1::ServerInfo info;
  ASSERT_TRUE(Unary(state, &v1::StateService::Stub::GetServerInfo, v1::GetServerInfoRequest(), &info).ok());
  const int64_t before = CountThreads();
  std::vector<std::unique_ptr<WaitingWorkers>> waiting;
  for (int i = 0; i < 4; ++i) waiting.push_back(std::make_unique<WaitingWorkers>(100, Open(), 600'000));
  while (coordinator_->ListWorkers().size() < 100) std::this_thread::yield();
  // Others are served meanwhile, and a newer call of each worker has ended the older one.
  ASSERT_TRUE(Unary(state, &v1::StateService::Stub::GetServerInfo, v1::GetServerInfoRequest(), &info).ok());
  EXPECT_EQ(info.workers(), 100);
  EXPECT_LT(CountThreads() - before, 50);
}

TEST_F(ServerTest, AWaitEndsWhenItsTimeIsUp) {
  ASSERT_TRUE(Serve(Socket()).ok());
  WaitingWorkers workers(20, Open(), 30);
  for (const grpc::Status& status : workers.Await()) EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(ServerTest, WorkersThatLeaveWhileTheyWaitAreForgotten) {
  Stop();
  ManualClock clock;  // a worker that has come and does not wait yet is not forgotten before its time
  coordinator_ = Coordinator::Start(TestOptions(), store_.get(), &clock, SyntheticFactory({2, 4, 4})).value();
  ASSERT_TRUE(Serve(Socket()).ok());
  auto workers = std::make_unique<WaitingWorkers>(20, Open(), 600'000);
  while (coordinator_->ListWorkers().size() < 20) std::this_thread::yield();
  workers.reset();
  while (!coordinator_->ListWorkers().empty()) {
    clock.Advance(absl::Minutes(2));
    std::this_thread::yield();
  }
  Stop();
}

TEST_F(ServerTest, AnUnknownMethodSaysWhatToDo) {
  ASSERT_TRUE(Serve(Socket()).ok());
  const grpc::Status status = CallRaw("/tune.v9.Other/Method", grpc::Slice("x"), "");
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_THAT(status.error_message(), HasSubstr("install the same version"));
}

TEST_F(ServerTest, ListensWiderOnlyWithProtection) {
  const absl::Status status = Serve("0.0.0.0:0");
  EXPECT_TRUE(absl::IsPermissionDenied(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("--no-token"));
  EXPECT_TRUE(Serve("0.0.0.0:0", kToken).ok());
}

TEST_F(ServerTest, TlsNeedsTheRightAuthority) {
  const auto [key, certificate] = SelfSigned();
  authority_ = AuthorityOf(kToken);
  server_ = Server::Start({"127.0.0.1:0", authority_.get(), certificate, key}, coordinator_.get()).value();
  EXPECT_FALSE(Server::Start({"127.0.0.1:0", authority_.get(), certificate, ""}, coordinator_.get()).ok());
  const std::string port = server_->address().substr(server_->address().rfind(':'));
  const auto call = [&](const std::string& authority, const std::string& token) {
    const std::string path = folder_.path() + "/ca.pem";
    EXPECT_TRUE(WriteFile(path, authority).ok());
    v1::StateService::Stub state(
        OpenChannel({"localhost" + port, token, authority.empty() ? "" : path}).value());
    v1::ServerInfo info;
    return Unary(state, &v1::StateService::Stub::GetServerInfo, v1::GetServerInfoRequest(), &info);
  };
  EXPECT_TRUE(call(certificate, kToken).ok());
  EXPECT_TRUE(absl::IsUnauthenticated(call(certificate, "")));
  EXPECT_TRUE(IsTransient(call(SelfSigned().second, kToken)));  // another authority: no connection
  EXPECT_TRUE(IsTransient(call("", kToken)));                   // not encrypted: no connection
}

TEST_F(ServerTest, ACertificateIsAnIdentity) {
  const auto [key, certificate] = SelfSigned();
  const auto [alice_key, alice] = SelfSigned("alice");
  const auto [mallory_key, mallory] = SelfSigned("alice");  // nobody's authority has signed it
  const auto [carol_key, carol] = SelfSigned("carol");
  authority_ =
      AuthorityOf("client alice certificate\n" + TokenLine("worker", "node7", "secret-of-node-seven"));
  server_ =
      Server::Start({"127.0.0.1:0", authority_.get(), certificate, key, alice + carol}, coordinator_.get())
          .value();
  EXPECT_FALSE(Server::Start({"127.0.0.1:0", authority_.get(), "", "", alice}, coordinator_.get()).ok());
  const std::string port = server_->address().substr(server_->address().rfind(':'));
  const std::string ca = folder_.path() + "/ca.pem", own = folder_.path() + "/own.pem",
                    own_key = folder_.path() + "/own.key";
  ASSERT_TRUE(WriteFile(ca, certificate).ok());
  const auto call = [&](const std::string& shown, const std::string& shown_key, const std::string& token) {
    ChannelOptions options{"localhost" + port, token, ca};
    if (!shown.empty()) {
      EXPECT_TRUE(WriteFile(own, shown).ok());
      EXPECT_TRUE(WriteFile(own_key, shown_key).ok());
      EXPECT_EQ(chmod(own_key.c_str(), 0600), 0);
      options.certificate_file = own;
      options.key_file = own_key;
    }
    v1::StateService::Stub state(OpenChannel(options).value());
    v1::ListStudiesResponse studies;
    return Unary(state, &v1::StateService::Stub::ListStudies, v1::ListStudiesRequest(), &studies);
  };
  EXPECT_TRUE(call(alice, alice_key, "").ok());
  EXPECT_TRUE(IsTransient(call(mallory, mallory_key, "")));  // no connection
  EXPECT_TRUE(absl::IsUnauthenticated(call(carol, carol_key, "")));
  EXPECT_TRUE(absl::IsUnauthenticated(call("", "", "")));
  // A token may be shown as well, and then says who it is.
  EXPECT_TRUE(absl::IsPermissionDenied(call(alice, alice_key, "secret-of-node-seven")));
  // The key is a secret.
  ASSERT_EQ(chmod(own_key.c_str(), 0644), 0);
  ChannelOptions readable{"localhost" + port, "", ca, own, own_key};
  EXPECT_EQ(OpenChannel(readable).status().code(), absl::StatusCode::kFailedPrecondition);
  readable.ca_file.clear();
  EXPECT_TRUE(absl::IsInvalidArgument(OpenChannel(readable).status()));
}

TEST_F(ServerTest, AnAddressInUseIsRefused) {
  ASSERT_TRUE(Serve(Socket()).ok());
  const auto second = Server::Start({Socket(), authority_.get(), "", ""}, coordinator_.get());
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("another server listens there"));
  const auto port = Server::Start({"127.0.0.1:0", authority_.get(), "", ""}, coordinator_.get()).value();
  EXPECT_FALSE(Server::Start({port->address(), authority_.get(), "", ""}, coordinator_.get()).ok());
  // A socket that a killed server left behind is taken over.
  const std::string path = folder_.path() + "/left";
  const auto first = Server::Start({"unix:" + path, authority_.get(), "", ""}, coordinator_.get()).value();
  ASSERT_EQ(rename(path.c_str(), (path + "2").c_str()), 0);
  first->Stop();
  EXPECT_TRUE(Server::Start({"unix:" + path + "2", authority_.get(), "", ""}, coordinator_.get()).ok());
  ASSERT_TRUE(WriteFile(path, "a file").ok());
  EXPECT_THAT(
      std::string(
          Server::Start({"unix:" + path, authority_.get(), "", ""}, coordinator_.get()).status().message()),
      HasSubstr("not a socket"));
  EXPECT_EQ(ReadFile(path).value(), "a file");
}

}  // namespace
}  // namespace tune
