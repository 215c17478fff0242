#include "common/exchange/study_identity.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/fingerprint.h"
#include "common/exchange/results_alone.h"

namespace tune {
namespace {

// The same bytes for equal messages: maps in the order of their keys.
std::string Bytes(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

// Each piece with its length, so that no two lists of pieces are the same text.
void AddPiece(Fingerprinter& fingerprinter, absl::string_view piece) {
  fingerprinter.Add(absl::StrCat(piece.size(), ":"));
  fingerprinter.Add(piece);
}

std::string FingerprintOfKernels(absl::string_view kind, const v1::KernelDefinition& kernel,
                                 const v1::Program& program) {
  Fingerprinter fingerprinter;
  fingerprinter.Add(kind);
  AddPiece(fingerprinter, Bytes(kernel));
  AddPiece(fingerprinter, Bytes(program));
  return fingerprinter.Finish();
}

}  // namespace

std::string ProgramFingerprint(const v1::Program& program) { return Fingerprint(Bytes(program)); }

std::string SettingsFingerprint(const v1::Program& program) {
  v1::Program settings;
  std::vector<std::string> defines(program.defines().begin(), program.defines().end());
  std::sort(defines.begin(), defines.end());
  settings.mutable_defines()->Assign(defines.begin(), defines.end());
  *settings.mutable_arguments() = program.arguments();
  settings.set_standard_input(program.standard_input());
  *settings.mutable_parameter_values() = program.parameter_values();
  return Fingerprint(Bytes(settings));
}

std::string KernelFingerprint(const v1::KernelDefinition& kernel, const v1::Program& program) {
  v1::KernelDefinition tuned = kernel;
  tuned.clear_search();
  return FingerprintOfKernels("kernels\n", tuned, program);
}

std::string KernelShape(const v1::KernelDefinition& kernel, const v1::Program& program) {
  v1::KernelDefinition shape = kernel;
  shape.clear_search();
  shape.clear_reference();
  for (v1::ProblemSize& size : *shape.mutable_problem()) size.clear_size();
  for (v1::KernelArgument& argument : *shape.mutable_arguments()) {
    argument.clear_count();
    argument.clear_fill();
  }
  return FingerprintOfKernels("shape of kernels\n", shape, program);
}

std::string StudyFingerprint(const v1::ArchivedStudy& study) {
  Fingerprinter fingerprinter;
  AddPiece(fingerprinter, Bytes(study.spec()));
  AddPiece(fingerprinter, study.study().owner());
  AddPiece(fingerprinter, absl::StrCat(study.study().created_unix_ms(), " ", study.study().finished_unix_ms(),
                                       " ", study.study().state()));
  AddPiece(fingerprinter, study.study().device().model());
  if (study.study().provenance().format() == kLibtuneFormat) {  // else the spec says it
    AddPiece(fingerprinter, study.study().name());
    AddPiece(fingerprinter, Bytes(study.study().reference()));
  }
  for (const v1::ArchivedCandidate& archived : study.candidates()) {
    const v1::Candidate& candidate = archived.candidate();
    if (candidate.origin() == v1::REPLAY || !candidate.has_evaluation()) continue;
    v1::Candidate facts;
    facts.set_index(candidate.index());
    *facts.mutable_configuration() = candidate.configuration();
    facts.mutable_evaluation()->set_outcome(candidate.evaluation().outcome());
    *facts.mutable_evaluation()->mutable_measurement() = candidate.evaluation().measurement();
    AddPiece(fingerprinter, Bytes(facts));
  }
  return fingerprinter.Finish();
}

}  // namespace tune
