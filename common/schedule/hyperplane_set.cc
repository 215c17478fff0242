#include "common/schedule/hyperplane_set.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_join.h"
#include "common/isl/constraint.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

constexpr int64_t kLargestCoefficient = 2;
constexpr size_t kAllCombinations = 4;  // iterators of a statement, at most, of which all are tried

int NonZeros(const Hyperplane& row) {
  return static_cast<int>(std::count_if(row.begin(), row.end(), [](int64_t c) { return c != 0; }));
}

bool IsPrimitive(const Hyperplane& row) {
  int64_t divisor = 0;
  for (const int64_t coefficient : row) divisor = std::gcd(divisor, coefficient);
  return divisor == 1;
}

bool BeginsNegative(const Hyperplane& row) {
  const auto first = std::find_if(row.begin(), row.end(), [](int64_t c) { return c != 0; });
  return first != row.end() && *first < 0;
}

Hyperplane Negated(Hyperplane row) {
  for (int64_t& coefficient : row) coefficient = -coefficient;
  return row;
}

// Single coefficients first, positive before negative ones, outer iterators before inner ones.
bool IsSimpler(const Hyperplane& a, const Hyperplane& b) {
  const auto sum = [](const Hyperplane& row) {
    return std::accumulate(row.begin(), row.end(), int64_t{0},
                           [](int64_t s, int64_t c) { return s + (c < 0 ? -c : c); });
  };
  if (NonZeros(a) != NonZeros(b)) return NonZeros(a) < NonZeros(b);
  if (sum(a) != sum(b)) return sum(a) < sum(b);
  if (BeginsNegative(a) != BeginsNegative(b)) return BeginsNegative(b);
  return a > b;
}

void Enumerate(size_t dimensions, Hyperplane& row, std::vector<Hyperplane>& rows) {
  if (row.size() == dimensions) {
    if (IsPrimitive(row)) rows.push_back(row);
    return;
  }
  for (int64_t c = -kLargestCoefficient; c <= kLargestCoefficient; ++c) {
    row.push_back(c);
    if (dimensions <= kAllCombinations || NonZeros(row) <= 2) Enumerate(dimensions, row, rows);
    row.pop_back();
  }
}

// Rows in echelon form.
class RowSpace {
 public:
  // What is left of `row` beside those of the space.
  Hyperplane Reduce(Hyperplane row) const {
    for (const auto& [pivot, basis] : rows_) {
      const int64_t factor = row[pivot];
      if (factor == 0) continue;
      for (size_t i = 0; i < row.size(); ++i) row[i] = row[i] * basis[pivot] - factor * basis[i];
      DivideByGcd(row);
    }
    return row;
  }

  bool Has(const Hyperplane& row) const { return NonZeros(Reduce(row)) == 0; }

  void Add(const Hyperplane& row) {
    const Hyperplane rest = Reduce(row);
    const auto first = std::find_if(rest.begin(), rest.end(), [](int64_t c) { return c != 0; });
    if (first != rest.end()) rows_.emplace_back(first - rest.begin(), rest);
  }

 private:
  static void DivideByGcd(Hyperplane& row) {
    int64_t divisor = 0;
    for (const int64_t c : row) divisor = std::gcd(divisor, c);
    if (divisor == 0) return;
    for (int64_t& c : row) c /= divisor;
  }

  std::vector<std::pair<size_t, Hyperplane>> rows_;
};

// What the statement's instances at equal rows have in common: those rows, and the equalities of its domain.
RowSpace KnownRows(const StatementGroup& group, const std::string& statement) {
  RowSpace known;
  for (const ScheduleRow& row : group.rows()) {
    if (const auto hyperplane = HyperplaneOf(row.times.at(statement))) known.Add(*hyperplane);
  }
  const isl::basic_set hull = group.domains().at(statement).affine_hull();
  const int dimensions = Dimensions(hull, isl_dim_set);
  for (const Constraint& constraint : ConstraintsOf(hull)) {
    if (constraint.HasDivs()) continue;
    Hyperplane equality;
    for (int d = 0; d < dimensions; ++d) equality.push_back(constraint.Coefficient(isl_dim_set, d).num_si());
    known.Add(equality);
  }
  return known;
}

std::vector<Hyperplane> CandidatesOf(const StatementGroup& group, const std::string& statement,
                                     const Hyperplanes& suggested) {
  const size_t dimensions = Dimensions(group.domains().at(statement), isl_dim_set);
  std::vector<Hyperplane> rows;
  if (group.IsComplete(statement)) {
    rows.push_back(Hyperplane(dimensions, 0));
    for (size_t d = 0; d < dimensions; ++d) {
      rows.push_back(Hyperplane(dimensions, 0));
      rows.back()[d] = 1;
    }
  } else {
    Hyperplane row;
    Enumerate(dimensions, row, rows);
    const RowSpace known = KnownRows(group, statement);
    rows.erase(std::remove_if(rows.begin(), rows.end(), [&](const Hyperplane& r) { return known.Has(r); }),
               rows.end());
    std::sort(rows.begin(), rows.end(), IsSimpler);
  }
  const auto suggestion = suggested.find(statement);
  if (suggestion == suggested.end()) return rows;
  // First, so that the search for others' rows meets it first.
  rows.erase(std::remove(rows.begin(), rows.end(), suggestion->second), rows.end());
  rows.insert(rows.begin(), suggestion->second);
  return rows;
}

}  // namespace

HyperplaneSet::HyperplaneSet(const StatementGroup& component, const Hyperplanes& suggested)
    : statements_(component.statements()), distances_(component.dependences()) {
  const auto first = suggested.find(statements_.front());
  if (first != suggested.end()) suggested_ = first->second;
  for (const std::string& statement : statements_) {
    candidates_.push_back(CandidatesOf(component, statement, suggested));
    KeepValid({}, candidates_.size() - 1, /*parallel=*/false, candidates_.back());
  }
}

bool HyperplaneSet::IsValid(const std::vector<Hyperplane>& chosen, size_t index, const Hyperplane& row,
                            bool parallel) const {
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (!distances_.CanAgree(statements_[i], chosen[i], statements_[index], row)) return false;
  }
  Hyperplanes rows = {{statements_[index], row}};
  for (size_t i = 0; i < chosen.size(); ++i) rows[statements_[i]] = chosen[i];
  return distances_.Shifts(rows, parallel).has_value();
}

void HyperplaneSet::KeepValid(const std::vector<Hyperplane>& chosen, size_t index, bool parallel,
                              std::vector<Hyperplane>& rows) const {
  const auto is_invalid = [&](const Hyperplane& row) { return !IsValid(chosen, index, row, parallel); };
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_invalid), rows.end());
}

bool HyperplaneSet::Completes(std::vector<Hyperplane>& chosen, const Candidates& candidates, bool parallel,
                              int& tries) const {
  if (candidates.empty()) return true;
  if (++tries > kMostTries) return false;
  if (candidates.size() == 1) return HasValid(chosen, parallel, candidates.front());
  Candidates left = candidates;
  for (size_t i = 0; i < left.size(); ++i) {
    KeepValid(chosen, chosen.size() + i, parallel, left[i]);
    if (left[i].empty()) return false;
  }
  const std::vector<Hyperplane> next = std::move(left.front());
  left.erase(left.begin());
  for (const Hyperplane& row : next) {
    chosen.push_back(row);
    const bool found = Completes(chosen, left, parallel, tries);
    chosen.pop_back();
    if (found) return true;
  }
  return false;
}

bool HyperplaneSet::HasValid(const std::vector<Hyperplane>& chosen, bool parallel,
                             const std::vector<Hyperplane>& rows) const {
  const auto is_valid = [&](const Hyperplane& row) { return IsValid(chosen, chosen.size(), row, parallel); };
  // Statements often take the row of the one before.
  const auto same = std::find(rows.begin(), rows.end(), chosen.back());
  return (same != rows.end() && is_valid(*same)) || std::any_of(rows.begin(), rows.end(), is_valid);
}

std::vector<Hyperplane> HyperplaneSet::Options(const std::vector<Hyperplane>& chosen, bool parallel) {
  const auto [entry, inserted] = options_.try_emplace({chosen, parallel});
  std::vector<Hyperplane>& options = entry->second;
  if (!inserted) return options;
  std::vector<Hyperplane> rows = chosen;
  std::vector<Hyperplane> valid = candidates_[chosen.size()];
  KeepValid(chosen, chosen.size(), parallel, valid);
  Candidates left(candidates_.begin() + static_cast<long>(chosen.size()) + 1, candidates_.end());
  for (size_t i = 0; i < left.size(); ++i) KeepValid(chosen, chosen.size() + 1 + i, parallel, left[i]);
  for (const Hyperplane& row : valid) {
    rows.push_back(row);
    int tries = 0;
    if (Completes(rows, left, parallel, tries)) options.push_back(row);
    rows.pop_back();
  }
  if (chosen.empty()) {
    const std::vector<Hyperplane> all = options;
    const auto is_mirrored = [&](const Hyperplane& row) {
      const Hyperplane mirror = Negated(row);
      if (row == suggested_ || std::find(all.begin(), all.end(), mirror) == all.end()) return false;
      return BeginsNegative(row) || mirror == suggested_;
    };
    options.erase(std::remove_if(options.begin(), options.end(), is_mirrored), options.end());
  }
  std::sort(options.begin(), options.end(), IsSimpler);
  return options;
}

std::optional<Hyperplane> HyperplaneOf(const isl::pw_aff& time) {
  if (!time.isa_aff()) return std::nullopt;
  const isl::aff function = time.as_aff();
  if (HasDivs(function) || !Denominator(function).is_one()) return std::nullopt;
  Hyperplane row;
  for (int d = 0; d < Dimensions(function, isl_dim_in); ++d) {
    const isl::val c = Coefficient(function, isl_dim_in, d);
    row.push_back(c.num_si());
  }
  return row;
}

isl::pw_aff TimeOf(const isl::set& domain, const Hyperplane& row, int64_t shift) {
  isl::aff time = isl::aff::zero_on_domain(domain.space());
  for (size_t d = 0; d < row.size(); ++d) time = WithCoefficient(time, isl_dim_in, d, row[d]);
  return isl::pw_aff(WithConstant(time, shift));
}

bool IsSkewed(const Hyperplane& row) { return NonZeros(row) > 1; }

std::string HyperplaneText(const Hyperplane& row) { return absl::StrCat("[", absl::StrJoin(row, ","), "]"); }

}  // namespace tune
