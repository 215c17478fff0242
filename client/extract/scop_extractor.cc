#include "client/extract/scop_extractor.h"

#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/extract/clang_front_end.h"
#include "client/extract/diagnostic.h"
#include "client/extract/program_bundle.h"
#include "client/extract/region_finder.h"
#include "client/extract/scop_assembly.h"
#include "common/base/file.h"

namespace tune {
namespace {

class Extractor {
 public:
  explicit Extractor(const ExtractionRequest& request) : request_(request) {}

  v1::Extraction Extract() {
    // 1. Inputs that no compiler need look at.
    CheckFlags();
    CheckFile(request_.file);
    for (const std::string& file : request_.with) CheckFile(file);
    if (extraction_.diagnostics_size() > 0) return std::move(extraction_);
    // 2. Syntax trees.
    std::unique_ptr<TranslationUnit> main = Parse(request_.file);
    for (const std::string& file : request_.with) others_.push_back(Parse(file));
    if (extraction_.diagnostics_size() > 0) return std::move(extraction_);
    // 3. The program around the regions.
    Bundle(*main);
    // 4. Regions, and each of them as a scop.
    FoundRegions found = FindRegions(*main);
    for (const Refusal& refusal : found.refusals) Report(*main, refusal);
    for (const FoundRegion& region : found.regions) AddScop(*main, region);
    return std::move(extraction_);
  }

 private:
  void ReportFile(const std::string& file, std::string reason, std::string remedy) {
    v1::Diagnostic* diagnostic = extraction_.add_diagnostics();
    diagnostic->set_file(file);
    diagnostic->set_reason(std::move(reason));
    diagnostic->set_remedy(std::move(remedy));
  }

  void Report(const TranslationUnit& unit, const Refusal& refusal) {
    *extraction_.add_diagnostics() = MakeDiagnostic(unit.ast(), unit.path(), refusal);
  }

  // Flags that name files would name nothing where the program is built.
  void CheckFlags() {
    for (const std::string& flag : request_.compile_flags) {
      for (const char* prefix : {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"}) {
        if (!absl::StartsWith(flag, prefix)) continue;
        ReportFile(request_.file, absl::StrCat("the compiler flag `", flag, "` names files of this machine"),
                   "give folders with -I of this program, and include headers in the source");
        break;
      }
    }
  }

  void CheckFile(const std::string& file) {
    absl::StatusOr<std::string> text = ReadFile(file);
    if (!text.ok()) {
      ReportFile(file, std::string(text.status().message()), "give the path of a C file");
    } else if (absl::StripAsciiWhitespace(*text).empty()) {
      ReportFile(file, "the file is empty", "give a C file with a `#pragma scop` region");
    } else if (text->find('\0') != std::string::npos) {
      ReportFile(file, "the file is not C source text: it holds NUL bytes",
                 "give the C file, not an object or archive");
    }
  }

  std::unique_ptr<TranslationUnit> Parse(const std::string& file) {
    FrontEndOptions options{request_.include_directories, request_.defines, request_.compile_flags};
    std::unique_ptr<TranslationUnit> unit =
        TranslationUnit::Parse(file, options, extraction_.mutable_diagnostics());
    if (!unit->ok() && extraction_.diagnostics_size() == 0) {
      ReportFile(file, "clang could not be run on the file", "check the flags given with -I, -D and --cflag");
    }
    return unit;
  }

  void Bundle(const TranslationUnit& main) {
    std::vector<const TranslationUnit*> units = {&main};
    for (const std::unique_ptr<TranslationUnit>& unit : others_) units.push_back(unit.get());
    absl::StatusOr<v1::Program> program = BundleProgram(units, request_.include_directories);
    if (!program.ok())
      return ReportFile(request_.file, std::string(program.status().message()), "make the file readable");
    *extraction_.mutable_program() = *std::move(program);
    v1::Program& bundle = *extraction_.mutable_program();
    bundle.mutable_defines()->Add(request_.defines.begin(), request_.defines.end());
    bundle.mutable_compile_flags()->Add(request_.compile_flags.begin(), request_.compile_flags.end());
    bundle.mutable_link_flags()->Add(request_.link_flags.begin(), request_.link_flags.end());
    bundle.mutable_arguments()->Add(request_.arguments.begin(), request_.arguments.end());
    bundle.set_standard_input(request_.standard_input);
  }

  void AddScop(const TranslationUnit& unit, const FoundRegion& region) {
    absl::StatusOr<AssembledScop> assembled = AssembleScop(unit.ast(), region, unit.macros());
    if (!assembled.ok()) {
      return Report(unit, {{region.begin, region.begin},
                           std::string(assembled.status().message()),
                           "mark a smaller region, or simplify its bounds and conditions"});
    }
    for (const Refusal& refusal : assembled->refusals) Report(unit, refusal);
    if (!assembled->refusals.empty()) return;
    v1::Scop* scop = extraction_.add_scops();
    *scop = std::move(assembled->scop);
    if (extraction_.program().sources_size() > 0)
      scop->mutable_region()->set_file(extraction_.program().sources(0));
  }

  const ExtractionRequest& request_;
  v1::Extraction extraction_;
  std::vector<std::unique_ptr<TranslationUnit>> others_;
};

}  // namespace

v1::Extraction ExtractScops(const ExtractionRequest& request) {
  v1::Extraction extraction;
  bool completed = RunGuarded([&] { extraction = Extractor(request).Extract(); });
  if (completed) return extraction;
  v1::Extraction crashed;
  v1::Diagnostic* diagnostic = crashed.add_diagnostics();
  diagnostic->set_file(request.file);
  diagnostic->set_reason("the C front end crashed on this input");
  diagnostic->set_remedy("reduce the file to the function with the region, and report it");
  return crashed;
}

}  // namespace tune
