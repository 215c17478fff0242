// What a path through a kernel has done to the copies of its tiles in shared memory.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device_program.h"

namespace tune {

// Of one copy of a tile. `open`: no barrier since.
struct CopyState {
  bool fill_open = false;
  bool read_open = false;
  // Asynchronous copies into it that the thread has not waited for: so many groups have been committed since.
  std::optional<int64_t> groups;

  bool operator==(const CopyState&) const = default;
};

// The states of all tiles, by the number of the copy. Inside of a loop whose iterator says which copy is used
// the numbers are relative: 0 is that of the current iteration. Two paths that meet are joined: what happened
// on one of them has happened.
class CopyStates {
 public:
  // At the begin of a kernel. Another call of a function may have left reads behind.
  explicit CopyStates(const DeviceKernel& kernel);

  // Null: no tile in shared memory, or no such copy.
  CopyState* Find(const std::string& tile, int64_t copy);
  // Of all tiles.
  void Commit();
  void Await(int64_t open);
  void PassBarrier();
  // Number 0 becomes the copy that has number `by` now.
  void Rotate(int64_t by);
  // Each copy may be any other one.
  void Mix();
  void Join(const CopyStates& other);

  bool operator==(const CopyStates&) const = default;

 private:
  template <typename Change>
  void ForEach(const Change& change);

  std::map<std::string, std::vector<CopyState>> tiles_;
};

}  // namespace tune
