#include "worker/passes/private_elements.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/program/node_accesses.h"
#include "common/program/row_access.h"

namespace tune {
namespace {

using Statements = std::map<std::string, const v1::Statement*>;

Statements StatementsOf(const v1::Scop& scop) {
  Statements statements;
  for (const v1::Statement& statement : scop.statements()) statements[statement.name()] = &statement;
  return statements;
}

// Whether the node itself does anything to elements of the array.
bool Touches(const Node& node, const std::string& array) {
  bool touches = false;
  ForEachAccess(node, [&](const ElementAccess& access) { touches = touches || access.array == array; });
  if (const auto* const scope = node.As<Scope>()) {
    touches = touches || std::any_of(scope->kept.begin(), scope->kept.end(),
                                     [&](const KeptElement& kept) { return kept.element.array == array; });
  }
  return touches;
}

// Looks at the references of one kernel to one array.
class PrivateElement {
 public:
  PrivateElement(const Statements& statements, const DeviceArray& array)
      : statements_(statements), array_(array.scop_name), dimensions_(array.extents.size()) {}

  // Whether a variable can hold the array's elements; false where nothing refers to it.
  bool Found(const DeviceKernel& kernel) {
    for (const Tile& tile : kernel.tiles) {
      if (tile.array == array_ && tile.shared) return false;
    }
    Walk(kernel.body, nullptr);
    return fits_ && found_;
  }

 private:
  using Subscripts = std::vector<IndexExpression>;

  // Every node, in order. `held`: those of the element that the thread has written last, and the variable
  // has; null: none is known.
  void Walk(const Block& block, const Subscripts* held) {
    for (const Node& node : block) {
      if (const auto* const instance = node.As<Instance>()) {
        held = Look(*instance, held);
      } else if (const auto* const transfer = node.As<Transfer>()) {
        const bool updates = transfer->update != v1::NONE || transfer->atomic;
        if (Is(transfer->from)) Read(transfer->from, held);
        if (Is(transfer->to)) held = Write(transfer->to, updates, held);
      } else {
        held = WalkInside(node, held);
      }
    }
  }

  // The same of what the node holds, which may run several times, or not. Returns what is held behind it.
  const Subscripts* WalkInside(const Node& node, const Subscripts* held) {
    const Subscripts* const kept = held != nullptr && HoldsBehind(node, *held) ? held : nullptr;
    const auto* const loop = node.As<Loop>();
    if (loop != nullptr && (Holds(loop->fetched) || loop->warp_product)) fits_ = fits_ && !Mentions(node);
    if (const auto* const scope = node.As<Scope>()) {
      for (const KeptElement& one : scope->kept) {
        if (Is(one.element)) Read(one.element, held);
      }
    }
    for (const Block* const inner : node.blocks()) Walk(*inner, loop != nullptr ? kept : held);
    return kept;
  }

  // Whether nothing in the node writes another element.
  bool HoldsBehind(const Node& node, const Subscripts& held) const {
    bool holds = true;
    for (const Block* const inner : node.blocks()) {
      ForEachNode(*inner, [&](const Node& one) {
        ForEachAccess(one, [&](const ElementAccess& access) {
          holds = holds && (!Is(access) || access.subscripts == held);
        });
      });
    }
    return holds;
  }

  const Subscripts* Look(const Instance& instance, const Subscripts* held) {
    const auto found = statements_.find(instance.statement);
    if (found == statements_.end() || found->second->kind() == v1::Statement::KILL) return held;
    const v1::Statement& statement = *found->second;
    for (size_t a = 0; a < instance.accesses.size(); ++a) {
      const bool writes = statement.accesses(static_cast<int>(a)).kind() == v1::Access::WRITE;
      if (Is(instance.accesses[a]) && !writes) Read(instance.accesses[a], held);
    }
    for (size_t a = 0; a < instance.accesses.size(); ++a) {
      const v1::Access::Kind kind = statement.accesses(static_cast<int>(a)).kind();
      if (!Is(instance.accesses[a]) || kind == v1::Access::READ) continue;
      held =
          Write(instance.accesses[a], kind != v1::Access::WRITE || instance.guarded || instance.atomic, held);
    }
    return held;
  }

  bool Is(const ElementAccess& access) const { return access.array == array_; }
  bool Holds(const std::vector<KeptElement>& elements) const {
    return std::any_of(elements.begin(), elements.end(),
                       [&](const KeptElement& kept) { return Is(kept.element); });
  }
  bool Mentions(const Node& node) const {
    bool mentions = false;
    for (const Block* const inner : node.blocks()) {
      ForEachNode(*inner, [&](const Node& one) {
        ForEachAccess(one, [&](const ElementAccess& access) { mentions = mentions || Is(access); });
      });
    }
    return mentions;
  }

  void Read(const ElementAccess& access, const Subscripts* held) {
    Meet(access);
    fits_ = fits_ && held != nullptr && *held == access.subscripts;
  }
  // What is held then.
  const Subscripts* Write(const ElementAccess& access, bool updates, const Subscripts* held) {
    if (updates) {
      Read(access, held);
    } else {
      Meet(access);
    }
    return &access.subscripts;
  }
  void Meet(const ElementAccess& access) {
    found_ = true;
    // Data decide which element it is where it has none of an array's subscripts.
    fits_ = fits_ && access.subscripts.size() == dimensions_;
  }

  const Statements& statements_;
  const std::string array_;
  const size_t dimensions_;
  bool found_ = false, fits_ = true;
};

// The statements of which the kernel runs instances.
std::set<std::string> StatementsIn(const DeviceKernel& kernel) {
  std::set<std::string> statements;
  ForEachNode(kernel.body, [&](const Node& node) {
    if (const auto* const instance = node.As<Instance>()) statements.insert(instance->statement);
  });
  return statements;
}

// Those of which the kernel runs instances that write the array by subscripts; none where something else may
// write it there.
std::optional<std::set<std::string>> WritersIn(const DeviceKernel& kernel, const std::string& array,
                                               const Statements& statements) {
  std::set<std::string> writers;
  bool alone = std::none_of(kernel.tiles.begin(), kernel.tiles.end(),
                            [&](const Tile& tile) { return tile.array == array; });
  ForEachNode(kernel.body, [&](const Node& node) {
    const auto* const instance = node.As<Instance>();
    const bool touches = Touches(node, array);
    if (!touches) return;
    if (instance == nullptr || statements.count(instance->statement) == 0) {
      alone = false;
      return;
    }
    const v1::Statement& statement = *statements.at(instance->statement);
    for (size_t a = 0; a < instance->accesses.size(); ++a) {
      if (instance->accesses[a].array == array &&
          statement.accesses(static_cast<int>(a)).kind() != v1::Access::READ)
        writers.insert(statement.name());
    }
  });
  return alone ? std::optional(writers) : std::nullopt;
}

bool Uses(const DeviceKernel& kernel, int array) {
  return std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                     [&](const KernelArray& used) { return used.array == array; });
}

// Finds values that no kernel but the one that writes them reads.
class ValuesOfKernels {
 public:
  ValuesOfKernels(const Statements& statements, const ValueUses& uses, const DeviceProgram& program)
      : statements_(statements), uses_(uses), program_(program) {
    for (const DeviceKernel& kernel : program.kernels) instances_.push_back(StatementsIn(kernel));
  }

  // Whether all values that the kernel writes to the array are of this kind: it is a local one that no other
  // kernel uses, or who reads each of the values is known.
  bool Stay(size_t kernel, int array) const {
    const DeviceArray& written = program_.arrays[static_cast<size_t>(array)];
    bool only = true;
    for (size_t other = 0; other < program_.kernels.size(); ++other)
      only = only && (other == kernel || !Uses(program_.kernels[other], array));
    if (written.local && only) return true;
    const auto writers = WritersIn(program_.kernels[kernel], written.scop_name, statements_);
    return writers && std::all_of(writers->begin(), writers->end(),
                                  [&](const std::string& writer) { return StayOf(writer, kernel); });
  }

 private:
  bool StayOf(const std::string& writer, size_t kernel) const {
    const auto use = uses_.find(writer);
    if (use == uses_.end() || use->second.outlives) return false;
    const std::set<std::string>& readers = use->second.readers;
    return std::all_of(readers.begin(), readers.end(), [&](const std::string& reader) {
      for (size_t other = 0; other < instances_.size(); ++other) {
        if ((other == kernel) != (instances_[other].count(reader) > 0)) return false;
      }
      return true;
    });
  }

  const Statements& statements_;
  const ValueUses& uses_;
  const DeviceProgram& program_;
  std::vector<std::set<std::string>> instances_;  // parallel to the kernels
};

std::string UnusedName(const DeviceProgram& program, const DeviceKernel& kernel, const std::string& array) {
  std::set<std::string> names(kernel.sizes.begin(), kernel.sizes.end());
  for (const DeviceArray& other : program.arrays) names.insert({other.name, other.scop_name});
  for (const Tile& tile : kernel.tiles) names.insert(tile.name);
  std::string name = array + "_private";
  while (!names.insert(name).second) name += "_";
  return name;
}

// The loop's iterations do not store elements of the array together any more.
void LeaveUncollected(const std::string& array, Loop* loop) {
  const auto left = std::remove_if(loop->collected.begin(), loop->collected.end(),
                                   [&](const KeptElement& kept) { return kept.element.array == array; });
  if (left == loop->collected.end()) return;
  loop->collected.erase(left, loop->collected.end());
  loop->phase %= WidestPiece(*loop);
}

// Puts the variable in the array's place.
void Replace(const std::string& array, const std::string& variable, DeviceKernel* kernel) {
  const auto replace = [&](ElementAccess& access) {
    if (access.array == array) access = {variable, {}};
  };
  ForEachNode(kernel->body, [&](Node& node) {
    ForEachAccess(node, replace);
    if (auto* const scope = node.As<Scope>()) {
      for (KeptElement& kept : scope->kept) replace(kept.element);
    }
    if (auto* const loop = node.As<Loop>()) LeaveUncollected(array, loop);
  });
}

void Contract(int array, DeviceProgram* program, DeviceKernel* kernel) {
  DeviceArray& contracted = program->arrays[static_cast<size_t>(array)];
  Tile tile;
  tile.name = UnusedName(*program, *kernel, contracted.name);
  tile.array = contracted.scop_name;
  tile.type = contracted.type;
  Replace(contracted.scop_name, tile.name, kernel);
  kernel->tiles.push_back(std::move(tile));
  kernel->arrays.erase(std::remove_if(kernel->arrays.begin(), kernel->arrays.end(),
                                      [&](const KernelArray& used) { return used.array == array; }),
                       kernel->arrays.end());
  contracted.contracted =
      contracted.local && std::none_of(program->kernels.begin(), program->kernels.end(),
                                       [&](const DeviceKernel& other) { return Uses(other, array); });
}

}  // namespace

void ContractPrivateElements(const v1::Scop& scop, const ValueUses& uses, DeviceProgram* program) {
  const Statements statements = StatementsOf(scop);
  const ValuesOfKernels values(statements, uses, *program);
  for (size_t i = 0; i < program->arrays.size(); ++i) {
    const DeviceArray& array = program->arrays[i];
    if (array.by_value || array.of_block > 0 || array.of_thread > 0) continue;
    for (size_t number = 0; number < program->kernels.size(); ++number) {
      DeviceKernel& kernel = program->kernels[number];
      // A function has some other argument.
      if (!Uses(kernel, static_cast<int>(i)) || kernel.arrays.size() == 1) continue;
      if (!PrivateElement(statements, array).Found(kernel) || !values.Stay(number, static_cast<int>(i)))
        continue;
      Contract(static_cast<int>(i), program, &kernel);
    }
  }
}

}  // namespace tune
