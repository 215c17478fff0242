// Accesses of a region outside of its arrays, at the sizes that code is made for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Elements from an array's first one to the end of the memory that its pointer leads to, by the arrays'
// names, as far as that is known.
using KnownMemory = std::map<std::string, int64_t>;

// "line 7: a[100] of 100 elements, where i = 100", of an access outside of an array of C, or behind the end
// of known memory, that no condition on data can prevent at the reference's sizes, or of a write that one may
// prevent: tuned code stores there what it finds. Empty where there is none. Errors: those of
// IslContext::Run.
absl::StatusOr<std::string> FindOutsideAccess(const v1::Scop& scop, const v1::Reference& reference,
                                              const KnownMemory& memory = {});

// FAILED_PRECONDITION, with that line and what to do, where there is one. What isl cannot tell in its limits
// is taken for right.
absl::Status CheckInside(const v1::Scop& scop, const v1::Reference& reference,
                         const KnownMemory& memory = {});
// That error. `wrong`: what is to be corrected if not the size of the array.
absl::Status LeavesArray(const std::string& access, const std::string& wrong = "the bound of the loop");

// An array that data may lead outside of: accesses to elements that they decide, or that they allow.
struct DoubtfulArray {
  std::string name;
  std::vector<int64_t> extents;
  int64_t elements = 0;       // that there are
  bool by_subscript = false;  // data decide about elements: each subscript has to be less than its extent
};
// Those whose sizes are known. Errors: those of IslContext::Run.
absl::StatusOr<std::vector<DoubtfulArray>> FindDoubtfulArrays(const v1::Scop& scop,
                                                              const v1::Reference& reference,
                                                              const KnownMemory& memory = {});

// "line 7: a[100] of 100 elements, where i = 100" of an element, and an instance of the statement.
std::string DescribeOutside(const v1::Statement& statement, const std::vector<int64_t>& iterators,
                            const DoubtfulArray& array, const std::vector<int64_t>& subscripts);

}  // namespace tune
