#include "common/scop/known_extents.h"

#include <optional>

#include "common/scop/accessed_extent.h"
#include "common/scop/integer_expression.h"

namespace tune {

absl::StatusOr<std::map<std::string, std::vector<int64_t>>> KnownExtents(
    IslContext& context, const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  std::map<std::string, std::vector<int64_t>> known;
  for (const v1::Array& array : scop.arrays()) {
    std::vector<int64_t> extents;
    for (const v1::Extent& extent : array.extents()) {
      std::optional<int64_t> elements;
      if (!extent.c_expression().empty()) {
        elements = EvaluateInteger(extent.c_expression(), values, nullptr);
      } else {
        TUNE_ASSIGN_OR_RETURN(elements, EvaluateAccessed(context, extent.accessed(), values));
      }
      if (elements && *elements > 0) extents.push_back(*elements);
    }
    if (static_cast<int>(extents.size()) == array.extents_size()) known[array.name()] = std::move(extents);
  }
  return known;
}

}  // namespace tune
