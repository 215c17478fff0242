#include "worker/reference/instrumentation.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "common/array/array_object.h"
#include "common/array/element_type.h"
#include "common/base/source_language.h"
#include "common/isl/isl.h"
#include "common/scop/isl_grammar.h"
#include "common/scop/parameter_product.h"
#include "common/tuned/cpp_text.h"
#include "worker/reference/recorder_text.h"

namespace tune {
namespace {

constexpr int kMaxRank = 16;  // as in the recorder

// Arrays that exist outside the region.
std::vector<const v1::Array*> Recorded(const v1::Scop& scop) {
  std::vector<const v1::Array*> arrays;
  for (const v1::Array& array : scop.arrays()) {
    if (!array.declared_inside()) arrays.push_back(&array);
  }
  return arrays;
}

// Scalars are recorded through a copy, so that `register` variables work.
bool IsScalarObject(const v1::Array& array) { return array.extents().empty() && !array.is_pointer(); }

// With the names that they have for the linker, which in C++ are others.
std::string DeclareRecorder() {
  static constexpr const char* kFunctions[][2] = {
      {"int tune_reference_enter", "void"},
      {"int tune_reference_leave", "void"},
      {"void tune_reference_start", "void"},
      {"void tune_reference_finish", "void"},
      {"void tune_reference_parameter", "const char *, long long, int"},
      {"void tune_reference_array",
       "const char *, const void *, unsigned long long, unsigned long long, int, int, const long long *, "
       "unsigned long long"},
      {"void tune_reference_scalar", "const char *, const void *, unsigned long long, int"},
      {"void tune_reference_scalar_exit", "int, const void *"}};
  std::string text;
  for (const auto& [function, parameters] : kFunctions) {
    const absl::string_view declared = function;
    absl::StrAppend(&text, "extern ", declared, "(", parameters, ") __asm__(\"",
                    declared.substr(declared.find(' ') + 1), "\"); ");
  }
  return text;
}

// `{ TYPE copy = NAME; CALL }` with the copy's address for the call.
std::string WithCopy(const v1::Array& array, absl::string_view call) {
  return absl::StrCat("{ ", ElementCType(array.element_type()), " tune_reference_copy = ", array.name(), "; ",
                      call, " } ");
}

std::string RecordArray(const v1::Array& array) {
  const size_t size = ElementSize(array.element_type());
  if (IsScalarObject(array)) {
    return WithCopy(array,
                    absl::StrCat("tune_reference_scalar(\"", array.name(), "\", &tune_reference_copy, ", size,
                                 ", ", array.read_only() ? 1 : 0, ");"));
  }
  const std::string name = IndexedObject(array);
  std::string extents, element = absl::StrCat("(", name, ")");
  for (const v1::Extent& extent : array.extents()) {
    absl::StrAppend(&extents,
                    extent.c_expression().empty() ? std::string("-0x7fffffffffffffffLL - 1")
                                                  : absl::StrCat("(long long)(", extent.c_expression(), ")"),
                    ", ");
  }
  const bool has_rows = !array.is_flat() || array.has_structure();
  for (int d = 0; d < (has_rows ? array.extents_size() : 1); ++d) element += "[0]";
  if (array.extents().empty()) element = absl::StrCat("*(", name, ")");
  // A flat array has no more elements than its rows, and may have others beside.
  const std::string object =
      array.is_pointer() || array.is_flat() ? "0" : absl::StrCat("sizeof(", ObjectName(array), ")");
  return absl::StrCat("{ const long long tune_reference_extents[] = { ", extents,
                      "0 }; tune_reference_array(\"", array.name(), "\", (const void *)(", name, "), sizeof(",
                      element, "), ", size, ", ", array.read_only() ? 1 : 0, ", ", array.extents_size(),
                      ", tune_reference_extents, ", object, "); } ");
}

std::string Prologue(const v1::Scop& scop, absl::string_view prepare) {
  std::string text = absl::StrCat("{ ", DeclareRecorder(), "if (tune_reference_enter()) { ");
  for (const v1::Parameter& parameter : scop.parameters()) {
    const bool is_unsigned = absl::StrContains(parameter.c_type(), "unsigned");
    absl::StrAppend(&text, "tune_reference_parameter(\"", parameter.name(), "\", (long long)(",
                    ParameterText(parameter), "), ", is_unsigned ? 1 : 0, "); ");
  }
  for (const v1::Array* array : Recorded(scop)) text += RecordArray(*array);
  return absl::StrCat(text, prepare, "tune_reference_start(); } {\n");
}

std::string Epilogue(const v1::Scop& scop) {
  std::string text = "} if (tune_reference_leave()) { ";
  const std::vector<const v1::Array*> arrays = Recorded(scop);
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (!IsScalarObject(*arrays[i]) || arrays[i]->read_only()) continue;
    text += WithCopy(*arrays[i], absl::StrCat("tune_reference_scalar_exit(", i, ", &tune_reference_copy);"));
  }
  return text + "tune_reference_finish(); } }\n";
}

std::string LineDirective(absl::string_view before) {
  return absl::StrCat("#line ", 1 + std::count(before.begin(), before.end(), '\n'), "\n");
}

// C text of a piecewise affine expression over the parameters.
absl::StatusOr<std::string> PrintPiecewise(IslContext& context, const std::string& text) {
  TUNE_RETURN_IF_ERROR(CheckIslText(IslKind::kAffine, text));
  return context.Run("extent of an array", [&]() -> absl::StatusOr<std::string> {
    const isl::pw_aff value(context.ctx(), text);
    const isl::ast_build build = isl::ast_build::from_context(value.domain().params());
    return build.expr_from(value).to_C_str();
  });
}

// tune_reference_accessed: the extents that C does not tell.
absl::StatusOr<std::string> PrintAccessed(const v1::Scop& scop) {
  std::string text =
      "#define floord(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))\n"
      "#define max(x, y) ((x) > (y) ? (x) : (y))\n#define min(x, y) ((x) < (y) ? (x) : (y))\n"
      "static long long tune_reference_accessed(int array, int dimension) {\n";
  for (int i = 0; i < scop.parameters_size(); ++i) {
    absl::StrAppend(&text, "  const long long ", scop.parameters(i).name(), " = tune_reference_values[", i,
                    "];\n");
  }
  IslContext context;
  const std::vector<const v1::Array*> arrays = Recorded(scop);
  for (size_t i = 0; i < arrays.size(); ++i) {
    for (int d = 0; d < arrays[i]->extents_size(); ++d) {
      if (!arrays[i]->extents(d).c_expression().empty()) continue;
      TUNE_ASSIGN_OR_RETURN(const std::string value,
                            PrintPiecewise(context, arrays[i]->extents(d).accessed()));
      absl::StrAppend(&text, "  if (array == ", i, " && dimension == ", d, ") return ", value, ";\n");
    }
  }
  return text + "  return 0;\n}\n";
}

// tune_reference_object.
std::string PrintObjects(const v1::Scop& scop) {
  std::string text = "static int tune_reference_object(int array) {\n";
  std::map<std::string, size_t> objects;
  const std::vector<const v1::Array*> arrays = Recorded(scop);
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i]->object().empty()) continue;
    const size_t object = objects.emplace(arrays[i]->object(), objects.size()).first->second;
    absl::StrAppend(&text, "  if (array == ", i, ") return ", object, ";\n");
  }
  return absl::StrCat(text, "  (void)array;\n  return -1;\n}\n");
}

}  // namespace

absl::StatusOr<std::string> InstrumentSource(const v1::Scop& scop, absl::string_view content,
                                             absl::string_view prepare) {
  const int64_t begin = scop.region().body_begin_offset(), end = scop.region().body_end_offset();
  if (begin < 0 || end < begin || end > static_cast<int64_t>(content.size())) {
    return absl::InvalidArgumentError(absl::StrCat(
        scop.region().file(), ": the region does not lie inside the file; extract it again from this file"));
  }
  const absl::string_view before = content.substr(0, begin), body = content.substr(begin, end - begin);
  const absl::string_view after = content.substr(end);
  const auto newline = [](absl::string_view text) { return text.empty() || text.back() == '\n' ? "" : "\n"; };
  const absl::string_view until_end = content.substr(0, end);
  std::string prologue = Prologue(scop, prepare), declarations;
  if (IsCpp(scop.region().file())) {
    CppCode cpp = ToCpp(prologue);
    prologue = std::move(cpp.text);
    declarations = cpp.declarations + "#line 1\n";
  }
  return absl::StrCat(declarations, before, newline(before), prologue, LineDirective(before), body,
                      newline(body), Epilogue(scop), LineDirective(until_end), after);
}

absl::StatusOr<std::string> PrintRecorder(const v1::Scop& scop, const RecorderOptions& options) {
  for (const v1::Array& array : scop.arrays()) {
    if (array.extents_size() > kMaxRank) {
      return absl::InvalidArgumentError(absl::StrCat("array ", array.name(), " has ", array.extents_size(),
                                                     " dimensions; at most ", kMaxRank, " are supported"));
    }
  }
  TUNE_ASSIGN_OR_RETURN(const std::string accessed, PrintAccessed(scop));
  return absl::StrCat("#ifndef _GNU_SOURCE\n#define _GNU_SOURCE 1\n#endif\n",
                      "#define TUNE_REFERENCE_FOLDER \"", absl::CEscape(options.folder),
                      "\"\n#define TUNE_REFERENCE_MEMORY ", options.memory_bytes, "ULL\n", kRecorderText,
                      accessed, PrintObjects(scop));
}

std::vector<std::string> RecorderLinkFlags() {
  std::vector<std::string> flags;
  for (const char* function : {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free"}) {
    flags.push_back(absl::StrCat("-Wl,--wrap=", function));
  }
  return flags;
}

}  // namespace tune
