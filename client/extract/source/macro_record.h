// What macros of a region become, and which names its directives test: what the syntax tree does not tell.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"

namespace clang {
class MacroInfo;
class Preprocessor;
class Token;
}  // namespace clang

namespace tune {

// A meaning and the byte of the main file at which its text stands; -1 of a macro, DEFINED, that the
// program's files define anywhere.
struct PlacedMeaning {
  int64_t offset;
  v1::Meaning meaning;
};

// Listens to the preprocessor. Only what stands in the main file itself counts. Macros that a region defines
// for itself do not, nor those of compilers and system headers, which each spells in its own way.
class MacroRecord {
 public:
  // From now on; must outlive the preprocessor's work. Called once.
  void Attach(clang::Preprocessor& preprocessor);
  // A region begins or ends at this directive.
  void SetOpen(bool open, clang::SourceLocation directive);

  // EXPANSION, DEFINED and UNDEFINED, in textual order, each as often as it occurs. What directives of the
  // program's files test before a region stands at the region's pragma, as it is there. Before these the
  // macros that the program's files define, in or outside of regions.
  std::vector<PlacedMeaning> Meanings() const;

 private:
  class Callbacks;
  // A macro's use in the text: from its name to its last argument's parenthesis, and its tokens.
  struct Use {
    clang::SourceLocation begin, end;
    std::string tokens;
  };

  bool IsOfTheSystem(const clang::MacroInfo& macro) const;
  bool IsHere(clang::SourceLocation location) const;  // in the main file itself
  int64_t Offset(clang::SourceLocation location) const;
  bool IsInDirective(clang::SourceLocation location) const;
  std::string Written(const Use& use) const;
  std::string ExpandObject(const clang::MacroInfo& macro, std::set<std::string>& around) const;
  void AddToken(const clang::Token& token);
  void AddUse(const clang::Token& name, clang::SourceRange range);
  void NoteAssertion(clang::SourceLocation place);  // without NDEBUG it does something
  void NoteTested(clang::SourceLocation directive, const std::string& name, bool with_value);
  void AddTested(clang::SourceLocation place, const std::string& name, bool with_value);
  void AddCondition(clang::SourceLocation directive, clang::SourceRange condition);

  clang::Preprocessor* preprocessor_ = nullptr;
  bool open_ = false;
  std::map<int64_t, Use> uses_;          // by offset
  std::vector<PlacedMeaning> tested_;    // by directives, and the definitions of macros
  std::set<std::string> tested_before_;  // by directives outside of regions
  std::set<std::string> own_;            // defined by a region
};

}  // namespace tune
