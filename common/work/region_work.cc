#include "common/work/region_work.h"

#include "common/array/element_type.h"
#include "common/isl/tuple_name.h"
#include "common/scop/scop.h"
#include "common/work/point_count.h"
#include "common/work/statement_operations.h"

namespace tune {
namespace {

// { S -> A }: reads of elements that no data decide, which may be few.
isl::union_map CertainReads(const ParsedScop& scop) {
  isl::union_map reads = isl::union_map::empty(scop.domain.ctx());
  for (const ParsedStatement& statement : scop.statements) {
    if (statement.kind == v1::Statement::KILL) continue;
    for (const ParsedAccess& access : statement.accesses) {
      if (access.reads() && !access.of_data)
        reads = reads.unite(isl::union_map(access.relation.intersect_domain(statement.domain)));
    }
  }
  return reads;
}

// { S -> A }: those of elements that nothing in the region has written or declared before.
isl::union_map FirstReads(const ParsedScop& scop) {
  return isl::union_access_info(CertainReads(scop))
      .set_must_source(scop.writes.unite(scop.kills))
      .set_schedule(scop.schedule)
      .compute_flow()
      .may_no_source();
}

// Of the distinct elements in the range of `accesses`, { S -> A }, that outlive the region.
absl::StatusOr<int64_t> ElementBytes(const ParsedScop& scop, const isl::union_map& accesses,
                                     const isl::set& values) {
  int64_t bytes = 0;
  bool finite = true;
  accesses.intersect_params(values).range().foreach_set([&](const isl::set& elements) {
    const v1::Array& array = scop.array(TupleName(elements));
    if (array.declared_inside()) return;
    const isl::val count = CountPoints(elements.project_out_all_params().coalesce());
    finite = finite && count.is_int();
    if (count.is_int()) bytes += count.num_si() * static_cast<int64_t>(ElementSize(array.element_type()));
  });
  if (!finite) return absl::InternalError("the region accesses an unbounded set of elements");
  return bytes;
}

}  // namespace

absl::StatusOr<v1::RegionWork> CountRegionWork(const v1::Scop& proto,
                                               const std::map<std::string, int64_t>& parameter_values,
                                               const IslContext::Limits& limits) {
  IslContext context(limits);
  return context.Run("counting the region's work", [&]() -> absl::StatusOr<v1::RegionWork> {
    TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> scop, ParseScop(context, proto));
    const isl::set values = ParameterValues(context, parameter_values);
    v1::RegionWork work;
    for (const ParsedStatement& statement : scop->statements) {
      const OperationCounts counts = CountOperations(*scop, statement, values);
      work.set_float_operations(work.float_operations() + counts.in_float);
      work.set_double_operations(work.double_operations() + counts.in_double);
    }
    TUNE_ASSIGN_OR_RETURN(const int64_t read, ElementBytes(*scop, FirstReads(*scop), values));
    TUNE_ASSIGN_OR_RETURN(const int64_t written, ElementBytes(*scop, scop->certain_writes, values));
    work.set_read_bytes(read);
    work.set_written_bytes(written);
    return work;
  });
}

}  // namespace tune
