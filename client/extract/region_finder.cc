#include "client/extract/region_finder.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

struct ByteRange {
  int64_t first;
  int64_t last;
};

class Finder {
 public:
  explicit Finder(const TranslationUnit& unit)
      : unit_(unit),
        ast_(unit.ast()),
        manager_(ast_.getSourceManager()),
        text_(manager_.getBufferData(manager_.getMainFileID())) {}

  FoundRegions Find() {
    const PragmaMark* open = nullptr;
    bool met_in_header = false;
    for (const PragmaMark& mark : unit_.pragmas()) {
      if (!manager_.isWrittenInMainFile(mark.location)) {
        met_in_header = true;
        continue;
      }
      if (mark.is_operator) {
        Refuse(mark, "_Pragma cannot mark a region, whose bounds are whole lines",
               mark.begins ? "write `#pragma scop` on a line of its own"
                           : "write `#pragma endscop` on a line of its own");
      } else if (mark.begins && open != nullptr) {
        Refuse(mark, absl::StrCat("`#pragma scop` inside the region that begins in line ", Line(*open)),
               "end that region with `#pragma endscop` first; regions do not nest");
      } else if (mark.begins) {
        open = &mark;
      } else if (open == nullptr) {
        Refuse(mark, "`#pragma endscop` without `#pragma scop` before it",
               "write `#pragma scop` on the line before the region");
      } else {
        AddRegion(*open, mark);
        open = nullptr;
      }
    }
    if (open != nullptr) {
      Refuse(*open, "`#pragma scop` without `#pragma endscop` after it",
             "write `#pragma endscop` on the line after the region");
    }
    if (found_.regions.empty() && found_.refusals.empty()) RefuseFile(met_in_header);
    NameRegions();
    return std::move(found_);
  }

 private:
  void Refuse(const PragmaMark& mark, std::string reason, std::string remedy) {
    found_.refusals.push_back({{mark.location, mark.location}, std::move(reason), std::move(remedy)});
  }

  void RefuseFile(bool met_in_header) {
    if (met_in_header) {
      found_.refusals.push_back({{},
                                 "the file has no region of its own; a header that it includes has one",
                                 "move the function with the region into the C file"});
    } else {
      found_.refusals.push_back(
          {{},
           "no `#pragma scop` was found",
           "mark the loop nest: `#pragma scop` on the line before it, `#pragma endscop` on the line after"});
    }
  }

  int Line(const PragmaMark& mark) const {
    return static_cast<int>(manager_.getSpellingLineNumber(mark.location));
  }
  int64_t Offset(clang::SourceLocation location) const { return manager_.getFileOffset(location); }

  // Offset of the newline that ends the line of `offset`, or of the end of the text. A newline behind a
  // backslash does not end a pragma.
  int64_t LineEnd(int64_t offset) const {
    size_t end = static_cast<size_t>(offset);
    while (end < text_.size() && (text_[end] != '\n' || IsSpliced(end))) ++end;
    return static_cast<int64_t>(end);
  }
  bool IsSpliced(size_t newline) const {
    if (newline > 0 && text_[newline - 1] == '\r') --newline;
    return newline > 0 && text_[newline - 1] == '\\';
  }
  int64_t LineBegin(int64_t offset) const {
    size_t newline = text_.rfind('\n', static_cast<size_t>(offset));
    return newline == llvm::StringRef::npos ? 0 : static_cast<int64_t>(newline) + 1;
  }

  // Bytes of the main file that a node comes from; nothing when it was made by the compiler.
  std::optional<ByteRange> Bytes(clang::SourceRange range) const {
    clang::SourceLocation begin = PlaceInMainFile(manager_, range.getBegin());
    clang::SourceLocation end =
        PlaceInMainFile(manager_, manager_.getExpansionRange(range.getEnd()).getEnd());
    if (begin.isInvalid() || end.isInvalid()) return {};
    return ByteRange{Offset(begin), Offset(end)};
  }

  const clang::FunctionDecl* FunctionAround(int64_t begin, int64_t end) const {
    for (const clang::Decl* declaration : ast_.getTranslationUnitDecl()->decls()) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (function == nullptr || !function->isThisDeclarationADefinition() || function->getBody() == nullptr)
        continue;
      std::optional<ByteRange> bytes = Bytes(function->getBody()->getSourceRange());
      if (bytes && bytes->first < begin && end <= bytes->last) return function;
    }
    return nullptr;
  }

  // The statements that lie between the offsets; nothing when one lies there in part.
  std::optional<std::vector<const clang::Stmt*>> Statements(const clang::Stmt* around, int64_t begin,
                                                            int64_t end) const {
    std::vector<const clang::Stmt*> inside;
    const clang::Stmt* holder =
        nullptr;  // begins before the region and ends with it: a loop whose body it is
    for (const clang::Stmt* child : around->children()) {
      if (child == nullptr) continue;
      std::optional<ByteRange> bytes = Bytes(child->getSourceRange());
      if (!bytes || bytes->last < begin || bytes->first > end) continue;
      if (bytes->first < begin && bytes->last > end) return Statements(child, begin, end);
      if (bytes->last > end || (bytes->first < begin && llvm::isa<clang::CompoundStmt>(child)))
        return std::nullopt;
      if (bytes->first < begin) {
        holder = child;
      } else {
        inside.push_back(child);
      }
    }
    if (holder == nullptr) return inside;
    if (!inside.empty()) return std::nullopt;
    return Statements(holder, begin, end);
  }

  void AddRegion(const PragmaMark& open, const PragmaMark& close) {
    FoundRegion region;
    region.begin = open.location;
    region.end = close.location;
    int64_t begin = Offset(open.location), end = Offset(close.location);
    region.source.set_begin_offset(LineBegin(begin));
    int64_t end_of_line = LineEnd(end);
    if (end_of_line > end && text_[end_of_line - 1] == '\r') --end_of_line;
    region.source.set_end_offset(end_of_line);
    region.source.set_body_begin_offset(LineEnd(begin) + 1);
    region.source.set_body_end_offset(LineBegin(end));
    region.source.set_begin_line(Line(open));
    region.source.set_end_line(Line(close));
    region.function = FunctionAround(begin, end);
    if (region.function == nullptr) {
      return Refuse(open, "the region does not lie inside the body of one function",
                    "put `#pragma scop` and `#pragma endscop` around statements of one function");
    }
    std::optional<std::vector<const clang::Stmt*>> statements =
        Statements(region.function->getBody(), begin, end);
    if (!statements) {
      return Refuse(open, "the pragmas cut through a statement",
                    "put `#pragma scop` and `#pragma endscop` into the same block, around whole statements");
    }
    if (statements->empty()) {
      return Refuse(open, "the region holds no statement", "put the loop nest between the two pragmas");
    }
    region.statements = *std::move(statements);
    region.source.set_function(region.function->getNameAsString());
    found_.regions.push_back(std::move(region));
  }

  // "f" for the only region of f, else "f#1", "f#2", ...
  void NameRegions() {
    std::map<std::string, int> number, seen;
    for (const FoundRegion& region : found_.regions) ++number[region.source.function()];
    for (FoundRegion& region : found_.regions) {
      const std::string& function = region.source.function();
      region.scop_name = number[function] == 1 ? function : absl::StrCat(function, "#", ++seen[function]);
    }
  }

  const TranslationUnit& unit_;
  clang::ASTContext& ast_;
  const clang::SourceManager& manager_;
  llvm::StringRef text_;
  FoundRegions found_;
};

}  // namespace

clang::SourceLocation PlaceInMainFile(const clang::SourceManager& manager, clang::SourceLocation location) {
  location = manager.getExpansionLoc(location);
  while (location.isValid() && !manager.isWrittenInMainFile(location)) {
    location = manager.getIncludeLoc(manager.getFileID(location));
  }
  return location;
}

FoundRegions FindRegions(const TranslationUnit& unit) { return Finder(unit).Find(); }

}  // namespace tune
