#include "client/extract/region/nest_finder.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "client/extract/region/region_variables.h"
#include "client/extract/scop_assembly.h"
#include "client/extract/source/defined_functions.h"
#include "client/extract/source/main_file.h"
#include "client/extract/source/template_instance.h"
#include "client/extract/tree/body_end.h"

namespace tune {
namespace {

bool IsAnyLoop(const clang::Stmt& statement) {
  return IsLoop(statement) || llvm::isa<clang::CXXForRangeStmt>(statement);
}

// Loops in loops.
int DepthOf(const clang::Stmt& statement) {
  int depth = 0;
  for (const clang::Stmt* child : statement.children()) {
    if (child != nullptr) depth = std::max(depth, DepthOf(*child));
  }
  const auto* once = llvm::dyn_cast<clang::DoStmt>(&statement);
  return depth + (IsAnyLoop(statement) && (once == nullptr || !IsExecutedOnce(*once)) ? 1 : 0);
}

// Whether the statement is one of a block in `around`.
bool HasBlockOf(const clang::Stmt& around, const clang::Stmt& statement) {
  for (const clang::Stmt* child : around.children()) {
    if (child == &statement) return llvm::isa<clang::CompoundStmt>(around);
    if (child != nullptr && HasBlockOf(*child, statement)) return true;
  }
  return false;
}

bool HasLoop(const clang::Stmt& statement) { return DepthOf(statement) > 0; }

class NestFinder {
 public:
  NestFinder(const TranslationUnit& unit, const std::vector<FoundRegion>& marked, const ParseText& parse)
      : unit_(unit),
        parse_(parse),
        ast_(unit.ast()),
        facts_(unit.facts()),
        marked_(marked),
        file_(ast_.getSourceManager()),
        tokens_(ast_, file_) {}

  std::vector<FoundNest> Find(const clang::FunctionDecl& function) {
    function_ = &function;
    for (const FoundRegion& region : marked_) {
      if (region.function == function_)
        Add(Assembled(region, DepthOfAll(region.statements), /*marked=*/true));
    }
    for (FoundNest& nest : found_) {
      nest.in_block = HasBlockOf(*function.getBody(), *nest.region.statements.front());
      if (nest.in_block)
        nest.place = WholeLines{nest.region.source.begin_offset(), nest.region.source.end_offset()};
    }
    Descend(*function.getBody());
    std::stable_sort(found_.begin(), found_.end(), [](const FoundNest& a, const FoundNest& b) {
      return a.region.source.begin_offset() < b.region.source.begin_offset();
    });
    return std::move(found_);
  }

 private:
  using Statements = std::vector<const clang::Stmt*>;

  static int DepthOfAll(const Statements& statements) {
    int depth = 0;
    for (const clang::Stmt* statement : statements) depth = std::max(depth, DepthOf(*statement));
    return depth;
  }

  void Add(FoundNest nest) { found_.push_back(std::move(nest)); }

  // Whether the statement has a part of a marked region in it, or lies in one.
  bool IsMarked(const clang::Stmt& statement) const {
    const std::optional<ByteRange> bytes = file_.Bytes(statement.getSourceRange());
    return bytes && std::any_of(marked_.begin(), marked_.end(), [&](const FoundRegion& region) {
             return bytes->first < region.source.end_offset() && region.source.begin_offset() <= bytes->last;
           });
  }
  bool LiesInMarked(const clang::Stmt& statement) const {
    const std::optional<ByteRange> bytes = file_.Bytes(statement.getSourceRange());
    return bytes && std::any_of(marked_.begin(), marked_.end(), [&](const FoundRegion& region) {
             return region.source.begin_offset() <= bytes->first && bytes->last < region.source.end_offset();
           });
  }

  // What is inside a statement that is no region itself.
  void Descend(const clang::Stmt& statement) {
    const std::optional<ByteRange> bytes = file_.Bytes(statement.getSourceRange());
    const std::optional<int64_t> pragma =
        bytes ? tokens_.ParallelPragma(bytes->first) : std::optional<int64_t>();
    const std::optional<int64_t> around = parallel_;
    if (pragma) parallel_ = pragma;
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement)) {
      Block(statement, {block->body_begin(), block->body_end()});
    } else if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement)) {
      Body(statement, loop->getBody());
    } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement)) {
      Body(statement, loop->getBody());
    } else if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&statement)) {
      Body(statement, loop->getBody());
    } else if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&statement)) {
      if (llvm::isa<clang::CompoundStmt>(loop->getBody())) Body(statement, loop->getBody());
    } else if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement)) {
      Body(statement, choice->getThen());
      Body(statement, choice->getElse());
    } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&statement)) {
      Body(statement, choice->getBody());
    } else if (const auto* entry = llvm::dyn_cast<clang::SwitchCase>(&statement)) {
      Body(statement, entry->getSubStmt());
    } else if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(&statement)) {
      Body(statement, label->getSubStmt());
    } else if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(&statement)) {
      Body(statement, attributed->getSubStmt());
    }
    parallel_ = around;
  }

  void Body(const clang::Stmt& around, const clang::Stmt* body) {
    if (body == nullptr) return;
    if (llvm::isa<clang::CompoundStmt>(body)) return Descend(*body);
    Block(around, {body});
  }

  // Statements of a block, or the only one of a body without braces. No run reaches over a marked region.
  void Block(const clang::Stmt& around, const Statements& statements) {
    Statements run;
    for (const clang::Stmt* statement : statements) {
      if (!IsMarked(*statement)) {
        run.push_back(statement);
        continue;
      }
      Run(around, std::exchange(run, {}));
      if (!LiesInMarked(*statement)) Descend(*statement);
    }
    Run(around, run);
  }

  void Run(const clang::Stmt& around, const Statements& run) {
    std::vector<size_t> loops;  // statements with loops in them
    for (size_t i = 0; i < run.size(); ++i) {
      if (HasLoop(*run[i])) loops.push_back(i);
    }
    if (loops.empty()) return;
    if (loops.size() > 1) {
      FoundNest whole = TryWithAssignments(around, run, loops.front(), loops.back());
      if (whole.refusals.empty()) return Add(std::move(whole));
    }
    std::vector<FoundNest> alone;
    alone.reserve(loops.size());
    for (const size_t loop : loops) alone.push_back(TryWithAssignments(around, run, loop, loop));
    for (size_t i = 0; i < loops.size();) {
      if (!alone[i].refusals.empty()) {
        AddRefused(*run[loops[i]], std::move(alone[i]));
        ++i;
        continue;
      }
      FoundNest longest = std::move(alone[i]);
      const size_t first = i++;
      for (; i < loops.size() && alone[i].refusals.empty(); ++i) {
        FoundNest longer = TryWithAssignments(around, run, loops[first], loops[i]);
        if (!longer.refusals.empty()) break;
        longest = std::move(longer);
      }
      // Loops that one macro makes stand on the same lines.
      const int64_t end = longest.region.source.end_offset();
      while (i < loops.size() && alone[i].region.source.begin_offset() < end) ++i;
      Add(std::move(longest));
    }
  }

  // A loop is told of unless a loop around it was refused for the same first reason.
  void AddRefused(const clang::Stmt& statement, FoundNest nest) {
    const std::set<std::pair<int64_t, std::string>> around = reasons_;
    if (IsAnyLoop(statement)) {
      const Refusal& first = nest.refusals.front();
      const int64_t place = PlaceInMainFile(ast_.getSourceManager(), first.range.getBegin()).getRawEncoding();
      if (reasons_.insert({place, first.reason}).second) Add(std::move(nest));
    }
    Descend(statement);
    reasons_ = around;
  }

  // As Try, with assignments before and behind the statements where it has to be with them: before a `while`
  // loop they set its iterator, and behind it they may read that. Those that set counters belong to it where
  // it can be alone, too: what counters are before it would be parameters.
  FoundNest TryWithAssignments(const clang::Stmt& around, const Statements& run, size_t first,
                               size_t last) const {
    FoundNest nest = Try(around, run, first, last);
    size_t begin = first, end = last;
    while (begin > 0 && IsAssignment(*run[begin - 1])) --begin;
    while (end + 1 < run.size() && IsAssignment(*run[end + 1])) ++end;
    std::vector<std::pair<size_t, size_t>> longer;
    if (begin < first) longer = {{first - 1, last}, {begin, last}};
    if (end > last) longer.emplace_back(begin, end);
    if (nest.refusals.empty() && begin < first) {
      const size_t counters = FirstOfCounters(run, begin, first, last);
      if (counters < first) {
        FoundNest other = Try(around, run, counters, last);
        if (other.refusals.empty()) return other;
      }
    }
    for (const auto& [from, to] : longer) {
      if (nest.refusals.empty()) break;
      FoundNest other = Try(around, run, from, to);
      if (other.refusals.empty()) nest = std::move(other);
    }
    return nest;
  }

  // From which of the assignments begin to first - 1 on all set what the statements first to last count with.
  size_t FirstOfCounters(const Statements& run, size_t begin, size_t first, size_t last) const {
    const Statements counting(run.begin() + static_cast<long>(first),
                              run.begin() + static_cast<long>(last) + 1);
    const RegionVariables variables(ast_, *function_, counting);
    size_t from = first;
    for (; from > begin; --from) {
      const auto& operation = llvm::cast<clang::BinaryOperator>(*run[from - 1]);
      if (variables.assigned_indices().count(NamedVariable(operation.getLHS())) == 0) break;
    }
    return from;
  }

  static bool IsAssignment(const clang::Stmt& statement) {
    const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&statement);
    return operation != nullptr && operation->isAssignmentOp();
  }

  static FoundNest Refused(FoundRegion region, int depth, Refusal refusal) {
    FoundNest nest;
    nest.region = std::move(region);
    nest.depth = depth;
    nest.refusals.push_back(std::move(refusal));
    return nest;
  }

  // Statements first to last of the run as one region.
  FoundNest Try(const clang::Stmt& around, const Statements& run, size_t first, size_t last) const {
    FoundNest nest = Read(around, run, first, last);
    nest.in_block = llvm::isa<clang::CompoundStmt>(around);
    nest.place = PlaceOf(*run[first], *run[last], nest.in_block);
    return nest;
  }

  // Macros hide tokens: what comes of one may begin before the statement, and end behind it.
  std::optional<WholeLines> PlaceOf(const clang::Stmt& first, const clang::Stmt& last, bool in_block) const {
    const clang::SourceManager& manager = ast_.getSourceManager();
    const clang::LangOptions& language = ast_.getLangOpts();
    const clang::SourceLocation begin = first.getBeginLoc(), end = last.getEndLoc();
    if (parallel_ ||
        (begin.isMacroID() && !clang::Lexer::isAtStartOfMacroExpansion(begin, manager, language)) ||
        (!in_block && end.isMacroID() && !clang::Lexer::isAtEndOfMacroExpansion(end, manager, language)))
      return std::nullopt;
    const auto bytes_of_first = file_.Bytes(first.getSourceRange());
    const auto bytes_of_last = file_.Bytes(last.getSourceRange());
    if (!bytes_of_first || !bytes_of_last) return std::nullopt;
    return tokens_.BytesOf({bytes_of_first->first, bytes_of_last->last}, end.isMacroID());
  }

  FoundNest Read(const clang::Stmt& around, const Statements& run, size_t first, size_t last) const {
    FoundRegion region;
    region.function = function_;
    region.source.set_function(NameOfFunction(*function_));
    const int depth =
        DepthOfAll({run.begin() + static_cast<long>(first), run.begin() + static_cast<long>(last) + 1});
    const auto begin = file_.Bytes(run[first]->getSourceRange());
    const auto end = file_.Bytes(run[last]->getSourceRange());
    const auto outside = file_.Bytes(around.getSourceRange());
    const clang::SourceRange head(run[first]->getBeginLoc(), run[first]->getBeginLoc());
    region.begin = run[first]->getBeginLoc();
    region.end = run[last]->getEndLoc();
    if (!begin || !end || !outside)
      return Refused(region, depth, {head, "the loop is not written in the file itself", "write it out"});
    SetSource({file_.LineBegin(begin->first), file_.TextEnd(end->last)}, &region);
    const bool ends_inside = outside->last > end->last || !llvm::isa<clang::CompoundStmt>(around);
    if (outside->first >= begin->first || !ends_inside)
      return Refused(region, depth,
                     {head, "a macro makes the loop and a part of what is around it", "write the loop out"});
    if (parallel_) {
      const clang::SourceLocation pragma = file_.LocationOf(*parallel_);
      return Refused(region, depth,
                     {{pragma, pragma},
                      "the loop lies in what this pragma makes parallel",
                      "remove the pragma: tuned code makes its own threads"});
    }
    Accepted<WholeLines> lines =
        tokens_.LinesOf({begin->first, end->last}, run[last]->getEndLoc().isMacroID());
    if (auto* refusal = std::get_if<Refusal>(&lines)) return Refused(region, depth, std::move(*refusal));
    SetSource(std::get<0>(lines), &region);
    region.begin = file_.LocationOf(begin->first);
    region.end = file_.LocationOf(end->last);
    region.statements = StatementsIn(run, std::get<0>(lines));
    return Assembled(std::move(region), depth, /*marked=*/false);
  }

  void SetSource(const WholeLines& lines, FoundRegion* region) const {
    v1::SourceRegion& source = region->source;
    source.set_begin_offset(lines.begin);
    source.set_body_begin_offset(lines.begin);
    source.set_body_end_offset(lines.end);
    source.set_end_offset(lines.end);
    source.set_begin_line(file_.LineOf(lines.begin));
    source.set_end_line(file_.LineOf(lines.end));
  }

  Statements StatementsIn(const Statements& run, const WholeLines& lines) const {
    Statements inside;
    for (const clang::Stmt* statement : run) {
      const std::optional<ByteRange> bytes = file_.Bytes(statement->getSourceRange());
      if (bytes && lines.begin <= bytes->first && bytes->last < lines.end) inside.push_back(statement);
    }
    return inside;
  }

  // What the front end makes of it.
  FoundNest Assembled(FoundRegion region, int depth, bool marked) const {
    absl::StatusOr<AssembledScop> assembled = AssembleScop(ast_, region, facts_);
    FoundNest nest;
    nest.marked = marked;
    nest.depth = depth;
    if (!assembled.ok()) {
      nest.refusals.push_back(GivenUp(region, assembled.status()));
    } else if (assembled->refusals.empty()) {
      nest.scop = std::move(assembled->scop);
    } else if (std::optional<AssumedRegion> assumed =
                   ReadAssumed(unit_, region, marked, parse_, assembled->refusals)) {
      nest.refusals = std::move(assumed->assembled.refusals);
      nest.scop = std::move(assumed->assembled.scop);
      nest.assumption = std::move(assumed->assumption);
    } else {
      nest.refusals = std::move(assembled->refusals);
    }
    nest.region = std::move(region);
    return nest;
  }

  const TranslationUnit& unit_;
  const ParseText& parse_;
  const clang::ASTContext& ast_;
  const FileFacts facts_;
  const std::vector<FoundRegion>& marked_;
  const MainFile file_;
  const WrittenTokens tokens_;
  const clang::FunctionDecl* function_ = nullptr;
  std::optional<int64_t> parallel_;                    // the pragma about a statement around
  std::set<std::pair<int64_t, std::string>> reasons_;  // why loops around were refused: where and what
  std::vector<FoundNest> found_;
};

// By its number among the accepted ones of its function, marked ones included.
void NameNests(std::vector<FoundNest>* nests) {
  std::vector<FoundRegion> accepted;
  for (const FoundNest& nest : *nests) {
    if (nest.refusals.empty()) accepted.push_back(nest.region);
  }
  NameRegions(&accepted);
  size_t next = 0;
  for (FoundNest& nest : *nests) {
    if (!nest.refusals.empty()) continue;
    nest.region.scop_name = accepted[next++].scop_name;
    nest.scop.set_name(nest.region.scop_name);
  }
}

}  // namespace

std::vector<FoundNest> FindNests(const TranslationUnit& unit, const std::vector<FoundRegion>& marked,
                                 const std::string& function, const ParseText& parse) {
  std::vector<FoundNest> nests;
  NestFinder finder(unit, marked, parse);
  for (const clang::FunctionDecl* each : FunctionsOf(unit.ast())) {
    if (!function.empty() && !IsNamed(*each, function)) continue;
    const std::vector<const clang::FunctionDecl*> instances = InstancesBeside(*each, function);
    if (!instances.empty() && instances.front() != each) continue;
    for (FoundNest& nest : finder.Find(*each)) {
      if (instances.size() > 1 && nest.refusals.empty())
        nest.refusals.push_back(ChooseInstance(nest.region.begin, instances));
      nests.push_back(std::move(nest));
    }
  }
  NameNests(&nests);
  return nests;
}

std::vector<std::string> NamesOfFunctions(const TranslationUnit& unit) {
  std::vector<std::string> names;
  for (const clang::FunctionDecl* function : FunctionsOf(unit.ast())) {
    if (names.empty() || names.back() != NameOfInstance(*function))
      names.push_back(NameOfInstance(*function));
  }
  return names;
}

}  // namespace tune
