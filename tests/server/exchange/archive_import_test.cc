#include "server/exchange/archive_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/exchange/archive.h"
#include "server/exchange/whole_study.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

const absl::Time kImportDay = absl::FromUnixMillis(5000);

v1::StudySpec SpecOf(const std::string& name) {
  v1::StudySpec spec;
  spec.set_name(name);
  *spec.mutable_scop() = testing::GemmScop();
  spec.mutable_scop()->set_name(name);
  spec.mutable_scop()->mutable_region()->set_file("a.c");
  spec.mutable_program()->add_files()->set_path("a.c");
  spec.mutable_program()->add_sources("a.c");
  return spec;
}

class ArchiveImportTest : public ::testing::Test {
 protected:
  // The file of studies with these names, which end up in there_.
  std::string FileOf(const std::vector<std::string>& names) {
    v1::Archive archive;
    for (const std::string& name : names) {
      v1::Study study;
      study.set_name(name);
      study.set_state(v1::DONE);
      study.set_best_index(-1);
      const std::string id = there_->AddStudy(study, SpecOf(name), "").value().id();
      *archive.add_studies() = ReadWholeStudy(*there_, id, false).value();
    }
    return PrintArchive(archive).value();
  }
  absl::StatusOr<v1::ImportStudiesResponse> Import(Store& store, const std::string& file) {
    return ImportArchive(store, file, {"elsewhere", kImportDay, "", {}}, [] { return false; });
  }
  static std::vector<std::string> NamesIn(const Store& store) {
    std::vector<std::string> names;
    const std::vector<v1::Study> studies = store.ListStudies(INT64_MAX, 100).value();
    for (const v1::Study& study : studies) names.push_back(study.name());
    return names;
  }

  std::unique_ptr<Store> here_ = MakeMemoryStore(), there_ = MakeMemoryStore();
};

TEST_F(ArchiveImportTest, NewStudiesAreAddedInOrder) {
  const std::string two = FileOf({"a", "b"});
  EXPECT_TRUE(Import(*here_, two).ok());
  // What is here already stays out, wherever it stands among the others.
  v1::Archive four = ParseArchive(FileOf({"c"})).value();
  const v1::Archive known = ParseArchive(two).value(), last = ParseArchive(FileOf({"d"})).value();
  for (const v1::ArchivedStudy& study : known.studies()) *four.add_studies() = study;
  *four.add_studies() = last.studies(0);
  const v1::ImportStudiesResponse response = Import(*here_, PrintArchive(four).value()).value();
  std::vector<bool> duplicates;
  for (const v1::ImportedStudy& imported : response.studies()) duplicates.push_back(imported.duplicate());
  EXPECT_THAT(duplicates, ElementsAre(false, true, true, false));
  EXPECT_EQ(response.studies(0).study().id(), "s3");
  EXPECT_EQ(response.studies(3).study().id(), "s4");
  EXPECT_THAT(NamesIn(*here_), ElementsAre("d", "c", "b", "a"));
  // At home all are known.
  const v1::ImportStudiesResponse home = Import(*there_, PrintArchive(four).value()).value();
  for (const v1::ImportedStudy& imported : home.studies()) EXPECT_TRUE(imported.duplicate());
  EXPECT_EQ(there_->CountStudies().value(), 4);
}

TEST_F(ArchiveImportTest, AStudyThatCannotBeIdentifiedKeepsAllOut) {
  const std::unique_ptr<Store> wary =
      MakeMemoryStore([](const v1::Scop& scop) -> absl::StatusOr<ScopIdentity> {
        if (scop.name() == "deadly") return absl::ResourceExhaustedError("was killed by signal 11");
        return IdentifyScop(scop);
      });
  EXPECT_EQ(Import(*wary, FileOf({"a", "deadly", "b"})).status(),
            absl::ResourceExhaustedError("was killed by signal 11"));
  EXPECT_EQ(wary->CountStudies().value(), 0);
  EXPECT_TRUE(Import(*wary, FileOf({"a"})).ok());
}

TEST_F(ArchiveImportTest, EndsWhenTheCallerHasLeft) {
  const std::string file = FileOf({"a", "b"});
  int asked = 0;
  const auto response =
      ImportArchive(*here_, file, {"elsewhere", kImportDay, "", {}}, [&] { return ++asked == 2; });
  EXPECT_TRUE(absl::IsCancelled(response.status()));
  EXPECT_EQ(here_->CountStudies().value(), 0);
}

}  // namespace
}  // namespace tune
