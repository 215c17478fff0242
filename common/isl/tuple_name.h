// The names of tuples. isl has no text for a tuple without one. Every function throws isl::exception.
#pragma once

#include <string>

#include "common/isl/checked.h"

namespace tune {

// An identifier of this name, without a user.
inline isl::id NamedId(isl::ctx ctx, const std::string& name) {
  return isl::manage(isl_id_alloc(ctx.get(), name.c_str(), nullptr));
}

// "" for a tuple without a name. Throw isl::exception for a null object only.
inline std::string TupleName(const isl::map& map, isl_dim_type type) {
  return NameOrEmpty(map, isl_map_get_tuple_name(map.get(), type));
}
inline std::string TupleName(const isl::pw_multi_aff& value, isl_dim_type type) {
  return NameOrEmpty(value, isl_pw_multi_aff_get_tuple_name(value.get(), type));
}
inline std::string TupleName(const isl::set& set) {
  return NameOrEmpty(set, isl_set_get_tuple_name(set.get()));
}
inline std::string TupleName(const isl::space& space, isl_dim_type type) {
  return NameOrEmpty(space, isl_space_get_tuple_name(space.get(), type));
}

inline isl::id TupleId(const isl::pw_multi_aff& value, isl_dim_type type) {
  return isl::manage(isl_pw_multi_aff_get_tuple_id(value.get(), type));
}

inline isl::map WithTupleName(isl::map map, isl_dim_type type, const std::string& name) {
  return isl::manage(isl_map_set_tuple_name(map.release(), type, name.c_str()));
}
inline isl::set WithTupleName(isl::set set, const std::string& name) {
  return isl::manage(isl_set_set_tuple_name(set.release(), name.c_str()));
}
inline isl::space WithTupleName(isl::space space, isl_dim_type type, const std::string& name) {
  return isl::manage(isl_space_set_tuple_name(space.release(), type, name.c_str()));
}

inline isl::pw_aff WithTupleId(isl::pw_aff value, isl_dim_type type, isl::id id) {
  return isl::manage(isl_pw_aff_set_tuple_id(value.release(), type, id.release()));
}

inline isl::map WithoutTupleId(isl::map map, isl_dim_type type) {
  return isl::manage(isl_map_reset_tuple_id(map.release(), type));
}
inline isl::set WithoutTupleId(isl::set set) { return isl::manage(isl_set_reset_tuple_id(set.release())); }

}  // namespace tune
