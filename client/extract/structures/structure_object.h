// Structures and their members in the syntax tree, where they are values: declared, copied, made of lists.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace tune {

using MemberPath = std::vector<clang::FieldDecl*>;  // from a structure to a member of a member

// In the order of declaration, of paths of one structure.
struct EarlierMember {
  bool operator()(const MemberPath& a, const MemberPath& b) const;
};
using MemberPaths = std::set<MemberPath, EarlierMember>;

bool BeginsWith(const MemberPath& path, const MemberPath& begin);
MemberPath Joined(MemberPath path, const MemberPath& more);
// Without the first `begin` of its members.
MemberPath From(const MemberPath& path, size_t begin);
// What follows `begin` in those of the paths that begin with it.
std::vector<MemberPath> PathsBelow(const MemberPaths& paths, const MemberPath& begin);

// The structure that the type is, where copying one copies its members and does nothing else, and no two of
// them share bytes; else null.
const clang::RecordDecl* PlainStructure(clang::QualType type);

// All numbers of the structure; nothing where it has members of another kind.
std::optional<std::vector<MemberPath>> AllNumbers(const clang::RecordDecl& structure);

// A structure, or a member of one: `root` and what is taken of it by dots.
struct StructureObject {
  clang::Expr* root;
  MemberPath path;
  clang::VarDecl* variable;  // that the root names, or of which it is an element; null for others
  std::vector<clang::Expr*> subscripts = {};  // of the element, outermost first
};
StructureObject ObjectOf(clang::Expr* expression);

// What a structure is set to: another one, or a value for each member; neither: nothing that is known.
struct StructureSource {
  clang::Expr* object = nullptr;
  clang::InitListExpr* members = nullptr;

  bool IsKnown() const { return object != nullptr || members != nullptr; }
};
StructureSource SourceOf(clang::Expr* value);

// `a = b` of whole structures.
struct StructureCopy {
  clang::Expr* target;
  StructureSource source;
};
std::optional<StructureCopy> CopyOf(clang::Stmt* statement);

// Whether the variable is a structure, or an array of structures, whose members may be variables of their
// own.
bool IsStructureValue(const clang::ASTContext& ast, const clang::VarDecl& variable);

// The value that a declaration sets; nothing where it sets none, and false where what it does is not known.
bool InitialSource(const clang::VarDecl& variable, StructureSource* source);

// Why the members of an object may be those of several while they are read or written one by one: what it is;
// empty where it is the same one. `inside`: the variables that the region declares.
std::string WhyNotOneStructure(clang::Expr* object, const std::set<const clang::VarDecl*>& inside);

}  // namespace tune
