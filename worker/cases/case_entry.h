// What a CUDA file with cases is entered by, which decides what runs where.
#pragma once

#include <string>

namespace tune {

// Parts of the host's text, in C++.
struct CaseEntry {
  std::string includes;      // lines
  std::string declarations;  // before the functions of kernels
  std::string text;          // behind all else
  bool picks = false;        // it has FUNCTION_pick of each kernel choose the block's format (online_file.h)
};

}  // namespace tune
