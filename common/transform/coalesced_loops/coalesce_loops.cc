#include "common/transform/coalesced_loops/coalesce_loops.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_join.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/scop/known_extents.h"
#include "common/scop/scop_names.h"
#include "common/transform/coalesced_loops/loop_pair.h"
#include "common/transform/plain_subscripts.h"
#include "common/transform/statement_pullback.h"

namespace tune {
namespace {

constexpr int64_t kRowsOfTile = 128;  // of the tallest tile of a product (thread_tiles/tile_default.cc)
constexpr double kLeastGain = 1.05;

// What part of the rows of its tiles a matrix has.
double FullRows(int64_t rows) {
  const int64_t tiles = (rows + kRowsOfTile - 1) / kRowsOfTile;
  return static_cast<double>(rows) / static_cast<double>(tiles * kRowsOfTile);
}

bool Gains(const LoopPair& pair) {
  return pair.outer > 1 && pair.outer * pair.inner <= INT32_MAX &&
         FullRows(pair.outer * pair.inner) > kLeastGain * FullRows(pair.inner);
}

// Sums of the elements of a matrix, for each iteration of the first loop.
bool IsProduct(const ParsedStatement& statement) {
  if (statement.kind != v1::Statement::ASSIGN || statement.proto->update() == v1::NONE) return false;
  const std::optional<std::vector<int>> places = SubscriptIterators(statement.target().relation);
  return places && places->size() >= 3 &&
         static_cast<int>(places->size()) < statement.proto->iterators_size();
}

// Dimensions of an array that become one: `first` and the next, of so many elements.
struct MergedArray {
  int first;
  int64_t inner;
  std::vector<int64_t> extents;  // what the array has then
};

class LoopCoalescing {
 public:
  // `known`: the parameters' values; `extents`: of arrays of which they are known.
  LoopCoalescing(const ParsedScop& scop, const isl::set& known,
                 const std::map<std::string, std::vector<int64_t>>& extents)
      : scop_(scop),
        known_(known),
        extents_(extents),
        pairs_(FindLoopPairs(scop, known)),
        result_(scop.proto) {}

  std::optional<v1::Scop> Make() {
    if (!Choose() || !MergeAll()) return std::nullopt;
    for (v1::Array& array : *result_.mutable_arrays()) {
      const auto merged = arrays_.find(array.name());
      if (merged == arrays_.end()) continue;
      array.clear_extents();
      for (const int64_t extent : merged->second.extents)
        array.add_extents()->set_c_expression(absl::StrCat(extent));
    }
    result_.set_schedule(IslText(Schedule()));
    return result_;
  }

 private:
  // Chooses pairs and arrays: of products, and then what else is about the same arrays. False: there are
  // none, or some access is not of equal iterators.
  bool Choose() {
    for (size_t i = 0; i < pairs_.size(); ++i) {
      const std::vector<const ParsedStatement*>& inside = pairs_[i].statements;
      const bool products = std::any_of(inside.begin(), inside.end(), [](const ParsedStatement* statement) {
        return IsProduct(*statement);
      });
      if (products && Gains(pairs_[i])) chosen_.insert(i);
    }
    for (size_t before = 0; before != chosen_.size();) {
      before = chosen_.size();
      for (const size_t i : chosen_) {
        for (const ParsedStatement* statement : pairs_[i].statements) {
          if (!AddArrays(*statement, pairs_[i].inner)) return false;
        }
      }
      for (size_t i = 0; i < pairs_.size(); ++i) {
        if (UsesArrays(pairs_[i])) chosen_.insert(i);
      }
    }
    return !chosen_.empty();
  }

  bool UsesArrays(const LoopPair& pair) const {
    for (const ParsedStatement* statement : pair.statements) {
      for (const ParsedAccess& access : statement->accesses) {
        if (arrays_.count(access.array) > 0) return true;
      }
    }
    return false;
  }

  // False where the pair's iterators are subscripts otherwise than side by side.
  bool AddArrays(const ParsedStatement& statement, int64_t inner) {
    for (const ParsedAccess& access : statement.accesses) {
      if (!Involves(access.relation, isl_dim_in, 0, 2)) continue;
      const std::vector<std::optional<int>> subscripts = PlainSubscripts(access.relation);
      const auto outer = std::find(subscripts.begin(), subscripts.end(), std::optional<int>(0));
      if (outer == subscripts.end() || outer + 1 == subscripts.end() || *(outer + 1) != 1) return false;
      const int first = static_cast<int>(outer - subscripts.begin());
      const auto known = arrays_.find(access.array);
      if (known != arrays_.end()) {
        if (known->second.first != first || known->second.inner != inner) return false;
        continue;
      }
      std::optional<MergedArray> merged = Merged(scop_.array(access.array), first, inner);
      if (!merged) return false;
      arrays_.emplace(access.array, *std::move(merged));
    }
    return true;
  }

  std::optional<MergedArray> Merged(const v1::Array& array, int first, int64_t inner) const {
    if (array.has_structure()) return std::nullopt;
    const auto known = extents_.find(array.name());
    if (known == extents_.end()) return std::nullopt;
    MergedArray merged{first, inner, known->second};
    if (merged.extents[first + 1] != inner) return std::nullopt;
    merged.extents[first] *= inner;
    merged.extents.erase(merged.extents.begin() + first + 1);
    return merged;
  }

  // The chosen pair that the statement is in; null: in none.
  const LoopPair* PairOf(const ParsedStatement& statement) const {
    for (const size_t i : chosen_) {
      const std::vector<const ParsedStatement*>& inside = pairs_[i].statements;
      if (std::find(inside.begin(), inside.end(), &statement) != inside.end()) return &pairs_[i];
    }
    return nullptr;
  }

  // False where an access cannot be of one iterator, or of the arrays' dimension.
  bool MergeAll() {
    for (size_t s = 0; s < scop_.statements.size(); ++s) {
      ParsedStatement changed = scop_.statements[s];
      const LoopPair* const pair = PairOf(scop_.statements[s]);
      for (ParsedAccess& access : changed.accesses) {
        const std::optional<isl::map> element = Element(access, pair);
        if (!element) return false;
        access.relation = *element;
      }
      v1::Statement* const statement = result_.mutable_statements(static_cast<int>(s));
      if (pair != nullptr) {
        if (!Merge(changed, *pair, statement)) return false;
        continue;
      }
      for (size_t a = 0; a < changed.accesses.size(); ++a)
        statement->mutable_accesses(static_cast<int>(a))->set_relation(IslText(changed.accesses[a].relation));
    }
    return true;
  }

  // The access with the arrays' own dimensions, { S -> A }, which is of inner * i + j alone where S has the
  // pair's iterators i and j; nothing where it is of more.
  std::optional<isl::map> Element(const ParsedAccess& access, const LoopPair* pair) const {
    const auto merged = arrays_.find(access.array);
    const bool of_pair = pair != nullptr && Involves(access.relation, isl_dim_in, 0, 2);
    if (merged == arrays_.end() && !of_pair) return access.relation;
    const std::optional<isl::multi_aff> element = AffineElement(access.relation);
    if (!element) return std::nullopt;
    isl::map changed = MapFromDomain(isl::set::universe(element->domain().space()));  // { S -> [] }
    for (int d = 0; d < static_cast<int>(element->size()); ++d) {
      isl::aff subscript = element->at(d);
      if (merged != arrays_.end() && d == merged->second.first) {
        const isl::aff next = element->at(++d);
        // Elsewhere both would be subscripts of loops of their own.
        if (pair == nullptr && (IsOfIterators(subscript) || IsOfIterators(next))) return std::nullopt;
        subscript =
            subscript.scale(isl::val(subscript.ctx(), static_cast<long>(merged->second.inner))).add(next);
      }
      if (pair != nullptr && !IsOfOne(subscript, *pair)) return std::nullopt;
      changed = FlatRangeProduct(changed, subscript.as_map());
    }
    return WithTupleName(WithoutTupleId(changed, isl_dim_out), isl_dim_out, access.array);
  }

  static bool IsOfIterators(const isl::aff& subscript) {
    return Involves(subscript, isl_dim_in, 0, Dimensions(subscript, isl_dim_in));
  }

  static bool IsOfOne(const isl::aff& subscript, const LoopPair& pair) {
    if (!Involves(subscript, isl_dim_in, 0, 2)) return true;
    const isl::val inner(subscript.ctx(), static_cast<long>(pair.inner));
    return !HasDivs(subscript) &&
           Coefficient(subscript, isl_dim_in, 0).eq(Coefficient(subscript, isl_dim_in, 1).mul(inner));
  }

  // Makes the statement S[i, j, x] one S[t, x], t = inner * i + j, of which all accesses are. False where its
  // value is of i or j.
  bool Merge(const ParsedStatement& statement, const LoopPair& pair, v1::Statement* merged) const {
    for (const isl::pw_aff& value : statement.affine) {
      if (Involves(value, isl_dim_in, 0, 2)) return false;
    }
    std::vector<std::string> iterators(statement.proto->iterators().begin() + 2,
                                       statement.proto->iterators().end());
    iterators.insert(iterators.begin(), NameFor(statement));
    isl::set domain = ProjectOut(statement.domain.intersect_params(known_), isl_dim_set, 0, 2);
    domain = LowerBound(InsertDimensions(domain, isl_dim_set, 0, 1), isl_dim_set, 0, 0);
    domain = UpperBound(domain, isl_dim_set, 0, static_cast<int>(pair.outer * pair.inner - 1));
    domain = WithTupleName(domain, statement.name);
    for (size_t i = 0; i < iterators.size(); ++i)
      domain = WithDimensionName(domain, isl_dim_set, static_cast<int>(i), iterators[i]);
    PullBack(statement, isl::multi_aff(known_.ctx(), Origin(statement, "0, t")), merged);
    merged->set_domain(IslText(domain));
    merged->mutable_iterators()->Assign(iterators.begin(), iterators.end());
    return true;
  }

  // { S[t, x] -> S[i, j, x] }, where i and j are `pair` as texts of t.
  static std::string Origin(const ParsedStatement& statement, const std::string& pair) {
    std::string others;
    for (int i = 2; i < Dimensions(statement.domain, isl_dim_set); ++i) absl::StrAppend(&others, ", x", i);
    return absl::StrCat("{ ", statement.name, "[t", others, "] -> ", statement.name, "[", pair, others,
                        "] }");
  }

  // Of both iterators together: "r_q".
  std::string NameFor(const ParsedStatement& statement) const {
    const std::set<std::string> names = NamesOf(scop_.proto);
    std::string name =
        absl::StrJoin(statement.proto->iterators().begin(), statement.proto->iterators().begin() + 2, "_");
    while (names.count(name) > 0) name += "_";
    return name;
  }

  // The scop's order with a loop over t in place of each of the pairs.
  isl::schedule Schedule() const {
    const auto coalesce = [&](const isl::schedule_node& node) -> isl::schedule_node {
      const LoopPair* const pair = PairAt(node);
      if (pair == nullptr) return node;
      const auto outer = node.as<isl::schedule_node_band>();
      const auto inner = node.child(0).as<isl::schedule_node_band>();
      const isl::val iterations(known_.ctx(), static_cast<long>(pair->inner));
      return InsertBandLike(outer, outer.partial_schedule().scale(iterations).add(inner.partial_schedule()),
                            WithoutNode(WithoutNode(node)));
    };
    const isl::schedule coalesced = scop_.schedule.root().map_descendant_bottom_up(coalesce).schedule();
    isl::union_pw_multi_aff origin = isl::union_pw_multi_aff::empty(known_.ctx());
    isl::union_set domain = isl::union_set::empty(known_.ctx());
    for (size_t s = 0; s < scop_.statements.size(); ++s) {
      const isl::set instances(known_.ctx(), result_.statements(static_cast<int>(s)).domain());
      domain = domain.unite(isl::union_set(instances));
      const ParsedStatement& statement = scop_.statements[s];
      const LoopPair* const pair = PairOf(statement);
      const isl::multi_aff own =
          pair == nullptr
              ? statement.domain.space().identity_multi_aff_on_domain()
              : isl::multi_aff(known_.ctx(), Origin(statement, absl::StrCat("floor(t / ", pair->inner,
                                                                            "), t mod ", pair->inner)));
      origin = origin.union_add(isl::union_pw_multi_aff(isl::pw_multi_aff(own)));
    }
    return IntersectDomain(coalesced.pullback(origin), domain.intersect_params(scop_.context));
  }

  // The chosen pair whose outer loop the node is; null: none's.
  const LoopPair* PairAt(const isl::schedule_node& node) const {
    if (!node.isa<isl::schedule_node_band>() || ScheduleDepth(node) > 0) return nullptr;
    for (const size_t i : chosen_) {
      const isl::union_set instances(pairs_[i].statements[0]->domain);
      if (!NodeDomain(node).intersect(instances).is_empty()) return &pairs_[i];
    }
    return nullptr;
  }

  const ParsedScop& scop_;
  const isl::set known_;
  const std::map<std::string, std::vector<int64_t>>& extents_;
  const std::vector<LoopPair> pairs_;
  std::set<size_t> chosen_;
  std::map<std::string, MergedArray> arrays_;
  v1::Scop result_;
};

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> CoalesceLoops(IslContext& context, const ParsedScop& scop,
                                                      const std::map<std::string, int64_t>& values) {
  TUNE_ASSIGN_OR_RETURN(const auto extents, KnownExtents(context, scop.proto, values));
  return context.Run("coalescing loops", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    return LoopCoalescing(scop, ParameterValues(context, values), extents).Make();
  });
}

}  // namespace tune
