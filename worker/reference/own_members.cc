#include "worker/reference/own_members.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/array/structure_places.h"
#include "common/base/file.h"
#include "common/base/untrusted_file.h"

namespace tune {

absl::Status KeepOwnMembers(const v1::Scop& scop, const std::string& records, int64_t limit) {
  for (const v1::Array& array : scop.arrays()) {
    if (array.object().empty()) continue;
    int64_t elements = 0;
    if (!absl::SimpleAtoi(array.extents(array.extents_size() - 1).c_expression(), &elements))
      return absl::InternalError(absl::StrCat("array ", array.name(), ": structures of no size"));
    std::vector<const char*> parts = {"in"};
    if (!array.read_only()) parts.push_back("out");
    for (const char* part : parts) {
      const std::string path = absl::StrCat(records, "/", part, "/", array.name(), ".bin");
      TUNE_ASSIGN_OR_RETURN(std::string bytes, ReadUntrustedFile(path, limit));
      ClearOthers(array.structure(), elements, static_cast<int64_t>(ElementSize(array.element_type())),
                  &bytes);
      TUNE_RETURN_IF_ERROR(WriteFile(path, bytes));
    }
  }
  return absl::OkStatus();
}

}  // namespace tune
