// Spaces of tuning parameters for tests and benchmarks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/expression/compiled_expression.h"
#include "common/parameters/parameter_space_description.h"

namespace tune::testing {

// Parameters as name and list, constraints as texts. All must be well formed.
inline ParameterSpaceDescription Describe(const std::vector<std::pair<std::string, std::string>>& parameters,
                                          const std::vector<std::string>& constraints) {
  ParameterSpaceDescription description;
  for (const auto& [name, values] : parameters)
    description.parameters.push_back({name, Evaluate(Expression::Parse(values).value(), {})->list()});
  for (const std::string& constraint : constraints)
    description.constraints.push_back(Expression::Parse(constraint).value());
  return description;
}

// CLBlast's product of matrices, as in AutoTuningAssociation/benchmark_hub: 17956 of 82944 are valid.
inline ParameterSpaceDescription GemmSpace() {
  return Describe({{"MWG", "[16, 32, 64, 128]"},
                   {"NWG", "[16, 32, 64, 128]"},
                   {"KWG", "[32]"},
                   {"MDIMC", "[8, 16, 32]"},
                   {"NDIMC", "[8, 16, 32]"},
                   {"MDIMA", "[8, 16, 32]"},
                   {"NDIMB", "[8, 16, 32]"},
                   {"KWI", "[2]"},
                   {"VWM", "[1, 2, 4, 8]"},
                   {"VWN", "[1, 2, 4, 8]"},
                   {"STRM", "[0]"},
                   {"STRN", "[0]"},
                   {"SA", "[0, 1]"},
                   {"SB", "[0, 1]"},
                   {"PRECISION", "[32]"}},
                  {"KWG % KWI == 0", "MWG % (MDIMC * VWM) == 0", "NWG % (NDIMC * VWN) == 0",
                   "MWG % (MDIMA * VWM) == 0", "NWG % (NDIMB * VWN) == 0",
                   "KWG % ((MDIMC * NDIMC) / MDIMA) == 0", "KWG % ((MDIMC * NDIMC) / NDIMB) == 0"});
}

// Dedispersion, from the same place: 11130 of 22272.
inline ParameterSpaceDescription DedispersionSpace() {
  return Describe({{"block_size_x", "[1, 2, 4, 8, 16, 32]"},
                   {"block_size_y", "list(range(32, 257, 8))"},
                   {"block_size_z", "[1]"},
                   {"tile_size_x", "[1, 2, 3, 4]"},
                   {"tile_size_y", "list(range(1, 9))"},
                   {"tile_stride_x", "[0, 1]"},
                   {"tile_stride_y", "[0, 1]"},
                   {"loop_unroll_factor_channel", "[0]"}},
                  {"32 <= block_size_x * block_size_y * block_size_z <= 1024",
                   "tile_stride_x == 0 or tile_size_x > 1", "tile_stride_y == 0 or tile_size_y > 1"});
}

// Rodinia's hotspot with several steps in one launch, as in BAT: 22.2 million without constraints.
inline ParameterSpaceDescription HotspotSpace() {
  return Describe(
      {{"block_size_x", "[1, 2, 4, 8, 16] + [32 * i for i in range(1, 33)]"},
       {"block_size_y", "[2**i for i in range(6)]"},
       {"tile_size_x", "list(range(1, 11))"},
       {"tile_size_y", "list(range(1, 11))"},
       {"temporal_tiling_factor", "list(range(1, 11))"},
       {"loop_unroll_factor_t", "list(range(1, 11))"},
       {"sh_power", "[0, 1]"},
       {"blocks_per_sm", "[0, 1, 2, 3, 4]"}},
      {"32 <= block_size_x * block_size_y <= 1024", "temporal_tiling_factor % loop_unroll_factor_t == 0",
       "(block_size_x * tile_size_x + temporal_tiling_factor * 2) * (block_size_y * tile_size_y + "
       "temporal_tiling_factor * 2) * (2 + sh_power) * 4 <= 49152"});
}

// One component of ten parameters, 1073741824 without constraints.
inline ParameterSpaceDescription BillionSpace() {
  return Describe(
      {{"block_x", "[2**i for i in range(8)]"},
       {"block_y", "[2**i for i in range(8)]"},
       {"tile_x", "list(range(1, 9))"},
       {"tile_y", "list(range(1, 9))"},
       {"tile_k", "[8, 16, 24, 32, 48, 64, 96, 128]"},
       {"stages", "list(range(1, 9))"},
       {"vector_width", "[1, 2, 3, 4, 6, 8, 12, 16]"},
       {"unroll", "[1, 2, 3, 4, 6, 8, 12, 16]"},
       {"padding", "list(range(0, 8))"},
       {"split_k", "list(range(1, 9))"}},
      {"32 <= block_x * block_y <= 1024", "block_x * tile_x <= 512 and block_y * tile_y <= 256",
       "(block_x * tile_x + padding) * tile_k * stages * 4 <= 98304",
       "tile_k % unroll == 0 and tile_k % vector_width == 0", "block_x * tile_x % vector_width == 0",
       "tile_x * tile_y * vector_width + 20 <= 255", "split_k == 1 or stages * split_k <= 16"});
}

}  // namespace tune::testing
