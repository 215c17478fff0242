// Blocks are gone through in the order of control flow, with what is known of each register.
#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "common/base/plain_text.h"
#include "worker/ptx/ptx_opcode.h"
#include "worker/ptx/value_arithmetic.h"
#include "worker/ptx/value_graph.h"
#include "worker/ptx/value_symbols.h"

namespace tune {
namespace {

using SymbolKind = ValueSymbol::Kind;
using Operation = ValueOperation;
using OperandKind = PtxOperand::Kind;
using Values = std::map<int, LinearForm>;

constexpr size_t kMostKeptValues = 2'000'000;  // blocks times registers with several values

LinearForm Constant(int64_t value) { return {value, {}}; }
LinearForm Symbol(int symbol) { return {0, {{symbol, 1}}}; }

// "cvt.s64.s32"; not "cvt.rn.f32.s32".
bool IsBetweenIntegers(const PtxInstruction& conversion) {
  const size_t parts = conversion.opcode.size();
  return parts > 2 && absl::StrContains("sub", conversion.opcode[parts - 2].substr(0, 1));
}

class Builder {
 public:
  Builder(const PtxFunction& function, const ControlFlow& flow, const PtxLaunch& launch)
      : function_(function), flow_(flow), launch_(launch) {}

  absl::StatusOr<ValueGraph> Build() {
    TUNE_RETURN_IF_ERROR(FindRegisters());
    graph_.conditions.resize(flow_.blocks.size());
    graph_.addresses.resize(function_.instructions.size());
    graph_.loops.resize(flow_.loops.size());
    loop_values_.resize(flow_.loops.size());
    loop_ends_.resize(flow_.loops.size(), -1);
    after_.resize(flow_.blocks.size());
    std::vector<int> last(flow_.loops.size(), 0);
    for (size_t loop = 0; loop < last.size(); ++loop) {
      for (const int block : flow_.loops[loop].blocks)
        last[loop] = std::max(last[loop], flow_.position[block]);
    }
    for (size_t i = 0; i < flow_.order.size(); ++i) {
      EnterBlock(flow_.order[i]);
      for (int loop = flow_.blocks[block_].loop; loop >= 0 && last[loop] == static_cast<int>(i);
           loop = flow_.loops[loop].parent)
        CloseLoop(loop);
    }
    SettleDependences();
    return std::move(graph_);
  }

 private:
  // Registers that one instruction alone writes keep their value; of the others each block has its own.
  absl::Status FindRegisters() {
    std::vector<int> writes(function_.names.size());
    for (const BasicBlock& block : flow_.blocks) {
      for (size_t i = block.begin; i < block.end; ++i) {
        const PtxInstruction& instruction = function_.instructions[i];
        for (const int name : Written(instruction)) writes[name] += instruction.guard >= 0 ? 2 : 1;
      }
    }
    has_several_.resize(writes.size());
    for (size_t name = 0; name < writes.size(); ++name) has_several_[name] = writes[name] > 1;
    single_.resize(writes.size());
    single_block_.resize(writes.size(), 0);
    const size_t several = std::count(has_several_.begin(), has_several_.end(), true);
    if (several * flow_.blocks.size() > kMostKeptValues)
      return absl::ResourceExhaustedError(absl::StrCat(
          "PTX: ", EscapeLine(function_.name), " has ", several, " registers with several values in ",
          flow_.blocks.size(), " blocks, more than can be followed"));
    return absl::OkStatus();
  }

  int DepthOf(int loop) const { return loop < 0 ? 0 : flow_.loops[loop].depth; }
  static uint32_t WithinDepth(int depth) { return static_cast<uint32_t>((uint64_t{1} << depth) - 1); }

  // A value that is the same for all threads, always the same one for `name`.
  LinearForm Uniform(const std::string& name) {
    const auto found = uniform_.find(name);
    if (found != uniform_.end()) return found->second;
    return uniform_.emplace(name, symbols_.Unknown(0, 0)).first->second;
  }

  LinearForm Special(SymbolKind kind, int axis, uint8_t depends) {
    const auto key = std::pair(kind, axis);
    const auto found = special_.find(key);
    if (found != special_.end()) return found->second;
    ValueSymbol symbol;
    symbol.kind = kind;
    symbol.axis = axis;
    symbol.depends = depends;
    return special_.emplace(key, symbols_.Add(std::move(symbol))).first->second;
  }

  std::optional<LinearForm> SpecialRegister(const std::string& name) {
    const int axis = name.size() > 2 && name[name.size() - 2] == '.' ? name.back() - 'x' : -1;
    if (name == "%laneid") return Special(SymbolKind::kLane, 0, kOnThreadX | kOnThreadY | kOnThreadZ);
    if (name == "%warpid" || name == "%smid" || absl::StartsWith(name, "%clock"))
      return symbols_.Unknown(kOnAll, 0);
    if (name == "%dynamic_smem_size") return Constant(launch_.dynamic_shared_bytes);
    if (name == "%total_smem_size" && launch_.all_shared_bytes > 0) return Constant(launch_.all_shared_bytes);
    if (name == "%nsmid" && launch_.multiprocessors > 0) return Constant(launch_.multiprocessors);
    if (axis < 0 || axis > 2) return std::nullopt;
    if (absl::StartsWith(name, "%tid."))
      return launch_.block[axis] == 1 ? Constant(0) : Special(SymbolKind::kThread, axis, kOnThreadX << axis);
    if (absl::StartsWith(name, "%ctaid."))
      return launch_.grid[axis] == 1 ? Constant(0) : Special(SymbolKind::kBlock, axis, kOnBlock);
    if (absl::StartsWith(name, "%ntid.")) return Constant(launch_.block[axis]);
    if (absl::StartsWith(name, "%nctaid.")) return Constant(launch_.grid[axis]);
    return std::nullopt;
  }

  LinearForm Register(int name) {
    if (const std::optional<LinearForm> special = SpecialRegister(function_.names[name]); special.has_value())
      return *special;
    if (has_several_[name]) {
      const auto found = now_.find(name);
      return found == now_.end() ? Uniform(function_.names[name]) : found->second;
    }
    if (!single_[name].has_value()) return Uniform(function_.names[name]);
    return Leave(*single_[name], single_block_[name], block_);
  }

  LinearForm Value(const PtxOperand& operand, int bits) {
    switch (operand.kind) {
      case OperandKind::kRegister: {
        const LinearForm value = Register(operand.name);
        return operand.negated ? symbols_.Computed(Operation::kEqual, {value}) : value;
      }
      case OperandKind::kInteger:
        // "4294967295" is -1 in 32 bits.
        if (bits == 32 && operand.value > INT32_MAX && operand.value <= UINT32_MAX)
          return Constant(static_cast<int32_t>(operand.value));
        return Constant(operand.value);
      case OperandKind::kName:
        return Uniform(function_.names[operand.name]);
      default:
        return symbols_.Unknown(kOnAll, AllLoops());
    }
  }

  uint32_t AllLoops() const { return WithinDepth(DepthOf(flow_.blocks[block_].loop)); }

  // What a value is outside of loops in which it changes, from `to` on.
  LinearForm Leave(const LinearForm& value, int from, int to) {
    int common = flow_.blocks[from].loop;
    while (common >= 0 && !flow_.Contains(common, to)) common = flow_.loops[common].parent;
    const uint32_t may_vary = WithinDepth(DepthOf(common));
    LinearForm left = value;
    for (size_t round = 0; (graph_.Varies(left) & ~may_vary) != 0; ++round) {
      std::optional<LinearForm> sum = Constant(left.constant);
      for (const auto& [symbol, coefficient] : left.terms) {
        if (!sum.has_value()) break;
        const bool stays = (graph_.symbols[symbol].varies & ~may_vary) == 0;
        sum = Sum(*sum, stays ? Symbol(symbol) : LastValue(symbol, may_vary), coefficient);
      }
      if (!sum.has_value() || round > flow_.loops.size())
        return symbols_.Unknown(graph_.Depends(value), may_vary);
      left = *std::move(sum);
    }
    return left;
  }

  LinearForm LastValue(int index, uint32_t may_vary) {
    const ValueSymbol& symbol = graph_.symbols[index];
    const uint8_t depends = symbol.depends;
    if (symbol.kind == SymbolKind::kLoopValue && symbol.is_linear && symbol.b.IsConstant() &&
        loop_ends_[symbol.loop] >= 0) {
      const std::optional<LinearForm> last =
          Sum(symbol.a, Symbol(loop_ends_[symbol.loop]), symbol.b.constant);
      if (last.has_value()) return *last;
    }
    return symbols_.Unknown(depends, may_vary);
  }

  void EnterBlock(int block) {
    block_ = block;
    const int loop = flow_.blocks[block].loop;
    now_.clear();
    MergeBefore();
    if (loop >= 0 && flow_.loops[loop].header == block) OpenLoop(loop);
    for (size_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) Execute(i);
    after_[block] = now_;
  }

  // Registers have the value that they have after all blocks before this one, or none that is known.
  void MergeBefore() {
    std::vector<int> before;
    for (const int from : flow_.blocks[block_].predecessors) {
      if (flow_.IsForward(from, block_)) before.push_back(from);
    }
    std::sort(before.begin(), before.end(), [&](int a, int b) { return flow_.IsForward(a, b); });
    std::map<int, std::vector<LinearForm>> values;
    for (const int from : before) {
      const bool leaves = flow_.blocks[from].loop != flow_.blocks[block_].loop;
      for (const auto& [name, value] : after_[from])
        values[name].push_back(leaves ? Leave(value, from, block_) : value);
    }
    for (auto& [name, each] : values) {
      const bool same =
          std::all_of(each.begin(), each.end(), [&](const auto& one) { return one == each[0]; });
      now_.emplace(name, same ? std::move(each[0]) : OneOf(before, each));
    }
  }

  // Where one branch after the other skips to this block, their conditions say which value it is: no way
  // leads past the later ones but by an earlier one.
  LinearForm OneOf(const std::vector<int>& before, const std::vector<LinearForm>& values) {
    bool is_chain = before.size() == values.size() && flow_.blocks[block_].dominator == before[0];
    for (size_t i = 0; is_chain && i + 1 < before.size(); ++i) {
      is_chain = flow_.blocks[before[i]].is_conditional && graph_.conditions[before[i]].has_value() &&
                 flow_.Dominates(before[i], before[i + 1]);
    }
    if (!is_chain) return symbols_.Unknown(kOnAll, AllLoops());
    LinearForm value = values.back();
    for (size_t i = before.size() - 1; i-- > 0;) {
      const LinearForm condition = Leave(*graph_.conditions[before[i]], before[i], block_);
      const bool by_branch = flow_.blocks[before[i]].successors[0] == block_;
      value = symbols_.Computed(Operation::kSelect,
                                {condition, by_branch ? values[i] : value, by_branch ? value : values[i]});
    }
    return value;
  }

  void OpenLoop(int loop) {
    graph_.loops[loop].begin = static_cast<int>(graph_.symbols.size());
    std::set<int> written;
    for (const int block : flow_.loops[loop].blocks) {
      for (size_t i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
        for (const int name : Written(function_.instructions[i])) {
          if (has_several_[name]) written.insert(name);
        }
      }
    }
    for (const int name : written) {
      const auto before = now_.find(name);
      ValueSymbol symbol;
      symbol.kind = SymbolKind::kLoopValue;
      symbol.loop = loop;
      symbol.a = before == now_.end() ? Uniform(function_.names[name]) : before->second;
      symbol.varies = uint32_t{1} << (flow_.loops[loop].depth - 1);
      now_[name] = symbols_.Add(std::move(symbol));
      loop_values_[loop][name] = static_cast<int>(graph_.symbols.size()) - 1;
    }
  }

  void CloseLoop(int loop) {
    const NaturalLoop& of = flow_.loops[loop];
    const uint32_t own = uint32_t{1} << (of.depth - 1);
    for (const auto& [name, index] : loop_values_[loop]) {
      std::optional<LinearForm> next;
      bool same = true;
      for (const int latch : of.latches) {
        const auto found = after_[latch].find(name);
        if (found == after_[latch].end()) continue;
        const LinearForm value = Leave(found->second, latch, of.header);
        same = same && (!next.has_value() || *next == value);
        next = value;
      }
      if (!next.has_value() || !same) next = symbols_.Unknown(kOnAll, WithinDepth(of.depth));
      const std::optional<LinearForm> step = Sum(*next, Symbol(index), -1);
      ValueSymbol& symbol = graph_.symbols[index];
      symbol.is_linear = step.has_value() && (graph_.Varies(*step) & own) == 0;
      (symbol.is_linear ? symbol.b : symbol.c) = symbol.is_linear ? *step : *next;
      // Sums of loaded values, for one.
      if (!symbol.is_linear && IsUnknown(*next)) symbol.kind = SymbolKind::kUnknown;
    }
    graph_.loops[loop].end = static_cast<int>(graph_.symbols.size());
    AddLoopEnd(loop);
  }

  bool IsUnknown(const LinearForm& form) const {
    return std::any_of(form.terms.begin(), form.terms.end(), [&](const auto& term) {
      return graph_.symbols[term.first].kind == SymbolKind::kUnknown &&
             graph_.symbols[term.first].varies != 0;
    });
  }

  void AddLoopEnd(int loop) {
    std::vector<LinearForm> conditions;
    uint8_t depends = 0;
    for (const int block : flow_.loops[loop].blocks) {
      const auto& successors = flow_.blocks[block].successors;
      const bool leaves = std::any_of(successors.begin(), successors.end(),
                                      [&](int to) { return !flow_.Contains(loop, to); });
      if (!leaves || !graph_.conditions[block].has_value()) continue;
      depends |= graph_.Depends(*graph_.conditions[block]);
      if (conditions.size() < 3) conditions.push_back(*graph_.conditions[block]);
    }
    conditions.resize(3);
    ValueSymbol symbol;
    symbol.kind = SymbolKind::kLoopEnd;
    symbol.loop = loop;
    symbol.a = std::move(conditions[0]);
    symbol.b = std::move(conditions[1]);
    symbol.c = std::move(conditions[2]);
    symbol.depends = depends;
    symbol.varies = WithinDepth(flow_.loops[loop].depth - 1);  // not in the loop itself, as its operands do
    graph_.symbols.push_back(std::move(symbol));
    loop_ends_[loop] = static_cast<int>(graph_.symbols.size()) - 1;
  }

  void Execute(size_t index) {
    const PtxInstruction& instruction = function_.instructions[index];
    if (const PtxOperand* address = GlobalAddress(instruction); address != nullptr)
      graph_.addresses[index] = AddressOf(*address);
    if ((IsBranch(instruction) || EndsThread(instruction)) && instruction.guard >= 0) {
      const LinearForm guard = Register(instruction.guard);
      graph_.conditions[block_] =
          instruction.guard_negated ? symbols_.Computed(Operation::kEqual, {guard}) : guard;
    }
    const std::vector<int> written = Written(instruction);
    for (size_t i = 0; i < written.size(); ++i) {
      LinearForm value = Result(instruction, i, written.size());
      if (instruction.guard >= 0) {
        const LinearForm guard = Register(instruction.guard);
        const LinearForm old = Register(written[i]);
        value = instruction.guard_negated ? symbols_.Computed(Operation::kSelect, {guard, old, value})
                                          : symbols_.Computed(Operation::kSelect, {guard, value, old});
      }
      if (has_several_[written[i]]) {
        now_[written[i]] = std::move(value);
      } else {
        single_[written[i]] = std::move(value);
        single_block_[written[i]] = block_;
      }
    }
  }

  LinearForm AddressOf(const PtxOperand& address) {
    LinearForm base;
    if (address.name >= 0)
      base = address.is_base_register ? Register(address.name) : Uniform(function_.names[address.name]);
    return Sum(base, Constant(address.value)).value_or(base);
  }

  // Of the result `which` of `results`.
  LinearForm Result(const PtxInstruction& instruction, size_t which, size_t results) {
    if (instruction.Is("setp")) {
      const LinearForm first = Compared(instruction);
      return which == 0 ? first : symbols_.Computed(Operation::kEqual, {first});
    }
    if (SpaceOf(instruction) != PtxSpace::kNone) return Loaded(instruction);
    std::vector<LinearForm> operands;
    const int bits = IntegerBits(instruction);
    for (size_t i = 1; i < instruction.operands.size(); ++i)
      operands.push_back(Value(instruction.operands[i], bits));
    if (results == 1 && bits > 0) {
      if (std::optional<LinearForm> value = IntegerResult(instruction, operands); value.has_value())
        return *value;
    }
    return Opaque(instruction, std::move(operands));
  }

  LinearForm Opaque(const PtxInstruction& instruction, std::vector<LinearForm> operands) {
    uint8_t depends = 0;
    uint32_t varies = 0;
    for (const LinearForm& operand : operands) {
      depends |= graph_.Depends(operand);
      varies |= graph_.Varies(operand);
    }
    const bool is_of_warp = instruction.Is("shfl") || instruction.Is("activemask") ||
                            instruction.Is("vote") || instruction.Is("match") || instruction.Is("call");
    return symbols_.Unknown(is_of_warp ? uint8_t{kOnAll} : depends, is_of_warp ? AllLoops() : varies,
                            std::move(operands));
  }

  // By the type of its result; no value where it is not followed.
  std::optional<LinearForm> IntegerResult(const PtxInstruction& instruction,
                                          const std::vector<LinearForm>& of) {
    const size_t count = of.size();
    if (instruction.Is("mov") || instruction.Is("cvta") ||
        (instruction.Is("cvt") && IsBetweenIntegers(instruction)))
      return count == 1 ? std::optional(of[0]) : std::nullopt;
    if (count == 2 && instruction.Is("add")) return Sum(of[0], of[1]);
    if (count == 2 && instruction.Is("sub")) return Sum(of[0], of[1], -1);
    if (count == 1 && instruction.Is("neg")) return Sum({}, of[0], -1);
    if (count == 1 && instruction.Is("not"))
      return IntegerBits(instruction) == 1 ? symbols_.Computed(Operation::kEqual, of)
                                           : Sum(Constant(-1), of[0], -1);
    if (count == 3 && instruction.Is("mad") && !instruction.Has("hi"))
      return Sum(symbols_.Computed(Operation::kMultiply, {of[0], of[1]}), of[2]);
    if (count == 3 && instruction.Is("selp"))
      return symbols_.Computed(Operation::kSelect, {of[2], of[0], of[1]});
    return symbols_.BitResult(instruction, of);
  }

  // "setp.lt.s32 %p1, %r1, %r2", "setp.lt.and.s32 %p1, %r1, %r2, %p2".
  LinearForm Compared(const PtxInstruction& instruction) {
    const std::optional<Operation> comparison = ComparisonOf(instruction);
    std::vector<LinearForm> of;
    for (size_t i = 1; i < instruction.operands.size(); ++i)
      of.push_back(Value(instruction.operands[i], IntegerBits(instruction)));
    if (!comparison.has_value() || of.size() < 2 || IntegerBits(instruction) == 0)
      return Opaque(instruction, of);
    if (instruction.opcode.back() == "u32") {
      of[0] = symbols_.WithoutSign(of[0]);
      of[1] = symbols_.WithoutSign(of[1]);
    }
    const std::optional<LinearForm> difference = Sum(of[0], of[1], -1);
    if (!difference.has_value()) return Opaque(instruction, of);
    const LinearForm compared = symbols_.Computed(*comparison, {*difference});
    if (of.size() == 2) return compared;
    if (instruction.Has("and")) return symbols_.Computed(Operation::kAnd, {compared, of[2]});
    if (instruction.Has("or")) return symbols_.Computed(Operation::kOr, {compared, of[2]});
    return Opaque(instruction, of);
  }

  LinearForm Loaded(const PtxInstruction& instruction) {
    const auto address =
        std::find_if(instruction.operands.begin(), instruction.operands.end(),
                     [](const PtxOperand& operand) { return operand.kind == OperandKind::kAddress; });
    if (!IsLoad(instruction) || address == instruction.operands.end())
      return symbols_.Unknown(kOnAll, AllLoops());
    if (SpaceOf(instruction) == PtxSpace::kParameter && address->name >= 0 && !address->is_base_register) {
      const std::string& name = function_.names[address->name];
      const auto found = std::find(function_.parameters.begin(), function_.parameters.end(), name);
      if (found == function_.parameters.end()) return symbols_.Unknown(kOnAll, AllLoops());
      const size_t number = found - function_.parameters.begin();
      if (number < launch_.parameters.size() && launch_.parameters[number].has_value() && address->value == 0)
        return Constant(*launch_.parameters[number]);
      return Uniform(absl::StrCat(name, "+", address->value));
    }
    return symbols_.Unknown(0, AllLoops(), {AddressOf(*address)});
  }

  // Values of loops were taken to depend on what they are before them alone.
  void SettleDependences() {
    constexpr int kMostRounds = 64;
    for (int round = 0;; ++round) {
      bool changed = false;
      for (ValueSymbol& symbol : graph_.symbols) {
        uint8_t depends =
            symbol.depends | graph_.Depends(symbol.a) | graph_.Depends(symbol.b) | graph_.Depends(symbol.c);
        if (round == kMostRounds && symbol.kind == SymbolKind::kLoopValue) depends = kOnAll;
        changed |= depends != symbol.depends;
        symbol.depends = depends;
      }
      if (!changed || round == kMostRounds) return;
    }
  }

  const PtxFunction& function_;
  const ControlFlow& flow_;
  const PtxLaunch& launch_;
  ValueGraph graph_;
  ValueSymbols symbols_{&graph_};
  int block_ = 0;
  std::vector<bool> has_several_;
  std::vector<std::optional<LinearForm>> single_;
  std::vector<int> single_block_;
  Values now_;
  std::vector<Values> after_;
  std::vector<std::map<int, int>> loop_values_;  // register -> symbol
  std::vector<int> loop_ends_;
  std::map<std::string, LinearForm> uniform_;
  std::map<std::pair<SymbolKind, int>, LinearForm> special_;
};

}  // namespace

absl::StatusOr<ValueGraph> ValuesOf(const PtxFunction& function, const ControlFlow& flow,
                                    const PtxLaunch& launch) {
  return Builder(function, flow, launch).Build();
}

}  // namespace tune
