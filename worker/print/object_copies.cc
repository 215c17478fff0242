#include "worker/print/object_copies.h"

#include <algorithm>
#include <map>
#include <string>

namespace tune {
namespace {

int64_t EndOf(const ArraySlice& slice) {
  return slice.offset + (slice.planes - 1) * slice.plane + (slice.rows - 1) * slice.pitch + slice.width;
}

// The bytes from the first to the last of some slices.
class Hull {
 public:
  void Add(const ArraySlice& slice) {
    if (slice.width == 0) return;
    begin_ = end_ == 0 ? slice.offset : std::min(begin_, slice.offset);
    end_ = std::max(end_, EndOf(slice));
  }
  ArraySlice slice() const {
    ArraySlice all;
    all.offset = begin_;
    all.width = end_ - begin_;
    return all;
  }

 private:
  int64_t begin_ = 0, end_ = 0;
};

// Arrays on the device by the object whose members they have.
std::map<std::string, std::vector<int>> Objects(const CudaProgram& program, const v1::Scop& scop) {
  std::map<std::string, std::vector<int>> objects;
  for (int i = 0; i < static_cast<int>(program.arrays.size()); ++i) {
    const int of_scop = program.arrays[i].index;
    if (program.arrays[i].local || program.arrays[i].by_value || of_scop >= scop.arrays_size()) continue;
    const std::string& object = scop.arrays(of_scop).object();
    if (!object.empty()) objects[object].push_back(i);
  }
  return objects;
}

void AddAlone(int array, const ArrayTransfer& transfer, ObjectCopies* copies) {
  if (transfer.in.width > 0) copies->in.push_back({array, transfer.in});
  for (const ArraySlice& slice : transfer.out)
    if (slice.width > 0) copies->out.push_back({array, slice});
}

void AddTogether(const CudaProgram& program, const std::vector<int>& arrays, ObjectCopies* copies) {
  const int largest = *std::max_element(arrays.begin(), arrays.end(), [&](int a, int b) {
    return DeviceBytes(program.arrays[a]) < DeviceBytes(program.arrays[b]);
  });
  Hull in, out;
  for (const int array : arrays) {
    const ArrayTransfer& transfer = program.transfers[array];
    in.Add(transfer.in);
    for (const ArraySlice& slice : transfer.out) {
      in.Add(slice);
      out.Add(slice);
      if (array != largest) copies->gathered.push_back({array, largest, slice});
    }
    if (array != largest && transfer.in.width > 0) copies->spread.push_back({largest, array, transfer.in});
  }
  if (in.slice().width > 0) copies->in.push_back({largest, in.slice()});
  if (out.slice().width > 0) copies->out.push_back({largest, out.slice()});
}

}  // namespace

ObjectCopies CopiesOf(const CudaProgram& program, const v1::Scop& scop) {
  ObjectCopies copies;
  std::vector<bool> together(program.arrays.size(), false);
  for (const auto& [object, arrays] : Objects(program, scop)) {
    if (arrays.size() < 2) continue;
    for (const int array : arrays) together[array] = true;
    AddTogether(program, arrays, &copies);
  }
  for (size_t i = 0; i < program.arrays.size(); ++i) {
    if (!together[i]) AddAlone(static_cast<int>(i), program.transfers[i], &copies);
  }
  return copies;
}

}  // namespace tune
