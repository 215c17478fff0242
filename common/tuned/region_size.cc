#include "common/tuned/region_size.h"

#include <algorithm>
#include <set>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

constexpr size_t kLongestTag = 40;

std::vector<SizeValue> AllValues(const v1::Scop& scop, const v1::Reference& reference) {
  std::vector<SizeValue> values;
  for (const v1::Parameter& parameter : scop.parameters()) {
    if (!parameter.factors().empty()) continue;
    for (const v1::ParameterValue& value : reference.parameters()) {
      if (value.name() == parameter.name())
        values.push_back({parameter.name(), absl::StrCat(value.value()), /*is_parameter=*/true});
    }
  }
  for (const v1::Meaning& meaning : scop.meanings()) {
    if (meaning.kind() == v1::Meaning::EXPANSION || meaning.kind() == v1::Meaning::CONSTANT)
      values.push_back({meaning.text(), meaning.value(), /*is_parameter=*/false});
  }
  return values;
}

bool SameInAll(const SizeValue& value, const std::vector<std::vector<SizeValue>>& sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [&](const std::vector<SizeValue>& size) {
    return std::any_of(size.begin(), size.end(), [&](const SizeValue& other) {
      return other.name == value.name && other.value == value.value;
    });
  });
}

// "n500_m700"; empty where that is no identifier.
std::string TagOf(const std::vector<SizeValue>& values) {
  const std::string tag = absl::StrJoin(values, "_", [](std::string* out, const SizeValue& value) {
    absl::StrAppend(out, value.name, value.value);
  });
  return IsCIdentifier(tag) && tag.size() <= kLongestTag ? tag : "";
}

}  // namespace

bool IsInteger(const SizeValue& value) {
  int64_t number = 0;
  return absl::SimpleAtoi(value.value, &number) && value.value == absl::StrCat(number);
}

std::vector<RegionSize> FindSizes(
    const std::vector<std::pair<const v1::Scop*, const v1::Reference*>>& regions) {
  std::vector<std::vector<SizeValue>> all;
  for (const auto& [scop, reference] : regions) all.push_back(AllValues(*scop, *reference));
  std::vector<RegionSize> sizes;
  std::set<std::string> tags;
  for (const std::vector<SizeValue>& values : all) {
    RegionSize& size = sizes.emplace_back();
    for (const SizeValue& value : values) {
      if (all.size() == 1 ? value.is_parameter || IsInteger(value) : !SameInAll(value, all))
        size.values.push_back(value);
    }
    size.text = absl::StrJoin(size.values, ", ", [](std::string* out, const SizeValue& value) {
      absl::StrAppend(out, value.name, " = ", value.value);
    });
    size.tag = TagOf(size.values);
    tags.insert(size.tag);
  }
  if (tags.size() == sizes.size() && tags.count("") == 0) return sizes;
  for (size_t i = 0; i < sizes.size(); ++i) sizes[i].tag = absl::StrCat("size", i + 1);
  return sizes;
}

}  // namespace tune
