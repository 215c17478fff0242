// Random walks that check what they are asked.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/common/testing/random_chooser.h"

namespace tune::testing {

// Draws any allowed option, and checks the points that it is asked.
class CheckedRandomChooser : public RandomChooser {
 public:
  using RandomChooser::RandomChooser;

  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    EXPECT_FALSE(point.options.empty()) << point.key;
    EXPECT_EQ(point.options.size(), point.allowed.size()) << point.key;
    EXPECT_TRUE(keys_.insert(point.key).second) << point.key << " is asked twice";
    EXPECT_TRUE(point.default_option >= 0 && point.default_option < static_cast<int>(point.options.size()) &&
                point.allowed[point.default_option])
        << point.key;
    EXPECT_EQ(std::set<std::string>(point.options.begin(), point.options.end()).size(), point.options.size());
    return RandomChooser::Choose(point);
  }

 private:
  std::set<std::string> keys_;
};

}  // namespace tune::testing
