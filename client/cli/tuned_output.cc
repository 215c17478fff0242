#include "client/cli/tuned_output.h"

#include "absl/strings/str_join.h"
#include "client/report/tuned_file.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

// What PrintTunedFile's regions point to.
struct FetchedStudy {
  v1::StudySpec spec;
  v1::Study study;
  std::string code;
};

absl::StatusOr<std::string> CodeOf(StudyClient& client, const std::string& id, int64_t index) {
  TUNE_ASSIGN_OR_RETURN(const v1::Candidate candidate, client.GetCandidate(id, index));
  const v1::Evaluation& evaluation = candidate.evaluation();
  if (!evaluation.code().empty()) return evaluation.code();
  const int64_t original = evaluation.duplicate_of_plus_one() - 1;
  if (original >= 0 && original < index) return CodeOf(client, id, original);
  return absl::NotFoundError(absl::StrCat(id, "/", index, ": the server has no code of this candidate"));
}

absl::StatusOr<FetchedStudy> FetchStudy(Session& session, StudyClient& client, const std::string& id) {
  FetchedStudy fetched;
  TUNE_ASSIGN_OR_RETURN(fetched.study, client.GetStudy(id));
  if (fetched.study.best_index() < 0) {
    return absl::NotFoundError(absl::StrCat(id, " (", StudyStateName(fetched.study.state()),
                                            ") has no correct candidate, so there is nothing to fetch; `",
                                            session.Hint(absl::StrCat("show ", id, " --candidates")),
                                            "` tells what became of each"));
  }
  TUNE_ASSIGN_OR_RETURN(fetched.spec, client.GetStudySpec(id));
  TUNE_ASSIGN_OR_RETURN(fetched.code, CodeOf(client, id, fetched.study.best_index()));
  return fetched;
}

std::string FlagsOf(const v1::Program& program) {
  const std::string flags = absl::StrJoin(program.compile_flags(), " ");
  return (flags.empty() ? "-O3 -march=native" : flags) + " -fopenmp";
}

const std::string& FileContent(const v1::Program& program, const std::string& path) {
  static const std::string* const kNone = new std::string;
  for (const v1::SourceFile& file : program.files()) {
    if (file.path() == path) return file.content();
  }
  return *kNone;
}

absl::Status CheckSameFile(const FetchedStudy& first, const FetchedStudy& other) {
  const std::string& path = first.spec.scop().region().file();
  if (path == other.spec.scop().region().file() &&
      FileContent(first.spec.program(), path) == FileContent(other.spec.program(), path)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      first.study.id(), " and ", other.study.id(),
      " are not of the same file in the same version, so they cannot go into one; fetch them one by one"));
}

}  // namespace

absl::StatusOr<TunedOutput> FetchTuned(Session& session, StudyClient& client,
                                       const std::vector<std::string>& studies) {
  std::vector<FetchedStudy> fetched;
  for (const std::string& id : studies) {
    TUNE_ASSIGN_OR_RETURN(FetchedStudy study, FetchStudy(session, client, id));
    fetched.push_back(std::move(study));
    TUNE_RETURN_IF_ERROR(CheckSameFile(fetched[0], fetched.back()));
  }
  std::vector<TunedRegion> regions;
  for (const FetchedStudy& study : fetched) {
    TunedRegion region = {&study.spec.scop(), &study.study.reference(), study.code, {}};
    region.header.study = study.study.id();
    region.header.device = study.study.device().model();
    region.header.gain_over_sequential = study.study.gain_over_sequential();
    region.header.gain_over_default = study.study.gain_over_default();
    region.header.compile_flags = FlagsOf(study.spec.program());
    regions.push_back(std::move(region));
  }
  TunedOutput output;
  TUNE_ASSIGN_OR_RETURN(output.text, PrintTunedFile(fetched[0].spec.program(), regions));
  output.program = fetched[0].spec.program();
  return output;
}

}  // namespace tune
