// C text that takes members of structures for variables, where the region writes none of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/extract/structures/member_read.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Declarations of the variables that stand for the members. `reached`: for groups from 1 on, C text that says
// when the region reads its members; it may have the variables of lower groups.
std::string DeclareMembers(const MemberReads& reads, const std::vector<std::string>& reached);
// The number of the last group.
int GroupsOf(const MemberReads& reads);
// Names of variables of this group and higher ones.
std::vector<std::string> MembersFrom(const MemberReads& reads, int group);
// That the region reads all of them.
std::vector<std::string> MembersAreReached(const MemberReads& reads);

// The region's text, which begins at the offset, with the variables in the members' places.
std::string WithMembers(absl::string_view text, int64_t begin, const MemberReads& reads);
// Where in the file stands what is at this place of such a text.
int64_t PlaceWithoutMembers(int64_t place, int64_t begin, const MemberReads& reads);

// First byte and one past the last of memory, as C expressions of integers.
struct MemoryRange {
  std::string begin, end;
};
// What the array has in memory, from its first element to the last that the region uses. `first_extent`: C
// text of its outermost dimension.
MemoryRange RangeOf(const v1::Array& array, const std::string& first_extent);

// Statements that set tune_apart to 0 where what the region writes has something in it that the members'
// values depend on.
std::string CheckMembers(const MemberReads& reads, const std::vector<MemoryRange>& written);

}  // namespace tune
