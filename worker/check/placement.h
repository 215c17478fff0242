// Where the instances of a mapped kernel run, as its thread tree says.
#pragma once

#include <string>
#include <vector>

#include "common/scop/scop.h"
#include "worker/check/tree_leaf.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// Read from the tree alone, whatever the mapper meant. All relations are at the known values of the scop's
// parameters. Must not outlive the MappedProgram.
struct KernelPlacement {
  const MappedKernel* kernel = nullptr;
  // Of the thread tree, without instances that are none of the scop's; in terms of `coordinates`.
  std::vector<TreeLeaf> leaves;
  // Names of the parameters for host loops, block and thread, in this order.
  std::vector<std::string> coordinates;
  int host_depth = 0;
  int axes = 0;
  // { S -> [h, b, t] }: the threads for which the tree has the instance; only those of the grid where the
  // tree has it for several.
  isl::union_map places;

  const std::string& name() const { return kernel->kernel->name; }
  // Names of the thread's coordinates only, of those of the block and the host loops.
  std::vector<std::string> ThreadNames() const;
  std::vector<std::string> BlockNames() const;
  // { S -> [v] } of coordinate `i`. Throws when a statement's instances have several places.
  isl::union_pw_aff Coordinate(int i) const;
  // { S -> [b] }, { S -> [t] }; not for a kernel without axes.
  isl::multi_union_pw_aff Block() const { return Coordinates(host_depth, axes); }
  isl::multi_union_pw_aff Thread() const { return Coordinates(host_depth + axes, axes); }
  // { S }: the instances of the thread whose coordinates are the values of the parameters `coordinates`.
  isl::union_set OfThread() const;
  // "launch [3], block [0, 1], thread [5, 6]" of one instance in a set of one.
  std::string Describe(const isl::union_set& instance) const;

 private:
  isl::multi_union_pw_aff Coordinates(int first, int count) const;
};

// Throws isl::exception.
KernelPlacement PlacementOf(const MappedKernel& kernel, const ParsedScop& scop, const CudaIds& ids,
                            const isl::set& values);

// The same places in fewer pieces, where the common constraints of all pieces suffice to tell them; for
// placements that CheckPlacements accepts. Throws isl::exception.
void SimplifyPlaces(const ParsedScop& scop, const isl::set& values, KernelPlacement* placement);

// { X -> [parameters called `names`] } of { X }; a parameter that a set does not depend on takes every value.
// Other parameters stay.
isl::union_map ParametersToRange(const isl::union_set& instances, const std::vector<std::string>& names);

// { X }: for some values of the parameters called `names`.
isl::union_set ProjectOut(const isl::union_set& instances, const std::vector<std::string>& names);

// { X }: for some values of all parameters.
isl::union_set WithoutParameters(const isl::union_set& instances);

// The text of one element of a non-empty set, without braces.
std::string Example(const isl::union_set& set);

// An element of a non-empty { S -> S' }: "S0[1, 2] (launch .., block .., thread ..) -> S1[3] (..)"; `source`
// and `sink`: where these run.
std::string ExamplePair(const isl::union_map& pairs, const KernelPlacement& source,
                        const KernelPlacement& sink);

}  // namespace tune
