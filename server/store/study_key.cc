#include "server/store/study_key.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/generator.h"
#include "common/exchange/study_identity.h"

namespace tune {

absl::StatusOr<StudyKey> KeyOfSpec(const v1::StudySpec& spec, const ScopIdentifier& identify) {
  StudyKey key;
  key.generator = KeyGenerator(ResultKind(spec.generator(), spec.rounding()));
  if (spec.has_kernel()) {
    key.shape = KernelShape(spec.kernel(), spec.program());
    key.scop = KernelFingerprint(spec.kernel(), spec.program());
    key.program = ProgramFingerprint(spec.program());
    key.settings = SettingsFingerprint(spec.program());
    return key;
  }
  if (!spec.has_scop() || spec.scop().statements().empty()) return key;
  TUNE_ASSIGN_OR_RETURN(ScopIdentity identity, identify(spec.scop()));
  key.shape = std::move(identity.shape);
  key.scop = std::move(identity.fingerprint);
  key.sizes = std::move(identity.sizes);
  key.program = ProgramFingerprint(spec.program());
  key.settings = SettingsFingerprint(spec.program());
  return key;
}

void UpdateKey(const v1::Study& study, StudyKey* key) {
  key->study_id = study.id();
  key->state = study.state();
  key->target = study.has_device() ? study.device().target() : study.target();
  key->device = study.device().model();
  key->architecture = DeviceArchitecture(study.device());
  key->has_parameters = study.has_reference();
  key->parameters.clear();
  for (const v1::ParameterValue& parameter : study.reference().parameters())
    key->parameters.push_back(parameter.value());
  key->extents.clear();
  for (const v1::ArrayExtents& array : study.reference().arrays())
    key->extents.insert(key->extents.end(), array.extents().begin(), array.extents().end());
  key->best_seconds = study.best_index() >= 0 ? study.best().median() : 0;
  key->finished_unix_ms = study.finished_unix_ms();
  key->origin = study.provenance().fingerprint();
}

std::string KeyGenerator(const std::string& kind) { return kind == kBuiltinGenerator ? "" : kind; }

std::string DeviceArchitecture(const v1::Device& device) {
  if (device.target() == v1::CUDA) return ArchitectureOf(device);
  // "Debian GNU/Linux 12, Linux 6.1 x86_64"
  const std::vector<absl::string_view> words = absl::StrSplit(device.operating_system(), ' ');
  return std::string(words.back());
}

bool SameKey(const StudyKey& a, const StudyKey& b) {
  return a.scop == b.scop && a.generator == b.generator && a.has_parameters == b.has_parameters &&
         a.parameters == b.parameters && a.extents == b.extents && a.target == b.target &&
         a.device == b.device;
}

std::string PrintNumbers(const std::vector<int64_t>& numbers) { return absl::StrJoin(numbers, ","); }

std::vector<int64_t> ParseNumbers(absl::string_view text) {
  std::vector<int64_t> numbers;
  for (absl::string_view word : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    int64_t number = 0;
    if (absl::SimpleAtoi(word, &number)) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace tune
