#include "worker/cases/array_memory.h"

#include "absl/strings/str_cat.h"
#include "common/program/helper_names.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/case_arguments.h"

namespace tune {

void FindInArguments(const ParametricRegion& region, int number, IndexPrinter* indices,
                     std::map<std::string, FlatMemory>* memory) {
  const v1::Array& array = region.scop.arrays(number);
  const std::string name = CudaIdentifier(array.name());
  if (array.extents_size() == 0) {
    indices->SetArrayText(array.name(), IsMemory(array) ? absl::StrCat("(*", name, ")") : name);
    return;
  }
  FlatMemory& found = (*memory)[array.name()];
  found = {name, {}, {}};
  for (int d = 0; d < array.extents_size(); ++d) found.extents.push_back(ExtentName(region.names, number, d));
}

}  // namespace tune
