#include "client/extract/source/macro_record.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

// Appends a token as C's operator # spells it: one blank where there was white space before it.
void AppendToken(absl::string_view spelling, bool space, std::string* text) {
  if (space && !text->empty()) *text += ' ';
  text->append(spelling.data(), spelling.size());
}

void Add(int64_t offset, v1::Meaning::Kind kind, const std::string& text, const std::string& value,
         std::vector<PlacedMeaning>* meanings) {
  PlacedMeaning& added = meanings->emplace_back();
  added.offset = offset;
  added.meaning.set_kind(kind);
  added.meaning.set_text(text);
  added.meaning.set_value(value);
}

// Words of a directive's condition that may be macros.
std::vector<std::string> Names(absl::string_view condition) {
  std::vector<std::string> names;
  for (size_t i = 0; i < condition.size();) {
    size_t end = i;
    while (end < condition.size() && IsNameCharacter(condition[end])) ++end;
    const std::string word(condition.substr(i, end - i));
    if (!word.empty() && !absl::ascii_isdigit(word[0]) && word != "defined" &&
        !absl::StartsWith(word, "__has_"))
      names.push_back(word);
    i = std::max(end, i + 1);
  }
  return names;
}

}  // namespace

class MacroRecord::Callbacks : public clang::PPCallbacks {
 public:
  explicit Callbacks(MacroRecord* record) : record_(record) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange range, const clang::MacroArgs*) override {
    if (!record_->IsOfTheSystem(*definition.getMacroInfo())) {
      record_->AddUse(name, range);
    } else if (name.getIdentifierInfo()->isStr("assert")) {
      record_->NoteAssertion(range.getBegin());
    }
  }
  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    const std::string word = name.getIdentifierInfo()->getName().str();
    if (record_->open_ && record_->IsHere(name.getLocation())) record_->own_.insert(word);
    if (!record_->IsOfTheSystem(*directive->getMacroInfo()))
      Add(-1, v1::Meaning::DEFINED, word, "", &record_->tested_);
  }
  void If(clang::SourceLocation place, clang::SourceRange condition, ConditionValueKind) override {
    record_->AddCondition(place, condition);
  }
  void Elif(clang::SourceLocation place, clang::SourceRange condition, ConditionValueKind,
            clang::SourceLocation) override {
    record_->AddCondition(place, condition);
  }
  void Ifdef(clang::SourceLocation place, const clang::Token& name, const clang::MacroDefinition&) override {
    AddTested(place, name);
  }
  void Ifndef(clang::SourceLocation place, const clang::Token& name, const clang::MacroDefinition&) override {
    AddTested(place, name);
  }

 private:
  void AddTested(clang::SourceLocation place, const clang::Token& name) {
    if (name.getIdentifierInfo() != nullptr)
      record_->NoteTested(place, name.getIdentifierInfo()->getName().str(), /*with_value=*/false);
  }
  MacroRecord* const record_;
};

void MacroRecord::Attach(clang::Preprocessor& preprocessor) {
  preprocessor_ = &preprocessor;
  preprocessor.addPPCallbacks(std::make_unique<Callbacks>(this));
  preprocessor.setTokenWatcher([this](const clang::Token& token) { AddToken(token); });
}

void MacroRecord::SetOpen(bool open, clang::SourceLocation directive) {
  open_ = open;
  if (!open || !IsHere(directive)) return;
  for (const std::string& name : tested_before_) AddTested(directive, name, /*with_value=*/true);
}

std::vector<PlacedMeaning> MacroRecord::Meanings() const {
  std::vector<PlacedMeaning> meanings;
  for (const PlacedMeaning& tested : tested_) {
    if (own_.count(tested.meaning.text()) == 0) meanings.push_back(tested);
  }
  int64_t end = -1;  // of the use before
  for (const auto& [offset, use] : uses_) {
    if (offset <= end) continue;  // in its arguments, whose meaning its tokens have
    end = Offset(use.end);
    const std::string text = Written(use);
    if (own_.count(Names(text).at(0)) == 0) Add(offset, v1::Meaning::EXPANSION, text, use.tokens, &meanings);
  }
  std::stable_sort(meanings.begin(), meanings.end(),
                   [](const PlacedMeaning& a, const PlacedMeaning& b) { return a.offset < b.offset; });
  return meanings;
}

bool MacroRecord::IsOfTheSystem(const clang::MacroInfo& macro) const {
  const clang::SourceManager& manager = preprocessor_->getSourceManager();
  const clang::SourceLocation place = macro.getDefinitionLoc();
  return macro.isBuiltinMacro() || manager.isInSystemHeader(place) || manager.isWrittenInBuiltinFile(place);
}

bool MacroRecord::IsHere(clang::SourceLocation location) const {
  const clang::SourceManager& manager = preprocessor_->getSourceManager();
  return location.isValid() && location.isFileID() && manager.getFileID(location) == manager.getMainFileID();
}

int64_t MacroRecord::Offset(clang::SourceLocation location) const {
  return preprocessor_->getSourceManager().getFileOffset(location);
}

bool MacroRecord::IsInDirective(clang::SourceLocation location) const {
  const clang::SourceManager& manager = preprocessor_->getSourceManager();
  const llvm::StringRef buffer = manager.getBufferData(manager.getMainFileID());
  absl::string_view before(buffer.data(), Offset(location));
  while (true) {
    const size_t end = before.rfind('\n');
    const absl::string_view line =
        absl::StripLeadingAsciiWhitespace(end == absl::string_view::npos ? before : before.substr(end + 1));
    if (absl::StartsWith(line, "#")) return true;
    if (end == absl::string_view::npos) return false;
    before = before.substr(0, end);
    if (!absl::EndsWith(before, "\\")) return false;
  }
}

// The use on one line, without comments.
std::string MacroRecord::Written(const Use& use) const {
  const clang::SourceManager& manager = preprocessor_->getSourceManager();
  const clang::FileID file = manager.getMainFileID();
  const llvm::StringRef buffer = manager.getBufferData(file);
  const int64_t end = Offset(use.end);
  clang::Lexer lexer(manager.getLocForStartOfFile(file), preprocessor_->getLangOpts(), buffer.begin(),
                     buffer.begin() + Offset(use.begin), buffer.end());
  std::string text;
  clang::Token token;
  while (!lexer.LexFromRawLexer(token) && Offset(token.getLocation()) <= end) {
    AppendToken(preprocessor_->getSpelling(token), token.hasLeadingSpace() || token.isAtStartOfLine(), &text);
  }
  return text;
}

// The tokens that a macro without parameters becomes; `around`: macros that are being expanded.
std::string MacroRecord::ExpandObject(const clang::MacroInfo& macro, std::set<std::string>& around) const {
  std::string text;
  for (const clang::Token& token : macro.tokens()) {
    const std::string spelling = preprocessor_->getSpelling(token);
    const clang::IdentifierInfo* name = token.getIdentifierInfo();
    const clang::MacroInfo* inner = name == nullptr ? nullptr : preprocessor_->getMacroInfo(name);
    if (inner == nullptr || inner->isFunctionLike() || !around.insert(spelling).second) {
      AppendToken(spelling, token.hasLeadingSpace(), &text);
    } else {
      AppendToken(ExpandObject(*inner, around), token.hasLeadingSpace(), &text);
      around.erase(spelling);
    }
  }
  return text;
}

void MacroRecord::AddToken(const clang::Token& token) {
  if (token.isAnnotation() || token.is(clang::tok::eof) || !token.getLocation().isMacroID()) return;
  const clang::SourceManager& manager = preprocessor_->getSourceManager();
  const clang::CharSourceRange range = manager.getExpansionRange(token.getLocation());
  if (!IsHere(range.getBegin())) return;
  const auto use = uses_.find(Offset(range.getBegin()));
  if (use == uses_.end()) return;
  AppendToken(preprocessor_->getSpelling(token), token.hasLeadingSpace() || token.isAtStartOfLine(),
              &use->second.tokens);
  if (Offset(range.getEnd()) > Offset(use->second.end)) use->second.end = range.getEnd();
}

void MacroRecord::AddUse(const clang::Token& name, clang::SourceRange range) {
  if (!IsHere(name.getLocation()) || !IsHere(range.getEnd()) || IsInDirective(name.getLocation())) return;
  uses_[Offset(name.getLocation())] = {name.getLocation(), range.getEnd(), ""};
}

void MacroRecord::NoteAssertion(clang::SourceLocation place) {
  const clang::SourceLocation use = preprocessor_->getSourceManager().getExpansionLoc(place);
  if (IsHere(use) && preprocessor_->getMacroInfo(preprocessor_->getIdentifierInfo("NDEBUG")) != nullptr)
    AddTested(use, "NDEBUG", /*with_value=*/false);
}

void MacroRecord::NoteTested(clang::SourceLocation directive, const std::string& name, bool with_value) {
  if (open_ && IsHere(directive)) AddTested(directive, name, with_value);
  if (!open_ && !preprocessor_->getSourceManager().isInSystemHeader(directive)) tested_before_.insert(name);
}

void MacroRecord::AddTested(clang::SourceLocation place, const std::string& name, bool with_value) {
  const clang::MacroInfo* macro = preprocessor_->getMacroInfo(preprocessor_->getIdentifierInfo(name));
  if (macro != nullptr && IsOfTheSystem(*macro)) return;
  const bool defined = macro != nullptr;
  Add(Offset(place), defined ? v1::Meaning::DEFINED : v1::Meaning::UNDEFINED, name, "", &tested_);
  if (!defined || !with_value || macro->isFunctionLike()) return;
  std::set<std::string> around = {name};
  Add(Offset(place), v1::Meaning::EXPANSION, name, ExpandObject(*macro, around), &tested_);
}

void MacroRecord::AddCondition(clang::SourceLocation directive, clang::SourceRange condition) {
  const clang::SourceManager& manager = preprocessor_->getSourceManager();
  const llvm::StringRef text = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(condition),
                                                           manager, preprocessor_->getLangOpts());
  for (const std::string& name : Names(absl::string_view(text.data(), text.size())))
    NoteTested(directive, name, /*with_value=*/true);
}

}  // namespace tune
