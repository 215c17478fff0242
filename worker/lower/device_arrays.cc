#include "worker/lower/device_arrays.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "common/isl/tuple_name.h"
#include "common/scop/parameter_values.h"
#include "common/tuned/device_interface.h"

namespace tune {
namespace {

// One more than the largest index of each dimension among `accesses`, { S -> A }.
std::vector<int64_t> UsedExtents(const isl::union_map& accesses, const std::string& name, int dimensions) {
  std::vector<int64_t> extents(dimensions, 1);
  accesses.range().foreach_set([&](const isl::set& set) {
    if (TupleName(set) != name || set.is_empty()) return;
    for (int i = 0; i < dimensions; ++i) {
      const isl::val last = set.dim_max_val(i);
      extents[i] = std::max<int64_t>(extents[i], last.num_si() + 1);
    }
  });
  return extents;
}

// The extents of an array two of whose dimensions are one in this form of the scop, where all are numbers
// (coalesced_loops); nothing where they are not those of `known`.
std::optional<std::vector<int64_t>> MergedExtents(const v1::Array& array, const v1::ArrayExtents& known) {
  std::vector<int64_t> extents(array.extents_size());
  for (int i = 0; i < array.extents_size(); ++i) {
    if (!absl::SimpleAtoi(array.extents(i).c_expression(), &extents[i])) return std::nullopt;
  }
  for (int d = 0; d + 1 < known.extents_size(); ++d) {
    std::vector<int64_t> merged(known.extents().begin(), known.extents().end());
    merged[d] *= merged[d + 1];
    merged.erase(merged.begin() + d + 1);
    if (merged == extents) return extents;
  }
  return std::nullopt;
}

// One an array of the scop.
std::vector<DeviceArray> WithoutExtents(const ParsedScop& scop) {
  std::set<std::string> written;
  for (const ParsedStatement& statement : scop.statements) {
    for (const ParsedAccess& access : statement.accesses) {
      if (access.writes()) written.insert(access.array);
    }
  }
  std::vector<DeviceArray> arrays;
  for (int i = 0; i < scop.proto.arrays_size(); ++i) {
    const v1::Array& array = scop.proto.arrays(i);
    DeviceArray device;
    device.index = i;
    device.scop_name = array.name();
    device.name = CudaIdentifier(array.name());
    device.type = array.element_type();
    device.local = array.declared_inside();
    device.written = written.count(array.name()) > 0;
    device.by_value = array.extents_size() == 0 && !device.written;
    arrays.push_back(std::move(device));
  }
  return arrays;
}

}  // namespace

absl::StatusOr<std::vector<DeviceArray>> DeviceArrays(IslContext& context, const ParsedScop& scop,
                                                      const v1::Reference& reference) {
  std::map<std::string, const v1::ArrayExtents*> known;
  for (const v1::ArrayExtents& extents : reference.arrays()) known[extents.name()] = &extents;
  const std::map<std::string, int64_t> values = ParameterValueMap(reference);
  std::vector<DeviceArray> arrays = WithoutExtents(scop);
  return context.Run("sizes of the arrays", [&]() -> absl::StatusOr<std::vector<DeviceArray>> {
    const isl::union_map accesses =
        scop.reads.unite(scop.writes).intersect_params(ParameterValues(context, values));  // { S -> A }
    for (DeviceArray& device : arrays) {
      const v1::Array& array = scop.proto.arrays(device.index);
      const auto extents = known.find(array.name());
      if (device.local) {
        device.extents = UsedExtents(accesses, array.name(), array.extents_size());
      } else if (extents != known.end() && extents->second->extents_size() == array.extents_size()) {
        device.extents.assign(extents->second->extents().begin(), extents->second->extents().end());
      } else if (auto merged =
                     extents == known.end() ? std::nullopt : MergedExtents(array, *extents->second)) {
        device.extents = *std::move(merged);
      } else if (array.extents_size() > 0) {
        return absl::InvalidArgumentError(absl::StrCat("the reference has no extents of array ", array.name(),
                                                       "; run the reference again"));
      }
    }
    return arrays;
  });
}

std::vector<DeviceArray> NamedDeviceArrays(const ParsedScop& scop, const HelperNames& names,
                                           const std::map<std::string, int64_t>& row_divisors) {
  std::vector<DeviceArray> arrays = WithoutExtents(scop);
  for (DeviceArray& device : arrays) {
    const int dimensions = scop.proto.arrays(device.index).extents_size();
    device.extents.assign(dimensions, 1);
    const auto divisor = row_divisors.find(device.scop_name);
    if (divisor != row_divisors.end() && dimensions > 0) device.extents.back() = divisor->second;
    for (int i = 0; i < dimensions; ++i) device.extent_names.push_back(ExtentName(names, device.index, i));
  }
  return arrays;
}

}  // namespace tune
