// What a tuned region's CUDA file offers to programs in C and C++.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// `name` with everything that C does not allow in an identifier replaced by '_'.
std::string CIdentifier(absl::string_view name);

// A name of a C program as a name in CUDA text: with a '_' after it where C++ or CUDA has another use for it.
std::string CudaIdentifier(const std::string& name);

// One argument of the entry points: memory of an array, or a value.
struct DeviceArgument {
  const v1::Array* array = nullptr;  // null: a parameter of the scop, whose value is compared
  std::string name;                  // in the prototype
  std::string type;                  // "const double *", "double ", "int "

  // Memory, in rows one after another, and the element of a scalar that the region writes; else a value.
  bool is_memory() const;
};

// Arrays and scalars in the scop's order but for those declared inside the region, then its parameters.
// They point into the scop.
std::vector<DeviceArgument> DeviceArguments(const v1::Scop& scop);

// "const double *A, double alpha, int n"; of memory alone, of values alone, or of all.
enum class ArgumentChoice { kAll, kMemory, kValues };
std::string DeviceParameters(const std::vector<DeviceArgument>& arguments, ArgumentChoice choice);

// Whether the text of a CUDA file has the entry points of the scop `name`: those of PPCG and of earlier
// versions have none.
bool HasEntryPoints(absl::string_view file, absl::string_view name);

// The header of the CUDA file: C and C++, to be included once or often. `file`: the name of the CUDA file.
std::string PrintDeviceHeader(const v1::Scop& scop, const std::string& file);

}  // namespace tune
