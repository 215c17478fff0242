#include "tests/program_interpreter/thread_trace.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"

namespace tune::testing {
namespace {

// More steps are taken for a loop without end.
constexpr size_t kMostSteps = 20'000'000;

class Tracing {
 public:
  Tracing(const DeviceKernel* kernel, const std::vector<DeviceArray>* arrays, Environment environment)
      : kernel_(kernel), arrays_(arrays), environment_(std::move(environment)) {}

  void Trace(const Block& block) {
    const size_t names = environment_.size();
    TraceOpen(block);
    environment_.ShrinkTo(names);
  }
  // Its definitions stay.
  void TraceOpen(const Block& block) {
    for (const Node& node : block) Trace(node);
  }

  std::vector<Step> TakeSteps() { return std::move(steps_); }

 private:
  void Trace(const Node& node) {
    if (const auto* loop = node.As<Loop>()) {
      loop->ahead > 0 ? TraceAhead(node, *loop) : TraceLoop(*loop);
    } else if (const auto* branch = node.As<Condition>()) {
      Trace(environment_.Evaluate(branch->condition) != 0 ? branch->then : branch->otherwise);
    } else if (const auto* scope = node.As<Scope>()) {
      TraceScope(node, *scope);
    } else if (const auto* definition = node.As<Definition>()) {
      environment_.Set(definition->name, environment_.Evaluate(definition->value));
    } else if (node.As<CommitFills>() != nullptr) {
      groups_.push_back(std::exchange(begun_, {}));
    } else if (const auto* await = node.As<AwaitFills>()) {
      TraceEnds(await->open);
    } else if (const auto* fill = node.As<Fill>()) {
      for (const TileFill& part : fill->tiles) TraceFill(node, *fill, part);
    } else if (const auto* instance = node.As<Instance>()) {
      Step step{&node, {}, environment_.Evaluate(instance->affine)};
      for (const ElementAccess& access : instance->accesses) step.places.push_back(PlaceOf(access));
      Add(std::move(step));
    } else if (const auto* transfer = node.As<Transfer>()) {
      Add(Step{&node, {PlaceOf(transfer->to), PlaceOf(transfer->from)}, {}});
    } else if (const auto* product = node.As<Product>()) {
      Trace(product->plain);
    } else {
      Add(Step{&node, {}, {}});
    }
  }

  // What it keeps is read into variables, and stored behind it.
  void TraceScope(const Node& node, const Scope& scope) {
    const size_t before = kept_.size();
    for (const KeptElement& kept : scope.kept) {
      const Place element = {kept.element.array, environment_.Evaluate(kept.element.subscripts)};
      Add(Step{&node, {KeptVariable(kept_.size()), element}, {}});
      kept_.emplace_back(&kept.element, element);
    }
    Trace(scope.body);
    for (size_t i = before; i < kept_.size(); ++i) Add(Step{&node, {kept_[i].second, KeptVariable(i)}, {}});
    kept_.resize(before);
  }

  // The iterations in chunks of Loop::ahead: before those of a chunk, what those of the next one read is
  // loaded.
  void TraceAhead(const Node& node, const Loop& loop) {
    const size_t names = environment_.size();
    std::vector<int64_t> iterations;
    for (int64_t iteration = environment_.Evaluate(loop.first);;
         iteration += environment_.Evaluate(loop.step)) {
      environment_.Set(loop.iterator, iteration);
      const bool runs = environment_.Evaluate(loop.condition) != 0;
      environment_.ShrinkTo(names);
      if (!runs) break;
      iterations.push_back(iteration);
      CountStep();
    }
    if (loop.wide && !iterations.empty()) CheckWide(loop, iterations);
    if (!loop.wide)
      iterations.erase(iterations.begin(), iterations.begin() + TraceBeforePieces(loop, iterations));
    const auto chunk = static_cast<size_t>(loop.ahead);
    const size_t in_chunks = iterations.size() / chunk * chunk;
    for (const KeptElement& fetched : loop.fetched) CheckPieces(loop, fetched, iterations);
    for (const KeptElement& collected : loop.collected) CheckPieces(loop, collected, iterations);
    size_t loaded = 0;
    for (size_t i = 0; i < iterations.size(); ++i) {
      if (i % chunk == 0) {
        for (; loaded < std::min(iterations.size(), i + 2 * chunk); ++loaded) {
          environment_.Set(loop.iterator, iterations[loaded]);
          Fetch(node, loop, loaded % (2 * chunk));
          environment_.ShrinkTo(names);
        }
      }
      environment_.Set(loop.iterator, iterations[i]);
      fetched_ = &loop.fetched;
      variable_ = static_cast<int64_t>(i % (2 * chunk));
      collecting_ = i < in_chunks && !loop.wide ? &loop : nullptr;
      written_ = i;
      Trace(loop.body);
      fetched_ = nullptr;
      collecting_ = nullptr;
      environment_.ShrinkTo(names);
      if (i < in_chunks && !loop.wide) StoreCollected(node, loop, iterations, i);
    }
    if (loop.wide) StoreFetched(node, loop, iterations);
  }

  // Of a wide loop, from the variables that they were loaded into.
  void StoreFetched(const Node& node, const Loop& loop, const std::vector<int64_t>& iterations) {
    for (const KeptElement& collected : loop.collected) {
      const auto same = [&](const KeptElement& fetched) { return fetched.element == collected.element; };
      const auto found = std::find_if(loop.fetched.begin(), loop.fetched.end(), same);
      if (found == loop.fetched.end()) throw ProgramFault("elements are stored at once that were not loaded");
      const auto number = static_cast<size_t>(found - loop.fetched.begin());
      for (size_t i = 0; i < iterations.size(); ++i)
        Add(Step{&node,
                 {{collected.element.array, IndexAt(loop, collected.element, iterations[i])},
                  {FetchedVariables(number), {static_cast<int64_t>(i)}}},
                 {}});
    }
  }

  // The iterations that run as they are, as they come before those that begin pieces; how many.
  std::ptrdiff_t TraceBeforePieces(const Loop& loop, const std::vector<int64_t>& iterations) {
    int64_t widest = 1;
    for (const std::vector<KeptElement>* elements : {&loop.fetched, &loop.collected}) {
      for (const KeptElement& kept : *elements) widest = std::max(widest, kept.width);
    }
    const size_t names = environment_.size();
    std::ptrdiff_t count = 0;
    for (const int64_t iteration : iterations) {
      if ((iteration - loop.phase) % widest == 0) break;
      environment_.Set(loop.iterator, iteration);
      Trace(loop.body);
      environment_.ShrinkTo(names);
      ++count;
    }
    return count;
  }

  std::vector<int64_t> IndexAt(const Loop& loop, const ElementAccess& element, int64_t iteration) {
    const size_t names = environment_.size();
    environment_.Set(loop.iterator, iteration);
    std::vector<int64_t> index = environment_.Evaluate(element.subscripts);
    environment_.ShrinkTo(names);
    return index;
  }

  // Of each piece of the chunks: neighbours, the first in memory at a multiple of its bytes.
  void CheckPieces(const Loop& loop, const KeptElement& kept, const std::vector<int64_t>& iterations) {
    if (kept.width == 1) return;
    const DeviceArray& array = ArrayOf(kept.element.array);
    const auto width = static_cast<size_t>(kept.width);
    for (size_t i = 0; i + width <= iterations.size(); i += width) {
      std::vector<std::vector<int64_t>> piece;
      for (size_t j = i; j < i + width; ++j) piece.push_back(IndexAt(loop, kept.element, iterations[j]));
      std::sort(piece.begin(), piece.end());
      std::vector<int64_t> expected = piece[0];
      if (expected.empty() || expected.size() != array.extents.size() || expected.back() % kept.width != 0 ||
          (expected.size() > 1 && array.extents.back() % kept.width != 0))
        throw ProgramFault("a piece of a row is not aligned");
      for (size_t j = 0; j < width; ++j, ++expected.back()) {
        if (piece[j] != expected) throw ProgramFault("a piece of a row has elements that are no neighbours");
      }
    }
  }

  // Behind iteration number `i`, what it and those before it have written of pieces that end with it.
  void StoreCollected(const Node& node, const Loop& loop, const std::vector<int64_t>& iterations, size_t i) {
    for (size_t k = 0; k < loop.collected.size(); ++k) {
      const KeptElement& collected = loop.collected[k];
      const auto width = static_cast<size_t>(collected.width);
      if ((i + 1) % width != 0) continue;
      for (size_t j = i + 1 - width; j <= i; ++j)
        Add(Step{&node,
                 {{collected.element.array, IndexAt(loop, collected.element, iterations[j])},
                  Collected(loop, k, j)},
                 {}});
    }
  }

  // The variable of that iteration.
  static Place Collected(const Loop& loop, size_t element, size_t iteration) {
    return {CollectedVariables(element), {static_cast<int64_t>(iteration) % loop.ahead}};
  }

  // The variable that has the element which an access, in a chunk of a loop that collects, is to; none:
  // memory has it.
  std::optional<Place> CollectedPlaceOf(const ElementAccess& access) const {
    if (collecting_ == nullptr) return std::nullopt;
    for (size_t k = 0; k < collecting_->collected.size(); ++k) {
      const ElementAccess& element = collecting_->collected[k].element;
      if (element.array != access.array) continue;
      const std::vector<int64_t> index = environment_.Evaluate(access.subscripts);
      Environment earlier = environment_;
      for (size_t back = 0; back <= written_ && back < static_cast<size_t>(collecting_->ahead); ++back) {
        earlier.Set(collecting_->iterator,
                    environment_.Get(collecting_->iterator) - static_cast<int64_t>(back));
        if (earlier.Evaluate(element.subscripts) == index) return Collected(*collecting_, k, written_ - back);
      }
    }
    return std::nullopt;
  }

  // What is loaded at once are neighbours, the first at a multiple of its bytes.
  void CheckWide(const Loop& loop, const std::vector<int64_t>& iterations) {
    if (iterations.size() != static_cast<size_t>(loop.ahead))
      throw ProgramFault("a loop has other iterations than it loads at once");
    const size_t names = environment_.size();
    for (const KeptElement& fetched : loop.fetched) {
      const DeviceArray& array = ArrayOf(fetched.element.array);
      const auto size = static_cast<int64_t>(ElementSize(array.type));
      const int64_t at_once = std::min(loop.ahead, 16 / size);
      std::vector<int64_t> first;
      for (size_t i = 0; i < iterations.size(); ++i) {
        environment_.Set(loop.iterator, iterations[i]);
        std::vector<int64_t> index = environment_.Evaluate(fetched.element.subscripts);
        environment_.ShrinkTo(names);
        if (index.size() != array.extents.size())
          throw ProgramFault("elements of no place are loaded at once");
        if (i == 0) first = index;
        const bool aligned = index.back() % at_once == 0 || i % static_cast<size_t>(at_once) != 0;
        const bool rows = index.size() == 1 || array.extents.back() % at_once == 0;
        index.back() -= static_cast<int64_t>(i);
        if (index != first || !aligned || !rows)
          throw ProgramFault("elements are loaded at once that are not aligned neighbours");
      }
    }
  }

  // Of the iteration that is known, into variables of this number.
  void Fetch(const Node& node, const Loop& loop, size_t variable) {
    for (size_t k = 0; k < loop.fetched.size(); ++k) {
      const ElementAccess& element = loop.fetched[k].element;
      Add(Step{&node,
               {{FetchedVariables(k), {static_cast<int64_t>(variable)}},
                {element.array, environment_.Evaluate(element.subscripts)}},
               {}});
    }
  }

  void TraceLoop(const Loop& loop) {
    const size_t names = environment_.size();
    int64_t iteration = environment_.Evaluate(loop.first);
    for (;;) {
      environment_.ShrinkTo(names);
      environment_.Set(loop.iterator, iteration);
      if (environment_.Evaluate(loop.condition) == 0) break;
      Trace(loop.body);
      iteration += environment_.Evaluate(loop.step);
      CountStep();
    }
    environment_.ShrinkTo(names);
  }

  void TraceFill(const Node& node, const Fill& fill, const TileFill& part) {
    const Tile* const tile = kernel_->FindTile(part.to.array);
    if (tile == nullptr) throw ProgramFault("a fill of no tile");
    const DeviceArray& array = ArrayOf(tile->array);
    const int64_t elements = tile->Elements();
    const std::vector<int64_t> first = environment_.Evaluate(part.first);
    for (int64_t q = environment_.Get(fill.lane); q < elements / part.width; q += fill.threads) {
      for (int64_t i = 0; i < part.width; ++i) {
        Step step{&node, {PlaceOf(part.to), {tile->array, {}}}, {}};
        const bool inside = SetPlaces(part, *tile, array, first, q * part.width + i, &step);
        if (i == 0) CheckAlignment(part, *tile, array, step);
        if (!inside && !fill.zero_outside) continue;
        step.zero = !inside;
        if (part.asynchronous) {
          begun_.push_back(step);
          step.unknown = true;
        }
        Add(std::move(step));
      }
    }
  }

  // Where element `number` of the tile is, there and in the array, which begins at `first`. Whether the
  // guards say that the array has it.
  static bool SetPlaces(const TileFill& part, const Tile& tile, const DeviceArray& array,
                        const std::vector<int64_t>& first, int64_t number, Step* step) {
    bool inside = true;
    int64_t below = tile.Elements();
    step->places[0].index.resize(step->places[0].index.size() + tile.extents.size());
    const auto digits = step->places[0].index.end() - static_cast<std::ptrdiff_t>(tile.extents.size());
    for (size_t i = 0; i < tile.extents.size(); ++i) {
      const size_t of_tile = tile.OtherDimension(i);
      below /= tile.extents[of_tile];
      const int64_t digit = i > 0 ? number / below % tile.extents[of_tile] : number / below;
      const int64_t index = first[i] + digit;
      inside = inside && (!part.before[i] || index >= 0) && (!part.behind[i] || index < array.extents[i]);
      digits[static_cast<std::ptrdiff_t>(of_tile)] = digit;
      step->places[1].index.push_back(index);
    }
    return inside;
  }

  // Of the first of several elements that are copied at once, each of a multiple of their bytes.
  static void CheckAlignment(const TileFill& part, const Tile& tile, const DeviceArray& array,
                             const Step& step) {
    if (part.width == 1) return;
    const bool rows = tile.extents.size() > 1;
    const auto fits = [&](int64_t number) { return number % part.width == 0; };
    if (tile.transposed || !fits(step.places[0].index.back()) || !fits(step.places[1].index.back()) ||
        (rows && !(fits(tile.row_length) && fits(array.extents.back()))))
      throw ProgramFault("elements are copied at once that are not aligned");
  }

  // Of all groups but the last ones the copies have arrived: before, nothing was known of the elements.
  void TraceEnds(int64_t open) {
    if (open < 0) throw ProgramFault("fewer groups of copies than none are left open");
    for (; static_cast<int64_t>(groups_.size()) > open; groups_.pop_front()) {
      for (Step& step : groups_.front()) Add(std::move(step));
    }
  }

  const DeviceArray& ArrayOf(const std::string& name) const {
    for (const DeviceArray& array : *arrays_) {
      if (array.scop_name == name) return array;
    }
    throw ProgramFault("a tile of no array");
  }

  Place PlaceOf(const ElementAccess& access) const {
    for (size_t i = 0; i < kept_.size(); ++i) {
      if (*kept_[i].first == access) return KeptVariable(i);
    }
    for (size_t k = 0; fetched_ != nullptr && k < fetched_->size(); ++k) {
      if ((*fetched_)[k].element == access) return {FetchedVariables(k), {variable_}};
    }
    if (const std::optional<Place> collected = CollectedPlaceOf(access)) return *collected;
    return {access.array, environment_.Evaluate(access.subscripts)};
  }

  void Add(Step step) {
    CountStep();
    steps_.push_back(std::move(step));
  }
  void CountStep() {
    if (++taken_ > kMostSteps) throw ProgramFault("a thread does not end");
  }

  const DeviceKernel* kernel_;
  const std::vector<DeviceArray>* arrays_;
  Environment environment_;
  std::vector<Step> steps_;
  std::vector<std::pair<const ElementAccess*, Place>> kept_;  // by the number of their variables
  const std::vector<KeptElement>* fetched_ = nullptr;         // of the loop around
  int64_t variable_ = 0;                                      // that has what it fetched
  const Loop* collecting_ = nullptr;                          // the loop around that collects stores
  size_t written_ = 0;                                        // the number of its iteration
  std::vector<Step> begun_;                                   // asynchronous copies that are in no group yet
  std::deque<std::vector<Step>> groups_;                      // that were not waited for
  size_t taken_ = 0;
};

}  // namespace

std::string FetchedVariables(size_t element) { return absl::StrCat("fetched ", element); }

std::string CollectedVariables(size_t element) { return absl::StrCat("collected ", element); }

Place KeptVariable(size_t number) { return {absl::StrCat("kept ", number), {}}; }

std::vector<Step> TraceThread(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays,
                              Environment environment) {
  Tracing tracing(&kernel, &arrays, std::move(environment));
  tracing.TraceOpen(kernel.coordinates);
  tracing.TraceOpen(kernel.body);
  return tracing.TakeSteps();
}

std::vector<Step> TraceBlock(const Block& block) {
  Tracing tracing(nullptr, nullptr, {});
  tracing.Trace(block);
  return tracing.TakeSteps();
}

}  // namespace tune::testing
