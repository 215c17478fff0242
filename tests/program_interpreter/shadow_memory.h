// Memory of a program that is interpreted, which sees accesses that nothing orders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/program_interpreter/residue.h"

namespace tune::testing {

// Who accesses something, and when: accesses are ordered when their epochs differ, when they are of one
// thread, or of one block in different phases.
struct Agent {
  int64_t epoch = 0;  // counts launches and barriers of all blocks
  int64_t block = 0;
  int64_t phase = 0;  // counts the block's barriers
  int64_t thread = 0;
};

// One element with what was done to it last.
class ShadowElement {
 public:
  // A value that is there from the start, before anybody accesses it.
  void Initialise(std::optional<Residue> value) { value_ = value; }
  // Nothing where nobody has written, or what was written came of such elements.
  const std::optional<Residue>& value() const { return value_; }

  // False when an unordered write came before.
  bool Read(const Agent& agent);
  // False when an unordered access came before. Atomic writes need no order among themselves.
  bool Write(const Agent& agent, std::optional<Residue> value, bool atomic = false);

 private:
  // Accesses of the current epoch, as far as they matter for what comes.
  struct Record {
    Agent agent;
    bool exists = false, several_threads = false, several_blocks = false;
    void Add(const Agent& by);
    bool IsOrderedBefore(const Agent& by) const;
  };

  std::optional<Residue> value_;
  Record reads_, writes_, atomic_writes_;
};

// An array, or all copies of a tile.
struct ShadowArray {
  std::vector<int64_t> extents;  // empty: one element
  std::vector<ShadowElement> elements;

  explicit ShadowArray(std::vector<int64_t> of = {});
  // Nothing where an index is outside.
  std::optional<size_t> PlaceOf(const std::vector<int64_t>& index) const;
};

}  // namespace tune::testing
