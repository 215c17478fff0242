// Whole studies over the read API.
#include "common/exchange/archive.h"
#include "server/exchange/whole_study.h"
#include "tests/server/dashboard/dashboard_fixture.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class ArchiveRoutesTest : public DashboardTest {};

TEST_F(ArchiveRoutesTest, TheArchiveIsTheWholeStudy) {
  Serve();
  const std::string id = RunStudy();
  const httplib::Response response = Get("/api/v1/studies/" + id + "/archive");
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(response.get_header_value("Content-Type"), "application/octet-stream");
  EXPECT_EQ(response.get_header_value("Content-Disposition"), "attachment; filename=\"s1.tune\"");
  const v1::Archive archive = ParseArchive(response.body).value();
  ASSERT_EQ(archive.studies_size(), 1);
  EXPECT_EQ(archive.studies(0).SerializeAsString(), ReadWholeStudy(*store_, id, false)->SerializeAsString());
  EXPECT_NE(archive.studies(0).candidates(0).candidate().evaluation().code(), "");
  EXPECT_EQ(Open().Head(("/api/v1/studies/" + id + "/archive").c_str())->status, 200);
}

TEST_F(ArchiveRoutesTest, OnlyWhatHasEnded) {
  Serve();
  const std::string id = coordinator_->Submit(SyntheticSpec(), "").value().id();
  EXPECT_THAT(Refusal("/api/v1/studies/" + id + "/archive", 409), HasSubstr("has not ended"));
  EXPECT_THAT(Refusal("/api/v1/studies/s99/archive", 404), HasSubstr("s99"));
  EXPECT_THAT(Refusal("/api/v1/studies/x7/archive", 404), HasSubstr("no study's id"));
  EXPECT_THAT(Refusal("/api/v1/studies/" + id + "/archive?texts=no", 400), HasSubstr("texts"));
  EXPECT_EQ(Open().Post(("/api/v1/studies/" + id + "/archive").c_str())->status, 405);
}

TEST_F(ArchiveRoutesTest, TheTokenIsAskedFor) {
  const std::string token = "0123456789abcdef0123456789abcdef";
  UseTokens(token);
  Serve();
  const std::string path = "/api/v1/studies/" + RunStudy() + "/archive";
  EXPECT_EQ(Get(path).status, 401);
  EXPECT_EQ(Get(path, {{"Authorization", "Bearer 0123456789abcdef0123456789abcdee"}}).status, 401);
  EXPECT_EQ(Get(path, {{"Authorization", "Bearer " + token}}).status, 200);
}

}  // namespace
}  // namespace tune
