// Lines around a region which check, while the program runs, what makes it a static control part.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/extract/arrays/access_bounds.h"
#include "client/extract/cpp/exchanged_containers.h"
#include "client/extract/pointers/kept_pointers.h"
#include "client/extract/pointers/row_table.h"
#include "client/extract/source/marked_text.h"
#include "client/extract/structures/member_assumption.h"
#include "client/extract/structures/member_read.h"
#include "tune/v1/scop.pb.h"

namespace tune {

class Assumption {
 public:
  Assumption(std::vector<RowTable> tables, MemberReads members, KeptPointers kept,
             ExchangedContainers exchanged)
      : tables_(std::move(tables)),
        members_(std::move(members)),
        kept_(std::move(kept)),
        exchanged_(std::move(exchanged)) {}

  // Reads from the scop of a text with PlaceOf, and what it reaches (AssembledScop::reached), how far its
  // accesses reach; PlaceOf has conditions that hold nowhere before that. FAILED_PRECONDITION as
  // FindAccessBounds.
  absl::Status Learn(const v1::Scop& scop, const std::map<std::string, std::string>& reached);

  // The region with lines around it that set pointers which it sets (kept_pointers.h), and that declare
  // arrays and variables which stand for tables of rows and members, where that is the same
  // (row_assumption.h, member_assumption.h); the original text runs elsewhere. `text`: of the file. `number`:
  // of the region, from 1, among those that get such lines.
  MarkedPlace PlaceOf(absl::string_view text, const v1::SourceRegion& source, bool has_pragmas,
                      int number = 1) const;

  const std::vector<RowTable>& tables() const { return tables_; }
  const MemberReads& members() const { return members_; }

 private:
  std::vector<MemoryRange> Written(int number) const;
  std::string Lines(int number) const;
  bool HasConditions() const { return !tables_.empty() || !members_.uses.empty(); }

  std::vector<RowTable> tables_;
  MemberReads members_;
  KeptPointers kept_;
  ExchangedContainers exchanged_;
  v1::Scop scop_;
  AccessBounds bounds_;
  std::vector<std::string> reached_;  // of groups of members, from 1 on
};

}  // namespace tune
