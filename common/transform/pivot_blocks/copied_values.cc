#include "common/transform/pivot_blocks/copied_values.h"

#include <algorithm>
#include <set>

#include "common/dependence/tagged_flow.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/transform/instance_times.h"
#include "common/transform/plain_subscripts.h"

namespace tune {
namespace {

// { S -> R } of an access at the instances of the statement.
isl::map AtInstances(const ParsedAccess& access, const ParsedStatement& statement) {
  return access.relation.intersect_domain(statement.domain);
}

class CopiedValues {
 public:
  CopiedValues(const ParsedScop& scop, const Dependences& dependences, const std::vector<PivotPiece>& pieces)
      : scop_(scop), dependences_(dependences), pieces_(pieces), times_(InstanceTimes(scop.schedule)) {}

  // Whether a write that asks for a copy comes between the read and the end of the block.
  bool IsOverwritten(const PivotReader& reader) const {
    const ParsedStatement& statement = scop_.statement(reader.piece->name);
    const isl::map read = AtInstances(reader.Access(scop_), statement);
    return std::any_of(pieces_.begin(), pieces_.end(), [&](const PivotPiece& piece) {
      if (piece.loop != reader.piece->loop) return false;
      if (piece.inside == reader.piece->inside && piece.inside.size() == 1) return false;
      const ParsedStatement& writer = scop_.statement(piece.name);
      if (writer.kind != v1::Statement::ASSIGN || writer.target().array != reader.Access(scop_).array)
        return false;
      const isl::map written = AtInstances(writer.target(), writer);
      const isl::union_map pairs(Equate(read.apply_range(written.reverse()), isl_dim_in, 0, isl_dim_out, 0));
      return !pairs.intersect(LexLess(TimesOf(statement), TimesOf(writer))).is_empty();
    });
  }

  // False where the reader cannot read a copy.
  bool Add(const PivotReader& reader) {
    const std::optional<std::vector<int>> kept = Kept(reader);
    if (!kept) return false;
    for (CopiedValue& value : values_) {
      CopiedValue with = value;
      with.readers.push_back(reader);
      if (!IsAlike(value, reader, *kept) || !IsOneValue(with)) continue;
      value = with;
      return true;
    }
    values_.push_back({{reader}, *kept});
    return IsOneValue(values_.back());
  }

  const std::vector<CopiedValue>& values() const { return values_; }

 private:
  isl::union_map TimesOf(const ParsedStatement& statement) const {  // { S -> T }
    return times_.intersect_domain(isl::union_set(statement.domain));
  }

  // Nothing where these are all dimensions, or the element is not affine.
  std::optional<std::vector<int>> Kept(const PivotReader& reader) const {
    const ParsedAccess& access = reader.Access(scop_);
    if (access.of_data) return std::nullopt;
    const std::optional<std::vector<int>> own = SubscriptIterators(access.relation);
    if (!own) return std::nullopt;
    std::set<int> kept(own->begin(), own->end());
    kept.insert(0);
    kept.insert(reader.piece->time);
    const int dimensions = Dimensions(scop_.statement(reader.piece->name).domain, isl_dim_set);
    if (static_cast<int>(kept.size()) == dimensions) return std::nullopt;
    return std::vector<int>(kept.begin(), kept.end());
  }

  // Pieces that write what is read in the very iteration that reads it: a copy for several of them would wait
  // for all, and those that it is for might be what some of them wait for.
  std::set<std::string> WritersOfSameIteration(const PivotReader& reader) const {
    const isl::union_map sources = SourcesOf(scop_, reader, dependences_.tagged_flow);  // { Q -> W }
    std::set<std::string> writers;
    for (const PivotPiece& piece : pieces_) {
      if (piece.loop != reader.piece->loop) continue;
      const isl::union_map written = sources.apply_range(isl::union_map(OriginOf(scop_, piece)).reverse());
      if (written.is_empty()) continue;
      const isl::map pairs = written.as_map();
      if (!Equate(pairs, isl_dim_in, reader.piece->time, isl_dim_out, piece.time).is_empty())
        writers.insert(piece.name);
    }
    return writers;
  }

  // To the same element of Q, inside of the block in the same dimensions of the copy, and to be had at the
  // same time.
  bool IsAlike(const CopiedValue& value, const PivotReader& reader, const std::vector<int>& kept) const {
    const PivotReader& first = value.readers.front();
    if (first.piece->origin != reader.piece->origin || value.kept != kept) return false;
    const isl::map own = WithTupleName(reader.Access(scop_).relation, isl_dim_in, first.piece->name);
    if (!own.is_equal(first.Access(scop_).relation)) return false;
    const auto is_alike = [&](int dimension) {
      return first.piece->inside.count(dimension) == reader.piece->inside.count(dimension);
    };
    return std::all_of(kept.begin(), kept.end(), is_alike) &&
           WritersOfSameIteration(first) == WritersOfSameIteration(reader);
  }

  bool IsOneValue(const CopiedValue& value) const {
    const isl::ctx ctx = times_.ctx();
    isl::union_map sources = isl::union_map::empty(ctx), copies = isl::union_map::empty(ctx);
    for (const PivotReader& reader : value.readers) {
      copies = copies.unite(isl::union_map(CopyOf(scop_, reader, value.kept, "C")));  // { Q -> C }
      sources = sources.unite(SourcesOf(scop_, reader, dependences_.tagged_flow));    // { Q -> W }
    }
    if (!copies.reverse().apply_range(sources).is_single_valued()) return false;
    const isl::union_set before = copies.domain().subtract(sources.domain());
    return sources.domain().apply(copies).intersect(before.apply(copies)).is_empty();
  }

  const ParsedScop& scop_;
  const Dependences& dependences_;
  const std::vector<PivotPiece>& pieces_;
  const isl::union_map times_;  // { S -> T }
  std::vector<CopiedValue> values_;
};

}  // namespace

std::optional<std::vector<CopiedValue>> FindCopiedValues(const ParsedScop& scop,
                                                         const Dependences& dependences,
                                                         const std::vector<PivotPiece>& pieces) {
  CopiedValues found(scop, dependences, pieces);
  for (const PivotPiece& piece : pieces) {
    const ParsedStatement& statement = scop.statement(piece.name);
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const PivotReader reader{&piece, static_cast<int>(a)};
      const ParsedAccess& access = statement.accesses[a];
      const bool own = statement.kind == v1::Statement::ASSIGN && access.array == statement.target().array &&
                       access.relation.is_equal(statement.target().relation);
      if (statement.kind != v1::Statement::ASSIGN || access.kind != v1::Access::READ || own) continue;
      if (found.IsOverwritten(reader) && !found.Add(reader)) return std::nullopt;
    }
  }
  return found.values();
}

isl::map CopyOfAll(const isl::space& space, const std::vector<int>& kept, const std::string& name) {
  isl::map copy = IdentityMap(space.map_from_set());
  for (int d = Dimensions(space, isl_dim_set) - 1; d >= 0; --d) {
    if (std::count(kept.begin(), kept.end(), d) == 0) copy = ProjectOut(copy, isl_dim_out, d, 1);
  }
  return WithTupleName(copy, isl_dim_out, name);
}

isl::map CopyOf(const ParsedScop& scop, const PivotReader& reader, const std::vector<int>& kept,
                const std::string& name) {
  const isl::set& instances = scop.statement(reader.piece->name).domain;
  return CopyOfAll(instances.space(), kept, name).intersect_domain(instances);
}

isl::map OriginOf(const ParsedScop& scop, const PivotPiece& piece) {
  const isl::set& instances = scop.statement(piece.name).domain;
  const isl::map same = IdentityMap(instances.space().map_from_set());
  return WithTupleName(ProjectOut(same, isl_dim_out, 0, 1).intersect_domain(instances), isl_dim_out,
                       piece.origin);
}

isl::union_map SourcesOf(const ParsedScop& scop, const PivotReader& reader, const isl::union_map& flow) {
  const isl::map origin = OriginOf(scop, *reader.piece);
  const isl::union_set tagged = TaggedInstances(origin.range(), reader.piece->origin, reader.access);
  return isl::union_map(origin).apply_range(WithoutTags(flow.intersect_range(tagged)).reverse());
}

}  // namespace tune
