#include "worker/reference/original_region.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "common/base/file.h"
#include "common/base/source_language.h"
#include "common/evaluation/compile_flags.h"
#include "worker/build/bundle.h"
#include "worker/codegen/code_generator.h"
#include "worker/print/region_function.h"

namespace tune {
namespace {

constexpr char kLibrary[] = "tune_original_region.so";

// So that the linker drops what the region does not use, which may call functions that are elsewhere, and
// refuses a region that calls some itself.
constexpr const char* kFlags[] = {"-w", "-fPIC", "-ffunction-sections", "-fdata-sections",
                                  "-fvisibility=hidden"};
constexpr const char* kLinkFlags[] = {"-shared", "-Wl,--gc-sections", "-Wl,-z,defs"};

CompileResult NoText(const v1::SourceRegion& region) {
  CompileResult result;
  result.message = absl::StrCat(region.file(), " holds no text of the region");
  return result;
}

// An array of structures whose type has no name behind the file's last line, or null.
const v1::Array* FindUnnamedStructures(const v1::Scop& scop) {
  for (const v1::Array& array : scop.arrays())
    if (array.has_structure() && array.structure().c_type().empty()) return &array;
  return nullptr;
}

// An array that has members of one type alone, or null.
const v1::Array* FindMembers(const v1::Scop& scop) {
  for (const v1::Array& array : scop.arrays())
    if (!array.object().empty()) return &array;
  return nullptr;
}

// Whether the text may have functions whose names and types are not those of the file's end.
bool HasScopes(absl::string_view text) {
  const std::string plain = absl::StrReplaceAll(text, {{"using namespace", ""}});
  for (const char* word : {"namespace", "class", "struct", "template"}) {
    if (absl::StrContains(plain, word)) return true;
  }
  return false;
}

// The text between the two pragma lines; empty when the file does not hold them, as that of a scop written by
// hand.
std::string RegionText(const v1::SourceRegion& region, const std::string& content) {
  const int64_t begin = region.body_begin_offset(), end = region.body_end_offset();
  if (begin < 0 || begin >= end || end > static_cast<int64_t>(content.size())) return "";
  return content.substr(begin, end - begin);
}

}  // namespace

absl::StatusOr<CompileResult> CompileOriginalRegion(const v1::StudySetup& setup,
                                                    const v1::Reference& reference, Compiler* compiler,
                                                    const std::string& folder, const CompileLimits& limits) {
  const v1::SourceRegion& region = setup.scop().region();
  const absl::StatusOr<std::string> content = BundledFile(setup.program(), region.file());
  const std::string text = content.ok() ? RegionText(region, *content) : "";
  if (text.empty()) return NoText(region);
  if (IsCpp(region.file()) && HasScopes(*content)) {
    CompileResult result;
    result.message = "the region's words may mean something else outside of its namespace, class or template";
    return result;
  }
  if (const v1::Array* array = FindUnnamedStructures(setup.scop())) {
    CompileResult result;
    result.message = absl::StrCat("the structures of `", array->name(),
                                  "` have no name outside of functions; give them one");
    return result;
  }
  if (const v1::Array* array = FindMembers(setup.scop())) {
    CompileResult result;
    result.message = absl::StrCat("members of `", array->object(),
                                  "` of each type stand in an array of their own, and the text has one");
    return result;
  }
  TUNE_ASSIGN_OR_RETURN(const std::string function, PrintOriginalFunction(setup.scop(), reference, text));
  TUNE_RETURN_IF_ERROR(MakeFolder(folder));
  TUNE_RETURN_IF_ERROR(WriteBundle(setup.program(), folder));
  TUNE_RETURN_IF_ERROR(
      WriteFile(absl::StrCat(folder, "/", region.file()), absl::StrCat(*content, "\n", function)));
  v1::Program program = setup.program();
  AddCompileFlags({std::begin(kFlags), std::end(kFlags)}, &program);
  const std::vector<std::string> sources(program.sources().begin(), program.sources().end());
  return compiler->CompileProgram(folder, sources, program, kLibrary,
                                  {std::begin(kLinkFlags), std::end(kLinkFlags)}, limits);
}

absl::StatusOr<std::string> CompileRegionAlone(const v1::StudySetup& setup, const ReferenceTools& tools,
                                               const v1::Reference& reference, const std::string& folder,
                                               std::string* log) {
  const CompileLimits limits = CompileLimitsOf(setup.limits(), tools.cancellation);
  TUNE_ASSIGN_OR_RETURN(const CompileResult original,
                        CompileOriginalRegion(setup, reference, tools.compiler, folder, limits));
  if (original.ok) return original.binary;
  TUNE_ASSIGN_OR_RETURN(const GeneratedProgram generated, GenerateSequential(setup.scop(), reference));
  TUNE_ASSIGN_OR_RETURN(const std::string source,
                        PrintRegionFunction(setup.scop(), reference, generated.code));
  TUNE_ASSIGN_OR_RETURN(const CompileResult compiled,
                        tools.compiler->CompileCandidate(source, setup.program(), limits));
  if (compiled.cancelled) return absl::CancelledError("cancelled");
  if (compiled.ok) return compiled.binary;
  *log = compiled.log;
  return absl::InternalError(absl::StrCat("the extracted region does not compile: ", compiled.message));
}

}  // namespace tune
