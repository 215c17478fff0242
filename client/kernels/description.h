// What `tunectl describe` writes of a source: a definition in the short form, to be filled in.
#pragma once

#include <string>

#include "client/kernels/source_scan.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// `?` stands for what the source does not say; comments say what to do. `kernels`: names of those to
// describe; empty: all. NOT_FOUND, with the kernels that there are, where the source has none of a name, or
// none at all.
absl::StatusOr<std::string> DescribeSource(const SourceScan& source, const std::string& file,
                                           v1::KernelLanguage language,
                                           const std::vector<std::string>& kernels);

}  // namespace tune
