// What a study's result depends on, in a form that an index finds: see `tunectl best FILE`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/scop/scop_identity.h"
#include "tune/v1/study.pb.h"

namespace tune {

struct StudyKey {
  std::string study_id;

  // Of the spec; empty where it has neither scop nor kernel (results without code).
  std::string shape;  // ScopIdentity of common/scop/scop_identity.h; of kernels KernelShape
  std::string scop;   // its fingerprint; of kernels KernelFingerprint, which no scop has
  std::vector<int64_t> sizes;
  std::string program;  // ProgramFingerprint, SettingsFingerprint of common/exchange/study_identity.h
  std::string settings;
  std::string generator;  // a ResultKind of common/evaluation/generator.h; empty: that of builtin

  // Of the study; they change while it runs.
  v1::StudyState state = v1::STUDY_STATE_UNSPECIFIED;
  v1::Target target = v1::TARGET_UNSPECIFIED;
  std::string device;        // model; empty before the reference run
  std::string architecture;  // DeviceArchitecture
  bool has_parameters = false;
  std::vector<int64_t> parameters;  // values by position, once has_parameters
  std::vector<int64_t> extents;     // of all arrays, in the order of the scop
  double best_seconds = 0;          // 0: nothing correct
  int64_t finished_unix_ms = 0;
  std::string origin;  // Provenance.fingerprint; empty: made here
};

// The first half. The scop's identity is asked of `identify`, whose errors are the result, where the spec has
// a scop with statements.
absl::StatusOr<StudyKey> KeyOfSpec(const v1::StudySpec& spec, const ScopIdentifier& identify);

// Sets the second half.
void UpdateKey(const v1::Study& study, StudyKey* key);

// A ResultKind as StudyKey has it.
std::string KeyGenerator(const std::string& kind);

// "sm_90" on cuda, the machine's word ("x86_64") on cpu; empty when the device does not tell.
std::string DeviceArchitecture(const v1::Device& device);

// Same scop, generator, parameter values, extents, target and device model: what a result is the best known
// of.
bool SameKey(const StudyKey& a, const StudyKey& b);

// Numbers as a column of text, "1000,2000", and back.
std::string PrintNumbers(const std::vector<int64_t>& numbers);
std::vector<int64_t> ParseNumbers(absl::string_view text);

}  // namespace tune
