// The dimensions of isl's objects, which its C++ interface leaves out: how many of a kind (isl_dim_param,
// isl_dim_in, isl_dim_out or isl_dim_set, isl_dim_div), their names, more and fewer of them. Every function
// throws isl::exception.
#pragma once

#include <string>

#include "common/isl/checked.h"

namespace tune {

// How many of a kind.
inline int Dimensions(const isl::aff& value, isl_dim_type type) {
  return Checked(isl_aff_dim(value.get(), type), value.ctx());
}
inline int Dimensions(const isl::basic_map& map, isl_dim_type type) {
  return Checked(isl_basic_map_dim(map.get(), type), map.ctx());
}
inline int Dimensions(const isl::basic_set& set, isl_dim_type type) {
  return Checked(isl_basic_set_dim(set.get(), type), set.ctx());
}
inline int Dimensions(const isl::map& map, isl_dim_type type) {
  return Checked(isl_map_dim(map.get(), type), map.ctx());
}
inline int Dimensions(const isl::pw_multi_aff& value, isl_dim_type type) {
  return Checked(isl_pw_multi_aff_dim(value.get(), type), value.ctx());
}
inline int Dimensions(const isl::set& set, isl_dim_type type) {
  return Checked(isl_set_dim(set.get(), type), set.ctx());
}
inline int Dimensions(const isl::space& space, isl_dim_type type) {
  return Checked(isl_space_dim(space.get(), type), space.ctx());
}

// Whether there are integer divisions.
inline bool HasDivs(const isl::aff& object) { return Dimensions(object, isl_dim_div) > 0; }
inline bool HasDivs(const isl::basic_set& object) { return Dimensions(object, isl_dim_div) > 0; }
inline bool HasDivs(const isl::basic_map& object) { return Dimensions(object, isl_dim_div) > 0; }

// The position of a name, -1 where nothing has it.
inline int FindDimension(const isl::basic_map& map, isl_dim_type type, const std::string& name) {
  return isl_basic_map_find_dim_by_name(map.get(), type, name.c_str());
}
inline int FindDimension(const isl::map& map, isl_dim_type type, const std::string& name) {
  return isl_map_find_dim_by_name(map.get(), type, name.c_str());
}
inline int FindDimension(const isl::pw_aff& value, isl_dim_type type, const std::string& name) {
  return isl_pw_aff_find_dim_by_name(value.get(), type, name.c_str());
}
inline int FindDimension(const isl::set& set, isl_dim_type type, const std::string& name) {
  return isl_set_find_dim_by_name(set.get(), type, name.c_str());
}
inline int FindDimension(const isl::space& space, isl_dim_type type, const isl::id& id) {
  return isl_space_find_dim_by_id(space.get(), type, id.get());
}
inline int FindDimension(const isl::space& space, isl_dim_type type, const std::string& name) {
  return isl_space_find_dim_by_name(space.get(), type, name.c_str());
}
inline int FindDimension(const isl::union_map& map, isl_dim_type type, const std::string& name) {
  return isl_union_map_find_dim_by_name(map.get(), type, name.c_str());
}

// "" for a dimension without a name.
inline std::string DimensionName(const isl::map& map, isl_dim_type type, int position) {
  return NameOrEmpty(map, isl_map_get_dim_name(map.get(), type, position));
}
inline std::string DimensionName(const isl::set& set, isl_dim_type type, int position) {
  return NameOrEmpty(set, isl_set_get_dim_name(set.get(), type, position));
}
inline std::string DimensionName(const isl::space& space, isl_dim_type type, int position) {
  return NameOrEmpty(space, isl_space_get_dim_name(space.get(), type, position));
}

inline isl::id DimensionId(const isl::set& set, isl_dim_type type, int position) {
  return isl::manage(isl_set_get_dim_id(set.get(), type, position));
}

inline isl::map WithDimensionName(isl::map map, isl_dim_type type, int position, const std::string& name) {
  return isl::manage(isl_map_set_dim_name(map.release(), type, position, name.c_str()));
}
inline isl::set WithDimensionName(isl::set set, isl_dim_type type, int position, const std::string& name) {
  return isl::manage(isl_set_set_dim_name(set.release(), type, position, name.c_str()));
}
inline isl::space WithDimensionName(isl::space space, isl_dim_type type, int position,
                                    const std::string& name) {
  return isl::manage(isl_space_set_dim_name(space.release(), type, position, name.c_str()));
}

// After those that are there; what is new is unconstrained.
inline isl::map AddDimensions(isl::map map, isl_dim_type type, int count) {
  return isl::manage(isl_map_add_dims(map.release(), type, count));
}
inline isl::set AddDimensions(isl::set set, isl_dim_type type, int count) {
  return isl::manage(isl_set_add_dims(set.release(), type, count));
}
inline isl::space AddDimensions(isl::space space, isl_dim_type type, int count) {
  return isl::manage(isl_space_add_dims(space.release(), type, count));
}

// Before `position`.
inline isl::set InsertDimensions(isl::set set, isl_dim_type type, int position, int count) {
  return isl::manage(isl_set_insert_dims(set.release(), type, position, count));
}
inline isl::map InsertDimensions(isl::map map, isl_dim_type type, int position, int count) {
  return isl::manage(isl_map_insert_dims(map.release(), type, position, count));
}

// `count` dimensions from `from` become those of another kind, before `to`.
inline isl::basic_set MoveDimensions(isl::basic_set set, isl_dim_type to_type, int to, isl_dim_type from_type,
                                     int from, int count) {
  return isl::manage(isl_basic_set_move_dims(set.release(), to_type, to, from_type, from, count));
}
inline isl::map MoveDimensions(isl::map map, isl_dim_type to_type, int to, isl_dim_type from_type, int from,
                               int count) {
  return isl::manage(isl_map_move_dims(map.release(), to_type, to, from_type, from, count));
}

inline isl::space DropDimensions(isl::space space, isl_dim_type type, int first, int count) {
  return isl::manage(isl_space_drop_dims(space.release(), type, first, count));
}

// What some value of the dimensions allows.
inline isl::basic_set ProjectOut(isl::basic_set set, isl_dim_type type, int first, int count) {
  return isl::manage(isl_basic_set_project_out(set.release(), type, first, count));
}
inline isl::map ProjectOut(isl::map map, isl_dim_type type, int first, int count) {
  return isl::manage(isl_map_project_out(map.release(), type, first, count));
}
inline isl::set ProjectOut(isl::set set, isl_dim_type type, int first, int count) {
  return isl::manage(isl_set_project_out(set.release(), type, first, count));
}
inline isl::union_map ProjectOut(isl::union_map map, isl_dim_type type, int first, int count) {
  return isl::manage(isl_union_map_project_out(map.release(), type, first, count));
}

inline isl::union_set ProjectOutAllParameters(isl::union_set set) {
  return isl::manage(isl_union_set_project_out_all_params(set.release()));
}

// { D -> D without the dimensions }.
inline isl::multi_aff ProjectOutMap(isl::space space, isl_dim_type type, int first, int count) {
  return isl::manage(isl_multi_aff_project_out_map(space.release(), type, first, count));
}

// With the parameters of `model` first, in its order.
inline isl::basic_map AlignParameters(isl::basic_map map, isl::space model) {
  return isl::manage(isl_basic_map_align_params(map.release(), model.release()));
}
inline isl::map AlignParameters(isl::map map, isl::space model) {
  return isl::manage(isl_map_align_params(map.release(), model.release()));
}
inline isl::pw_aff AlignParameters(isl::pw_aff value, isl::space model) {
  return isl::manage(isl_pw_aff_align_params(value.release(), model.release()));
}
inline isl::schedule AlignParameters(isl::schedule schedule, isl::space space) {
  return isl::manage(isl_schedule_align_params(schedule.release(), space.release()));
}
inline isl::set AlignParameters(isl::set set, isl::space model) {
  return isl::manage(isl_set_align_params(set.release(), model.release()));
}

}  // namespace tune
