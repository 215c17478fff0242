// The definition of client/examples/kernels/matmul.c, and others made of it.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tune/v1/study.pb.h"

namespace tune::testing {

inline void AddIntegerParameter(const std::string& name, const std::vector<int>& values, int standard,
                                v1::KernelDefinition* definition) {
  v1::TuningParameterValues& parameter = *definition->add_parameters();
  parameter.set_name(name);
  for (const int value : values) parameter.add_values()->set_integer(value);
  parameter.mutable_default_value()->set_integer(standard);
}

inline v1::KernelArgument& AddMatrix(const std::string& name, v1::ArgumentAccess access, bool random,
                                     v1::KernelDefinition* definition) {
  v1::KernelArgument& argument = *definition->add_arguments();
  argument.set_name(name);
  argument.set_type(v1::NUMBER_DOUBLE);
  argument.set_count("n * n");
  argument.set_access(access);
  if (random) argument.mutable_fill()->mutable_random();
  return argument;
}

// `transpose`, as often as TRANSPOSED says, then `kernel`, of n x n matrices.
inline v1::KernelDefinition MatmulDefinition(int n, const std::string& kernel = "matmul") {
  v1::KernelDefinition definition;
  definition.set_language(v1::KERNEL_LANGUAGE_C);
  definition.set_file("matmul.c");
  v1::ProblemSize& problem = *definition.add_problem();
  problem.set_name("n");
  problem.set_size(absl::StrCat(n));
  AddIntegerParameter("TILE_I", {8, 16, 32}, 16, &definition);
  AddIntegerParameter("TILE_J", {8, 16, 32}, 16, &definition);
  AddIntegerParameter("UNROLL", {1, 2, 4}, 1, &definition);
  AddIntegerParameter("TRANSPOSED", {0, 1}, 0, &definition);
  definition.add_constraints("TILE_I * TILE_J <= 512");
  v1::KernelArgument& size = *definition.add_arguments();
  size.set_name("n");
  size.set_type(v1::NUMBER_INT32);
  size.mutable_fill()->set_constant("n");
  AddMatrix("A", v1::ARGUMENT_READ, true, &definition);
  AddMatrix("B", v1::ARGUMENT_READ, true, &definition);
  AddMatrix("T", v1::ARGUMENT_READ_WRITE, false, &definition);
  AddMatrix("C", v1::ARGUMENT_WRITE, false, &definition);
  // What is left in T is nobody's result.
  v1::OutputCheck& check = *definition.mutable_reference()->add_checks();
  check.set_argument("T");
  check.set_method(v1::CHECK_NONE);
  definition.add_kernels()->set_name(kernel);
  v1::KernelFunction& transpose = *definition.add_kernels();
  transpose.set_name("transpose");
  for (const char* name : {"n", "B", "T"}) transpose.mutable_arguments()->add_names(name);
  v1::KernelLaunch& first = *definition.add_launches();
  first.set_kernel("transpose");
  first.set_times("TRANSPOSED");
  definition.add_launches()->set_kernel(kernel);
  return definition;
}

// A study of it, `text` being that of the definition's file.
inline v1::StudySpec KernelSpec(const v1::KernelDefinition& definition, const std::string& text) {
  v1::StudySpec spec;
  *spec.mutable_kernel() = definition;
  v1::SourceFile& file = *spec.mutable_program()->add_files();
  file.set_path(definition.file());
  file.set_content(text);
  spec.mutable_program()->add_sources(definition.file());
  spec.mutable_program()->add_compile_flags("-O2");
  return spec;
}

}  // namespace tune::testing
