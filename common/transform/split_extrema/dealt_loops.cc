#include "common/transform/split_extrema/dealt_loops.h"

#include "absl/strings/str_join.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"

namespace tune {

std::optional<DealtLoops> DealtLoops::Of(const ParsedStatement& statement,
                                         const std::vector<isl::pw_aff>& times, const isl::set& values) {
  isl::map time = MapFromDomain(isl::set::universe(statement.domain.space()));  // S -> []
  for (const isl::pw_aff& one : times) {
    const isl::pw_aff simple = one.gist(statement.domain);
    if (!simple.isa_aff()) return std::nullopt;
    time = FlatRangeProduct(time, simple.as_aff().as_map());
  }
  if (!time.is_bijective()) return std::nullopt;
  const isl::pw_multi_aff inverse = time.reverse().as_pw_multi_aff();  // [t] -> S
  if (!inverse.isa_multi_aff()) return std::nullopt;
  const isl::set domain = statement.domain.intersect_params(values);
  const isl::set box = domain.apply(time).project_out_all_params();  // [t]
  if (box.is_empty()) return std::nullopt;
  std::vector<DealtLoop> loops;
  int64_t iterations = 1;
  for (int loop = 0; loop < Dimensions(box, isl_dim_set); ++loop) {
    const isl::val first = box.dim_min_val(loop), last = box.dim_max_val(loop), stride = box.stride(loop);
    if (!first.is_int() || !last.is_int() || !stride.is_int()) return std::nullopt;
    // A loop of one iteration has no stride.
    const int64_t step = last.eq(first) ? 1 : stride.num_si();
    loops.push_back({first.num_si(), step, (last.num_si() - first.num_si()) / step + 1, 1});
    if (loops.back().count > INT32_MAX / iterations) return std::nullopt;
    iterations *= loops.back().count;
  }
  return DealtLoops(std::move(loops), inverse.as_multi_aff());
}

std::vector<int64_t> DealtLoops::Counts() const {
  std::vector<int64_t> counts;
  for (const DealtLoop& loop : loops_) counts.push_back(loop.count);
  return counts;
}

void DealtLoops::Deal(const std::vector<int64_t>& parts) {
  for (size_t i = 0; i < loops_.size(); ++i) loops_[i].parts = parts[i];
}

int64_t DealtLoops::PartCount() const {
  int64_t all = 1;
  for (const DealtLoop& loop : loops_) all *= loop.parts;
  return all;
}

std::vector<std::string> DealtLoops::Iterators(const std::string& part, const std::string& round) const {
  std::vector<std::string> parts, rounds;
  for (size_t i = 0; i < loops_.size(); ++i) {
    if (loops_[i].HasParts()) parts.push_back(absl::StrCat(part, i));
    if (loops_[i].HasRounds()) rounds.push_back(absl::StrCat(round, i));
  }
  parts.insert(parts.end(), rounds.begin(), rounds.end());
  return parts;
}

std::string DealtLoops::Tuple(const std::string& name) const {
  return absl::StrCat(name, "[", absl::StrJoin(Iterators("b", "q"), ", "), "]");
}

std::string DealtLoops::Iteration(const DealtLoop& loop, size_t number) {
  std::vector<std::string> terms;
  if (loop.HasRounds()) terms.push_back(absl::StrCat(loop.parts, " * q", number));
  if (loop.HasParts()) terms.push_back(absl::StrCat("b", number));
  return terms.empty() ? "0" : absl::StrJoin(terms, " + ");
}

isl::multi_aff DealtLoops::Origin(const std::string& name) const {
  std::vector<std::string> times;
  for (size_t i = 0; i < loops_.size(); ++i) {
    times.push_back(
        absl::StrCat(loops_[i].first, " + ", loops_[i].stride, " * (", Iteration(loops_[i], i), ")"));
  }
  const isl::multi_aff time(iterators_.ctx(),
                            absl::StrCat("{ ", Tuple(name), " -> [", absl::StrJoin(times, ", "), "] }"));
  return iterators_.pullback(time).set_range_tuple(NamedId(iterators_.ctx(), name));
}

isl::set DealtLoops::Instances(const ParsedStatement& statement) const {
  std::vector<std::string> bounds;
  for (size_t i = 0; i < loops_.size(); ++i) {
    if (loops_[i].HasParts()) bounds.push_back(absl::StrCat("0 <= b", i, " < ", loops_[i].parts));
  }
  const isl::set parts(iterators_.ctx(), absl::StrCat("{ ", Tuple(statement.name), " : ",
                                                      absl::StrJoin(bounds, " and "), " }"));
  return statement.domain.preimage(Origin(statement.name)).intersect(parts);
}

isl::map DealtLoops::Part(const std::string& name, const std::string& array) const {
  std::string part = "0";
  for (size_t i = 0; i < loops_.size(); ++i) {
    if (loops_[i].HasParts()) part = absl::StrCat(loops_[i].parts, " * (", part, ") + b", i);
  }
  return isl::map(iterators_.ctx(), absl::StrCat("{ ", Tuple(name), " -> ", array, "[", part, "] }"));
}

isl::pw_aff DealtLoops::Number(const std::string& name) const {
  std::string number = "0";
  for (size_t i = 0; i < loops_.size(); ++i)
    number = absl::StrCat(loops_[i].count, " * (", number, ") + ", Iteration(loops_[i], i));
  return isl::pw_aff(iterators_.ctx(), absl::StrCat("{ ", Tuple(name), " -> [(1 + ", number, ")] }"));
}

}  // namespace tune
