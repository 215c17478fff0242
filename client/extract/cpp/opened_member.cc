#include "client/extract/cpp/opened_member.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/extract/source/main_file.h"

namespace tune {
namespace {

using OpenedKind = OpenedMember::Kind;

// C++ looks at no member's access where a template is instantiated by its name. `$`: the region's number.
constexpr char kMemberOpener[] =
    "template <class Name, class Type, Type member>\nstruct tune_opener_$ {\n"
    "  friend constexpr auto tune_opened(Name) { return member; }\n};\n";
constexpr char kTypeOpener[] =
    "template <class Name, class Type>\nstruct tune_type_opener_$ {\n"
    "  friend constexpr auto tune_opened(Name) { return static_cast<Type *>(nullptr); }\n};\n";
constexpr char kPartOpener[] =
    "template <class Name, class Type, Type member>\nstruct tune_part_opener_$;\n"
    "template <class Name, class Class, class Part, Part Class::*member>\n"
    "struct tune_part_opener_$<Name, Part Class::*, member> {\n"
    "  friend auto &tune_opened(Name, Class *object) { return object->*member; }\n"
    "  friend auto &tune_opened(Name, const Class *object) { return object->*member; }\n"
    "  friend auto &tune_opened(Name, const void *) {\n    static Part none{};\n    return none;\n  }\n};\n";

std::string OpenerOf(OpenedKind kind) {
  switch (kind) {
    case OpenedKind::kType:
      return kTypeOpener;
    case OpenedKind::kFieldInTemplate:
      return kPartOpener;
    default:
      return kMemberOpener;
  }
}

// `N`: the name, `M`: the member, `C`: the class.
std::string InstanceOf(const OpenedMember& member) {
  const char* text =
      "struct @N {\n  friend constexpr auto tune_opened(@N);\n};\n"
      "template struct tune_opener_$<@N, decltype(@M), @M>;\n";
  if (member.kind == OpenedKind::kType) {
    text =
        "struct @N {\n  friend constexpr auto tune_opened(@N);\n};\n"
        "template struct tune_type_opener_$<@N, @M>;\n";
  } else if (member.kind == OpenedKind::kFieldInTemplate) {
    text =
        "struct @N {\n  friend auto &tune_opened(@N, @C *);\n  friend auto &tune_opened(@N, const @C *);\n"
        "  friend auto &tune_opened(@N, const void *);\n};\n"
        "template struct tune_part_opener_$<@N, decltype(@M), @M>;\n";
  }
  return absl::StrReplaceAll(text, {{"@N", member.name}, {"@M", member.member}, {"@C", member.class_name}});
}

}  // namespace

std::string OpenedField(const OpenedMember& member, const std::string& object) {
  const bool is_this = object == "this";
  if (member.kind == OpenedKind::kFieldInTemplate) {
    return absl::StrCat("tune_opened(", member.name, "(), ",
                        is_this ? object : absl::StrCat("__builtin_addressof(", object, ")"), ")");
  }
  return absl::StrCat(object, is_this ? "->*" : ".*", "tune_opened(", member.name, "())");
}

std::string OpenedIs(const OpenedMember& member, const std::string& type, const std::string& value) {
  const std::string opened = absl::StrCat("tune_opened(", member.name, "())");
  const bool is_type = member.kind == OpenedKind::kType;
  return NamedIs(member.kind, is_type ? absl::StrCat("__typeof__(*", opened, ")") : opened, type, value);
}

std::string NamedIs(OpenedMember::Kind kind, const std::string& name, const std::string& type,
                    const std::string& value) {
  if (kind == OpenedKind::kType) return absl::StrCat("__is_same(", name, ", ", type, ")");
  return absl::StrCat("__is_same(__typeof__(+", name, "), ", type, ") && ", name, " == ", value);
}

std::string OpeningOf(const std::vector<OpenedMember>& members, int number) {
  if (members.empty()) return "";
  std::string text = "namespace { /* tunectl: private members that checks before a region below read */\n";
  for (const OpenedKind kind : {OpenedKind::kField, OpenedKind::kFieldInTemplate, OpenedKind::kType}) {
    const bool is_used = std::any_of(members.begin(), members.end(), [&](const OpenedMember& each) {
      return OpenerOf(each.kind) == OpenerOf(kind);
    });
    if (is_used) text += OpenerOf(kind);
  }
  for (const OpenedMember& each : members) text += InstanceOf(each);
  return absl::StrReplaceAll(text, {{"$", std::to_string(number)}}) + "}  // namespace\n";
}

std::optional<int64_t> PlaceBefore(const clang::ASTContext& ast, const clang::FunctionDecl& function) {
  const clang::FunctionDecl* written = function.getTemplateInstantiationPattern();
  if (written == nullptr) written = &function;
  const clang::Decl* outermost = written;
  if (const auto* made = written->getDescribedFunctionTemplate()) outermost = made;
  while (!outermost->getLexicalDeclContext()->isFileContext())
    outermost = llvm::cast<clang::Decl>(outermost->getLexicalDeclContext());
  if (const auto* made = llvm::dyn_cast<clang::CXXRecordDecl>(outermost);
      made != nullptr && made->getDescribedClassTemplate() != nullptr)
    outermost = made->getDescribedClassTemplate();
  const clang::SourceManager& manager = ast.getSourceManager();
  const clang::SourceLocation begin = outermost->getBeginLoc();
  if (begin.isMacroID() || !manager.isWrittenInMainFile(begin)) return std::nullopt;
  const MainFile file(manager);
  const int64_t offset = file.Offset(begin), line = file.LineBegin(offset);
  const llvm::StringRef before = file.text().slice(static_cast<size_t>(line), static_cast<size_t>(offset));
  return before.trim().empty() ? std::optional<int64_t>(line) : std::nullopt;
}

}  // namespace tune
