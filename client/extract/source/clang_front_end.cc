#include "client/extract/source/clang_front_end.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/source/one_declaration.h"
#include "client/extract/source/short_numbers.h"
#include "common/base/source_language.h"

namespace tune {
namespace {

constexpr int kMostErrors = 20;
constexpr unsigned kStackBytes = 256u << 20;

// Flags that change what the source text means; others concern the host compiler only.
bool ChangesLanguage(absl::string_view flag) {
  for (const char* prefix : {"-std=", "-U", "-D", "-funsigned-char", "-fsigned-char", "-fshort-enums",
                             "-fgnu89-inline", "-pthread", "-m32", "-m64"}) {
    if (absl::StartsWith(flag, prefix)) return true;
  }
  return false;
}

// Of a program in both languages, a flag for files in the other one.
bool IsOfOtherLanguage(absl::string_view flag, bool cpp) {
  const bool names_cpp = absl::StartsWith(flag, "-std=c++") || absl::StartsWith(flag, "-std=gnu++");
  if (absl::StartsWith(flag, "-std=")) return names_cpp != cpp;
  return cpp && flag == "-fgnu89-inline";
}

std::vector<std::string> Arguments(const std::string& path, const FrontEndOptions& options,
                                   const std::string& resource_directory) {
  std::vector<std::string> arguments = {"clang", "-fsyntax-only", "-w",
                                        absl::StrCat("-ferror-limit=", kMostErrors + 1),
                                        "-resource-dir=" + resource_directory};
  // What gcc accepts with a warning must not fail here.
  for (const char* name : {"implicit-function-declaration", "implicit-int", "int-conversion",
                           "incompatible-function-pointer-types", "return-type"}) {
    arguments.push_back(absl::StrCat("-Wno-error=", name));
  }
  const bool cpp = IsCpp(path);
  if (cpp) arguments.push_back("-std=gnu++17");
  const std::vector<std::string>& flags = options.compile_flags;
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "-include" && i + 1 < flags.size()) {
      arguments.insert(arguments.end(), {flags[i], flags[i + 1]});
      ++i;
    } else if (ChangesLanguage(flags[i]) && !IsOfOtherLanguage(flags[i], cpp)) {
      arguments.push_back(flags[i]);
    }
  }
  for (const std::string& define : options.defines) arguments.push_back("-D" + define);
  for (const std::string& folder : options.include_directories) arguments.push_back("-I" + folder);
  arguments.insert(arguments.end(), {"-x", cpp ? "c++" : "c", "--", path});
  return arguments;
}

// Headers of C++ have no dot in their names.
bool NamesHeaderOfCpp(absl::string_view message) {
  const std::vector<absl::string_view> parts = absl::StrSplit(message, '\'');
  return parts.size() >= 2 && !absl::StrContains(parts[1], '.');
}

std::string Remedy(unsigned id, absl::string_view message, absl::string_view path) {
  const bool no_file = id == clang::diag::err_pp_file_not_found;
  if (no_file && NamesHeaderOfCpp(message) && !IsCpp(path))
    return "the file is read as C, by its name: give a file in C++ an extension of C++, such as .cpp";
  if (no_file && absl::StrContains(message, "'omp.h'"))
    return "apt-get install libomp-16-dev, whose omp.h clang reads, or give the folder that holds one with "
           "-I";
  if (no_file) return "give the folder that holds the file with -I";
  if (const std::optional<std::string> numbers = RemedyOfShortNumbers(message)) return *numbers;
  if (absl::EndsWith(path, ".cu"))
    return "files of CUDA are read as C++ for the host: move the function with the region into a .cpp file, "
           "without what belongs to CUDA";
  return absl::StrCat("correct the source so that a ", IsCpp(path) ? "C++" : "C",
                      " compiler accepts it, with the same -I and -D");
}

}  // namespace

// Turns clang's errors into diagnostics.
class TranslationUnit::Errors : public clang::DiagnosticConsumer {
 public:
  Errors(std::string path, google::protobuf::RepeatedPtrField<v1::Diagnostic>* diagnostics)
      : path_(std::move(path)), diagnostics_(diagnostics) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error || info.getID() == clang::diag::fatal_too_many_errors) return;
    any_ = true;
    if (reported_++ >= kMostErrors) return;
    v1::Diagnostic* diagnostic = diagnostics_->Add();
    llvm::SmallString<200> message;
    info.FormatDiagnostic(message);
    diagnostic->set_reason(message.str().str());
    diagnostic->set_remedy(Remedy(info.getID(), diagnostic->reason(), path_));
    diagnostic->set_file(path_);
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return;
    clang::PresumedLoc place =
        info.getSourceManager().getPresumedLoc(info.getLocation(), /*UseLineDirectives=*/false);
    if (place.isInvalid()) return;
    diagnostic->set_file(place.getFilename());
    diagnostic->set_line(static_cast<int>(place.getLine()));
    diagnostic->set_column(static_cast<int>(place.getColumn()));
  }

  bool any() const { return any_; }

 private:
  std::string path_;
  google::protobuf::RepeatedPtrField<v1::Diagnostic>* diagnostics_;
  int reported_ = 0;
  bool any_ = false;
};

// Records the place of a pragma; its line vanishes from the program.
class TranslationUnit::ScopPragma : public clang::PragmaHandler {
 public:
  ScopPragma(TranslationUnit* unit, bool begins)
      : PragmaHandler(begins ? "scop" : "endscop"), unit_(unit), begins_(begins) {}
  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token& token) override {
    unit_->pragmas_.push_back({begins_, introducer.Kind != clang::PIK_HashPragma,
                               preprocessor.getSourceManager().getExpansionLoc(introducer.Loc)});
    unit_->macros_.SetOpen(begins_, introducer.Loc);
  }

 private:
  TranslationUnit* unit_;
  bool begins_;
};

// Records which files of the user's take part.
class TranslationUnit::Recorder : public clang::PPCallbacks {
 public:
  Recorder(TranslationUnit* unit, const clang::SourceManager& manager) : unit_(unit), manager_(manager) {}

  void LexedFileChanged(clang::FileID id, LexedFileChangeReason reason,
                        clang::SrcMgr::CharacteristicKind kind, clang::FileID,
                        clang::SourceLocation) override {
    if (reason != LexedFileChangeReason::EnterFile || id == manager_.getMainFileID()) return;
    const clang::FileEntry* entry = manager_.getFileEntryForID(id);
    if (entry == nullptr || clang::SrcMgr::isSystem(kind)) return;
    AddOnce(entry->getName().str(), &unit_->user_headers_);
  }

  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file,
                          llvm::StringRef search_path, llvm::StringRef, const clang::Module*,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (file && !clang::SrcMgr::isSystem(kind)) AddOnce(search_path.str(), &unit_->used_include_directories_);
  }

 private:
  static void AddOnce(const std::string& text, std::vector<std::string>* list) {
    if (std::find(list->begin(), list->end(), text) == list->end()) list->push_back(text);
  }
  TranslationUnit* unit_;
  const clang::SourceManager& manager_;
};

class TranslationUnit::ParseAction : public clang::ASTFrontendAction {
 public:
  explicit ParseAction(TranslationUnit* unit) : unit_(unit) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef) override {
    clang::Preprocessor& preprocessor = instance.getPreprocessor();
    preprocessor.AddPragmaHandler(new ScopPragma(unit_, true));  // owned by the preprocessor
    preprocessor.AddPragmaHandler(new ScopPragma(unit_, false));
    preprocessor.addPPCallbacks(std::make_unique<Recorder>(unit_, instance.getSourceManager()));
    unit_->macros_.Attach(preprocessor);
    return std::make_unique<clang::ASTConsumer>();
  }

 private:
  TranslationUnit* unit_;
};

struct TranslationUnit::Clang {
  std::unique_ptr<Errors> errors;  // outlives the instance that reports to it
  clang::CompilerInstance instance;
  std::unique_ptr<ParseAction> action;
  bool began = false;
};

std::unique_ptr<TranslationUnit> TranslationUnit::Parse(
    const std::string& path, const FrontEndOptions& options,
    google::protobuf::RepeatedPtrField<v1::Diagnostic>* diagnostics) {
  std::unique_ptr<TranslationUnit> unit(new TranslationUnit);
  unit->path_ = path;
  unit->constants_ = options.constants;
  absl::StatusOr<std::string> resources = FindClangResourceDirectory();
  if (!resources.ok()) {
    v1::Diagnostic* diagnostic = diagnostics->Add();
    diagnostic->set_file(path);
    diagnostic->set_reason(std::string(resources.status().message()));
    diagnostic->set_remedy("apt-get install libclang-common-16-dev, or set TUNE_CLANG_RESOURCE_DIR");
    return unit;
  }
  unit->clang_ = std::make_unique<Clang>();
  unit->clang_->errors = std::make_unique<Errors>(path, diagnostics);
  Errors* errors = unit->clang_->errors.get();
  clang::CompilerInstance& instance = unit->clang_->instance;

  std::vector<std::string> arguments = Arguments(path, options, *resources);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  clang::CreateInvocationOptions invocation_options;
  invocation_options.Diags = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, errors,
                                                                        /*ShouldOwnClient=*/false);
  std::shared_ptr<clang::CompilerInvocation> invocation =
      clang::createInvocation(pointers, invocation_options);
  if (invocation == nullptr) return unit;
  invocation->getFrontendOpts().DisableFree = false;
  if (options.text) {
    invocation->getPreprocessorOpts().addRemappedFile(
        path, llvm::MemoryBuffer::getMemBufferCopy(*options.text, path).release());  // the instance owns it
  }
  instance.setInvocation(invocation);
  instance.createDiagnostics(errors, /*ShouldOwnClient=*/false);
  unit->clang_->action = std::make_unique<ParseAction>(unit.get());
  if (!instance.createTarget()) return unit;
  if (!unit->clang_->action->BeginSourceFile(instance, instance.getFrontendOpts().Inputs[0])) return unit;
  unit->clang_->began = true;
  if (llvm::Error error = unit->clang_->action->Execute()) llvm::consumeError(std::move(error));
  unit->ok_ = !errors->any();
  if (unit->ok_) NameOneDeclaration(unit->ast());
  if (unit->ok_ && unit->ast().getLangOpts().CPlusPlus) LowerCpp(unit->ast());
  return unit;
}

TranslationUnit::~TranslationUnit() {
  if (clang_ != nullptr && clang_->began) clang_->action->EndSourceFile();
}

clang::ASTContext& TranslationUnit::ast() const { return clang_->instance.getASTContext(); }

bool TranslationUnit::DefinesMain() const {
  for (const clang::Decl* declaration : ast().getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function != nullptr && function->isMain() && function->isThisDeclarationADefinition()) return true;
  }
  return false;
}

bool RunGuarded(const std::function<void()>& body) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext context;
  return context.RunSafelyOnThread([&body] { body(); }, kStackBytes);
}

}  // namespace tune
