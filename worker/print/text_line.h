// A line of what a node is in CUDA C.
#pragma once

#include <string>

namespace tune {

struct TextLine {
  int indent = 0;  // levels deeper than the node
  bool directive = false;
  std::string text;
};

}  // namespace tune
