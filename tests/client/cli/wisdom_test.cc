// What applications learnt, on the command line and between it and a server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/exchange/application_wisdom.h"
#include "common/base/file.h"
#include "common/exchange/archive.h"
#include "libtune/wisdom/tries_file.h"
#include "tests/client/testing/tunectl_test.h"

namespace tune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

LearntResult Result(const std::string& region, int64_t size, double seconds, const std::string& tile) {
  return {region, "some GPU", {size}, seconds, {{"tile", tile}}};
}

class WisdomVerbTest : public TunectlTest {
 protected:
  // What a server has of it once it was sent.
  void PutOnServer(const std::string& id, const LearntResult& result) {
    v1::ArchivedStudy archived = StudyOfLearntResult(result, "other.wisdom");
    archived.mutable_study()->set_id(id);
    server_.Put(archived.study());
    server_.Put(id, archived.candidates(0).candidate());
  }
  double SecondsOf(int64_t size) const {
    const auto results = ReadLearntResults(file_);
    for (size_t i = 0; results.ok() && i < results->size(); ++i)
      if ((*results)[i].inputs == std::vector<int64_t>{size}) return (*results)[i].seconds;
    return 0;
  }

  const std::string file_ = folder_.path() + "/app.wisdom";
};

TEST_F(WisdomVerbTest, ShowsWhatTheFileHolds) {
  ASSERT_TRUE(
      AddLearntResults(file_, {Result("gemm:01", 500, 2e-3, "32"), Result("syrk", 9, 1e-3, "8")}).ok());
  EXPECT_EQ(Tunectl({"wisdom", file_}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("gemm:01"));
  EXPECT_THAT(out(), HasSubstr("2.00 ms"));
  EXPECT_THAT(out(), HasSubstr("tile = 32"));
  EXPECT_THAT(out(), HasSubstr("syrk"));
  EXPECT_EQ(Tunectl({"wisdom", file_, "--region", "gemm", "--json"}), 0) << err();
  ASSERT_EQ(OutAsJson().size(), 1u);
  EXPECT_EQ(OutAsJson()[0]["inputs"][0], 500);
  EXPECT_EQ(OutAsJson()[0]["values"]["tile"], "32");
  EXPECT_EQ(Tunectl({"wisdom", folder_.path() + "/none"}), 1);
  EXPECT_EQ(Tunectl({"wisdom", file_, "--every", "5"}), 2);
}

TEST_F(WisdomVerbTest, IsSentAsResultsOfOriginOnline) {
  ASSERT_TRUE(AddLearntResults(file_, {Result("gemm", 500, 2e-3, "32"), Result("syrk", 9, 1e-3, "8")}).ok());
  v1::ImportStudiesResponse response;
  response.add_studies()->set_duplicate(true);
  response.add_studies();
  server_.SetImported(response);
  EXPECT_EQ(Tunectl({"wisdom", file_, "--send"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("Sent 2 results"));
  EXPECT_THAT(out(), HasSubstr("did not know 1"));
  ASSERT_EQ(server_.imports().size(), 1u);
  EXPECT_EQ(server_.imports()[0].first, "app.wisdom");
  const auto archive = ParseArchive(server_.imports()[0].second);
  ASSERT_TRUE(archive.ok()) << archive.status();
  ASSERT_EQ(archive->studies_size(), 2);
  EXPECT_EQ(archive->studies(0).candidates(0).candidate().origin(), v1::ONLINE);
}

TEST_F(WisdomVerbTest, TriesAreToldLiveAndTheirResultsOnce) {
  const std::string tries = folder_.path() + "/app.tries";
  const libtune::WisdomKey key = {"gemm", "some GPU", {500}};
  std::string lines;
  for (const double seconds : {3e-3, 2e-3})
    lines += libtune::TryLine({libtune::TryKind::kTry, key, {seconds, {{"tile", "32"}}}}) + "\n";
  lines += libtune::TryLine({libtune::TryKind::kSettled, key, {2e-3, {{"tile", "32"}}}}) + "\n";
  ASSERT_TRUE(WriteFile(tries, lines).ok());
  LearntResult told = Result("gemm", 500, 2e-3, "32");
  told.device = key.device;
  ASSERT_TRUE(AddLearntResults(file_, {told, Result("syrk", 9, 1e-3, "8")}).ok());
  EXPECT_EQ(Tunectl({"wisdom", file_, "--send", "--tries", tries}), 0) << err();
  EXPECT_THAT(err(), ContainsRegex("What gemm tries is study s500: `tunectl .*watch s500`"));
  ASSERT_EQ(server_.tries().size(), 1u);
  EXPECT_EQ(server_.tries()[0].searches(0).tries_size(), 2);
  EXPECT_EQ(server_.tries()[0].searches(0).end(), v1::OnlineSearch::SETTLED);
  ASSERT_EQ(server_.imports().size(), 1u);
  const auto archive = ParseArchive(server_.imports()[0].second);
  ASSERT_EQ(archive.value().studies_size(), 1);
  EXPECT_EQ(archive->studies(0).study().name(), "syrk");
  EXPECT_EQ(Tunectl({"wisdom", file_, "--tries", tries}), 2) << "it is of --send";
}

TEST_F(WisdomVerbTest, IsTakenFromTheServerWhereThatKnowsBetter) {
  ASSERT_TRUE(
      AddLearntResults(file_, {Result("gemm", 500, 2e-3, "32"), Result("gemm", 700, 1e-3, "8")}).ok());
  PutOnServer("s1", Result("gemm", 500, 1e-3, "64"));   // faster
  PutOnServer("s2", Result("gemm", 700, 3e-3, "64"));   // slower
  PutOnServer("s3", Result("gemm", 900, 9e-3, "128"));  // new
  PutOnServer("s4", Result("syrk", 40, 1e-3, "16"));
  v1::Study other;
  other.set_id("s5");
  other.set_name("gemm");
  other.mutable_best()->set_median(1e-9);
  server_.Put(other);
  EXPECT_EQ(Tunectl({"wisdom", file_, "--refresh", "--region", "gemm"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("Took 2 results"));
  EXPECT_EQ(SecondsOf(500), 1e-3);
  EXPECT_EQ(SecondsOf(700), 1e-3);
  EXPECT_EQ(SecondsOf(900), 9e-3);
  EXPECT_EQ(SecondsOf(40), 0);
  EXPECT_EQ(Tunectl({"wisdom", file_, "--refresh", "--region", "gemm", "--json"}), 0) << err();
  EXPECT_EQ(OutAsJson()["taken"], 0);
  EXPECT_EQ(Tunectl({"wisdom", file_}), 0);
  EXPECT_THAT(out(), HasSubstr("tile = 64"));
  EXPECT_THAT(out(), Not(HasSubstr("tile = 32")));
}

TEST_F(WisdomVerbTest, AFileThatIsNotThereIsMadeAndOneOfSomethingElseIsNot) {
  PutOnServer("s1", Result("gemm", 500, 1e-3, "64"));
  EXPECT_EQ(Tunectl({"wisdom", file_, "--refresh"}), 0) << err();
  EXPECT_EQ(SecondsOf(500), 1e-3);
  const std::string other = folder_.path() + "/notes";
  ASSERT_TRUE(WriteFile(other, "notes\n").ok());
  EXPECT_EQ(Tunectl({"wisdom", other, "--refresh"}), 1);
  EXPECT_EQ(ReadFile(other).value(), "notes\n");
}

}  // namespace
}  // namespace tune
