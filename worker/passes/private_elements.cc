#include "worker/passes/private_elements.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/program/node_accesses.h"

namespace tune {
namespace {

using Statements = std::map<std::string, const v1::Statement*>;

Statements StatementsOf(const v1::Scop& scop) {
  Statements statements;
  for (const v1::Statement& statement : scop.statements()) statements[statement.name()] = &statement;
  return statements;
}

// Looks at the references of one kernel to one array.
class PrivateElement {
 public:
  PrivateElement(const Statements& statements, const DeviceArray& array)
      : statements_(statements), array_(array.scop_name), dimensions_(array.extents.size()) {}

  // Whether the array can be a variable; false where nothing refers to it.
  bool Found(const DeviceKernel& kernel) {
    for (const Tile& tile : kernel.tiles) {
      if (tile.array == array_ && tile.shared) return false;
    }
    Walk(kernel.body, false);
    return fits_ && subscripts_.has_value();
  }

 private:
  // Every node, in order; `written`: whether the thread has written the element before. Returns whether it
  // has behind the block.
  bool Walk(const Block& block, bool written) {
    for (const Node& node : block) {
      if (const auto* const instance = node.As<Instance>()) {
        written = Look(*instance, written);
      } else if (const auto* const transfer = node.As<Transfer>()) {
        const bool updates = transfer->update != v1::NONE || transfer->atomic;
        if (Is(transfer->from)) Read(transfer->from, written);
        if (Is(transfer->to)) written = Write(transfer->to, updates, written);
      } else if (const auto* const scope = node.As<Scope>()) {
        for (const KeptElement& kept : scope->kept) {
          if (Is(kept.element)) Read(kept.element, written);
        }
        Walk(scope->body, written);
      } else {
        const auto* const loop = node.As<Loop>();
        if (loop != nullptr && (Holds(loop->fetched) || Holds(loop->collected) || loop->warp_product))
          fits_ = fits_ && !Mentions(node);
        for (const Block* const inner : node.blocks()) Walk(*inner, written);
      }
    }
    return written;
  }

  bool Look(const Instance& instance, bool written) {
    const auto found = statements_.find(instance.statement);
    if (found == statements_.end() || found->second->kind() == v1::Statement::KILL) return written;
    const v1::Statement& statement = *found->second;
    for (size_t a = 0; a < instance.accesses.size(); ++a) {
      const bool writes = statement.accesses(static_cast<int>(a)).kind() == v1::Access::WRITE;
      if (Is(instance.accesses[a]) && !writes) Read(instance.accesses[a], written);
    }
    for (size_t a = 0; a < instance.accesses.size(); ++a) {
      const v1::Access::Kind kind = statement.accesses(static_cast<int>(a)).kind();
      if (!Is(instance.accesses[a]) || kind == v1::Access::READ) continue;
      written = Write(instance.accesses[a], kind != v1::Access::WRITE || instance.guarded || instance.atomic,
                      written);
    }
    return written;
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

  void Read(const ElementAccess& access, bool written) {
    Meet(access);
    fits_ = fits_ && written;
  }
  // Whether the element has been written then.
  bool Write(const ElementAccess& access, bool updates, bool written) {
    if (updates) {
      Read(access, written);
    } else {
      Meet(access);
    }
    return true;
  }
  void Meet(const ElementAccess& access) {
    if (!subscripts_) subscripts_ = access.subscripts;
    // Data decide which element it is where it has none of an array's subscripts.
    fits_ = fits_ && *subscripts_ == access.subscripts && access.subscripts.size() == dimensions_;
  }

  const Statements& statements_;
  const std::string array_;
  const size_t dimensions_;
  std::optional<std::vector<IndexExpression>> subscripts_;
  bool fits_ = true;
};

// The kernel that alone uses the array; null where there are several, or none.
DeviceKernel* OnlyKernelOf(int array, DeviceProgram* program) {
  DeviceKernel* only = nullptr;
  for (DeviceKernel& kernel : program->kernels) {
    const bool uses = std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                                  [&](const KernelArray& used) { return used.array == array; });
    if (!uses) continue;
    if (only != nullptr) return nullptr;
    only = &kernel;
  }
  return only;
}

std::string UnusedName(const DeviceProgram& program, const DeviceKernel& kernel, const std::string& array) {
  std::set<std::string> names(kernel.sizes.begin(), kernel.sizes.end());
  for (const DeviceArray& other : program.arrays) names.insert({other.name, other.scop_name});
  for (const Tile& tile : kernel.tiles) names.insert(tile.name);
  std::string name = array + "_private";
  while (!names.insert(name).second) name += "_";
  return name;
}

void Replace(const std::string& array, const std::string& variable, DeviceKernel* kernel) {
  const auto replace = [&](ElementAccess& access) {
    if (access.array == array) access = {variable, {}};
  };
  ForEachNode(kernel->body, [&](Node& node) {
    ForEachAccess(node, replace);
    if (auto* const scope = node.As<Scope>()) {
      for (KeptElement& kept : scope->kept) replace(kept.element);
    }
  });
}

void Contract(DeviceArray* array, DeviceProgram* program, DeviceKernel* kernel) {
  Tile tile;
  tile.name = UnusedName(*program, *kernel, array->name);
  tile.array = array->scop_name;
  tile.type = array->type;
  Replace(array->scop_name, tile.name, kernel);
  kernel->tiles.push_back(std::move(tile));
  const int number = static_cast<int>(array - program->arrays.data());
  kernel->arrays.erase(std::remove_if(kernel->arrays.begin(), kernel->arrays.end(),
                                      [&](const KernelArray& used) { return used.array == number; }),
                       kernel->arrays.end());
  array->contracted = true;
}

}  // namespace

void ContractPrivateElements(const v1::Scop& scop, DeviceProgram* program) {
  const Statements statements = StatementsOf(scop);
  for (size_t i = 0; i < program->arrays.size(); ++i) {
    DeviceArray& array = program->arrays[i];
    if (!array.local || array.of_block > 0 || array.of_thread > 0) continue;
    DeviceKernel* const kernel = OnlyKernelOf(static_cast<int>(i), program);
    if (kernel == nullptr || kernel->arrays.size() == 1) continue;  // of a function that has nothing else
    if (!PrivateElement(statements, array).Found(*kernel)) continue;
    Contract(&array, program, kernel);
  }
}

}  // namespace tune
