// Relations that isl's C++ interface leaves out. Every function throws isl::exception.
#pragma once

#include "common/isl/checked.h"

namespace tune {

// { D -> D }.
inline isl::map IdentityMap(isl::space space) { return isl::manage(isl_map_identity(space.release())); }

// { D -> [] }.
inline isl::map MapFromDomain(isl::set set) { return isl::manage(isl_map_from_domain(set.release())); }

// { [] -> R }.
inline isl::map MapFromRange(isl::set set) { return isl::manage(isl_map_from_range(set.release())); }

// { D -> R }, all pairs.
inline isl::map MapFromDomainAndRange(isl::set domain, isl::set range) {
  return isl::manage(isl_map_from_domain_and_range(domain.release(), range.release()));
}

inline isl::basic_map UniverseBasicMap(isl::space space) {
  return isl::manage(isl_basic_map_universe(space.release()));
}

// { [D -> R] -> D }.
inline isl::map DomainMap(isl::map map) { return isl::manage(isl_map_domain_map(map.release())); }

// { D -> [R, S] } of { D -> R } and { D -> S }.
inline isl::map FlatRangeProduct(isl::map left, isl::map right) {
  return isl::manage(isl_map_flat_range_product(left.release(), right.release()));
}
inline isl::union_map FlatRangeProduct(isl::union_map left, isl::union_map right) {
  return isl::manage(isl_union_map_flat_range_product(left.release(), right.release()));
}

// { D -> R[.., b, a] } of { D -> R[.., a, b] }.
inline isl::map WithLastExchanged(const isl::map& map) {
  const isl::multi_aff same =
      isl::manage(isl_multi_aff_identity_on_domain_space(map.range().space().release()));
  const int last = static_cast<int>(same.size()) - 1;
  return map.apply_range(same.set_at(last, same.at(last - 1)).set_at(last - 1, same.at(last)).as_map());
}

// { D -> R + S }.
inline isl::map Sum(isl::map left, isl::map right) {
  return isl::manage(isl_map_sum(left.release(), right.release()));
}

// All { x -> y } of a space that are in the lexicographic order; of two relations { X -> T } and { Y -> T },
// those { X -> Y } whose times are.
inline isl::map LexLess(isl::space set_space) { return isl::manage(isl_map_lex_lt(set_space.release())); }
inline isl::union_map LexLess(isl::union_map left, isl::union_map right) {
  return isl::manage(isl_union_map_lex_lt_union_map(left.release(), right.release()));
}
inline isl::map LexLessOrEqual(isl::space set_space) {
  return isl::manage(isl_map_lex_le(set_space.release()));
}
inline isl::map LexGreaterOrEqual(isl::space set_space) {
  return isl::manage(isl_map_lex_ge(set_space.release()));
}
inline isl::union_map LexGreaterOrEqual(isl::union_map left, isl::union_map right) {
  return isl::manage(isl_union_map_lex_ge_union_map(left.release(), right.release()));
}

// What of `map` has domain elements with times lexicographically after, or before, those of their images.
inline isl::union_map LexGreaterAt(isl::union_map map, isl::multi_union_pw_aff times) {
  return isl::manage(isl_union_map_lex_gt_at_multi_union_pw_aff(map.release(), times.release()));
}
inline isl::union_map LexLessAt(isl::union_map map, isl::multi_union_pw_aff times) {
  return isl::manage(isl_union_map_lex_lt_at_multi_union_pw_aff(map.release(), times.release()));
}

// For which parameters there is anything.
inline isl::set Parameters(isl::map map) { return isl::manage(isl_map_params(map.release())); }

// What can be seen without a proof: false may mean unknown.
inline bool PlainIsEmpty(const isl::union_map& map) {
  return Checked(isl_union_map_plain_is_empty(map.get()), map.ctx());
}
inline bool PlainIsSingleValued(const isl::map& map) {
  return Checked(isl_map_plain_is_single_valued(map.get()), map.ctx());
}

}  // namespace tune
