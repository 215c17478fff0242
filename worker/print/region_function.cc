#include "worker/print/region_function.h"

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/array/array_object.h"
#include "common/array/element_type.h"
#include "common/base/c_identifier.h"
#include "common/base/source_language.h"
#include "common/scop/parameter_values.h"
#include "worker/print/c_text.h"

namespace tune {
namespace {

// Words of `code`, outside its preprocessor lines, that may be names.
std::set<std::string> Identifiers(absl::string_view code) {
  std::set<std::string> names;
  for (absl::string_view line : absl::StrSplit(code, '\n')) {
    if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(line), "#")) continue;
    for (size_t i = 0; i < line.size();) {
      size_t end = i;
      while (end < line.size() && IsNameCharacter(line[end])) ++end;
      if (end > i) names.emplace(line.substr(i, end - i));
      i = end + 1;
    }
  }
  return names;
}

absl::StatusOr<std::vector<int64_t>> Extents(const v1::Array& array, const v1::Reference& reference) {
  for (const v1::ArrayExtents& extents : reference.arrays()) {
    if (extents.name() != array.name()) continue;
    if (extents.extents_size() != array.extents_size()) break;
    return std::vector<int64_t>(extents.extents().begin(), extents.extents().end());
  }
  if (array.extents_size() == 0) return std::vector<int64_t>();
  return absl::InvalidArgumentError(absl::StrCat("the reference has no extents of array ", array.name(),
                                                 " with ", array.extents_size(),
                                                 " dimensions; run the reference again"));
}

// What is put between the declarations.
enum class BodyKind { kScop, kOriginal, kOriginalCpp };

// Of an element: to the original text truth values and structures are what they are, to the scop's code
// numbers.
absl::string_view TypeText(const v1::Array& array, BodyKind kind) {
  const bool original = kind != BodyKind::kScop;
  if (original && array.has_structure()) return array.structure().c_type();
  if (original && array.is_truth()) return kind == BodyKind::kOriginalCpp ? "bool" : "_Bool";
  return ElementCType(array.element_type());
}

// "T (*QUALIFIED_NAME)[m][n]" of an array's memory.
std::string PointerTo(absl::string_view type, const std::vector<int64_t>& extents, const std::string& name) {
  std::string inner;  // extents below the outermost
  for (size_t i = 1; i < extents.size(); ++i) absl::StrAppend(&inner, "[", extents[i], "]");
  return inner.empty() ? absl::StrCat(type, " *", name) : absl::StrCat(type, " (*", name, ")", inner);
}

// What makes arrays[index] usable under the array's own name.
struct ArrayText {
  std::string at_file_scope, in_body, before_body, at_end;
};

ArrayText DeclareArray(const v1::Array& array, int index, const std::vector<int64_t>& extents,
                       const std::string& memory, BodyKind kind) {
  const absl::string_view type = TypeText(array, kind);
  const std::string element = absl::StrCat("(", PointerTo(type, extents, ""), ")", memory, "[", index, "]");
  const bool is_single = kind != BodyKind::kScop && array.has_structure() && ObjectDimensions(array) == 0;
  if (array.is_pointer()) {
    return {"", absl::StrCat("  ", PointerTo(type, extents, array.name()), " = ", element, ";\n"), "", ""};
  }
  // Distinct C arrays do not overlap, and the user's compiler knows it. Of pointers gcc believes it, also in
  // parallel regions, when they are declared here; where the file has the name already it means this one.
  const std::string pointer = absl::StrCat("tune_array_", index);
  return {absl::StrCat("static ", PointerTo(type, extents, "__restrict__ " + pointer), ";\n#define ",
                       array.name(), " ", is_single ? absl::StrCat("(*", pointer, ")") : pointer, "\n"),
          "", absl::StrCat("  ", pointer, " = ", element, ";\n"),
          absl::StrCat("#undef ", array.name(), "\n")};
}

std::string DeclareScalar(const v1::Array& array, int index, const std::string& memory, BodyKind kind) {
  const absl::string_view type = TypeText(array, kind);
  return absl::StrCat("  ", array.read_only() ? "const " : "", type, " ", array.name(), " = *(", type, " *)",
                      memory, "[", index, "];\n");
}

// Names of the scop that are to be declared.
using IsUsed = std::function<bool(const std::string& name)>;

// Visible also where the user's flags or ours hide what a shared object need not show.
constexpr char kVisible[] = "__attribute__((visibility(\"default\"))) ";

// Where the body is put into its caller, pointers are no more what was declared.
constexpr char kApart[] = "__attribute__((noinline)) ";

// `code`, the scop's or the original text, between the declarations of what it uses and the stores of scalars
// that it writes.
absl::StatusOr<std::string> PrintFunction(const v1::Scop& scop, const v1::Reference& reference,
                                          absl::string_view code, const std::string& memory, BodyKind kind,
                                          const IsUsed& used) {
  ArrayText arrays;
  std::string entry, exit;
  std::set<std::string> declared;
  for (int i = 0; i < scop.arrays_size(); ++i) {
    const v1::Array& array = scop.arrays(i);
    declared.insert(array.name());
    if (array.declared_inside() || !used(array.name())) continue;
    TUNE_ASSIGN_OR_RETURN(std::vector<int64_t> extents, Extents(array, reference));
    const bool has_memory = !extents.empty();
    if (kind != BodyKind::kScop) extents.resize(ObjectDimensions(array));
    if (has_memory) {
      const ArrayText text = DeclareArray(array, i, extents, memory, kind);
      arrays.at_file_scope += text.at_file_scope;
      arrays.in_body += text.in_body;
      arrays.before_body += text.before_body;
      arrays.at_end += text.at_end;
      continue;
    }
    entry += DeclareScalar(array, i, memory, kind);
    if (array.read_only()) continue;
    absl::StrAppend(&exit, "  *(", TypeText(array, kind), " *)", memory, "[", i, "] = ", array.name(), ";\n");
  }
  const std::map<std::string, int64_t> values = ParameterValueMap(reference);
  for (const v1::Parameter& parameter : scop.parameters()) {
    const auto value = values.find(parameter.name());
    if (declared.count(parameter.name()) || !used(parameter.name()) || value == values.end()) continue;
    absl::StrAppend(&entry, "  const ", parameter.c_type(), " ", parameter.name(), " = ",
                    IntegerText(value->second, parameter.c_type()).text, ";\n");
  }
  return absl::StrCat(arrays.at_file_scope, "static ", kApart, "void tune_region_body(void **", memory,
                      ") {\n", arrays.in_body, entry, "  (void)", memory, ";\n", code, exit, "}\n",
                      kind == BodyKind::kOriginalCpp ? "extern \"C\" " : "", kVisible,
                      "void tune_region(void **", memory, ");\n", "void tune_region(void **", memory, ") {\n",
                      arrays.before_body, "  tune_region_body(", memory, ");\n}\n", arrays.at_end);
}

// A name for the function's argument that `words` lack.
std::string FreeName(const std::set<std::string>& words) {
  std::string memory = "tune_arrays";
  while (words.count(memory)) memory += "_";
  return memory;
}

// Declarations of the loops' variables, in case that the text relies on those before the region.
std::string Iterators(const v1::Scop& scop) {
  std::set<std::string> names;
  for (const v1::Statement& statement : scop.statements())
    names.insert(statement.iterators().begin(), statement.iterators().end());
  for (const v1::Parameter& parameter : scop.parameters()) names.erase(parameter.name());
  for (const v1::Array& array : scop.arrays()) names.erase(array.name());
  return names.empty() ? "" : absl::StrCat("  int ", absl::StrJoin(names, ", "), ";\n");
}

}  // namespace

absl::StatusOr<std::string> PrintRegionFunction(const v1::Scop& scop, const v1::Reference& reference,
                                                absl::string_view code) {
  const std::set<std::string> words = Identifiers(code);
  TUNE_ASSIGN_OR_RETURN(const std::string function,
                        PrintFunction(scop, reference, code, FreeName(words), BodyKind::kScop,
                                      [&](const std::string& name) { return words.count(name) > 0; }));
  return absl::StrCat("#include <math.h>\n#include <stdlib.h>\n\n", function);
}

absl::StatusOr<std::string> PrintOriginalFunction(const v1::Scop& scop, const v1::Reference& reference,
                                                  absl::string_view text) {
  return PrintFunction(scop, reference, absl::StrCat(Iterators(scop), "  {\n", text, "\n  }\n"),
                       FreeName(Identifiers(text)),
                       IsCpp(scop.region().file()) ? BodyKind::kOriginalCpp : BodyKind::kOriginal,
                       [](const std::string&) { return true; });
}

}  // namespace tune
