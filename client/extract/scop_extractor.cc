#include "client/extract/scop_extractor.h"

#include <clang/AST/ASTContext.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/extract/integers/fixed_parameter.h"
#include "client/extract/region/assumed_region.h"
#include "client/extract/region/nest_finder.h"
#include "client/extract/region/region_finder.h"
#include "client/extract/scop_assembly.h"
#include "client/extract/source/clang_front_end.h"
#include "client/extract/source/defined_functions.h"
#include "client/extract/source/diagnostic.h"
#include "client/extract/source/main_file.h"
#include "client/extract/source/marked_text.h"
#include "client/extract/source/program_bundle.h"
#include "client/extract/source/template_instance.h"
#include "common/base/file.h"
#include "common/base/source_language.h"

namespace tune {
namespace {

class Extractor {
 public:
  explicit Extractor(const ExtractionRequest& request) : request_(request) {}

  v1::Extraction Extract() {
    // 1. and 2. Syntax trees.
    const std::unique_ptr<TranslationUnit> main = ParseAll();
    if (main == nullptr) return std::move(extraction_);
    // 3. The program around the regions.
    Bundle(*main);
    // 4. Regions, and each of them as a scop.
    if (request_.function.empty()) {
      const FoundRegions found = FindRegions(*main);
      for (const Refusal& refusal : found.refusals) Report(*main, refusal);
      AddRegions(*main, found.regions);
    } else {
      AddFunction(*main);
    }
    // 5. What the request fixes.
    CheckConstants();
    for (v1::Scop& scop : *extraction_.mutable_scops())
      FixParameters(known_[scop.name()], request_.fixed, &scop);
    return std::move(extraction_);
  }

  v1::LoopNests FindNests() {
    v1::LoopNests result;
    const std::unique_ptr<TranslationUnit> main = ParseAll();
    if (main != nullptr && CheckFunction(*main)) {
      const FoundRegions marked = FindRegions(*main);
      for (const Refusal& refusal : marked.refusals) {
        if (refusal.range.isValid()) Report(*main, refusal);  // else the file has no pragma, and needs none
      }
      for (const FoundNest& nest : tune::FindNests(*main, marked.regions, request_.function, parse_))
        *result.add_nests() = Describe(*main, nest);
      result.set_has_main(main->DefinesMain());
      for (const std::unique_ptr<TranslationUnit>& other : others_)
        result.set_has_main(result.has_main() || other->DefinesMain());
    }
    *result.mutable_diagnostics() = std::move(*extraction_.mutable_diagnostics());
    if (result.diagnostics_size() > 0) result.clear_nests();
    return result;
  }

 private:
  // Null where something was reported.
  std::unique_ptr<TranslationUnit> ParseAll() {
    // 1. Inputs that no compiler need look at.
    CheckFlags();
    CheckFile(request_.file);
    for (const std::string& file : request_.with) CheckFile(file);
    if (extraction_.diagnostics_size() > 0) return nullptr;
    // 2. Syntax trees.
    std::unique_ptr<TranslationUnit> main = Parse(request_.file);
    for (const std::string& file : request_.with) others_.push_back(Parse(file));
    return extraction_.diagnostics_size() > 0 ? nullptr : std::move(main);
  }

  void ReportFile(const std::string& file, std::string reason, std::string remedy) {
    v1::Diagnostic* diagnostic = extraction_.add_diagnostics();
    diagnostic->set_file(file);
    diagnostic->set_reason(std::move(reason));
    diagnostic->set_remedy(std::move(remedy));
  }

  void Report(const TranslationUnit& unit, const Refusal& refusal) {
    v1::Diagnostic diagnostic = MakeDiagnostic(unit.ast(), unit.path(), refusal);
    if (marked_text_ != nullptr && diagnostic.file() == unit.path() && diagnostic.line() > 0)
      diagnostic.set_line(marked_text_->LineOfFile(diagnostic.line()));
    // What a loop and one inside of it are refused for is said once.
    const auto& all = extraction_.diagnostics();
    const bool is_known = std::any_of(all.begin(), all.end(), [&](const v1::Diagnostic& other) {
      return other.file() == diagnostic.file() && other.line() == diagnostic.line() &&
             other.column() == diagnostic.column() && other.reason() == diagnostic.reason();
    });
    if (!is_known) *extraction_.add_diagnostics() = std::move(diagnostic);
  }

  // That each is a parameter of a region, where these were accepted.
  void CheckConstants() {
    if (extraction_.diagnostics_size() > 0) return;
    std::set<std::string> parameters;
    for (const v1::Scop& scop : extraction_.scops()) {
      for (const v1::Parameter& parameter : scop.parameters()) parameters.insert(parameter.name());
    }
    for (const auto& [name, value] : request_.constants) {
      if (parameters.count(name) > 0) continue;
      ReportFile(request_.file,
                 absl::StrCat("--constant ", name, "=", value, ": no region has a parameter of this name"),
                 parameters.empty() ? "leave it out: the regions have no parameters"
                                    : absl::StrCat("name one of these: ", absl::StrJoin(parameters, ", ")));
    }
  }

  // Flags that name files would name nothing where the program is built, but for those that are found in a
  // folder of -I.
  void CheckFlags() {
    const auto& flags = request_.compile_flags;
    for (auto flag = flags.begin(); flag != flags.end(); ++flag) {
      if (*flag == "-include" && flag + 1 != flags.end() && !absl::StrContains(*(flag + 1), '/')) continue;
      for (const char* prefix : {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"}) {
        if (!absl::StartsWith(*flag, prefix)) continue;
        ReportFile(
            request_.file, absl::StrCat("the compiler flag `", *flag, "` names files of this machine"),
            "give folders with -I of this program, and the names alone of files that `-include` finds there");
        break;
      }
    }
  }

  void CheckFile(const std::string& file) {
    absl::StatusOr<std::string> text = ReadFile(file);
    if (!text.ok()) {
      ReportFile(file, std::string(text.status().message()), "give the path of a file in C or C++");
    } else if (LanguageOf(file) == SourceLanguage::kFortran) {
      ReportFile(file, "the file is in Fortran, which is not read: regions are C or C++",
                 "write the function with the loops in C, or in C++ with `extern \"C\"`, and call it from "
                 "Fortran through ISO_C_BINDING");
    } else if (absl::StripAsciiWhitespace(*text).empty()) {
      ReportFile(file, "the file is empty", "give a file in C or C++ with a `#pragma scop` region");
    } else if (text->find('\0') != std::string::npos) {
      ReportFile(file, "the file is not source text: it holds NUL bytes",
                 "give the source file, not an object or archive");
    }
  }

  FrontEndOptions Options(std::optional<std::string> text) const {
    return {request_.include_directories, request_.defines, request_.compile_flags, std::move(text),
            request_.constants};
  }

  // Reports nothing.
  ParsedText TryText(const std::string& text) const {
    google::protobuf::RepeatedPtrField<v1::Diagnostic> errors;
    std::unique_ptr<TranslationUnit> unit = TranslationUnit::Parse(request_.file, Options(text), &errors);
    if (unit->ok() && errors.empty()) return {std::move(unit), ""};
    return {nullptr, errors.empty() ? "clang could not be run" : errors[0].reason()};
  }

  std::unique_ptr<TranslationUnit> Parse(const std::string& file, std::optional<std::string> text = {}) {
    const FrontEndOptions options = Options(std::move(text));
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
    absl::StatusOr<AssembledScop> assembled = AssembleScop(unit.ast(), region, unit.facts());
    if (!assembled.ok()) return Report(unit, GivenUp(region, assembled.status()));
    for (const Refusal& refusal : assembled->refusals) Report(unit, refusal);
    if (!assembled->refusals.empty()) return;
    known_[assembled->scop.name()] = assembled->known;
    AddScop(std::move(assembled->scop));
  }

  void AddScop(v1::Scop scop) {
    if (extraction_.program().sources_size() > 0)
      scop.mutable_region()->set_file(extraction_.program().sources(0));
    if (marked_text_ != nullptr) {
      for (v1::Statement& statement : *scop.mutable_statements())
        statement.set_line(marked_text_->LineOfFile(statement.line()));
      v1::SourceRegion& region = *scop.mutable_region();
      region.set_begin_line(marked_text_->LineOfFile(region.begin_line()));
      region.set_end_line(marked_text_->LineOfFile(region.end_line()));
    }
    *extraction_.add_scops() = std::move(scop);
  }

  static absl::string_view TextOf(const MainFile& file) { return {file.text().data(), file.text().size()}; }

  // Those that pragmas mark.
  void AddRegions(const TranslationUnit& main, const std::vector<FoundRegion>& regions) {
    const MainFile file(main.ast().getSourceManager());
    std::vector<MarkedPlace> places;
    std::vector<v1::Scop> scops;
    int assumptions = 0;
    for (const FoundRegion& region : regions) {
      places.push_back({region.source, /*has_pragmas=*/true});
      absl::StatusOr<AssembledScop> assembled = AssembleScop(main.ast(), region, main.facts());
      if (!assembled.ok()) {
        Report(main, GivenUp(region, assembled.status()));
        continue;
      }
      std::optional<AssumedRegion> assumed;
      if (!assembled->refusals.empty())
        assumed = ReadAssumed(main, region, /*has_pragmas=*/true, parse_, assembled->refusals);
      if (assumed) *assembled = std::move(assumed->assembled);
      for (const Refusal& refusal : assembled->refusals) Report(main, refusal);
      if (!assembled->refusals.empty()) continue;
      if (assumed)
        places.back() =
            assumed->assumption->PlaceOf(TextOf(file), region.source, /*has_pragmas=*/true, ++assumptions);
      known_[assembled->scop.name()] = assembled->known;
      scops.push_back(std::move(assembled->scop));
    }
    if (assumptions > 0 && extraction_.diagnostics_size() == 0) return AddAssumed(main, places);
    for (v1::Scop& scop : scops) AddScop(std::move(scop));
  }

  // The marked regions of a text, which takes the file's place in the program.
  void AddAssumed(const TranslationUnit& main, const std::vector<MarkedPlace>& places) {
    const MainFile file(main.ast().getSourceManager());
    const MarkedText text(TextOf(file), places);
    AddMarkedText(text);
    v1::Program& program = *extraction_.mutable_program();
    for (v1::SourceFile& source : *program.mutable_files()) {
      if (program.sources_size() > 0 && source.path() == program.sources(0)) source.set_content(text.text());
    }
  }

  // That the request names a function of the file, or none.
  bool CheckFunction(const TranslationUnit& main) {
    const std::vector<const clang::FunctionDecl*> functions = FunctionsOf(main.ast());
    const bool found = std::any_of(functions.begin(), functions.end(), [&](const clang::FunctionDecl* each) {
      return IsNamed(*each, request_.function);
    });
    if (request_.function.empty() || found) return true;
    const std::vector<std::string> names = NamesOfFunctions(main);
    ReportFile(request_.file, absl::StrCat("no function `", request_.function, "` has its body in the file"),
               names.empty() ? "give the file with the function"
                             : absl::StrCat("name one of these: ", absl::StrJoin(names, ", ")));
    return false;
  }

  // The loops of the request's function as scops.
  void AddFunction(const TranslationUnit& main) {
    if (!CheckFunction(main)) return;
    const FoundRegions marked = FindRegions(main, request_.function);
    // The name with its arguments chooses among the instances of a template, whether that is marked or not.
    if (!marked.regions.empty() && absl::StrContains(request_.function, "<"))
      return AddRegions(main, marked.regions);
    for (const FoundRegion& region : marked.regions) {
      return Report(
          main, {{region.begin, region.begin},
                 absl::StrCat("`", request_.function, "` has a marked region, and its loops are asked for"),
                 "leave --function out, or remove the pragmas"});
    }
    const std::vector<FoundNest> nests = tune::FindNests(main, marked.regions, request_.function, parse_);
    std::vector<FoundNest> accepted;
    for (const FoundNest& nest : nests) {
      if (nest.refusals.empty()) accepted.push_back(nest);
    }
    if (!accepted.empty()) return AddNests(main, accepted);
    if (nests.empty())
      ReportFile(request_.file, absl::StrCat("the function `", request_.function, "` has no loop"),
                 "name a function with loops; `tunectl regions` lists them");
    for (const FoundNest& nest : nests) {
      for (const Refusal& refusal : nest.refusals) Report(main, refusal);
    }
  }

  // Reads the file once more, with pragmas around the nests: what words mean in a region is known by then
  // alone. All else is as in the file, but for nests under assumptions.
  void AddNests(const TranslationUnit& main, const std::vector<FoundNest>& nests) {
    const MainFile file(main.ast().getSourceManager());
    std::vector<MarkedPlace> places;
    int assumptions = 0;
    for (const FoundNest& nest : nests) {
      const v1::SourceRegion& source = nest.region.source;
      places.push_back(nest.assumption == nullptr
                           ? MarkedPlace{source}
                           : nest.assumption->PlaceOf(TextOf(file), source, nest.marked, ++assumptions));
    }
    if (assumptions > 0) {
      AddAssumed(main, places);
    } else {
      AddMarkedText(MarkedText(TextOf(file), places));
    }
    if (extraction_.diagnostics_size() > 0) return;
    bool same = extraction_.scops_size() == static_cast<int>(nests.size());
    for (int i = 0; same && i < extraction_.scops_size(); ++i) {
      v1::Scop* marked = extraction_.mutable_scops(i);
      v1::Scop scop = nests[static_cast<size_t>(i)].scop;
      same = scop.name() == marked->name() && (assumptions > 0 || scop.schedule() == marked->schedule());
      if (assumptions > 0) continue;  // the file is another one
      scop.mutable_meanings()->Swap(marked->mutable_meanings());
      scop.mutable_region()->set_file(marked->region().file());
      *marked = std::move(scop);
    }
    if (same) return;
    ReportFile(request_.file,
               absl::StrCat("the loops of `", request_.function, "` are other ones once they are marked"),
               "mark them with `#pragma scop` and `#pragma endscop`, and leave --function out");
  }

  void AddMarkedText(const MarkedText& text) {
    marked_text_ = &text;
    const std::unique_ptr<TranslationUnit> unit = Parse(request_.file, text.text());
    if (extraction_.diagnostics_size() == 0) AddMarked(*unit);
    marked_text_ = nullptr;
  }

  // The marked regions, of the request's function if it names one.
  void AddMarked(const TranslationUnit& unit) {
    const FoundRegions found = FindRegions(unit, request_.function);
    for (const Refusal& refusal : found.refusals) Report(unit, refusal);
    for (const FoundRegion& region : found.regions) AddScop(unit, region);
  }

  v1::LoopNest Describe(const TranslationUnit& unit, const FoundNest& found) const {
    v1::LoopNest nest;
    nest.set_function(found.region.source.function());
    nest.set_begin_line(found.region.source.begin_line());
    nest.set_end_line(found.region.source.end_line());
    nest.set_marked(found.marked);
    nest.set_depth(found.depth);
    nest.set_in_block(found.in_block);
    if (found.place) {
      nest.set_begin_offset(found.place->begin);
      nest.set_end_offset(found.place->end);
    }
    if (found.refusals.empty()) *nest.mutable_scop() = found.scop;
    for (const Refusal& refusal : found.refusals)
      *nest.add_refusals() = MakeDiagnostic(unit.ast(), unit.path(), refusal);
    return nest;
  }

  const ExtractionRequest& request_;
  const ParseText parse_ = [this](const std::string& text) { return TryText(text); };
  v1::Extraction extraction_;
  std::vector<std::unique_ptr<TranslationUnit>> others_;
  std::map<std::string, std::map<std::string, std::string>> known_;  // of scops: AssembledScop::known
  const MarkedText* marked_text_ = nullptr;  // what is read, where that is not the file
};

void ReportCrash(const ExtractionRequest& request, v1::Diagnostic* diagnostic) {
  diagnostic->set_file(request.file);
  diagnostic->set_reason("the front end crashed on this input");
  diagnostic->set_remedy("reduce the file to the function with the region, and report it");
}

}  // namespace

v1::Extraction ExtractScops(const ExtractionRequest& request) {
  v1::Extraction extraction;
  const bool completed = RunGuarded([&] { extraction = Extractor(request).Extract(); });
  if (completed) return extraction;
  v1::Extraction crashed;
  ReportCrash(request, crashed.add_diagnostics());
  return crashed;
}

v1::LoopNests FindLoopNests(const ExtractionRequest& request) {
  v1::LoopNests nests;
  const bool completed = RunGuarded([&] { nests = Extractor(request).FindNests(); });
  if (completed) return nests;
  v1::LoopNests crashed;
  ReportCrash(request, crashed.add_diagnostics());
  return crashed;
}

}  // namespace tune
