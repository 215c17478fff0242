// A small program, its scop and its study, for tests of the worker.
#pragma once

#include <cstring>
#include <string>

#include "tune/v1/worker_service.pb.h"

namespace tune {

// B[i] = s * A[i] for i < n, in a file with the marks of a region.
inline constexpr char kScaleProgram[] = R"(#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static void scale(int n, double s, const double A[n], double *B) {
#pragma scop
  for (int i = 0; i < n; i++) B[i] = s * A[i];
#pragma endscop
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  double *A = malloc(n * sizeof *A), *B = malloc(n * sizeof *B);
  for (int i = 0; i < n; i++) A[i] = i, B[i] = -1;
  scale(n, 2.5, A, B);
  scale(n, 1, A, B);
  printf("%g\n", B[n - 1]);
  return 0;
}
)";

inline v1::Scop ScaleScop(const std::string& file) {
  v1::Scop scop;
  scop.set_name("scale");
  v1::Parameter* n = scop.add_parameters();
  n->set_name("n");
  n->set_c_type("int");
  scop.set_context("[n] -> { : 0 <= n <= 2147483647 }");
  v1::Array* s = scop.add_arrays();
  s->set_name("s");
  s->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
  s->set_read_only(true);
  v1::Array* a = scop.add_arrays();
  a->set_name("A");
  a->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
  a->add_extents()->set_c_expression("n");
  a->set_read_only(true);
  a->set_is_pointer(true);
  v1::Array* b = scop.add_arrays();
  b->set_name("B");
  b->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
  b->add_extents()->set_accessed("[n] -> { [(n)] }");
  b->set_is_pointer(true);
  v1::Statement* statement = scop.add_statements();
  statement->set_name("S0");
  statement->set_kind(v1::Statement::ASSIGN);
  statement->add_iterators("i");
  statement->set_domain("[n] -> { S0[i] : 0 <= i < n }");
  const auto access = [&](const char* array, v1::Access::Kind kind, const char* relation) {
    v1::Access* entry = statement->add_accesses();
    entry->set_array(array);
    entry->set_kind(kind);
    entry->set_relation(relation);
  };
  access("s", v1::Access::READ, "[n] -> { S0[i] -> s[] }");
  access("A", v1::Access::READ, "[n] -> { S0[i] -> A[i] }");
  access("B", v1::Access::WRITE, "[n] -> { S0[i] -> B[i] }");
  statement->set_target(2);
  v1::Operation* product = statement->mutable_value()->mutable_operation();
  product->set_op("*");
  for (int i : {0, 1}) {
    v1::Expression* operand = product->add_operands();
    operand->set_access(i);
    operand->set_c_type("double");
  }
  statement->mutable_value()->set_c_type("double");
  scop.set_schedule(
      "{ domain: \"[n] -> { S0[i] : 0 <= i < n }\", child: { schedule: \"[n] -> [{ S0[i] -> [(i)] }]\" } }");
  v1::SourceRegion* region = scop.mutable_region();
  region->set_file("src/scale.c");
  const size_t begin = file.find("#pragma scop\n");
  if (begin != std::string::npos) {
    region->set_begin_offset(begin);
    region->set_end_offset(file.find("#pragma endscop") + std::strlen("#pragma endscop"));
    region->set_body_begin_offset(begin + std::strlen("#pragma scop\n"));
    region->set_body_end_offset(file.find("#pragma endscop"));
  }
  return scop;
}

// The study of a program with this text, compiled with -O1, with small limits.
inline v1::StudySetup ScaleSetup(const std::string& text = kScaleProgram) {
  v1::StudySetup setup;
  setup.set_study_id("s1");
  *setup.mutable_scop() = ScaleScop(text);
  v1::Program* program = setup.mutable_program();
  v1::SourceFile* file = program->add_files();
  file->set_path("src/scale.c");
  file->set_content(text);
  program->add_sources("src/scale.c");
  program->set_has_main(true);
  program->add_compile_flags("-O1");
  v1::Limits* limits = setup.mutable_limits();
  limits->set_reference_seconds(20);
  limits->set_evaluation_seconds(20);
  limits->set_compile_seconds(20);
  limits->set_memory_bytes(int64_t{1} << 30);
  limits->set_file_bytes(1 << 20);
  setup.set_target(v1::CPU);
  setup.mutable_tolerance()->set_float_relative(1e-3);
  setup.mutable_tolerance()->set_double_relative(1e-8);
  return setup;
}

}  // namespace tune
