// Studies of sample scops, to begin with.
#pragma once

#include "common/exchange/study_identity.h"
#include "tests/common/testing/sample_scops.h"

namespace tune::testing {

// With a program of one file.
inline v1::StudySpec SpecOf(const v1::Scop& scop) {
  v1::StudySpec spec;
  spec.set_owner("tester@host");
  *spec.mutable_scop() = scop;
  spec.mutable_scop()->mutable_region()->set_file("src/a.c");
  v1::SourceFile* file = spec.mutable_program()->add_files();
  file->set_path("src/a.c");
  file->set_content("int main(void) { return 0; }\n");
  spec.mutable_program()->add_sources("src/a.c");
  spec.mutable_program()->add_defines("N=100");
  spec.mutable_program()->set_standard_input("1 2 3\n");
  return spec;
}

// Ended, with one correct candidate.
inline v1::ArchivedStudy StudyOf(const v1::Scop& scop) {
  v1::ArchivedStudy archived;
  archived.mutable_study()->set_name("a study");
  archived.mutable_study()->set_state(v1::DONE);
  archived.mutable_study()->set_best_index(0);
  archived.mutable_study()->mutable_best()->set_median(0.5);
  *archived.mutable_spec() = SpecOf(scop);
  v1::Candidate& candidate = *archived.add_candidates()->mutable_candidate();
  candidate.set_state(v1::EVALUATED);
  candidate.set_origin(v1::SEARCH);
  v1::Decision* decision = candidate.mutable_configuration()->add_decisions();
  decision->set_key("schedule.algorithm");
  decision->set_option("isl");
  candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
  candidate.mutable_evaluation()->set_code("void f(void);");
  candidate.mutable_evaluation()->mutable_measurement()->set_median(0.5);
  candidate.mutable_evaluation()->mutable_measurement()->add_samples(0.5);
  archived.add_extra_samples()->mutable_evaluation()->set_outcome(v1::TIMEOUT);
  archived.mutable_search_state()->set_iteration(4);
  archived.set_fingerprint(StudyFingerprint(archived));
  return archived;
}

}  // namespace tune::testing
