// Variables that stand for containers, and for members of objects, in a region's text.
#pragma once

#include <clang/AST/Type.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/extract/cpp/opened_member.h"
#include "client/extract/cpp/standard_container.h"
#include "client/extract/pointers/row_table.h"
#include "client/extract/region/region_finder.h"
#include "client/extract/structures/member_read.h"

namespace clang {
class Expr;
class FieldDecl;
class NamedDecl;
class ValueDecl;
}  // namespace clang

namespace tune {

// An object, and how the program calls it before the region.
struct NamedObject {
  const clang::ValueDecl* base;  // a variable, or the function for whose object `this` stands
  StandardContainer type;        // of containers
  std::string text, name;        // C++: "m.data", "this"; the part of names of variables: "tune_m_data"
  clang::QualType class_type = {};
};

// The variables that are declared before a region, in order of their first use.
class StandIns {
 public:
  // All must outlive it. Nothing here stands for what is in `apart`.
  StandIns(const clang::ASTContext& ast, const FoundRegion& region,
           const std::set<const clang::ValueDecl*>& apart);

  // A variable, or a member of it or of what `this` points to, by way of members that are structures; nothing
  // for other expressions.
  std::optional<NamedObject> ObjectAt(const clang::Expr& expression) const;
  // The same where it is a container.
  std::optional<NamedObject> ContainerAt(const clang::Expr& expression) const;
  // The object that a member function is called for: the same, or what `this` points to.
  std::optional<NamedObject> ObjectOfCall(const clang::Expr& expression) const;
  // A member of an object that may be private: a reference stands for it then, which the text names. Nothing
  // where there can be none.
  std::optional<NamedObject> MemberOf(const NamedObject& object, const clang::FieldDecl& field);

  // Whether the text may rely on what a constant or a type is that the class may keep private: in builds
  // where it is something else the original runs.
  bool OpenName(const clang::NamedDecl& name);

  // Data decide about elements of the container.
  void Choose(const NamedObject& object) { chosen_.insert(object.text); }
  // The same of all containers that accessors lead to.
  void ChooseMembers() { chooses_members_ = true; }
  bool ChoosesMembers() const { return chooses_members_; }
  // A reference to an array where it was to a container.
  void AddRow(const clang::ValueDecl& variable) { rows_.insert(&variable); }
  // Whether something stands for a part of the variable.
  bool HasBase(const clang::ValueDecl* variable) const { return bases_.count(variable) > 0; }

  // Why the last private member has nothing that stands for it; or empty.
  const std::string& problem() const { return problem_; }
  // Whether arrays that are members have something that stands for them.
  bool HasArrays() const { return has_arrays_; }

  // The text that stands for the elements of a container; for the size of what so many subscripts lead to;
  // for the value of a member, or an array that is one. Empty where the variable's name has another meaning.
  std::string Elements(const NamedObject& object);
  // The same as a pointer that the region sets. Empty where data decide about elements, too.
  std::string SetElements(const NamedObject& object);
  std::string Size(const NamedObject& object, int depth);
  std::string Value(const NamedObject& member);
  // The same of an array as a pointer to its first element, whose rows may have any length.
  std::string Pointer(const NamedObject& array);
  // The same of the value of an integer at a place of an array that is a member, or a container that holds
  // its elements. Empty too where none is to stand for such.
  std::string Cell(const NamedObject& array, uint64_t place, clang::QualType type);
  // Lets nothing stand for values at places of arrays.
  void TakeNoCells() { takes_cells_ = false; }
  // Whether something stands for the value of an element, and something for all elements, of the same array.
  bool HasCellsOfArrays() const;

  // Of a vector of vectors: the text that stands for its rows, an array in two dimensions; for the number of
  // these; for the length of the first one, or of any. Empty as above.
  std::string Rows(const NamedObject& vectors);
  std::string RowCount(const NamedObject& vectors);
  std::string RowLength(const NamedObject& vectors, bool any);

  // Where the vectors have different sizes the original runs.
  void CheckSameSize(const NamedObject& a, const NamedObject& b);
  // In builds where the object is of another class the original runs.
  void CheckClass(const NamedObject& object);

  MemberReads Take() { return std::move(reads_); }
  std::vector<RowTable> TakeTables() { return std::move(tables_); }

 private:
  MemberRead ElementsOf(const NamedObject& object) const;
  std::string Stands(const NamedObject& object, const MemberRead& read);
  std::string CanonicalName(clang::QualType type) const;
  const OpenedMember* OpenField(const clang::FieldDecl& field);
  const OpenedMember* Open(const clang::NamedDecl& member, OpenedMember::Kind kind);
  bool AddCondition(std::string condition);
  RowTable* TableOf(const NamedObject& vectors);
  bool HasChosenSize(const NamedObject& object) const;
  static bool IsHidden(const NamedObject& object, const clang::FieldDecl& field);

  const clang::ASTContext& ast_;
  const FoundRegion& region_;
  const std::set<const clang::ValueDecl*>& apart_;
  MemberReads reads_;
  std::vector<RowTable> tables_;
  std::set<std::string> chosen_;              // containers of which data decide about elements
  std::map<std::string, std::string> texts_;  // of variables
  std::set<std::string> checked_;             // objects whose types are conditions
  std::set<const clang::ValueDecl*> bases_;   // of what they stand for
  std::set<const clang::ValueDecl*> rows_;
  std::string problem_;
  std::set<std::string> cell_arrays_, whole_arrays_;  // in which values, or all elements, are stood for
  bool chooses_members_ = false, has_arrays_ = false, takes_cells_ = true;
};

}  // namespace tune
