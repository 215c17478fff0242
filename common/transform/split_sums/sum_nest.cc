#include "common/transform/split_sums/sum_nest.h"

#include <algorithm>
#include <optional>

#include "common/isl/bounds.h"
#include "common/isl/relations.h"
#include "common/isl/value.h"
#include "common/transform/access_numbers.h"
#include "common/transform/split_sums/common_factor.h"
#include "common/transform/split_sums/sum_terms.h"
#include "common/transform/sum_kernels.h"
#include "common/work/point_count.h"

namespace tune {
namespace {

// The two parallel members that repeat; those that do not repeat say nothing of the order.
std::optional<std::vector<int>> PlaceMembers(const KernelBand& band, int sum_member) {
  std::vector<int> members;
  for (int m = 0; m < band.member_count(); ++m) {
    if (m == sum_member || band.trip_counts[m] == 1) continue;
    if (!band.coincident[m] || (!band.privates.empty() && !band.privates[m].empty())) return std::nullopt;
    members.push_back(m);
  }
  if (members.size() != 2) return std::nullopt;
  return members;
}

// Elements of arrays that the expression reads.
int ElementsRead(const ParsedScop& scop, const ParsedStatement& statement, const v1::Expression& value) {
  const std::vector<int> accesses = AccessesOf(value);
  return static_cast<int>(std::count_if(accesses.begin(), accesses.end(), [&](int access) {
    return scop.array(statement.accesses[access].array).extents_size() > 0;
  }));
}

void CountTerms(const ParsedScop& scop, const ParsedStatement& sum, SumNest* nest) {
  constexpr int kOfProduct = 2;
  nest->reads_more = ElementsRead(scop, sum, sum.proto->value()) > kOfProduct;
  const std::vector<v1::Expression> terms =
      TermsOf(sum.proto->value(), scop.array(sum.target().array).element_type());
  const auto is_product = [&](const v1::Expression& term) {
    return ElementsRead(scop, sum, term) <= kOfProduct;
  };
  if (std::all_of(terms.begin(), terms.end(), is_product)) nest->terms = static_cast<int>(terms.size());
}

double Points(const isl::set& set) { return ToDouble(CountPoints(set.coalesce())); }

// False where the places, { [i, j] }, have no box around them or are not convex.
bool SetPlaces(const isl::set& places, SumNest* nest) {
  for (int i = 0; i < 2; ++i) {
    const isl::val first = places.dim_min_val(i), last = places.dim_max_val(i);
    if (!first.is_int() || !last.is_int()) return false;
    (i == 0 ? nest->row_count : nest->column_count) = last.sub(first).num_si() + 1;
  }
  nest->places = isl::set(places.polyhedral_hull());
  return nest->places.is_equal(places);
}

std::optional<SumNest> NestOf(const Kernel& kernel, const isl::schedule_node_band& band,
                              const ParsedScop& scop, const isl::set& values) {
  const KernelReduction& reduction = *kernel.reduction;
  if (!reduction.along.empty() || reduction.reduced.size() != 1) return std::nullopt;
  const ParsedStatement& sum = scop.statement(reduction.reduced[0]);
  if (!AddsWithoutReading(sum)) return std::nullopt;
  const std::optional<std::vector<int>> members = PlaceMembers(kernel.bands[0], reduction.member);
  if (!members) return std::nullopt;
  const auto row = [&](int member) {
    return ScheduleRow::Of(band.partial_schedule().at(member), kernel.statements);
  };
  SumNest nest;
  nest.sum = sum.name;
  nest.before = reduction.before;
  nest.after = reduction.after;
  nest.rows = row((*members)[0]);
  nest.columns = row((*members)[1]);
  nest.has_factor = FindCommonFactor(scop.proto, *sum.proto).has_value();
  CountTerms(scop, sum, &nest);
  nest.time = row(reduction.member).times.at(sum.name);
  const isl::set instances = sum.domain.intersect_params(values);
  const isl::map place = FlatRangeProduct(nest.rows.times.at(sum.name).as_map(),
                                          nest.columns.times.at(sum.name).as_map())
                             .intersect_domain(instances);  // { S[x] -> [i, j] }
  const isl::map times =
      place.reverse().apply_range(nest.time.as_map()).project_out_all_params();  // { [i, j] -> [t] }
  if (times.is_empty()) return std::nullopt;
  if (!SetPlaces(times.domain().coalesce(), &nest)) return std::nullopt;
  const isl::set all = times.range();
  const isl::val least = all.dim_min_val(0), greatest = all.dim_max_val(0);
  if (!least.is_int() || !greatest.is_int()) return std::nullopt;
  nest.first = least.num_si();
  nest.count = greatest.num_si() - nest.first + 1;
  const double places = Points(nest.places);
  nest.filled = places / static_cast<double>(nest.row_count * nest.column_count);
  nest.share = Points(instances.project_out_all_params()) / (places * static_cast<double>(nest.count));
  nest.begins_apart =
      !nest.before.empty() && !Fix(times, isl_dim_out, 0, least).domain().is_equal(times.domain());
  return nest;
}

}  // namespace

std::vector<SumNest> FindSumNests(const ScheduledScop& scheduled, const ParsedScop& scop,
                                  const isl::set& values) {
  std::vector<SumNest> nests;
  ForEachSum(scheduled, [&](const Kernel& kernel, const isl::schedule_node_band& band) {
    if (auto nest = NestOf(kernel, band, scop, values)) nests.push_back(*std::move(nest));
  });
  return nests;
}

absl::StatusOr<NestsOfSchedule> FindNests(AnalysedScop& analysed, const std::map<std::string, int64_t>& known,
                                          const std::map<std::string, int64_t>& counted,
                                          const ScheduleOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const ScheduledSums sums, ScheduleSums(analysed, known, options));
  IslContext& context = analysed.context();
  NestsOfSchedule found{sums.schedule, {}};
  TUNE_ASSIGN_OR_RETURN(
      found.nests, context.Run("looking for sums", [&]() -> absl::StatusOr<std::vector<SumNest>> {
        return FindSumNests(*sums.scheduled, analysed.scop(), ParameterValues(context, counted));
      }));
  return found;
}

}  // namespace tune
