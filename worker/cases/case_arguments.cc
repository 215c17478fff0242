#include "worker/cases/case_arguments.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/tuned/device_interface.h"

namespace tune {
namespace {

// Whether a kernel's statements write it, and whether they use it at all.
struct Use {
  bool used = false, written = false;
};

Use UseOf(const ParametricKernel& kernel, const v1::Scop& scop, const std::string& array) {
  Use use;
  for (const v1::Statement& statement : scop.statements()) {
    const auto& own = kernel.statements;
    if (statement.kind() == v1::Statement::KILL ||
        std::find(own.begin(), own.end(), statement.name()) == own.end())
      continue;
    for (const v1::Access& access : statement.accesses()) {
      if (access.array() != array) continue;
      use.used = true;
      use.written = use.written || access.kind() != v1::Access::READ;
    }
  }
  return use;
}

}  // namespace

bool IsMemory(const v1::Array& array) {
  return array.extents_size() > 0 || !array.read_only() || array.declared_inside();
}

std::string HelperPrefix(const HelperNames& names) {
  return names.iterator.substr(0, names.iterator.size() - 1);
}

std::vector<CaseArgument> CaseArguments(const ParametricKernel& kernel, const ParametricRegion& region,
                                        const KernelVariant& variant) {
  const CaseNames names(region.names);
  const std::string prefix = HelperPrefix(region.names), memory = prefix + "memory";
  std::vector<CaseArgument> arguments;
  const std::string integer = absl::StrCat(kCaseIndexType, " ");
  std::vector<CaseArgument> extents;
  std::set<std::string> taken;  // scalars that are parameters, too, are told once
  for (int i = 0; i < region.scop.arrays_size(); ++i) {
    const v1::Array& array = region.scop.arrays(i);
    const Use use = UseOf(kernel, region.scop, array.name());
    if (!use.used) continue;
    const std::string type(ElementCType(array.element_type())), name = CudaIdentifier(array.name());
    taken.insert(array.name());
    if (IsMemory(array)) {
      const std::string pointer = absl::StrCat(use.written ? "" : "const ", type, " *");
      arguments.push_back({absl::StrCat(pointer, "__restrict__ "), name,
                           absl::StrCat("(", pointer, ")", memory, "[", i, "]")});
    } else {
      arguments.push_back({type + " ", name, absl::StrCat("*(const ", type, " *)", memory, "[", i, "]")});
    }
    for (int d = 0; d < array.extents_size(); ++d)
      extents.push_back({integer, ExtentName(region.names, i, d), ExtentName(region.names, i, d)});
  }
  arguments.insert(arguments.end(), extents.begin(), extents.end());
  for (const v1::Parameter& parameter : region.scop.parameters()) {
    if (taken.count(parameter.name()) == 0)
      arguments.push_back({integer, parameter.name(), parameter.name()});
  }
  for (int depth = 0; depth < kernel.host_depth; ++depth)
    arguments.push_back({integer, absl::StrCat(names.host, depth), absl::StrCat(names.host, depth)});
  for (int axis = 0; axis < kernel.axes; ++axis)
    arguments.push_back({integer, absl::StrCat(names.first, axis), absl::StrCat(names.first, axis)});
  if (variant.coarsened) arguments.push_back({integer, names.points, absl::StrCat(prefix, "points")});
  if (variant.cached && kernel.HasStrips())
    arguments.push_back({integer, names.strip_length, absl::StrCat(prefix, "format.K")});
  return arguments;
}

}  // namespace tune
