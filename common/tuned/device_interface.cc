#include "common/tuned/device_interface.h"

#include <cctype>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"

namespace tune {
namespace {

// What is in capitals is replaced.
constexpr char kHeader[] = R"(/* Tuned by tunectl: the region NAME of FILE. C and C++.
   Memory is the device's where the comment says so, else the host's; arrays in rows one after another, as the
   region has them. Nothing ends the program: what fails is returned. The code is right for the sizes for which
   it was tuned alone: other values of PARAMETERS are cudaErrorInvalidValue. */
#ifndef TUNE_NAME_H
#define TUNE_NAME_H

#include <stddef.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On memory of the device, as work of `stream`: no allocation, no copy, no synchronisation, and it may be
   captured into a graph. Arrays that are not aligned to the 16 bytes at a time that the code may copy are
   cudaErrorMisalignedAddress: cudaMalloc gives no such memory. `workspace` has NAME_workspace_bytes() bytes of the device's memory, as cudaMalloc
   gives it, and belongs to one call at a time; it may be null where that is 0. The first call on a device
   should not be a captured one: it sets the kernels up. */
size_t NAME_workspace_bytes(void);
cudaError_t NAME_device(ALL, void *workspace, cudaStream_t stream);

/* A handle keeps memory on the current device for all arrays of the region, and the graph of its launches;
   used by one thread at a time. */
typedef struct NAME_handle NAME_handle;
cudaError_t NAME_create(NAME_handle **handle);
/* What the region reads before it writes it, from the host's memory to the handle's. */
cudaError_t NAME_upload(NAME_handle *handle, MEMORY, cudaStream_t stream);
/* The region, on the handle's memory. */
cudaError_t NAME_run(NAME_handle *handle, VALUES, cudaStream_t stream);
/* What the region has written, from the handle's memory to the host's. */
cudaError_t NAME_download(NAME_handle *handle, MEMORY, cudaStream_t stream);
/* The handle's memory of an array, by its place in the call of NAME_upload, from 0 on; null: there is none. */
void *NAME_memory(NAME_handle *handle, int array);
cudaError_t NAME_destroy(NAME_handle *handle);

#ifdef __cplusplus
}
#endif

#endif
)";

}  // namespace

std::string CIdentifier(absl::string_view name) {
  std::string identifier(name);
  for (char& c : identifier) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  if (identifier.empty() || std::isdigit(static_cast<unsigned char>(identifier[0])))
    identifier.insert(0, 1, '_');
  return identifier;
}

std::string CudaIdentifier(const std::string& name) {
  static const auto* const taken = new std::set<std::string>{"alignas",
                                                             "alignof",
                                                             "and",
                                                             "asm",
                                                             "bitand",
                                                             "bitor",
                                                             "bool",
                                                             "catch",
                                                             "char16_t",
                                                             "char32_t",
                                                             "char8_t",
                                                             "class",
                                                             "co_await",
                                                             "co_return",
                                                             "co_yield",
                                                             "compl",
                                                             "concept",
                                                             "const_cast",
                                                             "consteval",
                                                             "constexpr",
                                                             "constinit",
                                                             "decltype",
                                                             "delete",
                                                             "dynamic_cast",
                                                             "explicit",
                                                             "export",
                                                             "false",
                                                             "friend",
                                                             "mutable",
                                                             "namespace",
                                                             "new",
                                                             "noexcept",
                                                             "not",
                                                             "nullptr",
                                                             "operator",
                                                             "or",
                                                             "private",
                                                             "protected",
                                                             "public",
                                                             "reinterpret_cast",
                                                             "requires",
                                                             "static_assert",
                                                             "static_cast",
                                                             "template",
                                                             "this",
                                                             "thread_local",
                                                             "throw",
                                                             "true",
                                                             "try",
                                                             "typeid",
                                                             "typename",
                                                             "using",
                                                             "virtual",
                                                             "wchar_t",
                                                             "xor",
                                                             "threadIdx",
                                                             "blockIdx",
                                                             "blockDim",
                                                             "gridDim",
                                                             "warpSize",
                                                             "min",
                                                             "max",
                                                             "_"};
  return taken->count(name) > 0 ? name + "_" : name;
}

bool DeviceArgument::is_memory() const {
  return array != nullptr && (array->extents_size() > 0 || !array->read_only());
}

std::vector<DeviceArgument> DeviceArguments(const v1::Scop& scop) {
  std::vector<DeviceArgument> arguments;
  // Of other arguments, and of what stands in the functions.
  std::set<std::string> names = {"workspace", "stream", "handle", "array",
                                 "arrays",    "values", "memory", "error"};
  const auto add = [&](const v1::Array* array, const std::string& name, const std::string& type) {
    std::string unique = CudaIdentifier(name);
    while (!names.insert(unique).second) unique += "_";
    arguments.push_back({array, unique, type});
  };
  std::set<std::string> arrays;
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside()) continue;
    arrays.insert(array.name());
    const absl::string_view type = ElementCType(array.element_type());
    const bool memory = array.extents_size() > 0 || !array.read_only();
    add(&array, array.name(),
        memory ? absl::StrCat(array.read_only() ? "const " : "", type, " *") : absl::StrCat(type, " "));
  }
  for (const v1::Parameter& parameter : scop.parameters()) {
    if (arrays.count(parameter.name()) == 0 && parameter.factors().empty())
      add(nullptr, parameter.name(), parameter.c_type() + " ");
  }
  return arguments;
}

std::string DeviceParameters(const std::vector<DeviceArgument>& arguments, ArgumentChoice choice) {
  std::vector<std::string> parameters;
  for (const DeviceArgument& argument : arguments) {
    if (choice == ArgumentChoice::kAll || argument.is_memory() == (choice == ArgumentChoice::kMemory))
      parameters.push_back(argument.type + argument.name);
  }
  return absl::StrJoin(parameters, ", ");
}

bool HasEntryPoints(absl::string_view file, absl::string_view name) {
  return absl::StrContains(file, CIdentifier(name) + "_workspace_bytes(");
}

std::string PrintDeviceHeader(const v1::Scop& scop, const std::string& file) {
  const std::vector<DeviceArgument> arguments = DeviceArguments(scop);
  const auto list = [&](ArgumentChoice choice) {
    const std::string parameters = DeviceParameters(arguments, choice);
    return parameters.empty() ? "" : parameters + ", ";
  };
  std::vector<std::string> parameters;
  for (const DeviceArgument& argument : arguments) {
    if (argument.array == nullptr) parameters.push_back(argument.name);
  }
  return absl::StrReplaceAll(
      kHeader, {{"NAME", CIdentifier(scop.name())},
                {"FILE", file},
                {"PARAMETERS", parameters.empty() ? "parameters" : absl::StrJoin(parameters, ", ")},
                {"ALL, ", list(ArgumentChoice::kAll)},
                {"MEMORY, ", list(ArgumentChoice::kMemory)},
                {"VALUES, ", list(ArgumentChoice::kValues)}});
}

}  // namespace tune
