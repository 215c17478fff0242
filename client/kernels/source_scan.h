// What a source says of its kernels, found without preprocessing, compiling or running it.
#pragma once

#include <string>
#include <vector>

#include "client/kernels/source_tokens.h"
#include "common/kernel_definition/number_type.h"

namespace tune {

struct SourceParameter {
  std::string text;  // as declared: "const float *in"
  std::string name;  // empty where it has none
  ElementForm form;  // its type, or what it points to; unspecified where that is no number's
  bool is_pointer = false;
  bool is_const = false;    // what it points to, or is
  bool is_texture = false;  // cudaTextureObject_t
};

struct SourceTemplateParameter {
  std::string text;  // "int block_x", "typename T = float"
  std::string name;
  bool is_optional = false;  // has a default, or is a pack
};

struct SourceFunction {
  std::string name;  // with the namespaces around it: "grid::smooth"
  int line = 1;
  bool is_kernel = false;  // __global__
  std::vector<SourceTemplateParameter> template_parameters;
  std::vector<SourceParameter> parameters;

  bool is_template() const { return !template_parameters.empty(); }
  // "smooth(const float *in, float *out)".
  std::string Signature() const;
};

// A variable of the device: `__constant__ float weights[25]`.
struct SourceSymbol {
  SourceParameter variable;
  std::string count;  // of the array, as written; empty: no array
  int line = 1;
};

// A name that a macro of a configuration may stand for.
struct MacroCandidate {
  std::string name;
  int line = 1;             // of its first use
  std::string alternative;  // what the source defines it as where it is not defined; empty: nothing
};

struct SourceScan {
  std::vector<SourceFunction>
      functions;  // that are defined; kernels and, of C, functions that return nothing
  std::vector<SourceSymbol> symbols;
  // Names that are used and neither declared nor defined in the file, or defined where they are not already:
  // in the order of their first uses. Some may come from headers.
  std::vector<MacroCandidate> macros;
};

// `language`: of CUDA kernels alone count, of C all functions that return nothing.
SourceScan ScanSource(absl::string_view source, v1::KernelLanguage language);

}  // namespace tune
