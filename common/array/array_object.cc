#include "common/array/array_object.h"

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"

namespace tune {

int ObjectDimensions(const v1::Array& array) {
  if (array.is_flat()) return 1;
  return array.extents_size() - (array.has_structure() ? 1 : 0);
}

std::string FirstElement(const v1::Array& array) {
  if (array.extents_size() == 0) return absl::StrCat(array.is_pointer() ? "*" : "", array.name());
  std::string element = array.name();
  for (int i = 0; i < ObjectDimensions(array); ++i) element += "[0]";
  return element;
}

std::string IndexedObject(const v1::Array& array, bool is_const) {
  if (!array.has_structure()) return array.name();
  std::string rows;
  for (int d = 1; d < array.extents_size(); ++d)
    absl::StrAppend(&rows, "[", array.extents(d).c_expression(), "]");
  const bool is_single = ObjectDimensions(array) == 0;
  return absl::StrCat("((", is_const ? "const " : "", ElementCType(array.element_type()), " ",
                      rows.empty() ? "*" : absl::StrCat("(*)", rows), ")", is_single ? "&" : "", array.name(),
                      ")");
}

StructureView ViewOfStructures(const v1::Array& array, const std::string& elements) {
  return {absl::StrCat("__auto_type ", elements, " = ", IndexedObject(array, array.read_only()), ";\n"),
          absl::StrCat("__auto_type ", array.name(), " = ", elements, ";\n")};
}

}  // namespace tune
