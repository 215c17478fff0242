#include "client/extract/region/region_finder.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/source/main_file.h"
#include "client/extract/source/template_instance.h"
#include "client/extract/source/whole_lines.h"
#include "common/tuned/checked_place.h"

namespace tune {
namespace {

class Finder {
 public:
  Finder(const TranslationUnit& unit, const std::string& instance)
      : instance_(instance),
        unit_(unit),
        ast_(unit.ast()),
        manager_(ast_.getSourceManager()),
        file_(manager_),
        tokens_(ast_, file_) {}

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
    NameRegions(&found_.regions);
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
  void AddRegion(const PragmaMark& open, const PragmaMark& close) {
    FoundRegion region;
    region.begin = open.location;
    region.end = close.location;
    const int64_t begin = file_.Offset(open.location), end = file_.Offset(close.location);
    region.source.set_begin_offset(file_.LineBegin(begin));
    region.source.set_end_offset(file_.TextEnd(end));
    region.source.set_body_begin_offset(file_.LineEnd(begin) + 1);
    region.source.set_body_end_offset(file_.LineBegin(end));
    region.source.set_begin_line(Line(open));
    region.source.set_end_line(Line(close));
    std::vector<const clang::FunctionDecl*> around = file_.FunctionsAround(ast_, begin, end);
    around.erase(std::remove_if(around.begin(), around.end(),
                                [&](const clang::FunctionDecl* each) {
                                  return !instance_.empty() && !IsNamed(*each, instance_);
                                }),
                 around.end());
    if (around.empty() && !instance_.empty()) return;
    if (around.empty() && ast_.getLangOpts().CPlusPlus) {
      return Refuse(
          open,
          "the region does not lie inside the body of one function, or in a template of which the "
          "file makes no instance",
          "put the pragmas around statements of one function; of a template make an instance in the "
          "file: `template void f<float>(...);`");
    }
    if (around.empty()) {
      return Refuse(open, "the region does not lie inside the body of one function",
                    "put `#pragma scop` and `#pragma endscop` around statements of one function");
    }
    if (around.size() > 1) {
      found_.refusals.push_back(ChooseInstance(open.location, around));
      return;
    }
    if (const std::optional<int64_t> pragma = tokens_.PragmaOfStatement(begin)) {
      const clang::SourceLocation place = file_.LocationOf(*pragma);
      found_.refusals.push_back({{place, place},
                                 "a pragma right before `#pragma scop` needs the statement that is behind "
                                 "that, and tuned code takes its place",
                                 "move the pragma behind `#pragma scop`, where it belongs to the loop"});
      return;
    }
    region.function = around.front();
    std::optional<std::vector<const clang::Stmt*>> statements =
        file_.Statements(*region.function->getBody(), begin, end);
    if (!statements) {
      return Refuse(open, "the pragmas cut through a statement",
                    "put `#pragma scop` and `#pragma endscop` into the same block, around whole statements");
    }
    if (statements->empty()) {
      return Refuse(open, "the region holds no statement", "put the loop nest between the two pragmas");
    }
    region.statements = *std::move(statements);
    const absl::string_view text(file_.text().data(), file_.text().size());
    if (const auto original = PlaceOfOriginal(text, region.source.end_offset())) {
      region.original = file_.Statements(*region.function->getBody(), original->first, original->second)
                            .value_or(std::vector<const clang::Stmt*>());
    }
    region.source.set_function(NameOfFunction(*region.function));
    found_.regions.push_back(std::move(region));
  }

  const std::string& instance_;
  const TranslationUnit& unit_;
  clang::ASTContext& ast_;
  const clang::SourceManager& manager_;
  const MainFile file_;
  const WrittenTokens tokens_;
  FoundRegions found_;
};

}  // namespace

void NameRegions(std::vector<FoundRegion>* regions) {
  std::map<std::string, int> number, seen;
  for (const FoundRegion& region : *regions) ++number[region.source.function()];
  for (FoundRegion& region : *regions) {
    const std::string& function = region.source.function();
    region.scop_name = number[function] == 1 ? function : absl::StrCat(function, "#", ++seen[function]);
  }
}

FoundRegions FindRegions(const TranslationUnit& unit, const std::string& instance) {
  return Finder(unit, instance).Find();
}

}  // namespace tune
