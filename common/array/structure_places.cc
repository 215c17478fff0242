#include "common/array/structure_places.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"

namespace tune {
namespace {

struct ObjectBytes {
  int64_t structure = 0;                            // bytes
  std::vector<std::pair<int64_t, int64_t>> places;  // of all arrays, in bytes: first, end
};

// The arrays' last extents have been checked to be numbers.
int64_t ElementsOf(const v1::Array& array) {
  int64_t elements = 0;
  const bool is_number = array.extents_size() > 0 &&
                         absl::SimpleAtoi(array.extents(array.extents_size() - 1).c_expression(), &elements);
  return is_number ? elements : 0;
}

absl::Status AddTo(const v1::Array& array, ObjectBytes* object) {
  const int64_t elements = ElementsOf(array), size = static_cast<int64_t>(ElementSize(array.element_type()));
  if (!array.has_structure() || array.declared_inside())
    return absl::InvalidArgumentError("members of an object that has no structures");
  if (object->structure > 0 && object->structure != elements * size)
    return absl::InvalidArgumentError("structures of one object differ in size");
  object->structure = elements * size;
  for (const v1::Places& places : OwnPlaces(array.structure(), elements))
    object->places.emplace_back(places.first() * size, (places.first() + places.count()) * size);
  return absl::OkStatus();
}

}  // namespace

std::vector<v1::Places> OwnPlaces(const v1::Structure& structure, int64_t elements) {
  std::vector<v1::Places> own;
  int64_t begin = 0;
  const auto append = [&](int64_t end) {
    if (begin >= end) return;
    v1::Places& places = own.emplace_back();
    places.set_first(begin);
    places.set_count(end - begin);
  };
  for (const v1::Places& others : structure.others()) {
    append(others.first());
    begin = others.first() + others.count();
  }
  append(elements);
  return own;
}

void ClearOthers(const v1::Structure& structure, int64_t elements, int64_t size, std::string* bytes) {
  const auto end = static_cast<int64_t>(bytes->size());
  for (int64_t begin = 0; begin + elements * size <= end; begin += elements * size) {
    for (const v1::Places& places : structure.others())
      std::fill_n(bytes->begin() + begin + places.first() * size, places.count() * size, '\0');
  }
}

absl::Status CheckOneObjects(const v1::Scop& scop) {
  std::map<std::string, ObjectBytes> objects;
  for (const v1::Array& array : scop.arrays()) {
    if (array.object().empty()) continue;
    if (const absl::Status status = AddTo(array, &objects[array.object()]); !status.ok())
      return absl::InvalidArgumentError(absl::StrCat("array \"", array.name(), "\": ", status.message()));
  }
  for (auto& [name, object] : objects) {
    std::sort(object.places.begin(), object.places.end());
    for (size_t i = 1; i < object.places.size(); ++i) {
      if (object.places[i].first < object.places[i - 1].second)
        return absl::InvalidArgumentError(absl::StrCat("arrays of `", name, "` have the same members"));
    }
  }
  for (const v1::Array& array : scop.arrays()) {
    if (array.object() != array.name() && objects.count(array.name()) > 0)
      return absl::InvalidArgumentError(
          absl::StrCat("array \"", array.name(), "\" has the name of an object that it is not of"));
  }
  return absl::OkStatus();
}

absl::Status CheckWholeStructures(const v1::Scop& scop) {
  for (const v1::Array& array : scop.arrays()) {
    if (array.object().empty() || array.read_only()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(scop.name(), ": it writes members of the structures `", array.object(),
                     "`, of which it uses members of other types as well, and copies for all sizes are of "
                     "whole structures: use an array for each member, or generate code for given sizes"));
  }
  return absl::OkStatus();
}

}  // namespace tune
