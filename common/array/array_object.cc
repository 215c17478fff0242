#include "common/array/array_object.h"

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"

namespace tune {

const std::string& ObjectName(const v1::Array& array) {
  return array.object().empty() ? array.name() : array.object();
}

bool HaveOneObject(const v1::Array& a, const v1::Array& b) {
  return !a.object().empty() && a.object() == b.object();
}

int ObjectDimensions(const v1::Array& array) {
  if (array.is_flat()) return 1;
  return array.extents_size() - (array.has_structure() ? 1 : 0);
}

std::string FirstElement(const v1::Array& array) {
  if (array.extents_size() == 0) return absl::StrCat(array.is_pointer() ? "*" : "", ObjectName(array));
  std::string element = ObjectName(array);
  for (int i = 0; i < ObjectDimensions(array); ++i) element += "[0]";
  return element;
}

std::string MemberType(const v1::Array& array, bool cpp) {
  if (array.is_truth()) return cpp ? "bool" : "_Bool";
  const std::string& own = array.structure().member_type();
  return own.empty() ? std::string(ElementCType(array.element_type())) : own;
}

std::string IndexedObject(const v1::Array& array, bool is_const) {
  if (!array.has_structure()) return ObjectName(array);
  std::string rows;
  for (int d = 1; d < array.extents_size(); ++d)
    absl::StrAppend(&rows, "[", array.extents(d).c_expression(), "]");
  const bool is_single = ObjectDimensions(array) == 0;
  // C and C++ call truth values differently.
  const std::string type =
      array.is_truth() && array.structure().members_size() > 0
          ? absl::StrCat("__typeof__((", FirstElement(array), ").", array.structure().members(0).path(), ")")
          : MemberType(array, /*cpp=*/false);
  return absl::StrCat("((", is_const ? "const " : "", type, " ",
                      rows.empty() ? "*" : absl::StrCat("(*)", rows), ")", is_single ? "&" : "",
                      ObjectName(array), ")");
}

StructureView ViewOfStructures(const v1::Array& array, const std::string& elements) {
  return {absl::StrCat("__auto_type ", elements, " = ", IndexedObject(array, array.read_only()), ";\n"),
          absl::StrCat("__auto_type ", array.name(), " = ", elements, ";\n")};
}

}  // namespace tune
