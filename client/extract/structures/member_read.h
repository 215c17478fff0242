// Members of single structures that a region reads, or that are arrays, as variables of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/extract/cpp/opened_member.h"
#include "client/extract/region/region_finder.h"

namespace clang {
class ASTContext;
class FieldDecl;
class NamedDecl;
class SourceRange;
class Stmt;
}  // namespace clang

namespace tune {

class MainFile;

// A member of a variable that is a structure, or of the one that it points to, by way of members that are
// structures or point to them: s.n, m->data, m->grid->n.
struct MemberRead {
  std::string name;  // of the variable that stands for it: "tune_m_grid_n"
  std::string text;  // C: "m->grid->n"
  std::string type;  // of the variable, as "__typeof__(m->n)", "auto &"; empty for a pointer to an array
  std::vector<std::string> hops;   // pointers that lead to it, which it is behind: "m", "m->grid"
  std::vector<std::string> cells;  // what of memory its value depends on: "m->grid", "m->grid->n"
  // 0: the region reads it, or another one behind the same pointer, whenever it is executed. Else it does
  // where loops around have iterations; members behind one pointer have one number, ascending from the first
  // that the region meets. What is around the first has members of lower numbers alone in its conditions.
  int group = 0;
  std::string value = {};  // C: what the variable is set to, where that is not the text
  bool is_set = false;     // a pointer that the region sets
};

// The value of a member that is a truth value: one that no program has set may be none, and reading it is
// nothing that C defines. And that it is one in a build, an expression.
std::string TruthValueOf(const std::string& member);
std::string IsTruthValue(const clang::ASTContext& ast, const std::string& member);

// Where the region's text has one.
struct MemberUse {
  int64_t offset, length;  // in the main file
  std::string text;        // that takes its place: "tune_m_data", "(*tune_s_table)"
  // Parts of what is there that stay, with what takes places in them; the text has marks of them.
  struct Hole {
    int64_t offset, length;
  };
  std::vector<Hole> holes = {};
};

// What stands for a hole in a text.
std::string MarkOfHole(size_t hole);

// The name of the member without a low line at its ends.
std::string PlainName(const clang::NamedDecl& member);
// Appends "_" and that.
void AppendMember(const clang::FieldDecl& field, std::string* name);

// Without text. Nothing where the range does not stand on one line of the file itself, out of macros.
std::optional<MemberUse> UseAt(const clang::ASTContext& ast, const MainFile& file, clang::SourceRange range);

// The text of the file there.
std::string TextAt(const MainFile& file, const MemberUse& place);

struct MemberReads {
  std::vector<MemberRead> members;           // in order of their first use
  std::vector<MemberUse> uses;               // in textual order
  std::vector<std::string> conditions = {};  // C++ that holds in builds where they can be read so
  std::vector<OpenedMember> opened = {};     // before the function, at byte `opening`
  int64_t opening = 0;
};

// The members of variables that are declared outside of the region, and of which it uses nothing but values
// of numbers, pointers to numbers, and elements of arrays, all written in the file itself, but for those of
// which it uses numbers of one type in arrays and nothing else (structure_member.h): the region computes the
// same with variables that have these values before it, where it writes none of them. Those behind pointers
// that it follows under conditions alone are left out.
// In C++ references stand for numbers that it sets, not behind pointers, and there are members of the object
// that the function is called for. What is in `apart` is not looked at.
MemberReads FindMemberReads(const clang::ASTContext& ast, const FoundRegion& region,
                            const std::set<const clang::Stmt*>& apart = {});

// Uses without holes, none in another: what the holes have is in the text. None of all where one lies in
// another one, and in none of its holes.
MemberReads Filled(const MainFile& file, MemberReads reads);

// Those of both; none where one name stands for two.
MemberReads Joined(MemberReads reads, const MemberReads& others);

}  // namespace tune
