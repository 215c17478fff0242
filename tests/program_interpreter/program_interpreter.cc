#include "tests/program_interpreter/program_interpreter.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/program/atomic_update.h"
#include "common/program/statement_value.h"
#include "tests/program_interpreter/shadow_memory.h"
#include "tests/program_interpreter/statement_value.h"
#include "tests/program_interpreter/thread_trace.h"

namespace tune::testing {
namespace {

using Arrays = std::map<std::string, ShadowArray>;

// Arrays and statements by their names.
class Executor {
 public:
  explicit Executor(const v1::Scop& scop) {
    for (const v1::Statement& statement : scop.statements()) {
      statements_[statement.name()] = &statement;
      if (statement.accesses_size() > 0 && IsAtomicUpdate(scop, statement)) atomic_.insert(statement.name());
      affine_[statement.name()] = AffineExpressions(statement.value());
    }
  }

  // `arrays`: innermost first, where names are looked up.
  void Run(const Step& step, const Agent& agent, const std::vector<Arrays*>& arrays) const {
    if (const auto* instance = step.node->As<Instance>()) return RunInstance(*instance, step, agent, arrays);
    const auto* const transfer = step.node->As<Transfer>();
    if (step.unknown) return Write(step.places[0], agent, std::nullopt, arrays);
    const std::optional<Residue> value =
        step.zero ? std::optional<Residue>(0) : Read(step.places[1], agent, arrays);
    if (transfer == nullptr || transfer->update == v1::NONE)
      return Write(step.places[0], agent, value, arrays);
    if (transfer->atomic) {
      ShadowElement& to = Find(step.places[0], arrays);
      if (!to.Write(agent, Updated(transfer->update, to.value(), value), /*atomic=*/true))
        throw Race(step.places[0]);
      return;
    }
    const std::optional<Residue> before = Read(step.places[0], agent, arrays);
    Write(step.places[0], agent, Updated(transfer->update, before, value), arrays);
  }

 private:
  static std::optional<Residue> Updated(v1::UpdateOperator update, std::optional<Residue> target,
                                        std::optional<Residue> value) {
    if (!target || !value) return std::nullopt;
    return testing::Updated(update, *target, *value);
  }

  void RunInstance(const Instance& instance, const Step& step, const Agent& agent,
                   const std::vector<Arrays*>& arrays) const {
    const v1::Statement& statement = *statements_.at(instance.statement);
    const auto& affine = affine_.at(instance.statement);
    bool known = true;
    const auto value_of = [&](const v1::Expression& part) {
      return ValueOf(
          part,
          [&](int access, const std::vector<Residue>& by_data) {
            const std::optional<Residue> read = Read(At(step.places[access], by_data, arrays), agent, arrays);
            known = known && read.has_value();
            return read.value_or(0);
          },
          [&](const v1::Expression& expression) {
            const auto place = std::find(affine.begin(), affine.end(), &expression);
            return step.affine.at(place - affine.begin());
          });
    };
    const Residue value = value_of(AssignedValue(statement));
    std::vector<Residue> by_data;
    for (const v1::Expression* subscript : TargetSubscripts(statement))
      by_data.push_back(value_of(*subscript));
    const Place target = At(step.places[statement.target()], by_data, arrays);
    const std::optional<Residue> result = known ? std::optional<Residue>(value) : std::nullopt;
    if (atomic_.count(statement.name()) > 0) {
      ShadowElement& to = Find(target, arrays);
      if (!to.Write(agent, Updated(statement.update(), to.value(), result), /*atomic=*/true))
        throw Race(target);
      return;
    }
    if (statement.update() == v1::NONE) return Write(target, agent, result, arrays);
    const std::optional<Residue> before = Read(target, agent, arrays);
    Write(target, agent, Updated(statement.update(), before, result), arrays);
  }

  // With the subscripts that data decide, which are residues: modulo the lengths of the dimensions.
  static Place At(const Place& place, const std::vector<Residue>& by_data,
                  const std::vector<Arrays*>& arrays) {
    if (by_data.empty()) return place;
    for (const Arrays* of : arrays) {
      const auto found = of->find(place.array);
      if (found == of->end()) continue;
      const std::vector<int64_t>& extents = found->second.extents;
      if (extents.size() != by_data.size() || !place.index.empty())
        throw ProgramFault(absl::StrCat(place.array, " has other subscripts than data decide"));
      Place element = place;
      for (size_t i = 0; i < by_data.size(); ++i)
        element.index.push_back(static_cast<int64_t>(by_data[i] % static_cast<Residue>(extents[i])));
      return element;
    }
    throw ProgramFault(absl::StrCat("there is no ", place.array));
  }

  static std::string Text(const Place& place) {
    return absl::StrCat(place.array, "[", absl::StrJoin(place.index, "]["), "]");
  }
  static ProgramFault Race(const Place& place) {
    return ProgramFault(absl::StrCat("nothing orders accesses to ", Text(place)));
  }
  static ShadowElement& Find(const Place& place, const std::vector<Arrays*>& arrays) {
    for (Arrays* of : arrays) {
      const auto found = of->find(place.array);
      if (found == of->end()) continue;
      const std::optional<size_t> number = found->second.PlaceOf(place.index);
      if (!number) throw ProgramFault(absl::StrCat("there is no ", Text(place)));
      return found->second.elements[*number];
    }
    throw ProgramFault(absl::StrCat("there is no ", place.array));
  }

  static std::optional<Residue> Read(const Place& place, const Agent& agent,
                                     const std::vector<Arrays*>& arrays) {
    ShadowElement& element = Find(place, arrays);
    if (!element.Read(agent)) throw Race(place);
    return element.value();
  }
  static void Write(const Place& place, const Agent& agent, std::optional<Residue> value,
                    const std::vector<Arrays*>& arrays) {
    if (!Find(place, arrays).Write(agent, value)) throw Race(place);
  }

  std::map<std::string, const v1::Statement*> statements_;
  std::map<std::string, std::vector<const v1::Expression*>> affine_;
  std::set<std::string> atomic_;  // statements that IsAtomicUpdate holds for
};

std::vector<int64_t> TileExtents(const Tile& tile) {
  std::vector<int64_t> extents = tile.extents;
  if (tile.copies > 1) extents.insert(extents.begin(), tile.copies);
  return extents;
}

// One block of a kernel. Its shared tiles may outlive it, where another one takes its place.
class BlockRun {
 public:
  BlockRun(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays, const Executor& executor,
           Arrays* global, Arrays* shared)
      : kernel_(kernel), arrays_(arrays), executor_(executor), global_(global), shared_(shared) {}

  // `environment`: without the thread; `agent`: with the first of its threads. The agent's phase goes on with
  // each barrier.
  void Run(const Environment& environment, const std::string& thread_index, Agent* agent) {
    MakeThreads(environment, thread_index);
    std::vector<size_t> next(traces_.size(), 0);
    for (;;) {
      const Node* const stop = RunToStop(&next, *agent);
      if (stop == nullptr) return;
      ++agent->phase;
      if (const auto* reduction = stop->As<BlockReduction>()) Combine(*reduction);
    }
  }

 private:
  static bool IsStop(const Node& node) {
    return node.As<Barrier>() != nullptr || node.As<BlockReduction>() != nullptr;
  }

  void MakeThreads(const Environment& environment, const std::string& thread_index) {
    for (int64_t z = 0; z < kernel_.threads[2]; ++z) {
      for (int64_t y = 0; y < kernel_.threads[1]; ++y) {
        for (int64_t x = 0; x < kernel_.threads[0]; ++x) {
          Environment own = environment;
          own.Set(thread_index + ".x", x);
          own.Set(thread_index + ".y", y);
          own.Set(thread_index + ".z", z);
          traces_.push_back(TraceThread(kernel_, arrays_, std::move(own)));
          registers_.push_back(MakeRegisters());
        }
      }
    }
  }

  Arrays MakeRegisters() const {
    Arrays registers;
    for (const Tile& tile : kernel_.tiles) {
      if (tile.shared) continue;
      ShadowArray& array = registers.emplace(tile.name, ShadowArray(TileExtents(tile))).first->second;
      for (ShadowElement& element : array.elements) {
        if (tile.combined_by != v1::NONE) element.Initialise(IdentityOf(tile.combined_by));
        if (tile.zeroed) element.Initialise(0);
      }
    }
    size_t kept = 0, fetched = 0, collected = 0;  // more than are ever kept at once
    int64_t ahead = 0;
    ForEachNode(kernel_.body, [&](const Node& node) {
      if (const auto* scope = node.As<Scope>()) kept += scope->kept.size();
      if (const auto* loop = node.As<Loop>()) {
        fetched = std::max(fetched, loop->fetched.size());
        collected = std::max(collected, loop->collected.size());
        ahead = std::max(ahead, loop->ahead);
      }
    });
    for (size_t i = 0; i < kept; ++i) registers.emplace(KeptVariable(i).array, ShadowArray());
    for (size_t i = 0; i < fetched; ++i) registers.emplace(FetchedVariables(i), ShadowArray({2 * ahead}));
    for (size_t i = 0; i < collected; ++i) registers.emplace(CollectedVariables(i), ShadowArray({ahead}));
    return registers;
  }

  // All threads to where they wait for each other; null: all have ended.
  const Node* RunToStop(std::vector<size_t>* next, const Agent& first) {
    const Node* stop = nullptr;
    for (size_t thread = 0; thread < traces_.size(); ++thread) {
      Agent agent = first;
      agent.thread += static_cast<int64_t>(thread);
      size_t& at = (*next)[thread];
      const std::vector<Step>& trace = traces_[thread];
      for (; at < trace.size() && !IsStop(*trace[at].node); ++at)
        executor_.Run(trace[at], agent, {&registers_[thread], shared_, global_});
      const Node* const own = at < trace.size() ? trace[at++].node : nullptr;
      if (thread > 0 && own != stop) throw ProgramFault("some threads of a block miss a barrier");
      stop = own;
    }
    return stop;
  }

  // The first thread along the axis has the combination of all, the others nothing that is known.
  void Combine(const BlockReduction& reduction) {
    const Tile& tile = *kernel_.FindTile(reduction.tile);
    if (reduction.axis < 0) return;
    int64_t stride = 1;
    for (int axis = 0; axis < reduction.axis; ++axis) stride *= kernel_.threads[axis];
    const int64_t lanes = kernel_.threads[reduction.axis];
    if (lanes == 1) return;
    for (size_t thread = 0; thread < traces_.size(); ++thread) {
      const int64_t lane = static_cast<int64_t>(thread) / stride % lanes;
      if (lane == 0) continue;
      ShadowArray& from = registers_[thread].at(tile.name);
      ShadowArray& to = registers_[thread - static_cast<size_t>(lane * stride)].at(tile.name);
      for (size_t i = 0; i < from.elements.size(); ++i) {
        const std::optional<Residue> own = to.elements[i].value(), other = from.elements[i].value();
        to.elements[i].Initialise(own && other ? Updated(tile.combined_by, *own, *other)
                                               : std::optional<Residue>());
        from.elements[i].Initialise(std::nullopt);
      }
    }
  }

  const DeviceKernel& kernel_;
  const std::vector<DeviceArray>& arrays_;
  const Executor& executor_;
  Arrays* global_;
  Arrays* shared_;
  std::vector<std::vector<Step>> traces_;  // by the thread's number
  std::vector<Arrays> registers_;
};

class ProgramRun {
 public:
  ProgramRun(const DeviceProgram& program, const v1::Scop& scop, const HelperNames& names, Arrays* global)
      : program_(program), names_(names), executor_(scop), global_(global) {
    for (const DeviceKernel& kernel : program.kernels) CheckGivenMemory(kernel);
  }

  void Run() { Run(program_.host); }

 private:
  static void CheckGivenMemory(const DeviceKernel& kernel) {
    if (kernel.given_shared_bytes == 0) return;
    for (const Tile& tile : kernel.tiles) {
      if (!tile.shared) continue;
      if (tile.offset < 0 || tile.offset + tile.Bytes() > kernel.given_shared_bytes)
        throw ProgramFault("a tile lies outside of the memory that the launch gives");
      for (const Tile& other : kernel.tiles) {
        if (other.shared && other.name != tile.name && other.offset < tile.offset + tile.Bytes() &&
            tile.offset < other.offset + other.Bytes()) {
          throw ProgramFault("two tiles lie in the same memory");
        }
      }
    }
  }

  void Run(const Block& block) {
    for (const Node& node : block) {
      if (const auto* loop = node.As<Loop>()) {
        RunLoop(*loop);
      } else if (const auto* branch = node.As<Condition>()) {
        Run(environment_.Evaluate(branch->condition) != 0 ? branch->then : branch->otherwise);
      } else if (const auto* launch = node.As<Launch>()) {
        RunLaunch(*launch);
      } else if (const auto* merged = node.As<MergedLaunch>()) {
        RunMerged(*merged);
      } else if (const auto* turns = node.As<BlockTurns>()) {
        RunTurns(*turns);
      } else if (const auto* barrier = node.As<Barrier>()) {
        PassBarrier(*barrier);
      } else {
        throw ProgramFault("the host has no such node");
      }
    }
  }

  void RunLoop(const Loop& loop) {
    const size_t names = environment_.size();
    int64_t iteration = environment_.Evaluate(loop.first);
    for (;;) {
      environment_.ShrinkTo(names);
      environment_.Set(loop.iterator, iteration);
      if (environment_.Evaluate(loop.condition) == 0) break;
      if (loop.parallel) ++tile_;
      Run(loop.body);
      iteration += environment_.Evaluate(loop.step);
    }
    environment_.ShrinkTo(names);
  }

  void RunLaunch(const Launch& launch) {
    const DeviceKernel& kernel = program_.kernels.at(launch.kernel);
    ++epoch_;
    int64_t number = 0;
    ForEachBlock(launch, [&](const std::vector<int64_t>& block, const std::vector<int64_t>& counts) {
      Arrays shared = MakeShared(kernel);
      Agent agent{epoch_, number++, 0, 0};
      std::vector<int64_t> grid = counts, own = block;
      if (kernel.linear_grid) Flatten(&grid, &own);
      BlockRun(kernel, program_.arrays, executor_, global_, &shared)
          .Run(Arguments(launch, kernel, own, grid), ThreadIndex(kernel), &agent);
    });
    ++epoch_;
  }

  // All blocks lie along x.
  static void Flatten(std::vector<int64_t>* grid, std::vector<int64_t>* block) {
    const std::vector<int64_t> counts = *grid;
    const std::vector<int64_t> index = *block;
    *grid = {counts[0] * counts[1] * counts[2], 1, 1};
    *block = {index[0] + counts[0] * (index[1] + counts[1] * index[2]), 0, 0};
  }

  // Knows of the host what it is passed.
  void RunMerged(const MergedLaunch& merged) {
    if (merged_ != nullptr) throw ProgramFault("a merged launch in another one");
    const Environment host = std::move(environment_);
    environment_ = Environment();
    for (const std::string& iterator : merged.iterators)
      environment_.Set(iterator, host.Evaluate(IndexExpression::Name(iterator)));
    merged_ = &merged;
    tile_ = 0;
    joined_ = 0;
    ++epoch_;
    phases_.clear();
    shared_.clear();
    Run(merged.body);
    ++epoch_;
    merged_ = nullptr;
    environment_ = host;
  }

  void RunTurns(const BlockTurns& turns) {
    const DeviceKernel& kernel = program_.kernels.at(turns.launch.kernel);
    if (merged_ == nullptr) throw ProgramFault("blocks take turns outside of a merged launch");
    const MergedLaunch& merged = *merged_;
    if (turns.at_once < 1 || turns.at_once * kernel.ThreadCount() > merged.threads)
      throw ProgramFault("blocks that run at the same time have more threads than there are");
    if (merged.joined && turns.own < 1) throw ProgramFault("a kernel of a joined launch has no blocks");
    int64_t turn = 0;
    ForEachBlock(turns.launch, [&](const std::vector<int64_t>& block, const std::vector<int64_t>& counts) {
      const int64_t in_grid = merged.tiles    ? tile_
                              : merged.joined ? joined_ + turn / turns.at_once % turns.own
                                              : turn / turns.at_once % merged.blocks;
      auto& shared = shared_[{turns.launch.kernel, in_grid}];
      if (shared == nullptr) shared = std::make_unique<Arrays>(MakeShared(kernel));
      Agent agent{epoch_, in_grid, phases_[in_grid], turn % turns.at_once * kernel.ThreadCount()};
      BlockRun(kernel, program_.arrays, executor_, global_, shared.get())
          .Run(Arguments(turns.launch, kernel, block, counts), ThreadIndex(kernel), &agent);
      if (agent.phase != phases_[in_grid] && kernel.ThreadCount() != merged.threads)
        throw ProgramFault("some threads of a block miss a barrier");
      phases_[in_grid] = agent.phase;
      ++turn;
    });
    joined_ += turns.own;
    if (merged.joined && joined_ > merged.blocks)
      throw ProgramFault("kernels have more blocks than there are");
  }

  void PassBarrier(const Barrier& barrier) {
    if (barrier.of == Barrier::Of::kGrid) {
      ++epoch_;
    } else {
      ++phases_[merged_ != nullptr && merged_->tiles ? tile_ : 0];
    }
  }

  template <typename Visit>
  void ForEachBlock(const Launch& launch, const Visit& visit) {
    std::vector<int64_t> counts = environment_.Evaluate(launch.count);
    counts.resize(3, 1);
    for (int64_t z = 0; z < counts[2]; ++z) {
      for (int64_t y = 0; y < counts[1]; ++y) {
        for (int64_t x = 0; x < counts[0]; ++x) visit(std::vector<int64_t>{x, y, z}, counts);
      }
    }
  }

  Environment Arguments(const Launch& launch, const DeviceKernel& kernel, const std::vector<int64_t>& block,
                        const std::vector<int64_t>& grid) const {
    Environment arguments;
    const auto set = [&](const std::string& name, const std::vector<IndexExpression>& values) {
      for (size_t i = 0; i < values.size(); ++i)
        arguments.Set(absl::StrCat(name, i), environment_.Evaluate(values[i]));
    };
    set(names_.host, launch.host);
    set(names_.first, launch.first);
    set(names_.count, launch.count);
    constexpr const char* kAxes[] = {".x", ".y", ".z"};
    for (size_t axis = 0; axis < 3; ++axis) {
      arguments.Set((kernel.is_function ? names_.block_index : "blockIdx") + std::string(kAxes[axis]),
                    block[axis]);
      arguments.Set(std::string("gridDim") + kAxes[axis], grid[axis]);
    }
    return arguments;
  }

  std::string ThreadIndex(const DeviceKernel& kernel) const {
    return kernel.is_function ? names_.thread_index : "threadIdx";
  }

  static Arrays MakeShared(const DeviceKernel& kernel) {
    Arrays shared;
    for (const Tile& tile : kernel.tiles) {
      if (tile.shared) shared.emplace(tile.name, ShadowArray(TileExtents(tile)));
    }
    return shared;
  }

  const DeviceProgram& program_;
  const HelperNames& names_;
  const Executor executor_;
  Arrays* global_;
  Environment environment_;
  int64_t epoch_ = 0;
  int64_t tile_ = 0;                      // whose block runs, of a launch of tiles
  int64_t joined_ = 0;                    // blocks of the kernels before, of a launch of independent ones
  const MergedLaunch* merged_ = nullptr;  // that runs
  std::map<int64_t, int64_t> phases_;     // of its blocks
  std::map<std::pair<int, int64_t>, std::unique_ptr<Arrays>> shared_;  // of kernel and block of that
};

Arrays Load(const std::vector<DeviceArray>& arrays, const ResidueMemory& memory) {
  Arrays loaded;
  for (const DeviceArray& array : arrays) {
    ShadowArray& shadow = loaded.emplace(array.scop_name, ShadowArray(array.extents)).first->second;
    const auto values = memory.find(array.scop_name);
    for (size_t i = 0; values != memory.end() && i < shadow.elements.size(); ++i)
      shadow.elements[i].Initialise(values->second[i]);
  }
  return loaded;
}

void Store(const Arrays& arrays, ResidueMemory* memory) {
  for (auto& [name, values] : *memory) {
    const std::vector<ShadowElement>& elements = arrays.at(name).elements;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!elements[i].value()) throw ProgramFault("nothing is known of an element of " + name);
      values[i] = *elements[i].value();
    }
  }
}

}  // namespace

ResidueMemory MakeResidues(const std::vector<DeviceArray>& arrays) {
  ResidueMemory memory;
  for (const DeviceArray& array : arrays) {
    if (array.local) continue;
    std::vector<Residue>& values = memory[array.scop_name];
    values.resize(ShadowArray(array.extents).elements.size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = HashOf(array.scop_name, i + 1);
  }
  return memory;
}

absl::Status Interpret(const DeviceProgram& program, const v1::Scop& scop, const HelperNames& names,
                       ResidueMemory* memory) {
  try {
    Arrays global = Load(program.arrays, *memory);
    ProgramRun(program, scop, names, &global).Run();
    Store(global, memory);
  } catch (const ProgramFault& fault) {
    return absl::FailedPreconditionError(fault.what());
  }
  return absl::OkStatus();
}

absl::Status Interpret(const Block& block, const v1::Scop& scop, const std::vector<DeviceArray>& arrays,
                       ResidueMemory* memory) {
  try {
    Arrays global = Load(arrays, *memory);
    const Executor executor(scop);
    for (const Step& step : TraceBlock(block)) executor.Run(step, Agent{}, {&global});
    Store(global, memory);
  } catch (const ProgramFault& fault) {
    return absl::FailedPreconditionError(fault.what());
  }
  return absl::OkStatus();
}

}  // namespace tune::testing
