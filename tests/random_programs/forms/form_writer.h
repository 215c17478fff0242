// Writes statements of random programs, for forms of C that may stand inside one another.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/random_programs/random_expressions.h"

namespace tune::testing {

class FormWriter {
 public:
  // `sizes`: names that have these values. `exact`: the program is compared bit for bit, so that conditions
  // may be about floating-point numbers.
  FormWriter(uint64_t seed, std::vector<Bounded> sizes, bool exact);

  int Pick(int count) { return expressions_.Pick(count); }
  bool Chance(int percent) { return expressions_.Chance(percent); }
  RandomExpressions& expressions() { return expressions_; }
  ProgramScope& scope() { return scope_; }
  const std::vector<Bounded>& sizes() const { return sizes_; }
  bool exact() const { return exact_; }
  // More loops may be opened here.
  bool MayLoop() const { return scope_.iterators().size() < 6 && loops_ < 3 && instances_ < 1500; }
  bool InLoop() const { return loops_ > 0; }

  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&region_, std::string(2 * indent_, ' '), parts..., "\n");
  }
  // A line that ends with a brace, and what is declared until its Close.
  template <typename... Parts>
  void Open(const Parts&... parts) {
    Line(parts..., sizeof...(parts) > 0 ? " {" : "{");
    marks_.push_back(scope_.Enter());
    ++indent_;
  }
  // `tail`: what follows the brace.
  void Close(const std::string& tail = "");
  // Closes a branch and opens the other one. `asks`: under a condition.
  void Otherwise(bool asks);
  // The same for a loop, whose body runs at most `trips` times.
  template <typename... Parts>
  void OpenLoop(int64_t trips, const Parts&... parts) {
    Open(parts...);
    trips_.push_back(std::max<int64_t>(trips, 1));
    instances_ *= trips_.back();
    ++loops_;
  }
  void CloseLoop(const std::string& tail = "");

  // A name that no other has: "t7".
  std::string Fresh(const std::string& stem) { return absl::StrCat(stem, names_++); }
  // Text before the function; in the function before the region; in main before and behind the calls. The
  // same one stands there once.
  void Outside(const std::string& text) { Once(text, &outside_); }
  void Before(const std::string& line) { Once("  " + line, &before_); }
  void Fill(const std::string& line) { Once("  " + line, &fill_); }
  void Print(const std::string& line) { Once("  " + line, &print_); }

  // A number, an element of an array of that rank (0: any variable), a condition of any kind.
  std::string Value(int depth = 2) { return expressions_.Number(depth); }
  std::optional<ProgramArray> Array(size_t rank, bool written);
  std::string Condition();
  // "i < 5", of iterators and sizes.
  std::string IndexCondition() { return expressions_.Condition(); }

  // Statements: an assignment, a form, anything, some of anything; a loop over them.
  void Assignment();
  void Form();
  void Part();
  void Body();
  void Loop();

  const std::string& region() const { return region_; }
  const std::string& outside() const { return outside_; }
  const std::string& before() const { return before_; }
  const std::string& fill() const { return fill_; }
  const std::string& print() const { return print_; }

 private:
  void Once(const std::string& line, std::string* text) {
    if (once_.insert(line).second) absl::StrAppend(text, line, "\n");
  }

  Random random_, data_;
  ProgramScope scope_;
  RandomExpressions expressions_;
  std::vector<Bounded> sizes_;
  bool exact_;
  std::string region_, outside_, before_, fill_, print_;
  std::set<std::string> once_;
  std::vector<ProgramScope::Mark> marks_;
  std::vector<int64_t> trips_;
  int indent_ = 1, names_ = 0, loops_ = 0, parts_ = 0;
  int64_t instances_ = 1;
};

}  // namespace tune::testing
