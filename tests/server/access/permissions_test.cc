#include "server/access/permissions.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>

#include "tune/v1/exchange_service.pb.h"
#include "tune/v1/state_service.pb.h"
#include "tune/v1/study_service.pb.h"
#include "tune/v1/worker_service.pb.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

const Identity kClient{Role::kClient, "alice"}, kWorker{Role::kWorker, "node7"}, kAdmin{Role::kAdmin, "root"};

// "StudyService.Submit" and so on, of every service there is.
std::set<std::string> AllRpcs() {
  std::set<std::string> rpcs;
  for (const google::protobuf::FileDescriptor* file :
       {v1::SubmitRequest::descriptor()->file(), v1::GetStudyRequest::descriptor()->file(),
        v1::SynchronizeRequest::descriptor()->file(), v1::LookUpRequest::descriptor()->file()}) {
    for (int i = 0; i < file->service_count(); ++i) {
      const google::protobuf::ServiceDescriptor& service = *file->service(i);
      for (int j = 0; j < service.method_count(); ++j) {
        rpcs.insert(service.name() + "." + service.method(j)->name());
      }
    }
  }
  return rpcs;
}

TEST(PermissionsTest, EveryRpcHasAnEntryAndNothingElse) {
  std::set<std::string> listed;
  for (const Permission& permission : Permissions()) {
    const std::string call(permission.call);
    EXPECT_TRUE(listed.insert(call).second) << call << " is there twice";
    const bool rpc = call[0] != '/' && call != "page";
    EXPECT_EQ(AllRpcs().count(call), rpc ? 1u : 0u) << call;
  }
  EXPECT_GE(AllRpcs().size(), 19u);
  for (const std::string& rpc : AllRpcs()) EXPECT_EQ(listed.count(rpc), 1u) << rpc << " has no entry";
}

TEST(PermissionsTest, WhatHasNoEntryIsNobodys) {
  for (const Identity& identity : {kClient, kWorker, kAdmin}) {
    EXPECT_TRUE(absl::IsPermissionDenied(CheckPermission(identity, "StudyService.New"))) << identity.name;
  }
}

TEST(PermissionsTest, NobodyDoesAnothersWork) {
  for (const char* call : {"WorkerService.Synchronize", "WorkerService.GetStudySetup"}) {
    EXPECT_TRUE(absl::IsPermissionDenied(CheckPermission(kClient, call))) << call;
    EXPECT_TRUE(CheckPermission(kWorker, call).ok()) << call;
  }
  for (const char* call : {"StudyService.Submit", "StateService.GetStudySpec",
                           "ExchangeService.ImportStudies", "page", "/api/v1/studies/{study}/spec"}) {
    EXPECT_TRUE(CheckPermission(kClient, call).ok()) << call;
    EXPECT_TRUE(absl::IsPermissionDenied(CheckPermission(kWorker, call))) << call;
  }
  for (const char* call : {"ExchangeService.Backup", "ExchangeService.CollectGarbage"}) {
    EXPECT_TRUE(absl::IsPermissionDenied(CheckPermission(kClient, call))) << call;
    EXPECT_TRUE(absl::IsPermissionDenied(CheckPermission(kWorker, call))) << call;
  }
  for (const Permission& permission : Permissions())
    EXPECT_TRUE(CheckPermission(kAdmin, permission.call).ok());
  EXPECT_THAT(std::string(CheckPermission(kClient, "WorkerService.Synchronize").message()),
              HasSubstr("token of client 'alice' does not do for WorkerService.Synchronize"));
}

TEST(PermissionsTest, StudiesAreTheirOwners) {
  EXPECT_TRUE(CheckOwner(kClient, "s1", "alice").ok());
  EXPECT_TRUE(CheckOwner(kAdmin, "s1", "alice").ok());
  EXPECT_TRUE(absl::IsPermissionDenied(CheckOwner(kClient, "s1", "bob")));
}

}  // namespace
}  // namespace tune
