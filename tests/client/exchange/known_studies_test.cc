// Which studies of another server are here already.
#include "client/exchange/known_studies.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

v1::Study SomeStudy(const std::string& id, int64_t created, int64_t finished) {
  v1::Study study;
  study.set_id(id);
  study.set_created_unix_ms(created);
  study.set_finished_unix_ms(finished);
  return study;
}

v1::Provenance From(const std::string& server, const std::string& id, const std::string& fingerprint = "") {
  v1::Provenance provenance;
  provenance.set_server(server);
  provenance.set_study_id(id);
  provenance.set_fingerprint(fingerprint);
  return provenance;
}

class KnownStudiesTest : public ::testing::Test {
 protected:
  KnownStudiesTest() {
    v1::Study copy = SomeStudy("s1", 100, 200);
    *copy.mutable_provenance() = From("http://lab:7411", "s7", "abc");
    v1::Study results = SomeStudy("s2", 0, 0);
    *results.mutable_provenance() = From("results.json", "", "def");
    known_ = std::make_unique<KnownStudies>(std::vector<v1::Study>{copy, results, SomeStudy("s3", 300, 400)});
  }
  std::unique_ptr<KnownStudies> known_;
};

TEST_F(KnownStudiesTest, CopiesAreKnownByWhateverNameTheServerHas) {
  EXPECT_TRUE(known_->HasCopyOf(SomeStudy("s7", 100, 200)));
  EXPECT_FALSE(known_->HasCopyOf(SomeStudy("s8", 100, 200)));
  EXPECT_FALSE(known_->HasCopyOf(SomeStudy("s7", 101, 200)));
  EXPECT_FALSE(known_->HasCopyOf(SomeStudy("s7", 100, 201)));
  // s3 was made here; another server's study may have the same id and times only by chance.
  EXPECT_FALSE(known_->HasCopyOf(SomeStudy("s3", 300, 400)));
}

TEST_F(KnownStudiesTest, SoAreCopiesOfCopiesAndThoseThatCameFromHere) {
  EXPECT_TRUE(known_->HasCopyOf(SomeStudy("s50", 100, 200), From("lab:7410", "s7")));
  EXPECT_TRUE(known_->HasCopyOf(SomeStudy("s50", 300, 400), From("here:7410", "s3")));
  EXPECT_FALSE(known_->HasCopyOf(SomeStudy("s50", 300, 400), From("here:7410", "s4")));
  EXPECT_TRUE(known_->HasCopyOf(SomeStudy("s51", 0, 0), From("other.json", "", "def")));
}

TEST_F(KnownStudiesTest, ResultsWithoutAnIdAreKnownByTheirContentAlone) {
  EXPECT_FALSE(known_->HasCopyOf(SomeStudy("s51", 0, 0), From("results.json", "")));
  EXPECT_FALSE(known_->HasCopyOf(SomeStudy("", 0, 0)));
}

}  // namespace
}  // namespace tune
