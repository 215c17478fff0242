// The host's part of split sums in a CUDA file with cases. Words in capitals are replaced; names that begin
// with `tune_` begin as the region's helpers do.
#pragma once

namespace tune {

constexpr char kSplitCall[] =
    R"(  if (LaunchInParts(tune_machine, tune_memory, tune_sizes, tune_stream, &tune_error)) return tune_error;
)";

constexpr char kSplitHost[] =
    R"(namespace in_parts {

FUNCTIONS}  // namespace in_parts

// In how many ranges the terms of each of rows * columns sums are best added up, by blocks for each, and the ranges' sums
// by another launch; 0: in none. By the estimate that generates code for one size, of an architecture's device with as many
// multiprocessors as this one has.
long long RangesOfSums(const Machine &machine, long long rows, long long columns, long long terms) {
  struct Tile {
    long long rows, columns, warps;  // of a block
    double addition;                 // seconds of a multiprocessor to add a term to each of its elements
  };
  static const Tile tiles[] = {TILES}, largest = {LARGEST, 0, 0};
  const double places = (double)rows * (double)columns * FILLED;
  const long long processors = machine.processors;
  if (rows < 1 || columns < 1 || processors < 2 || terms < 2 * LEAST || places < ENOUGH) return 0;
  const auto blocks = [&](const Tile &tile) {
    const double down = (double)Blocks(rows, tile.rows), across = (double)Blocks(columns, tile.columns);
    return FILLED == 1 ? down * across : std::fmin(down * across, std::ceil(FILLED * (down * across) + (down + across) / 2));
  };
  if (MANY_TOOblocks(largest) > MANY * (double)processors) return 0;
  const auto seconds = [&](long long ranges) {
    const long long parts = ranges < 1 ? 1 : ranges;
    double least = 0;
    for (const Tile &tile : tiles) {
      const long long all = (long long)blocks(tile) * parts, round = AT_ONCE * processors;
      const long long rest = (all % round + processors - 1) / processors;  // of a multiprocessor, in the last round
      double time = (double)(all / round * AT_ONCE);
      if (rest > 0) time += (double)rest / std::fmin(1., NO_WARP + WARP * (double)(rest * tile.warps));
      time *= tile.addition * (double)terms * ADDITIONS / (double)parts;
      if (least == 0 || time < least) least = time;
    }
    return ranges < 1 ? WHOLE * least : OVERHEAD * least + (double)ranges * places * PLACE_SECONDS + LAUNCH_SECONDS;
  };
  const double whole = seconds(0);
  double least = whole;
  long long best = 0;
  for (long long ranges = 1; ranges <= MOST && terms / ranges >= LEAST; ++ranges) {
    const double time = seconds(ranges);
    if (time >= least) continue;
    least = time;
    best = ranges;
  }
  return least < (1 - GAIN) * whole ? best : 0;
}

// With sums that are split, where that is faster and the device and the sizes allow it; `result` tells how that went.
bool LaunchInParts(const Machine &tune_machine, void *const *tune_memory, const long long *tune_sizes,
                   cudaStream_t tune_stream, cudaError_t *tune_result) {
DEFINITIONS  const long long tune_terms = TERMS, tune_ranges = RangesOfSums(tune_machine, ROWS, COLUMNS, tune_terms);
  if (tune_ranges < 1) return false;
  const long long tune_size = Blocks(Blocks(tune_terms, tune_ranges), ROUNDING) * ROUNDING;  // of a part
  const long long tune_parts = Blocks(tune_terms, tune_size), tune_last = (tune_parts - 1) * tune_size;
  const long long tune_all_sizes[] = {ALL_SIZES};
  void *tune_all_memory[] = {ALL_MEMORY};
  const int tune_program = in_parts::ProgramFor(tune_machine, tune_all_memory, tune_all_sizes);
  if (tune_program < 0) return false;
  void *&tune_sums = tune_all_memory[SUMS];
  if (Borrow(tune_machine, BYTES, tune_stream, &tune_sums) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  switch (tune_program) {
CALLS    default:
      *tune_result = cudaErrorInvalidValue;
  }
  const cudaError_t tune_given_back = cudaFreeAsync(tune_sums, tune_stream);
  if (*tune_result == cudaSuccess) *tune_result = tune_given_back;
  return true;
}

)";

constexpr char kSplitProgramCall[] =
    R"(    case NUMBER:
      *tune_result = in_parts::LaunchProgramNUMBER(tune_all_memory, tune_all_sizes, tune_stream);
      break;
)";

}  // namespace tune
