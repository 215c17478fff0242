// Seeded random scops: loops of all shapes around statements that share a few small arrays.
#pragma once

#include <string>
#include <vector>

#include "common/base/random.h"
#include "tests/common/testing/scop_builder.h"

namespace tune::testing {

// One parameter n >= 1. Every access is inside its array for every n, so code that is generated from it can
// run.
class RandomScop {
 public:
  // `by_data`: data decide some of the elements.
  explicit RandomScop(uint64_t seed, bool by_data = false)
      : random_(seed), by_data_(by_data), builder_("random", {"n"}, "n >= 1") {
    // Subscripts are at most 2 (n - 1) + 2.
    builder_.Array("x", {}).Array("a", {"2 * n + 1"}).Array("b", {"2 * n + 1", "2 * n + 1"});
    builder_.Array("t", {"2 * n + 1"}, /*declared_inside=*/true);
  }

  v1::Scop Make() {
    const int nests = 1 + Below(3);
    for (int i = 0; i < nests; ++i) Nest(0);
    if (statements_ == 0) Statement();
    return builder_.Build();
  }

 private:
  int Below(int bound) { return static_cast<int>(random_.Below(bound)); }

  void Nest(int depth) {
    const std::string iterator(1, static_cast<char>('i' + depth));
    std::string condition;
    switch (Below(depth == 0 ? 4 : 6)) {
      case 0:
        condition = absl::StrCat("1 <= ", iterator, " < n - 1");
        break;
      case 1:
        condition = absl::StrCat("0 <= ", iterator, " < n and ", iterator, " mod 2 = ", Below(2));
        break;
      case 4:
        condition = absl::StrCat("0 <= ", iterator, " <= ", iterators_.back());
        break;
      case 5:
        condition = absl::StrCat(iterators_.back(), " < ", iterator, " < n");
        break;
      default:
        condition = absl::StrCat("0 <= ", iterator, " < n");
    }
    builder_.Begin(iterator, condition, /*decreasing=*/Below(4) == 0);
    iterators_.push_back(iterator);
    if (Below(6) == 0) builder_.Kill("t", "0");
    const int children = 1 + Below(2);
    for (int i = 0; i < children; ++i) {
      if (depth < 2 && Below(2) == 0) {
        Nest(depth + 1);
      } else {
        Statement();
      }
    }
    iterators_.pop_back();
    builder_.End();
  }

  std::string Subscript() {
    if (iterators_.empty() || Below(8) == 0) return absl::StrCat(Below(3));
    const std::string& one = iterators_[Below(static_cast<int>(iterators_.size()))];
    const std::string& other = iterators_[Below(static_cast<int>(iterators_.size()))];
    switch (Below(6)) {
      case 0:
        return absl::StrCat("n - 1 - ", one);
      case 1:
        return one == other ? absl::StrCat("2 ", one) : absl::StrCat(one, " + ", other);
      case 2:
        return absl::StrCat(one, " + ", 1 + Below(2));
      default:
        return one;
    }
  }

  Element RandomElement() {
    switch (Below(6)) {
      case 0:
        return {"x", ""};
      case 1:
      case 2:
        return {"a", Subscript()};
      case 3:
        return {"t", Subscript()};
      default: {
        const std::string first = Subscript();
        return {"b", absl::StrCat(first, ", ", Subscript())};
      }
    }
  }

  void Statement() {
    ++statements_;
    std::vector<Element> reads;
    v1::Expression value = Literal("0.5");
    const int count = Below(3);
    for (int i = 0; i < count; ++i) {
      reads.push_back(RandomElement());
      value = Add(Multiply(value, Literal("0.5")), Read(i));
    }
    if (by_data_ && Below(2) == 0) {
      reads.push_back({"a", Subscript()});
      reads.push_back({"t", "o", kAnyElement});
      value = Add(value, ElementOf(count + 1, {ToInteger(Read(count))}));
    }
    if (by_data_ && Below(3) == 0) {
      reads.push_back({"b", absl::StrCat(Subscript(), ", ", Subscript())});
      const v1::Expression place = ToInteger(Read(static_cast<int>(reads.size()) - 1));
      builder_.Update(Below(3) == 0 ? v1::MULTIPLY : v1::ADD, {Below(2) == 0 ? "a" : "t", "o", kAnyElement},
                      reads, UpdateOf(value, {place}));
      return;
    }
    const Element target = RandomElement();
    if (Below(2) == 0) {
      builder_.Assign(target, reads, value);
    } else {
      builder_.Update(v1::ADD, target, reads, value);
    }
  }

  static constexpr char kAnyElement[] = "0 <= o <= 2n";  // of an array of one dimension

  Random random_;
  const bool by_data_;
  ScopBuilder builder_;
  std::vector<std::string> iterators_;
  int statements_ = 0;
};

inline v1::Scop MakeRandomScop(uint64_t seed) { return RandomScop(seed).Make(); }
inline v1::Scop MakeRandomDataScop(uint64_t seed) { return RandomScop(seed, /*by_data=*/true).Make(); }

}  // namespace tune::testing
