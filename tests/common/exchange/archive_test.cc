// Archives: written and read back, damaged, foreign; identities of studies.
#include "common/exchange/archive.h"

#include <gmock/gmock.h>
#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "common/base/fingerprint.h"
#include "common/base/random.h"
#include "common/exchange/archive_reader.h"
#include "common/exchange/message_memory.h"
#include "common/exchange/study_identity.h"
#include "tests/common/testing/sanitized.h"

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

std::string Field(char tag, const std::string& content) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.WriteTag(static_cast<uint32_t>(tag));
  coded.WriteVarint32(static_cast<uint32_t>(content.size()));
  coded.WriteString(content);
  coded.Trim();
  return bytes;
}

// The file with this content, whatever it is.
std::string FileOf(const std::string& content) {
  std::string zipped;
  {
    google::protobuf::io::StringOutputStream raw(&zipped);
    google::protobuf::io::GzipOutputStream gzip(&raw);
    google::protobuf::io::CodedOutputStream(&gzip).WriteString(content);
  }
  return absl::StrCat("tune-archive 1 ", Fingerprint(zipped), " ", zipped.size(), "\n", zipped);
}

// Empty messages, so many bytes of them: the parts of a study that hardly anything of a file becomes.
std::string EmptySamples(size_t bytes) {
  const std::string sample = Field(0x22, Field(0x22, ""));  // extra_samples { evaluation {} }
  std::string samples;
  while (samples.size() < bytes) samples += sample;
  return samples;
}

// A small file that would take the whole memory: millions of messages of no bytes.
TEST(ArchiveTest, ManyEmptyMessagesAreRefused) {
  const std::string few = FileOf(Field(0x0a, EmptySamples(400'000)));
  EXPECT_TRUE(absl::IsDataLoss(ParseArchive(few).status())) << "only its fingerprint is wrong";
  const std::string bomb = FileOf(Field(0x0a, EmptySamples(16 << 20)));
  EXPECT_LT(bomb.size(), 64 << 10);
  const absl::Status status = ParseArchive(bomb).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("a study of the archive takes more than 512 MiB"));
}

TEST(ArchiveTest, LengthsThatAreToldProveNothing) {
  std::string field;
  {
    google::protobuf::io::StringOutputStream stream(&field);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.WriteTag(0x0a);
    coded.WriteVarint32(500 << 20);
  }
  EXPECT_TRUE(absl::IsDataLoss(ParseArchive(FileOf(field)).status()));
  field.clear();
  {
    google::protobuf::io::StringOutputStream stream(&field);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.WriteTag(0x0a);
    coded.WriteVarint32(700 << 20);
  }
  EXPECT_TRUE(absl::IsResourceExhausted(ParseArchive(FileOf(field)).status()));
}

TEST(ArchiveTest, FieldsThatAreNotKnownAreRefused) {
  EXPECT_TRUE(absl::IsDataLoss(ParseArchive(FileOf(Field(0x7a, "x"))).status()));
  EXPECT_TRUE(absl::IsDataLoss(ParseArchive(FileOf(Field(0x12, std::string(2000, 'x')))).status()));
}

TEST(ArchiveReaderTest, ReadsOneStudyAtATime) {
  v1::Archive archive = SomeArchive();
  archive.set_written_unix_ms(77);
  const std::string file = PrintArchive(archive).value();
  const auto reader = ArchiveReader::Open(file).value();
  v1::ArchivedStudy study;
  EXPECT_TRUE(reader->Next(&study).value());
  EXPECT_EQ(study.SerializeAsString().size(), archive.studies(0).SerializeAsString().size());
  EXPECT_GE(reader->study_memory(), static_cast<int64_t>(study.SpaceUsedLong() - sizeof(study)));
  EXPECT_TRUE(reader->Next(&study).value());
  EXPECT_EQ(study.study().name(), "b");
  EXPECT_FALSE(reader->Next(&study).value());
  EXPECT_EQ(reader->header().written_by(), "test");
  EXPECT_EQ(reader->header().written_unix_ms(), 77);
}

int64_t ParsedBytesOf(const std::string& content, int64_t most = INT64_MAX) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(content.data()),
                                                static_cast<int>(content.size()));
  return ParsedBytes(*v1::Archive::descriptor(), &stream, most);
}

TEST(ParsedBytesTest, IsNotLessThanWhatAMessageTakes) {
  if (testing::kSanitizedThreads) GTEST_SKIP() << "maps are larger here than protobuf's library believes";
  EXPECT_EQ(ParsedBytesOf(""), 0);
  const v1::Archive some = SomeArchive();
  EXPECT_GE(ParsedBytesOf(some.SerializeAsString()),
            static_cast<int64_t>(some.SpaceUsedLong() - sizeof(some)));
  v1::Archive numbers;
  auto& samples = *numbers.add_studies()->add_candidates()->mutable_candidate()->mutable_evaluation();
  for (int i = 0; i < 1000; ++i) samples.mutable_measurement()->add_samples(i);
  for (int i = 0; i < 1000; ++i)
    numbers.mutable_studies(0)->mutable_spec()->mutable_program()->add_defines("");
  EXPECT_GE(ParsedBytesOf(numbers.SerializeAsString()),
            static_cast<int64_t>(numbers.SpaceUsedLong() - sizeof(numbers)));
}

TEST(ParsedBytesTest, ReadsNoFurtherThanItMust) {
  std::string studies;
  for (int i = 0; i < 1000; ++i) studies += Field(0x0a, "");
  const int64_t whole = ParsedBytesOf(studies);
  EXPECT_LT(ParsedBytesOf(studies, 1000), whole / 5);
  EXPECT_GT(ParsedBytesOf(studies, 1000), 1000);
  // What cannot be parsed ends the count; bytes of unknown fields are kept, so they count.
  EXPECT_LT(ParsedBytesOf(std::string(1000, '\xff')), 100);
  EXPECT_GT(ParsedBytesOf(Field(0x7a, std::string(1000, 'x'))), 1000);
  std::string nested;
  for (int i = 0; i < 200; ++i) nested = Field(0x0b, "") + nested;
  EXPECT_GT(ParsedBytesOf(nested), 0);
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
