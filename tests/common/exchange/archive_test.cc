// Archives: written and read back, damaged, foreign; identities of studies.
#include "common/exchange/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "common/base/random.h"
#include "common/exchange/study_identity.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

v1::ArchivedStudy SomeArchivedStudy(const std::string& name) {
  v1::ArchivedStudy study;
  study.mutable_study()->set_id("s7");
  study.mutable_study()->set_name(name);
  study.mutable_study()->set_state(v1::DONE);
  study.mutable_study()->set_created_unix_ms(1000);
  study.mutable_spec()->set_name(name);
  auto& values = *study.mutable_spec()->mutable_program()->mutable_parameter_values();
  for (int i = 0; i < 40; ++i) values[absl::StrCat("n", i)] = i;
  for (int index = 0; index < 3; ++index) {
    v1::Candidate& candidate = *study.add_candidates()->mutable_candidate();
    candidate.set_index(index);
    candidate.set_origin(v1::SEARCH);
    candidate.set_state(v1::EVALUATED);
    candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
    candidate.mutable_evaluation()->set_code(std::string(2000, 'c'));
    candidate.mutable_evaluation()->mutable_measurement()->add_samples(0.1 + index);
  }
  study.set_fingerprint(StudyFingerprint(study));
  return study;
}

v1::Archive SomeArchive() {
  v1::Archive archive;
  archive.set_written_by("test");
  *archive.add_studies() = SomeArchivedStudy("a");
  *archive.add_studies() = SomeArchivedStudy("b");
  return archive;
}

TEST(ArchiveTest, ReadsWhatItWrites) {
  const std::string file = PrintArchive(SomeArchive()).value();
  EXPECT_TRUE(LooksLikeArchive(file));
  EXPECT_LT(file.size(), SomeArchive().ByteSizeLong() / 5);  // compressed
  const v1::Archive read = ParseArchive(file).value();
  ASSERT_EQ(read.studies_size(), 2);
  EXPECT_EQ(read.studies(1).study().name(), "b");
  EXPECT_EQ(read.studies(0).candidates(2).candidate().evaluation().code(), std::string(2000, 'c'));
  EXPECT_TRUE(ParseArchive(PrintArchive(v1::Archive()).value()).ok());
}

TEST(ArchiveTest, EveryCutIsFound) {
  const std::string file = PrintArchive(SomeArchive()).value();
  for (size_t size = 0; size < file.size(); size += 1 + size / 20) {
    EXPECT_FALSE(ParseArchive(file.substr(0, size)).ok()) << size;
  }
  EXPECT_TRUE(absl::IsDataLoss(ParseArchive(file + "x").status()));
}

TEST(ArchiveTest, EveryChangedByteIsFound) {
  const std::string file = PrintArchive(SomeArchive()).value();
  const size_t content = file.find('\n') + 1;
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    std::string changed = file;
    const size_t place = content + random.Below(file.size() - content);
    changed[place] = static_cast<char>(changed[place] ^ (1 << random.Below(8)));
    EXPECT_TRUE(absl::IsDataLoss(ParseArchive(changed).status())) << place;
  }
}

TEST(ArchiveTest, ForeignAndNewerFilesAreNamed) {
  for (const char* file : {"", "{}", "tune-arch", "\x1f\x8b"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseArchive(file).status()));
    EXPECT_THAT(std::string(ParseArchive(file).status().message()), HasSubstr("not an archive"));
  }
  const std::string file = PrintArchive(SomeArchive()).value();
  const auto newer = ParseArchive(absl::StrReplaceAll(file, {{"tune-archive 1 ", "tune-archive 2 "}}));
  EXPECT_TRUE(absl::IsInvalidArgument(newer.status()));
  EXPECT_THAT(std::string(newer.status().message()), HasSubstr("version 2"));
  EXPECT_TRUE(absl::IsDataLoss(ParseArchive("tune-archive x y z\n").status()));
}

TEST(ArchiveTest, AStudyThatIsNotWhatItSaysIsRefused) {
  v1::Archive archive = SomeArchive();
  v1::Evaluation& evaluation =
      *archive.mutable_studies(0)->mutable_candidates(0)->mutable_candidate()->mutable_evaluation();
  evaluation.mutable_measurement()->set_samples(0, 1e-9);
  const auto read = ParseArchive(PrintArchive(archive).value());
  EXPECT_TRUE(absl::IsDataLoss(read.status()));
  EXPECT_THAT(std::string(read.status().message()), HasSubstr("s7"));
}

TEST(StudyFingerprintTest, CopiesAreOneStudy) {
  const std::string fingerprint = SomeArchivedStudy("a").fingerprint();
  v1::ArchivedStudy copy = SomeArchivedStudy("a");
  copy.mutable_study()->set_id("s99");
  copy.mutable_study()->mutable_provenance()->set_server("elsewhere");
  copy.mutable_candidates(0)->mutable_candidate()->mutable_evaluation()->clear_code();
  copy.mutable_candidates(0)->set_lease_id("other");
  v1::Candidate& replay = *copy.add_candidates()->mutable_candidate();
  replay.set_index(1'000'000);
  replay.set_origin(v1::REPLAY);
  replay.mutable_evaluation()->set_outcome(v1::CORRECT);
  copy.add_extra_samples()->set_candidate_index(1);
  EXPECT_EQ(StudyFingerprint(copy), fingerprint);
  EXPECT_NE(SomeArchivedStudy("b").fingerprint(), fingerprint);
  copy.mutable_study()->set_created_unix_ms(1001);
  EXPECT_NE(StudyFingerprint(copy), fingerprint);
  copy = SomeArchivedStudy("a");
  copy.mutable_candidates(1)->mutable_candidate()->mutable_evaluation()->set_outcome(v1::RUNTIME);
  EXPECT_NE(StudyFingerprint(copy), fingerprint);
}

TEST(ProgramFingerprintTest, ProgramsAndSettings) {
  v1::Program program;
  program.add_defines("A");
  program.add_defines("N=5");
  program.add_files()->set_content("int x;");
  v1::Program other = program;
  other.mutable_files(0)->set_content("int x; // comment");
  EXPECT_NE(ProgramFingerprint(other), ProgramFingerprint(program));
  EXPECT_EQ(SettingsFingerprint(other), SettingsFingerprint(program));
  std::swap(*other.mutable_defines(0), *other.mutable_defines(1));
  EXPECT_EQ(SettingsFingerprint(other), SettingsFingerprint(program));
  other.set_defines(0, "N=6");
  EXPECT_NE(SettingsFingerprint(other), SettingsFingerprint(program));
  other = program;
  other.add_arguments("100");
  EXPECT_NE(SettingsFingerprint(other), SettingsFingerprint(program));
}

}  // namespace
}  // namespace tune
