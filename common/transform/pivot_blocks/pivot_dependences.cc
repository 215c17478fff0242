#include "common/transform/pivot_blocks/pivot_dependences.h"

#include <set>
#include <string>
#include <utility>

#include "common/isl/relations.h"

namespace tune {
namespace {

class PivotFlow {
 public:
  PivotFlow(const ParsedScop& scop, const std::vector<PivotPiece>& pieces, const Dependences& before)
      : scop_(scop), pieces_(pieces), before_(before), origin_(isl::union_map::empty(scop.domain.ctx())) {
    std::set<std::string> in_loops;
    for (const PivotPiece& piece : pieces) {
      in_loops.insert(piece.name);
      origin_ = origin_.unite(isl::union_map(OriginOf(scop, piece)));
    }
    for (const ParsedStatement& statement : scop.statements) {
      if (in_loops.count(statement.name) > 0) continue;
      others_ = others_.is_null() ? isl::union_set(statement.domain) : others_.unite(statement.domain);
    }
    if (!others_.is_null()) origin_ = origin_.unite(others_.identity());
  }

  // { S -> S } of the scop with copies.
  isl::union_map With(const CopiedPivots& copied) const {
    isl::union_map flow = isl::union_map::empty(scop_.domain.ctx());
    if (!others_.is_null()) flow = FromOrigin(before_.flow.intersect_range(others_));
    std::set<std::pair<const PivotPiece*, int>> reads_copies;
    for (size_t i = 0; i < copied.values.size(); ++i) {
      flow = flow.unite(Through(copied.values[i], copied.copies[i].name));
      for (const PivotReader& reader : copied.values[i].readers)
        reads_copies.insert({reader.piece, reader.access});
    }
    for (const PivotPiece& piece : pieces_) {
      const ParsedStatement& statement = scop_.statement(piece.name);
      for (size_t a = 0; a < statement.accesses.size(); ++a) {
        const PivotReader reader{&piece, static_cast<int>(a)};
        if (!statement.accesses[a].reads() || reads_copies.count({&piece, reader.access}) > 0) continue;
        flow = flow.unite(FromOrigin(SourcesOf(scop_, reader, before_.tagged_flow).reverse()));
      }
    }
    return flow;
  }

 private:
  // { W -> Q } to { W' -> Q }, of the pieces that now write.
  isl::union_map FromOrigin(const isl::union_map& flow) const { return origin_.apply_range(flow); }

  // To the copies, and from them to those that read them.
  isl::union_map Through(const CopiedValue& value, const std::string& name) const {
    isl::union_map flow = isl::union_map::empty(scop_.domain.ctx());
    for (const PivotReader& reader : value.readers) {
      const isl::union_map copy(CopyOf(scop_, reader, value.kept, name));  // { Q -> C }
      const isl::union_map sources = SourcesOf(scop_, reader, before_.tagged_flow);
      flow = flow.unite(copy.reverse()).unite(FromOrigin(sources.reverse().apply_range(copy)));
    }
    return flow;
  }

  const ParsedScop& scop_;
  const std::vector<PivotPiece>& pieces_;
  const Dependences& before_;
  isl::union_map origin_;  // { S of the scop -> S before it had blocks }
  isl::union_set others_;  // { S }: in no loop; may be null
};

}  // namespace

absl::StatusOr<Dependences> PivotDependences(IslContext& context, const ParsedScop& scop,
                                             const std::vector<PivotPiece>& pieces,
                                             const ParsedScop& copied_scop, const CopiedPivots& copied,
                                             const Dependences& before) {
  return context.Run("computing the flow through copies", [&]() -> absl::StatusOr<Dependences> {
    Dependences result = before;  // but for what a schedule must respect
    result.flow = PivotFlow(scop, pieces, before).With(copied);
    TUNE_ASSIGN_OR_RETURN(result.false_dependences, AllFalseDependences(context, copied_scop));
    return result;
  });
}

}  // namespace tune
