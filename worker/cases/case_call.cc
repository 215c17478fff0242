#include "worker/cases/case_call.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/array_object.h"
#include "common/array/element_type.h"
#include "common/scop/parameter_product.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/case_arguments.h"
#include "worker/cases/plain_expression.h"

namespace tune {

CallArguments ArgumentsOfCall(const ParametricRegion& region) {
  const v1::Scop& scop = region.scop;
  std::vector<std::string> arrays, sizes;
  std::string before, after;
  const std::string integer = "(long long)";
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside()) {
      arrays.push_back("0");
      continue;
    }
    if (array.extents_size() == 0) {
      const std::string copy = absl::StrCat("tune_scalar", arrays.size());
      const std::string object = absl::StrCat(array.is_pointer() ? "*" : "", array.name());
      absl::StrAppend(&before, "  ", ElementCType(array.element_type()), " ", copy, " = ", object, ";\n");
      if (!array.read_only()) absl::StrAppend(&after, "    ", object, " = ", copy, ";\n");
      arrays.push_back(absl::StrCat("(void *)&", copy));
      continue;
    }
    std::string row = IndexedObject(array);
    arrays.push_back(absl::StrCat("(void *)", row));
    for (int d = 0; d < array.extents_size(); ++d) {
      const auto first = region.first_extents.find(array.name());
      if (d > 0 && array.is_flat()) {
        sizes.push_back(absl::StrCat(integer, "(", array.extents(d).c_expression(), ")"));
      } else if (d > 0) {
        sizes.push_back(absl::StrCat(integer, "(sizeof(", row, ") / sizeof(", row, "[0]))"));
      } else if (first != region.first_extents.end()) {
        sizes.push_back(absl::StrCat(integer, "(", UserText(first->second, scop), ")"));
      } else {
        sizes.push_back(absl::StrCat(integer, "(", array.extents(0).c_expression(), ")"));
      }
      row += "[0]";
    }
  }
  for (int i = 0; i < region.own_parameters; ++i)
    sizes.push_back(absl::StrCat(integer, ParameterText(scop.parameters(i))));
  return {absl::StrCat(before, "  void *const tune_arrays[] = {",
                       arrays.empty() ? "0" : absl::StrJoin(arrays, ", "),
                       "};\n  const long long tune_sizes[] = {",
                       sizes.empty() ? "0" : absl::StrJoin(sizes, ",\n      "), "};\n"),
          after};
}

int SizeCount(const ParametricRegion& region) {
  int count = region.own_parameters;
  for (const v1::Array& array : region.scop.arrays()) {
    if (region.own_extents.count(array.name()) == 0) count += array.extents_size();
  }
  return count;
}

std::string SizeDefinitions(const ParametricRegion& region, SizeChoice choice) {
  const bool all = choice == SizeChoice::kAll;
  const int parameters = all ? region.scop.parameters_size() : region.own_parameters;
  std::vector<std::string> names;
  std::string own;
  for (int i = 0; i < region.scop.arrays_size(); ++i) {
    const auto known = region.own_extents.find(region.scop.arrays(i).name());
    for (int d = 0; d < region.scop.arrays(i).extents_size(); ++d) {
      const std::string name = ExtentName(region.names, i, d);
      if (known == region.own_extents.end()) {
        names.push_back(name);
      } else {
        absl::StrAppend(&own, "  [[maybe_unused]] const long long ", name, " = ", PlainText(known->second[d]),
                        ";\n");
      }
    }
  }
  for (int i = 0; i < parameters; ++i) names.push_back(region.scop.parameters(i).name());
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    absl::StrAppend(&text, "  [[maybe_unused]] const long long ", names[i], " = ", HelperPrefix(region.names),
                    "sizes[", i, "];\n");
  if (names.empty()) absl::StrAppend(&text, "  (void)", HelperPrefix(region.names), "sizes;\n");
  return text + own;
}

std::string WithHelperPrefix(const std::string& text, const HelperNames& names) {
  return absl::StrReplaceAll(
      text, {{"tune_region_", "tune_region_"}, {"tune_part_", "tune_part_"}, {"tune_", HelperPrefix(names)}});
}

std::string CallText(const ParametricRegion& region) {
  const CallArguments call = ArgumentsOfCall(region);
  const std::string name = absl::StrCat("tune_region_", CIdentifier(region.scop.name()));
  return absl::StrCat("{\n  extern int ", name, "(void *const *arrays, const long long *sizes);\n",
                      call.definitions, "  if (", name, "(tune_arrays, tune_sizes) == 0) {\n", call.after,
                      "    tune_done = 1;\n  }\n}\n");
}

std::string OriginalDoneCall(const ParametricRegion& region) {
  const CallArguments call = ArgumentsOfCall(region);
  const std::string name = absl::StrCat("tune_original_", CIdentifier(region.scop.name()));
  return absl::StrCat("{\n  extern void ", name, "(void *const *arrays, const long long *sizes);\n",
                      call.definitions, "  ", name, "(tune_arrays, tune_sizes);\n}\n");
}

}  // namespace tune
