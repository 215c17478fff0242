// From an extraction and the user's wishes to the studies that are submitted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/extraction.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

struct StudyWishes {
  std::string name;  // empty: from the file's name
  int region = 0;    // from 1; 0: every region
  v1::Target target = v1::TARGET_UNSPECIFIED;
  std::string generator = "builtin";  // see common/evaluation/generator.h
  v1::SearchOptions search;           // zero fields mean the server's defaults
  std::vector<v1::MetricDefinition> metrics;
  v1::Limits limits;
  v1::Tolerance tolerance;
  // StudySpec; with ROUNDING_EXACT the program is built with -ffp-contract=off.
  v1::Rounding rounding = v1::ROUNDING_UNSPECIFIED;
  bool cases = false;                         // StudySpec
  std::map<std::string, int64_t> parameters;  // --param; only for a program without main
  // --constant: values of parameters of a program without main, too.
  std::map<std::string, int64_t> constants;
};

// Puts what is wished of any study, of regions or kernels, into the spec: target, search, metrics, limits,
// tolerance, generator, rounding, cases.
void SetWishes(const StudyWishes& wishes, v1::StudySpec* spec);

// One spec a region, in textual order. INVALID_ARGUMENT: no such region; a parameter that no region has, that
// the program sets itself, whose value contradicts the scop's context, or that lacks a value in a program
// without main; flags that --exact contradicts.
absl::StatusOr<std::vector<v1::StudySpec>> MakeStudySpecs(const v1::Extraction& extraction,
                                                          const std::string& file, const StudyWishes& wishes);

// 128 random bits in hexadecimal, for SubmitRequest.request_id.
std::string NewRequestId();

// "gemm" of "path/gemm.c".
std::string FileStem(absl::string_view path);

// "gemm.tuned.c" of "path/gemm.c": what its tuned file is called by default (ExtensionOfTuned).
std::string TunedName(absl::string_view path);

}  // namespace tune
