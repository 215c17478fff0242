#include "worker/ptx/ptx_reader.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/base/plain_text.h"
#include "worker/ptx/ptx_lexer.h"

namespace tune {
namespace {

using TokenKind = PtxToken::Kind;

constexpr int kMostScopes = 16;                      // of scopes, and of operands
constexpr size_t kMostOperands = 1024;               // of an instruction, parts of groups included
constexpr int64_t kMostElements = int64_t{1} << 32;  // of an array
constexpr int64_t kMostSharedBytes = int64_t{1} << 40;

int64_t BytesOfType(absl::string_view type) {
  int64_t bits = 0;
  const size_t digit = type.find_first_of("0123456789");
  if (digit == absl::string_view::npos || !absl::SimpleAtoi(type.substr(digit), &bits)) return 0;
  return bits > 128 ? 0 : bits / 8;
}

class Reader {
 public:
  explicit Reader(absl::string_view text) : lexer_(text) {}

  absl::StatusOr<PtxModule> Read() {
    TUNE_RETURN_IF_ERROR(Advance());
    while (token_.kind != TokenKind::kEnd) TUNE_RETURN_IF_ERROR(ReadTopLevel());
    return std::move(module_);
  }

 private:
  absl::Status Advance() {
    TUNE_ASSIGN_OR_RETURN(token_, lexer_.Next());
    return absl::OkStatus();
  }

  absl::Status Refuse(absl::string_view what) const { return PtxError(token_.line, what); }

  absl::Status Expected(absl::string_view what) const {
    const std::string found =
        token_.kind == TokenKind::kEnd ? "the end" : absl::StrCat("\"", EscapeLine(token_.text), "\"");
    return Refuse(absl::StrCat("expected ", what, ", found ", found));
  }

  absl::Status Expect(absl::string_view symbol) {
    if (!token_.Is(symbol)) return Expected(absl::StrCat("\"", symbol, "\""));
    return Advance();
  }

  // What is on this line from here on.
  absl::Status SkipLine() {
    const int line = token_.line;
    while (token_.kind != TokenKind::kEnd && token_.line == line) TUNE_RETURN_IF_ERROR(Advance());
    return absl::OkStatus();
  }

  absl::Status SkipStatement() {
    while (!token_.Is(";")) {
      if (token_.kind == TokenKind::kEnd) return Expected("\";\"");
      TUNE_RETURN_IF_ERROR(Advance());
    }
    return Advance();
  }

  // "{...}", in which nothing is of interest.
  absl::Status SkipBraces() {
    int depth = 0;
    do {
      if (token_.kind == TokenKind::kEnd) return Expected("\"}\"");
      depth += token_.Is("{") ? 1 : token_.Is("}") ? -1 : 0;
      TUNE_RETURN_IF_ERROR(Advance());
    } while (depth > 0);
    return absl::OkStatus();
  }

  absl::Status ReadTopLevel() {
    if (token_.kind == TokenKind::kTrips) return Advance();
    if (token_.kind != TokenKind::kWord || !absl::StartsWith(token_.text, "."))
      return Expected("a directive");
    if (token_.Is(".version") || token_.Is(".target")) {
      const bool version = token_.Is(".version");
      TUNE_RETURN_IF_ERROR(Advance());
      (version ? module_.version : module_.target) = std::string(token_.text);
      return SkipLine();
    }
    if (token_.Is(".file")) return ReadSourceName();
    if (token_.Is(".address_size")) return SkipLine();
    if (token_.Is(".section")) {
      while (!token_.Is("{") && token_.kind != TokenKind::kEnd) TUNE_RETURN_IF_ERROR(Advance());
      return SkipBraces();
    }
    while (token_.Is(".visible") || token_.Is(".extern") || token_.Is(".weak") || token_.Is(".common"))
      TUNE_RETURN_IF_ERROR(Advance());
    if (token_.Is(".entry") || token_.Is(".func")) return ReadFunction();
    if (token_.Is(".shared")) return ReadShared(&module_.shared_bytes);
    return SkipStatement();
  }

  // ".shared .align 4 .b8 tile[1024], more[16];"
  absl::Status ReadShared(int64_t* bytes) {
    int64_t of_type = 0;
    while (!token_.Is(";")) {
      if (token_.kind == TokenKind::kEnd) return Expected("\";\"");
      if (token_.Is(".align")) {
        TUNE_RETURN_IF_ERROR(Advance());
      } else if (token_.kind == TokenKind::kWord && absl::StartsWith(token_.text, ".")) {
        of_type = BytesOfType(token_.text);
      } else if (token_.kind == TokenKind::kWord) {
        TUNE_ASSIGN_OR_RETURN(const int64_t elements, ReadExtents());
        *bytes += elements * of_type;
        if (*bytes > kMostSharedBytes) return Refuse("too large an array");
        continue;
      }
      TUNE_RETURN_IF_ERROR(Advance());
    }
    return Advance();
  }

  // The elements of "tile[16][17]"; 0 for "tile[]", which gets its size by the launch.
  absl::StatusOr<int64_t> ReadExtents() {
    int64_t elements = 1;
    TUNE_RETURN_IF_ERROR(Advance());
    while (token_.Is("[")) {
      TUNE_RETURN_IF_ERROR(Advance());
      int64_t extent = 0;
      if (token_.kind == TokenKind::kInteger) {
        extent = token_.integer;
        TUNE_RETURN_IF_ERROR(Advance());
      }
      if (extent < 0 || (extent > 0 && elements > kMostElements / extent))
        return Refuse("too large an array");
      elements *= extent;
      TUNE_RETURN_IF_ERROR(Expect("]"));
    }
    return elements;
  }

  // `.file 1 "kernels.cu"`, to the end of the line.
  absl::Status ReadSourceName() {
    TUNE_RETURN_IF_ERROR(Advance());
    const int64_t number = token_.kind == TokenKind::kInteger ? token_.integer : 0;
    const int line = token_.line;
    TUNE_RETURN_IF_ERROR(Advance());
    if (token_.kind == TokenKind::kString && token_.line == line && number > 0 && number < 1 << 30)
      module_.files[static_cast<int>(number)] = std::string(token_.text.substr(1, token_.text.size() - 2));
    while (token_.kind != TokenKind::kEnd && token_.line == line) TUNE_RETURN_IF_ERROR(Advance());
    return absl::OkStatus();
  }

  absl::Status ReadFunction() {
    function_ = {};
    names_.clear();
    registers_.clear();
    source_file_ = source_line_ = 0;
    function_.is_kernel = token_.Is(".entry");
    TUNE_RETURN_IF_ERROR(Advance());
    if (token_.Is("(")) TUNE_RETURN_IF_ERROR(ReadParameters(nullptr));  // what it returns
    if (token_.kind != TokenKind::kWord) return Expected("the name of a function");
    function_.name = std::string(token_.text);
    TUNE_RETURN_IF_ERROR(Advance());
    if (token_.Is("(")) TUNE_RETURN_IF_ERROR(ReadParameters(&function_));
    while (!token_.Is("{")) {
      if (token_.Is(";")) return Advance();  // a declaration
      if (token_.kind == TokenKind::kEnd) return Expected("\"{\"");
      TUNE_RETURN_IF_ERROR(ReadPerformanceDirective());
    }
    TUNE_RETURN_IF_ERROR(ReadBody());
    if (module_.functions.size() >= kMostPtxInstructions)
      return absl::ResourceExhaustedError("PTX: too many functions");
    module_.functions.push_back(std::move(function_));
    return absl::OkStatus();
  }

  // "(.param .u64 a, .param .align 8 .b8 b[16])": the word before each comma and the last one.
  absl::Status ReadParameters(PtxFunction* function) {
    absl::string_view name;
    int64_t bytes = 0;
    const auto add = [&] {
      if (function == nullptr) return;
      function->parameters.emplace_back(name);
      function->parameter_bytes.push_back(static_cast<int>(bytes));
    };
    while (!token_.Is(")")) {
      if (token_.kind == TokenKind::kEnd) return Expected("\")\"");
      if (token_.Is(",")) add();
      if (token_.Is("[")) bytes = 0;
      if (token_.kind == TokenKind::kWord) {
        const bool is_directive = absl::StartsWith(token_.text, ".");
        if (!is_directive) name = token_.text;
        if (is_directive && BytesOfType(token_.text) > 0) bytes = BytesOfType(token_.text);
      }
      TUNE_RETURN_IF_ERROR(Advance());
    }
    if (!name.empty()) add();
    return Advance();
  }

  absl::Status ReadPerformanceDirective() {
    const bool threads = token_.Is(".maxntid") || token_.Is(".reqntid");
    const bool blocks = token_.Is(".minnctapersm");
    TUNE_RETURN_IF_ERROR(Advance());
    if (!threads && !blocks) return absl::OkStatus();
    int64_t product = 1;
    while (token_.kind == TokenKind::kInteger || token_.Is(",")) {
      if (token_.kind == TokenKind::kInteger) {
        if (token_.integer < 0 || token_.integer > (int64_t{1} << 31)) return Refuse("too large a number");
        product = std::min(product * token_.integer, int64_t{1} << 31);
      }
      TUNE_RETURN_IF_ERROR(Advance());
    }
    (threads ? function_.max_threads : function_.min_blocks) = product;
    return absl::OkStatus();
  }

  absl::Status ReadBody() {
    int depth = 0;
    do {
      if (token_.kind == TokenKind::kEnd) return Expected("\"}\"");
      if (token_.Is("{")) {
        if (++depth > kMostScopes) return Refuse("scopes are nested too deep");
        TUNE_RETURN_IF_ERROR(Advance());
      } else if (token_.Is("}")) {
        --depth;
        TUNE_RETURN_IF_ERROR(Advance());
      } else {
        TUNE_RETURN_IF_ERROR(ReadStatement());
      }
    } while (depth > 0);
    return absl::OkStatus();
  }

  absl::Status ReadStatement() {
    if (token_.kind == TokenKind::kTrips) {
      function_.trip_notes.push_back({function_.instructions.size(), token_.number});
      return Advance();
    }
    if (token_.Is(";")) return Advance();
    if (token_.Is("@")) return ReadInstruction();
    if (token_.kind != TokenKind::kWord) return Expected("an instruction");
    if (token_.Is(".loc")) return ReadLocation();
    if (token_.Is(".reg")) return ReadRegisters();
    if (token_.Is(".shared")) return ReadShared(&function_.shared_bytes);
    if (absl::StartsWith(token_.text, ".")) return SkipStatement();
    return ReadInstruction();
  }

  // ".loc 1 12 3", to the end of the line: the first number is the file, the second the line.
  absl::Status ReadLocation() {
    const int line = token_.line;
    TUNE_RETURN_IF_ERROR(Advance());
    source_file_ = 0;
    if (token_.kind == TokenKind::kInteger && token_.line == line)
      source_file_ = static_cast<int>(std::clamp<int64_t>(token_.integer, 0, 1 << 30));
    TUNE_RETURN_IF_ERROR(Advance());
    if (token_.kind == TokenKind::kInteger && token_.line == line)
      source_line_ = static_cast<int>(std::clamp<int64_t>(token_.integer, 0, 1 << 30));
    while (token_.kind != TokenKind::kEnd && token_.line == line) TUNE_RETURN_IF_ERROR(Advance());
    return absl::OkStatus();
  }

  // Registers without "%" are known by their declaration: ".reg .pred p, q;".
  absl::Status ReadRegisters() {
    while (!token_.Is(";")) {
      if (token_.kind == TokenKind::kEnd) return Expected("\";\"");
      if (token_.kind == TokenKind::kWord && !absl::StartsWith(token_.text, "."))
        registers_.insert(token_.text);
      TUNE_RETURN_IF_ERROR(Advance());
    }
    return Advance();
  }

  absl::Status ReadInstruction() {
    PtxInstruction instruction;
    instruction.line = token_.line;
    instruction.source_file = source_file_;
    instruction.source_line = source_line_;
    if (token_.Is("@")) {
      TUNE_RETURN_IF_ERROR(Advance());
      if (token_.Is("!")) {
        instruction.guard_negated = true;
        TUNE_RETURN_IF_ERROR(Advance());
      }
      if (token_.kind != TokenKind::kWord) return Expected("a predicate");
      instruction.guard = NameOf(token_.text);
      TUNE_RETURN_IF_ERROR(Advance());
    }
    if (token_.kind != TokenKind::kWord) return Expected("an opcode");
    const absl::string_view word = token_.text;
    TUNE_RETURN_IF_ERROR(Advance());
    if (token_.Is(":") && instruction.guard < 0) return ReadLabel(word);
    for (const absl::string_view part : absl::StrSplit(word, '.')) instruction.opcode.emplace_back(part);
    operands_ = 0;
    while (!token_.Is(";")) {
      if (token_.Is(",")) {
        TUNE_RETURN_IF_ERROR(Advance());
        continue;
      }
      TUNE_ASSIGN_OR_RETURN(PtxOperand operand, ReadOperand(0));
      instruction.operands.push_back(std::move(operand));
    }
    if (++instructions_ > kMostPtxInstructions)
      return absl::ResourceExhaustedError(
          absl::StrCat("PTX: it has more than ", kMostPtxInstructions, " instructions"));
    function_.instructions.push_back(std::move(instruction));
    return Advance();
  }

  absl::Status ReadLabel(absl::string_view label) {
    TUNE_RETURN_IF_ERROR(Advance());
    const int name = NameOf(label);
    if (token_.Is(".branchtargets")) {
      TUNE_RETURN_IF_ERROR(Advance());
      while (!token_.Is(";")) {
        if (token_.kind == TokenKind::kEnd) return Expected("\";\"");
        if (token_.kind == TokenKind::kWord) function_.branch_targets[name].push_back(NameOf(token_.text));
        TUNE_RETURN_IF_ERROR(Advance());
      }
      return Advance();
    }
    if (!function_.labels.emplace(name, function_.instructions.size()).second)
      return Refuse(absl::StrCat("the label ", EscapeLine(label), " is there twice"));
    return absl::OkStatus();
  }

  absl::StatusOr<PtxOperand> ReadOperand(int depth) {
    if (depth > kMostScopes || ++operands_ > kMostOperands) return Refuse("too many operands");
    PtxOperand operand;
    if (token_.Is("!")) {
      operand.negated = true;
      TUNE_RETURN_IF_ERROR(Advance());
    }
    if (token_.Is("{") || token_.Is("(")) {
      operand.kind = PtxOperand::Kind::kGroup;
      TUNE_RETURN_IF_ERROR(ReadGroup(token_.Is("{") ? "}" : ")", depth, &operand));
    } else if (token_.Is("[")) {
      TUNE_RETURN_IF_ERROR(ReadAddress(depth, &operand));
    } else {
      TUNE_RETURN_IF_ERROR(ReadSimple(&operand));
    }
    if (!token_.Is("|")) return operand;
    TUNE_RETURN_IF_ERROR(Advance());
    PtxOperand both;
    both.kind = PtxOperand::Kind::kGroup;
    both.parts.push_back(std::move(operand));
    TUNE_ASSIGN_OR_RETURN(PtxOperand second, ReadOperand(depth + 1));
    both.parts.push_back(std::move(second));
    return both;
  }

  absl::Status ReadGroup(absl::string_view end, int depth, PtxOperand* group) {
    TUNE_RETURN_IF_ERROR(Advance());
    while (!token_.Is(end)) {
      if (token_.Is(",")) {
        TUNE_RETURN_IF_ERROR(Advance());
        continue;
      }
      TUNE_ASSIGN_OR_RETURN(PtxOperand part, ReadOperand(depth + 1));
      group->parts.push_back(std::move(part));
    }
    return Advance();
  }

  // "[%rd1+-16]", "[array+4]", "[texture, {%f1, %f2}]", whose further parts are uses.
  absl::Status ReadAddress(int depth, PtxOperand* address) {
    TUNE_RETURN_IF_ERROR(Advance());
    PtxOperand base;
    TUNE_RETURN_IF_ERROR(ReadSimple(&base));
    address->kind = PtxOperand::Kind::kAddress;
    address->name = base.name;
    address->is_base_register = base.kind == PtxOperand::Kind::kRegister;
    address->value = base.value;
    while (!token_.Is("]")) {
      if (token_.Is("+")) {
        TUNE_RETURN_IF_ERROR(Advance());
        PtxOperand offset;
        TUNE_RETURN_IF_ERROR(ReadSimple(&offset));
        address->value = offset.value;
        continue;
      }
      TUNE_RETURN_IF_ERROR(Expect(","));
      TUNE_ASSIGN_OR_RETURN(PtxOperand part, ReadOperand(depth + 1));
      address->parts.push_back(std::move(part));
    }
    return Advance();
  }

  absl::Status ReadSimple(PtxOperand* operand) {
    bool minus = false;
    while (token_.Is("-") || token_.Is("+")) {
      minus = token_.Is("-");
      TUNE_RETURN_IF_ERROR(Advance());
    }
    switch (token_.kind) {
      case TokenKind::kWord:
        operand->name = NameOf(token_.text);
        operand->kind = absl::StartsWith(token_.text, "%") || registers_.contains(token_.text)
                            ? PtxOperand::Kind::kRegister
                            : PtxOperand::Kind::kName;
        break;
      case TokenKind::kInteger:
        operand->kind = PtxOperand::Kind::kInteger;
        operand->value =
            minus ? static_cast<int64_t>(-static_cast<uint64_t>(token_.integer)) : token_.integer;
        break;
      case TokenKind::kNumber:
        break;
      default:
        return Expected("an operand");
    }
    return Advance();
  }

  int NameOf(absl::string_view name) {
    const auto [at, is_new] = names_.emplace(std::string(name), static_cast<int>(function_.names.size()));
    if (is_new) function_.names.emplace_back(name);
    return at->second;
  }

  PtxLexer lexer_;
  PtxToken token_;
  PtxModule module_;
  PtxFunction function_;
  std::unordered_map<std::string, int> names_;
  std::set<absl::string_view> registers_;
  int source_file_ = 0, source_line_ = 0;
  size_t operands_ = 0;
  size_t instructions_ = 0;
};

}  // namespace

bool PtxInstruction::Has(absl::string_view modifier) const {
  return std::find(opcode.begin() + 1, opcode.end(), modifier) != opcode.end();
}

const PtxFunction* PtxModule::Find(absl::string_view name) const {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const PtxFunction& function) { return function.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

absl::StatusOr<PtxModule> ReadPtx(absl::string_view text) {
  if (text.size() > kMostPtxBytes)
    return absl::ResourceExhaustedError(
        absl::StrCat("PTX: ", text.size(), " bytes are more than ", kMostPtxBytes));
  return Reader(text).Read();
}

}  // namespace tune
