#include "common/transform/one_pass/pass_pair.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/transform/sum_kernels.h"

namespace tune {
namespace {

// A whole number; nothing where there is none.
std::optional<int64_t> Number(const isl::val& value) {
  if (!value.is_int()) return std::nullopt;
  return value.num_si();
}

// The only member that is parallel and repeats, beside the sum's; nothing where there is another one.
std::optional<int> PlaceMember(const KernelBand& band, int sum_member) {
  std::optional<int> place;
  for (int m = 0; m < band.member_count(); ++m) {
    if (m == sum_member || band.trip_counts[m] == 1) continue;
    if (place || !band.coincident[m] || (!band.privates.empty() && !band.privates[m].empty()))
      return std::nullopt;
    place = m;
  }
  return place;
}

std::optional<VectorSum> SumOf(const Kernel& kernel, const isl::schedule_node_band& band) {
  const KernelReduction& reduction = *kernel.reduction;
  if (!reduction.along.empty() || reduction.reduced.size() != 1) return std::nullopt;
  const std::optional<int> place = PlaceMember(kernel.bands[0], reduction.member);
  if (!place) return std::nullopt;
  const auto row = [&](int member) {
    return ScheduleRow::Of(band.partial_schedule().at(member), kernel.statements);
  };
  return VectorSum{reduction.reduced[0], reduction.before, reduction.after, row(*place),
                   row(reduction.member)};
}

// A sum with the number of its kernel's launch group.
struct SumOfGroup {
  VectorSum sum;
  int group = 0;
};

std::vector<SumOfGroup> FindSums(const ScheduledScop& scheduled) {
  std::vector<SumOfGroup> sums;
  ForEachSum(scheduled, [&](const Kernel& kernel, const isl::schedule_node_band& band) {
    if (auto sum = SumOf(kernel, band)) sums.push_back({*std::move(sum), kernel.launch_group});
  });
  return sums;
}

class PairReader {
 public:
  PairReader(const ParsedScop& scop, const isl::set& values) : scop_(scop), values_(values) {}

  // Of sums that both read the matrix, if they do so as a pair does.
  std::optional<PassPair> Read(const SumOfGroup& rows, const SumOfGroup& columns,
                               const std::string& matrix) const {
    const std::optional<isl::map> row_reads = OnlyRead(rows.sum.sum, matrix);
    const std::optional<isl::map> column_reads = OnlyRead(columns.sum.sum, matrix);
    if (!row_reads || !column_reads || !AddsWithoutReading(scop_.statement(columns.sum.sum)))
      return std::nullopt;
    const auto row_shift = ShiftOf(rows.sum.places.times.at(rows.sum.sum), *row_reads);
    const auto time_shift = ShiftOf(columns.sum.times.times.at(columns.sum.sum), *column_reads);
    if (!row_shift || !time_shift) return std::nullopt;
    PassPair pair;
    pair.rows = rows.sum;
    pair.columns = columns.sum;
    pair.matrix = matrix;
    pair.row_shift = *row_shift;
    pair.time_shift = *time_shift;
    pair.apart = rows.group == columns.group;
    if (!SetRows(row_reads->range().unite(column_reads->range()), &pair) || !SetPlaces(&pair))
      return std::nullopt;
    return pair;
  }

 private:
  isl::set Instances(const std::string& statement) const {
    return scop_.statement(statement).domain.intersect_params(values_);
  }
  isl::map AtValues(const isl::map& map) const {
    return map.intersect_params(values_).project_out_all_params();
  }

  // The statement's only access to the matrix, { S[x] -> A[a] }, which is a read of another element in each
  // instance.
  std::optional<isl::map> OnlyRead(const std::string& statement, const std::string& matrix) const {
    std::optional<isl::map> read;
    for (const ParsedAccess& access : scop_.statement(statement).accesses) {
      if (access.array != matrix) continue;
      if (read || access.writes() || access.of_data) return std::nullopt;
      read = AtValues(access.relation.intersect_domain(Instances(statement)));
    }
    if (read && !read->is_bijective()) return std::nullopt;
    return read;
  }

  // What has to be added to the function, { S -> [i] }, to get the row that is read, { S -> A[a] }: the same
  // number everywhere.
  std::optional<int64_t> ShiftOf(const isl::pw_aff& function, const isl::map& read) const {
    const isl::map row = WithoutTupleId(ProjectOut(read, isl_dim_out, 1, 1), isl_dim_out);
    const isl::map value = AtValues(function.as_map()).intersect_domain(read.domain());
    const isl::map both = FlatRangeProduct(value, row);  // { S -> [i, a] }
    const isl::set shifts = both.range().apply(isl::map(both.ctx(), "{ [i, a] -> [a - i] }"));
    const std::optional<int64_t> first = Number(shifts.dim_min_val(0)), last = Number(shifts.dim_max_val(0));
    return first && first == last ? first : std::nullopt;
  }

  // `elements`: { A[a] } that are read.
  bool SetRows(const isl::set& elements, PassPair* pair) const {
    const auto first = Number(elements.dim_min_val(0)), last = Number(elements.dim_max_val(0));
    const auto last_column = Number(elements.dim_max_val(1)), first_column = Number(elements.dim_min_val(1));
    if (!first || !last || !last_column || !first_column) return false;
    pair->first_row = *first;
    pair->row_count = *last - *first + 1;
    pair->row_bytes = (*last_column - *first_column + 1) *
                      static_cast<int64_t>(ElementSize(scop_.array(pair->matrix).element_type()));
    return true;
  }

  // That places and elements of the columns' sums are the same.
  bool SetPlaces(PassPair* pair) const {
    const std::string& name = pair->columns.sum;
    const isl::map place =
        AtValues(pair->columns.places.times.at(name).as_map().intersect_domain(Instances(name)));
    const isl::map element = place.reverse().apply_range(AtValues(scop_.statement(name).target().relation));
    if (!element.is_bijective()) return false;
    pair->places = element.domain().coalesce();
    const auto first = Number(pair->places.dim_min_val(0)), last = Number(pair->places.dim_max_val(0));
    if (!first || !last) return false;
    pair->first_column = *first;
    pair->column_count = *last - *first + 1;
    return true;
  }

  const ParsedScop& scop_;
  const isl::set values_;
};

// Arrays of two subscripts that the statement reads.
std::vector<std::string> MatricesOf(const std::string& name, const ParsedScop& scop) {
  std::vector<std::string> matrices;
  for (const ParsedAccess& access : scop.statement(name).accesses) {
    if (!access.writes() && scop.array(access.array).extents_size() == 2) matrices.push_back(access.array);
  }
  return matrices;
}

}  // namespace

std::vector<std::string> VectorSum::Statements() const {
  std::vector<std::string> all = before;
  all.push_back(sum);
  all.insert(all.end(), after.begin(), after.end());
  return all;
}

std::optional<PassPair> FindPassPair(const ScheduledScop& scheduled, const ParsedScop& scop,
                                     const isl::set& values) {
  const std::vector<SumOfGroup> sums = FindSums(scheduled);
  const PairReader reader(scop, values);
  std::optional<PassPair> best;
  for (const SumOfGroup& rows : sums) {
    for (const std::string& matrix : MatricesOf(rows.sum.sum, scop)) {
      for (const SumOfGroup& columns : sums) {
        if (columns.sum.sum == rows.sum.sum) continue;
        auto pair = reader.Read(rows, columns, matrix);
        if (pair && (!best || pair->row_bytes * pair->row_count > best->row_bytes * best->row_count))
          best = std::move(pair);
      }
    }
  }
  return best;
}

}  // namespace tune
