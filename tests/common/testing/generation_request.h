// What a server asks its generator.
#pragma once

#include "tests/common/testing/sample_scops.h"
#include "tune/v1/generation.pb.h"

namespace tune::testing {

// Of gemm, 100 x 100 x 100, on a cpu with so many cores; no configurations.
inline v1::GenerationRequest GemmGeneration(int cores) {
  v1::GenerationRequest request;
  *request.mutable_scop() = GemmScop();
  for (const char* name : {"ni", "nj", "nk"}) {
    v1::ParameterValue* value = request.mutable_reference()->add_parameters();
    value->set_name(name);
    value->set_value(100);
  }
  request.mutable_device()->set_target(v1::CPU);
  request.mutable_device()->set_cores(cores);
  return request;
}

}  // namespace tune::testing
