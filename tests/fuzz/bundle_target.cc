// A study as it is submitted, and its program as a worker writes it.
#include <cstdlib>
#include <filesystem>

#include "common/base/file.h"
#include "server/study/study_spec.h"
#include "tests/fuzz/sample_studies.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/text_format.h"
#include "worker/build/bundle.h"

namespace tune::testing {
namespace {

void FuzzBundle(absl::string_view input) {
  v1::StudySpec spec;
  if (!ReadText(input, &spec)) return;
  CheckSpec(spec).IgnoreError();
  FillDefaults(&spec);
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Make();
  if (!folder.ok()) std::abort();
  const std::string inside = folder->path() + "/inside";
  if (!MakeFolder(inside).ok()) std::abort();
  WriteBundle(spec.program(), inside).IgnoreError();
  for (const auto& entry : std::filesystem::directory_iterator(folder->path())) {
    if (entry.path() != inside) std::abort();  // a file beside the bundle's folder
  }
}

std::vector<std::string> BundleSeeds() {
  v1::StudySpec spec = SpecOf(GemmScop());
  spec.mutable_scop()->clear_statements();
  spec.mutable_scop()->clear_schedule();
  return {WriteText(SpecOf(ScalarTempScop())), WriteText(spec)};
}

}  // namespace

FuzzTarget BundleTarget() { return {"bundle", FuzzBundle, BundleSeeds}; }

}  // namespace tune::testing
