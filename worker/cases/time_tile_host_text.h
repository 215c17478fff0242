// The host's part of time tiles in a CUDA file with cases. Words in capitals are replaced; names that begin
// with `tune_` begin as the region's helpers do.
#pragma once

namespace tune {

constexpr char kTimeTilesCall[] =
    R"(  if (LaunchTiles(tune_machine, tune_memory, tune_sizes, tune_stream, &tune_error)) return tune_error;
)";

// Times are of an H200, in microseconds: from one launch to the next; of a multiprocessor, for a tile, what
// loads and stores it, and a phase of a step.
constexpr char kTimeTilesHost[] =
    R"(// How many launches, an even number, take the least time for the steps, by what it takes on an H200; 0: there are none.
long long TurnsOfTiles(const Machine &machine, long long steps, const long long *elements) {
  static const long long side[] = {SIDES}, spoilt[] = {SPOILT};
  const double between = 3.9, moved = 1.5, phase = 0.26;  // microseconds: of a launch; of a tile; of a phase of a step
  double least = 0;
  long long turns = 0;
  for (long long count = 1; count <= steps; ++count) {
    double blocks = 1;
    for (int d = 0; d < DIMENSIONS; ++d) {
      const long long own = side[d] - count * spoilt[d];
      if (4 * own < side[d]) return turns;
      blocks *= (double)Blocks(elements[d], own);
    }
    const double each = (double)Blocks((long long)blocks, machine.processors > 0 ? machine.processors : 1);
    const long long launches = 2 * Blocks(steps, 2 * count);
    const double time = (double)launches * (between + each * (moved + (double)count * PHASES * phase));
    if (turns == 0 || time < least) {
      least = time;
      turns = launches;
    }
  }
  return turns;
}

// By tiles that run several steps in a launch, where the call is for them; `result` tells how that went.
bool LaunchTiles(const Machine &tune_machine, void *const *tune_memory, const long long *tune_sizes,
                 cudaStream_t tune_stream, cudaError_t *tune_result) {
DEFINITIONS  if (!(REQUIREMENT) || !(ANY) || !(STEPS)) return false;
  if (tune_machine.threads < THREADS || tune_machine.shared < SHARED ||
      MostThreads(tune_machine, (const void *)FUNCTION) < THREADS)
    return false;
  const long long tune_low[] = {LOW}, tune_high[] = {HIGH}, tune_used[][DIMENSIONS][2] = {USED};
  static const long long tune_side[] = {SIDES}, tune_before[] = {BEFORE}, tune_spoilt[] = {SPOILT};
  long long STEP = BEGIN, tune_left = 0;
  for (long long ITERATOR = STEP; GOES_ON; ++ITERATOR) ++tune_left;
  if (tune_left < 2) return false;
  int tune_made = 0;
MADE  long long tune_own[DIMENSIONS], tune_margin[DIMENSIONS], tune_elements[DIMENSIONS];
  bool tune_one = true;
  [[maybe_unused]] bool tune_small = true;
  for (int d = 0; d < DIMENSIONS; ++d) {
    long long first = tune_low[d], last = tune_high[d];
    if (first > last) return false;
    tune_elements[d] = tune_own[d] = last - first + 1;
    for (const auto &used : tune_used) {
      first = used[d][0] < first ? used[d][0] : first;
      last = used[d][1] > last ? used[d][1] : last;
    }
    tune_margin[d] = tune_low[d] - first;
    tune_one = tune_one && last - first < tune_side[d];
    tune_small = tune_small && last - first < SMALL_SIDE;
  }
  long long tune_turns = 1, tune_grid[2] = {1, 1};  // x, y
  void *tune_borrowed[ARRAYS] = {}, *tune_all = 0;
  if (!tune_one) {
    tune_turns = TurnsOfTiles(tune_machine, tune_left, tune_elements);
    if (tune_turns == 0) return false;
    for (int d = 0; d < DIMENSIONS; ++d) {
      const long long most = Blocks(tune_left, tune_turns);
      tune_own[d] = tune_side[d] - most * tune_spoilt[d];
      tune_margin[d] = most * tune_before[d];
      tune_grid[DIMENSIONS - 1 - d] = Blocks(tune_elements[d], tune_own[d]);
    }
    if (tune_grid[1] > kMostBlocks) return false;
    const size_t bytes[] = {SIZES};
    size_t all = 0;
    for (int i = 0; i < ARRAYS; ++i) all += tune_made >> i & 1 ? 0 : (bytes[i] + 511) / 512 * 512;
    if (all > 0 && Borrow(tune_machine, all, tune_stream, &tune_all) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
    char *next = (char *)tune_all;
    for (int i = 0; i < ARRAYS; ++i) {
      tune_borrowed[i] = next;
      next += tune_made >> i & 1 ? 0 : (bytes[i] + 511) / 512 * 512;
    }
  }
  const void *tune_kernel = (const void *)FUNCTION;
  dim3 tune_block(BLOCK);
CHOICE  *tune_result = cudaSuccess;
  for (long long tune_turn = 0; tune_turn < tune_turns && *tune_result == cudaSuccess; ++tune_turn) {
    const long long tune_count = tune_left / (tune_turns - tune_turn);
ARGUMENTS    void *tune_arguments[] = {ADDRESSES};
    *tune_result = cudaLaunchKernel(tune_kernel, dim3((unsigned)tune_grid[0], (unsigned)tune_grid[1]), tune_block,
                                    tune_arguments, 0, tune_stream);
    STEP += tune_count;
    tune_left -= tune_count;
  }
  if (tune_all != 0) {
    const cudaError_t error = cudaFreeAsync(tune_all, tune_stream);
    if (*tune_result == cudaSuccess) *tune_result = error;
  }
  return true;
}

)";

// In LaunchTiles, where there is a kernel for small arrays.
constexpr char kSmallTile[] =
    R"(  if (tune_small && tune_machine.threads >= THREADS && tune_machine.shared >= SHARED &&
      MostThreads(tune_machine, (const void *)FUNCTION) >= THREADS) {
    tune_kernel = (const void *)FUNCTION;
    tune_block = dim3(BLOCK);
  }
)";

}  // namespace tune
