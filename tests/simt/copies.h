// The asynchronous copies that one thread has begun.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace tune::simt {

struct Copy {
  void* to;
  const void* from;
  size_t bytes;
};

// Groups end in the order in which they were committed.
class Copies {
 public:
  void Begin(const Copy& copy) { begun_.push_back(copy); }

  // What was begun since the last group is one now, be it nothing.
  void Commit();

  // Takes out a copy of the groups before the last `open` ones; less than 0: of all, and of what is in none.
  // Nothing: there are none.
  std::optional<Copy> Next(int open);

 private:
  std::deque<std::vector<Copy>> groups_;
  std::vector<Copy> begun_;
};

}  // namespace tune::simt
