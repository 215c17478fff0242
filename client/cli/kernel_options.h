// The words of a kernel's definition as options.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "client/kernels/short_form.h"

namespace tune {

// Of a verb whose FILE is the kernels' source. Options of one kernel follow its --kernel, so their order
// counts.
class KernelOptions {
 public:
  void AddTo(CLI::App& verb);

  // Whether one of them, or the one of this word, was given.
  bool any() const;
  bool Has(const std::string& word) const;
  // Names given with --kernel.
  const std::vector<std::string>& kernels() const;
  // Hands all over to the reader, in the order of the command line. A usage error names the option.
  absl::Status Read(ShortFormReader* reader) const;

 private:
  CLI::App* verb_ = nullptr;
  std::map<std::string, std::vector<std::string>> texts_;  // by word
};

}  // namespace tune
