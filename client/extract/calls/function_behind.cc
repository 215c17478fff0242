#include "client/extract/calls/function_behind.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/extract/source/main_file.h"
#include "client/extract/source/whole_lines.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

// The first name in a function that is declared behind another one, and not by the function itself.
class NamesBehind : public TreeVisitor {
 public:
  NamesBehind(const clang::SourceManager& manager, const clang::FunctionDecl& around,
              const clang::FunctionDecl& function)
      : manager_(manager), around_(around) {
    TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  }

  // A call is followed where it is read.
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    return llvm::isa<clang::FunctionDecl>(reference->getDecl()) || Note(*reference->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override { return Note(*member->getMemberDecl()); }
  bool VisitTypedefName(clang::TypedefNameDecl* type) override { return Note(*type); }
  bool VisitSizeOf(clang::UnaryExprOrTypeTraitExpr* node) override {
    const clang::Type* const type = node->getTypeOfArgument()->getBaseElementTypeUnsafe();
    const clang::TagDecl* const tag = type->getAsTagDecl();
    return tag == nullptr || Note(*tag);
  }

  std::string found;  // the name; empty: there is none

 private:
  bool Note(const clang::NamedDecl& name) {
    const bool is_own = name.getDeclContext()->isFunctionOrMethod();
    if (!is_own && !manager_.isBeforeInTranslationUnit(name.getLocation(), around_.getLocation()))
      found = name.getNameAsString();
    return found.empty();
  }

  const clang::SourceManager& manager_;
  const clang::FunctionDecl& around_;
};

// What directives from the region's function to the end of the other one change.
class Directives {
 public:
  // `between`: those that stand between the two, in order; `inside`: in the other one.
  static std::string Change(const std::vector<std::string>& between, const std::vector<std::string>& inside) {
    for (const std::vector<std::string>* all : {&between, &inside}) {
      for (const std::string& name : *all) {
        const bool is_harmless =
            name.empty() || IsCondition(name) || name == "line" || name == "error" || name == "warning";
        if (!is_harmless) return absl::StrCat("`#", name, "` may change what words mean");
      }
    }
    const bool decides = std::any_of(inside.begin(), inside.end(), IsCondition) || !IsAsCertain(between);
    return decides ? "`#if` may decide what it is" : "";
  }

 private:
  static bool IsCondition(const std::string& name) {
    return absl::StartsWith(name, "if") || absl::StartsWith(name, "el") || name == "endif";
  }

  // Whether no condition is open behind these directives that was not before the first one.
  static bool IsAsCertain(const std::vector<std::string>& directives) {
    int depth = 0, lowest = 0;
    bool other_branch = false;  // of the condition at the lowest depth
    for (const std::string& name : directives) {
      if (absl::StartsWith(name, "if")) ++depth;
      if (absl::StartsWith(name, "el") && depth == lowest) other_branch = true;
      if (name == "endif" && --depth < lowest) {
        lowest = depth;
        other_branch = false;
      }
    }
    return depth == lowest && !other_branch;
  }
};

}  // namespace

std::string DiffersBehind(const clang::ASTContext& ast, const clang::FunctionDecl& around,
                          const clang::FunctionDecl& function) {
  const clang::SourceManager& manager = ast.getSourceManager();
  if (!manager.isWrittenInMainFile(manager.getExpansionLoc(function.getLocation())))
    return "`#include` may change what words mean";
  const std::string name = NamesBehind(manager, around, function).found;
  if (!name.empty()) return absl::StrCat("`", name, "` is declared");
  const MainFile file(manager);
  const auto place = [&](clang::SourceLocation at) { return file.Offset(manager.getExpansionLoc(at)); };
  const WrittenTokens tokens(ast, file);
  const int64_t begin = place(function.getBeginLoc()), end = place(function.getEndLoc());
  return Directives::Change(tokens.DirectivesIn(place(around.getBeginLoc()), begin),
                            tokens.DirectivesIn(begin, end));
}

}  // namespace tune
