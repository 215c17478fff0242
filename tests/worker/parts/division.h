// A region's parts and what they bring back, against going through all instances and elements.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "tests/common/testing/enumeration.h"
#include "worker/cases/parametric_kernel.h"
#include "worker/parts/divided_region.h"
#include "worker/parts/part_slices.h"

namespace tune::testing {

using Values = std::map<std::string, int64_t>;

inline int64_t ValueOf(const IndexExpression& expression, const Values& values) {
  return Evaluate(expression, [&](const std::string& name) { return values.at(name); });
}

// Accesses by instance, { S -> A }, at the values of parameters.
inline Pairs Accesses(const isl::union_map& accesses, IslContext& context, const Values& values) {
  return Enumerate(accesses, ParameterValues(context, values));
}

// The outermost loop's value is that of the first iterator; where it counts down, negated.
inline int64_t LoopValue(const Tuple& instance, bool decreasing) {
  return decreasing ? -instance.second.at(0) : instance.second.at(0);
}

inline bool IsInside(const ArrayBox& box, const std::vector<int64_t>& element, const Values& values) {
  if (ValueOf(box.any, values) == 0) return false;
  for (size_t i = 0; i < element.size(); ++i) {
    if (element[i] < ValueOf(box.first.at(i), values) || element[i] > ValueOf(box.last.at(i), values))
      return false;
  }
  return true;
}

// The subscripts that a slice has along one dimension.
inline std::vector<int64_t> Subscripts(const PartSlice::Dimension& dimension, const Values& values) {
  std::set<int64_t> found;
  const int64_t first = ValueOf(dimension.first, values);
  const int64_t width = std::min(ValueOf(dimension.width, values), dimension.stride);
  for (int64_t run = 0; run < ValueOf(dimension.count, values); ++run) {
    for (int64_t i = 0; i < width; ++i) found.insert(first + run * dimension.stride + i);
  }
  return {found.begin(), found.end()};
}

inline std::set<Tuple> ElementsOf(const PartSlice& slice, const Values& values) {
  if (ValueOf(slice.any, values) == 0) return {};
  std::set<Tuple> elements = {{slice.array, {}}};
  for (const PartSlice::Dimension& dimension : slice.dimensions) {
    std::set<Tuple> longer;
    for (const int64_t subscript : Subscripts(dimension, values)) {
      for (Tuple element : elements) {
        element.second.push_back(subscript);
        longer.insert(std::move(element));
      }
    }
    elements = std::move(longer);
  }
  return elements;
}

// One region and its parts.
class Division {
 public:
  Division(const v1::Scop& scop, const DividedRegion& divided, const ParametricRegion& region,
           const std::vector<PartSlice>& slices)
      : divided_(divided),
        region_(region),
        slices_(slices),
        decreasing_(absl::StartsWith(scop.name(), "backwards")),
        whole_(ParseScop(context_, scop).value()),
        part_(ParseScop(context_, divided.part).value()) {}

  // `exact`: what is brought back is what is written; else it may have elements that nobody writes.
  void Check(const Values& values, bool exact) {
    const Pairs reads = Accesses(whole_->reads, context_, values);
    const Pairs writes = Accesses(whole_->writes, context_, values);
    const int64_t lowest = ValueOf(divided_.lowest, values), highest = ValueOf(divided_.highest, values);
    for (const auto& [instance, element] : writes) {
      EXPECT_GE(LoopValue(instance, decreasing_), lowest);
      EXPECT_LE(LoopValue(instance, decreasing_), highest);
    }
    for (int64_t first = lowest - 1; first <= highest + 1; ++first) {
      for (int64_t end = first + 1; end <= highest + 2; ++end)
        CheckPart(reads, writes, values, {first, end}, exact);
    }
  }

 private:
  struct Range {
    int64_t first, end;
  };

  void CheckPart(const Pairs& reads, const Pairs& writes, Values values, const Range& part, bool exact) {
    values[divided_.first] = part.first;
    values[divided_.end] = part.end;
    const auto is_in_part = [&](const Tuple& instance) {
      const int64_t value = LoopValue(instance, decreasing_);
      return part.first <= value && value < part.end;
    };
    Pairs wanted;
    std::set<Tuple> own, others;
    for (const auto& access : writes) {
      const auto& [instance, element] = access;
      if (is_in_part(instance)) wanted.insert(access);
      if (element.second.empty()) continue;  // of a variable inside
      (is_in_part(instance) ? own : others).insert(element);
    }
    CheckSlices(own, others, values, exact);
    EXPECT_EQ(Accesses(part_->writes, context_, values), wanted) << part.first << " " << part.end;
    for (const auto& [instance, element] : reads) {
      if (!is_in_part(instance) || element.second.empty()) continue;
      EXPECT_TRUE(IsInside(region_.used.at(element.first), element.second, values)) << element.first;
    }
  }

  void CheckSlices(const std::set<Tuple>& own, const std::set<Tuple>& others, const Values& values,
                   bool exact) {
    std::set<Tuple> copied;
    for (const PartSlice& slice : slices_) copied.merge(ElementsOf(slice, values));
    EXPECT_TRUE(!exact || copied == own)
        << ::testing::PrintToString(copied) << ::testing::PrintToString(values);
    for (const Tuple& element : own) EXPECT_EQ(copied.count(element), 1) << ::testing::PrintToString(element);
    for (const Tuple& element : copied) {
      EXPECT_EQ(others.count(element), 0) << ::testing::PrintToString(element);
      EXPECT_TRUE(IsInside(region_.used.at(element.first), element.second, values));
    }
  }

  const DividedRegion& divided_;
  const ParametricRegion& region_;
  const std::vector<PartSlice>& slices_;
  const bool decreasing_;
  IslContext context_;
  const std::shared_ptr<const ParsedScop> whole_, part_;
};

}  // namespace tune::testing
