#include "client/extract/cpp/container_read.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/extract/cpp/accessor.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/cpp/range_loop.h"
#include "client/extract/cpp/stand_in.h"
#include "client/extract/cpp/standard_container.h"
#include "client/extract/source/main_file.h"
#include "client/extract/tree/named_declarations.h"

namespace tune {
namespace {

class ContainerFinder {
 public:
  ContainerFinder(const clang::ASTContext& ast, const FoundRegion& region,
                  const std::set<const clang::ValueDecl*>& rows)
      : ast_(ast), file_(ast.getSourceManager()), region_(region), stand_ins_(ast, region, rows) {}

  // Where a value at a place of an array is needed, and its elements: the elements alone.
  void TakeNoCells() { stand_ins_.TakeNoCells(); }
  bool HasCellsOfArrays() const { return stand_ins_.HasCellsOfArrays(); }

  ContainerReads Find() {
    for (const clang::Stmt* statement : region_.statements) VisitSubscripts(*statement);
    for (const clang::Stmt* statement : region_.statements) Visit(*statement);
    for (const clang::DeclRefExpr* name : wholes_) {
      if (stand_ins_.HasBase(name->getDecl())) AddWhole(*name);
    }
    for (const clang::MemberExpr* array : arrays_) {
      const std::optional<NamedObject> object = stand_ins_.ObjectAt(*array);
      if (!object || !stand_ins_.HasBase(object->base) || !stand_ins_.HasArrays()) continue;
      AddOther(
          array->getSourceRange(),
          {absl::StrCat("`", object->text, "` is used beside functions of the class that return elements"),
           "write all elements of it with the functions, or none"});
    }
    for (const clang::ValueDecl* variable : declared_) {
      if (!stand_ins_.HasBase(variable)) continue;
      AddOther(variable->getSourceRange(),
               {absl::StrCat("`", variable->getNameAsString(), "` is declared in the region"),
                "declare it before the region"});
    }
    std::vector<MemberUse> uses = std::move(found_.reads.uses);
    found_.reads = stand_ins_.Take();
    found_.tables = stand_ins_.TakeTables();
    found_.reads.uses = std::move(uses);
    return std::move(found_);
  }

 private:
  void Visit(const clang::Stmt& node) {
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&node)) return VisitRange(*loop);
    if (llvm::isa<clang::LambdaExpr>(node)) {
      return AddOther(
          node.getSourceRange(),
          {"a lambda", "write its body where it is called, or a `static` function before the region"});
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      if (TakeElement(*call) || TakeCall(*call) || TakeRows(*call) || TakeExchange(*call) ||
          TakeAccessor(*call))
        return;
      if (auto words = RefusedAccessor(ast_, *call); words && IsElementOrMember(*call)) {
        if (AccessorOf(ast_, *call) && !stand_ins_.problem().empty()) {
          absl::StrAppend(&words->first, ", which ", stand_ins_.problem());
          words->second = absl::StrCat("make the members public, or ", words->second);
        }
        return AddOther(call->getSourceRange(), *std::move(words));
      }
      const clang::Expr* object = ObjectOfCall(*call);
      if (const auto words = RefusedUse(ast_, *call);
          words && object != nullptr && stand_ins_.ContainerAt(*object))
        return AddOther(call->getSourceRange(), *words);
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node);
        member != nullptr && member->getType()->isArrayType())
      arrays_.push_back(member);
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(&node)) {
      if (stand_ins_.ContainerAt(*expression)) return AddWhole(*expression);
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression);
          member != nullptr && llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
          stand_ins_.ObjectAt(*member))
        return;  // of the same structure
      if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) wholes_.push_back(name);
    }
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&node)) {
      for (const clang::Decl* each : declarations->decls()) {
        if (const auto* variable = llvm::dyn_cast<clang::ValueDecl>(each)) declared_.push_back(variable);
      }
    }
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr) Visit(*child);
    }
  }

  // Finds the containers of which data decide about elements.
  void VisitSubscripts(const clang::Stmt& node) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      const auto [subscripts, base] = Subscripts(*call);
      const std::optional<NamedObject> object = stand_ins_.ContainerAt(*base);
      for (const clang::Expr* subscript : subscripts) {
        if (object && HasElement(*subscript)) stand_ins_.Choose(*object);
      }
      if (const std::optional<AccessorCall> accessor = AccessorOf(ast_, *call)) {
        for (size_t i = 0; i < accessor->arguments.size(); ++i) {
          const clang::ParmVarDecl& parameter = *accessor->method->getParamDecl(static_cast<unsigned>(i));
          if (IsInSubscripts(*accessor, parameter) && HasElement(*accessor->arguments[i]))
            stand_ins_.ChooseMembers();
        }
      }
    }
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr) VisitSubscripts(*child);
    }
  }

  // Whether elements of arrays, or variables that begin with such, are in the expression.
  static bool HasElement(const clang::Stmt& expression) {
    if (llvm::isa<clang::ArraySubscriptExpr>(expression) || llvm::isa<clang::CXXOperatorCallExpr>(expression))
      return true;
    if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expression);
        call != nullptr && call->getNumArgs() > 0)
      return true;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&expression)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      const bool is_local =
          variable != nullptr && variable->isLocalVarDecl() && variable->getInit() != nullptr;
      return is_local && variable->getType()->isIntegerType() &&
             !IsNamedIn(*variable, *variable->getInit()) && HasElement(*variable->getInit());
    }
    return std::any_of(expression.children().begin(), expression.children().end(),
                       [](const clang::Stmt* child) { return child != nullptr && HasElement(*child); });
  }

  static bool IsNamedIn(const clang::VarDecl& variable, const clang::Expr& expression) {
    const std::vector<const clang::ValueDecl*> named = NamedIn(&expression);
    return std::find(named.begin(), named.end(), &variable) != named.end();
  }

  void AddOther(clang::SourceRange range, std::pair<std::string, std::string> words) {
    found_.others.push_back({range, std::move(words.first), std::move(words.second)});
  }

  void AddWhole(const clang::Expr& expression) {
    AddOther(
        expression.getSourceRange(),
        {absl::StrCat("`", SourceText(ast_, expression.getSourceRange()), "` is used as a whole"),
         "use its elements and its size alone in the region, and give functions that it calls v.data() and "
         "v.size()"});
  }

  // A loop over a container, or an array, becomes one with a subscript. Others, but those over tables of
  // rows (vector_table.h), are refused.
  void VisitRange(const clang::CXXForRangeStmt& loop) {
    if (const std::optional<RangeLoop> taken = RangeLoopAt(ast_, file_, loop)) TakeRange(loop, *taken);
    Visit(*loop.getBody());
  }

  void TakeRange(const clang::CXXForRangeStmt& loop, const RangeLoop& taken) {
    const clang::Expr& range = *loop.getRangeInit()->IgnoreParens();
    const std::optional<NamedObject> object = stand_ins_.ContainerAt(range);
    const std::optional<MemberUse> whole = UseAt(ast_, file_, range.getSourceRange());
    if (llvm::isa<clang::MemberExpr>(range) && !object && whole) return TakeMemberRange(taken, range);
    const bool is_array = ast_.getAsConstantArrayType(range.getType()) != nullptr && NamesVariable(range);
    if (!whole || (!object && !is_array) ||
        (object && object->type.dimensions > 1 && !IsReference(*taken.variable)))
      return;
    std::string elements = TextAt(file_, *whole);
    std::string count = absl::StrCat("sizeof(", elements, ") / sizeof(", elements, "[0])");
    if (object) {
      elements = stand_ins_.Elements(*object), count = stand_ins_.Size(*object, 0);
      found_.objects.insert(&range);
    }
    if (elements.empty() || count.empty()) return;
    AddSubscriptLoop(taken, taken.declared, elements, count, &found_.reads.uses);
    declared_.push_back(taken.variable);
    if (object && object->type.dimensions > 1) stand_ins_.AddRow(*taken.variable);
  }

  // Over an array of numbers that is a member.
  void TakeMemberRange(const RangeLoop& taken, const clang::Expr& range) {
    const auto* array = ast_.getAsConstantArrayType(range.getType());
    const std::optional<NamedObject> object = stand_ins_.ObjectAt(range);
    const bool is_flat = array != nullptr && !array->getElementType()->isArrayType();
    const std::string elements = is_flat && object ? stand_ins_.Value(*object) : "";
    if (elements.empty()) return;
    found_.objects.insert(&range);
    AddSubscriptLoop(taken, taken.declared, elements,
                     absl::StrCat("sizeof(", elements, ") / sizeof(", elements, "[0])"), &found_.reads.uses);
    declared_.push_back(taken.variable);
  }

  static bool NamesVariable(const clang::Expr& expression) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&expression);
    return name != nullptr && llvm::isa<clang::VarDecl>(name->getDecl());
  }

  // v[i][j]: how often it has subscripts, and what has them.
  static std::pair<std::vector<const clang::Expr*>, const clang::Expr*> Subscripts(
      const clang::Expr& element) {
    std::vector<const clang::Expr*> subscripts;
    const clang::Expr* base = element.IgnoreParens();
    while (true) {
      const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(base);
      if (call == nullptr || call->getOperator() != clang::OO_Subscript || call->getNumArgs() != 2) break;
      subscripts.push_back(call->getArg(1));
      base = WholeObject(*call->getArg(0));
    }
    return {subscripts, base};
  }

  // v[i], with all subscripts that lead to a number.
  bool TakeElement(const clang::CallExpr& call) {
    const auto [subscripts, base] = Subscripts(call);
    const std::optional<NamedObject> object =
        subscripts.empty() ? std::nullopt : stand_ins_.ContainerAt(*base);
    if (!object || static_cast<int>(subscripts.size()) != object->type.dimensions ||
        !UseAt(ast_, file_, base->getSourceRange()))
      return false;
    if (!Take(base->getSourceRange(), stand_ins_.Elements(*object))) return false;
    found_.objects.insert(base);
    for (const clang::Expr* subscript : subscripts) Visit(*subscript);
    return true;
  }

  // v.size(), v.data(), std::size(v), and a[i].size() of arrays in a container.
  bool TakeCall(const clang::CallExpr& call) {
    const clang::Expr* whole = ObjectOfCall(call);
    if (whole == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(call)) return false;
    const auto [subscripts, base] = Subscripts(*whole);
    const std::optional<NamedObject> object = stand_ins_.ContainerAt(*base);
    const auto depth = static_cast<int>(subscripts.size());
    if (!object || depth >= object->type.dimensions || !UseAt(ast_, file_, call.getSourceRange()))
      return false;
    for (const clang::Expr* subscript : subscripts) {
      if (subscript->HasSideEffects(ast_)) return false;
    }
    found_.objects.insert(base);
    const std::string name = NameOfCalled(call);
    if (name == "size") return Take(call.getSourceRange(), stand_ins_.Size(*object, depth));
    if (name == "ssize")
      return Take(call.getSourceRange(), stand_ins_.Size(*object, depth), "((__PTRDIFF_TYPE__)$)");
    if (name == "empty") return Take(call.getSourceRange(), stand_ins_.Size(*object, depth), "($ == 0)");
    if (object->type.dimensions > 1) return false;
    if (name == "data" || name == "get")
      return Take(call.getSourceRange(), stand_ins_.Elements(*object),
                  object->type.is_array ? "(&$[0])" : "$");
    if (name == "back") {
      const std::string last = stand_ins_.Size(*object, depth);
      return !last.empty() &&
             Take(call.getSourceRange(), stand_ins_.Elements(*object), absl::StrCat("$[", last, " - 1]"));
    }
    return name == "front" && Take(call.getSourceRange(), stand_ins_.Elements(*object), "$[0]");
  }

  // m.rows[i][j], m.rows.size(), m.rows[i].size() of vectors of vectors that are members.
  bool TakeRows(const clang::CallExpr& call) {
    const bool is_size = NameOfCalled(call) == "size" && !llvm::isa<clang::CXXOperatorCallExpr>(call);
    const clang::Expr* element = is_size ? ObjectOfCall(call) : &call;
    if (element == nullptr) return false;
    const auto [subscripts, base] = Subscripts(*element);
    const bool is_member =
        llvm::isa<clang::MemberExpr>(base) && !ElementOfVectors(ast_, base->getType()).isNull();
    const std::optional<NamedObject> object = is_member ? stand_ins_.ObjectAt(*base) : std::nullopt;
    if (!object || subscripts.size() > (is_size ? 1 : 2) || (!is_size && subscripts.size() < 2)) return false;
    found_.objects.insert(base);
    if (!is_size) {
      if (!Take(base->getSourceRange(), stand_ins_.Rows(*object))) return false;
      for (const clang::Expr* subscript : subscripts) Visit(*subscript);
      return true;
    }
    if (subscripts.empty()) return Take(call.getSourceRange(), stand_ins_.RowCount(*object));
    return !subscripts[0]->HasSideEffects(ast_) &&
           Take(call.getSourceRange(), stand_ins_.RowLength(*object, /*any=*/true));
  }

  // std::swap(v, w) and v.swap(w) of containers whose elements stay where they are.
  bool TakeExchange(const clang::CallExpr& call) {
    const std::optional<std::pair<const clang::Expr*, const clang::Expr*>> both =
        ContainersExchangedBy(ast_, call);
    if (!both) return false;
    const std::optional<NamedObject> a = stand_ins_.ContainerAt(*both->first);
    const std::optional<NamedObject> b = stand_ins_.ContainerAt(*both->second);
    if (!a || !b || a->type.dimensions > 1 || !UseAt(ast_, file_, call.getSourceRange())) return false;
    const std::string first = stand_ins_.SetElements(*a), second = stand_ins_.SetElements(*b);
    if (first.empty() || second.empty()) return false;
    if (!Take(call.getSourceRange(), first, absl::StrCat("std::swap($, ", second, ")"))) return false;
    stand_ins_.CheckSameSize(*a, *b);
    AddExchanged(*a, first);
    AddExchanged(*b, second);
    found_.objects.insert({both->first, both->second});
    found_.exchanges.insert(&call);
    return true;
  }

  void AddExchanged(const NamedObject& container, const std::string& stand_in) {
    const bool is_known =
        std::any_of(found_.exchanged.begin(), found_.exchanged.end(),
                    [&](const ExchangedContainer& each) { return each.stand_in == stand_in; });
    if (!is_known)
      found_.exchanged.push_back({container.text, PointerTo(container.type, container.text), stand_in});
  }

  static bool IsElementOrMember(const clang::CallExpr& call) {
    const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
    return operation == nullptr || operation->getOperator() == clang::OO_Call ||
           operation->getOperator() == clang::OO_Subscript;
  }

  // a(i, j), m.rows() of a class of the program's own.
  bool TakeAccessor(const clang::CallExpr& call) {
    const std::optional<AccessorCall> accessor = AccessorOf(ast_, call);
    if (!accessor) return false;
    std::optional<MemberUse> use = ReadAccessor(ast_, *accessor, call.getSourceRange(), &stand_ins_);
    if (!use) return false;
    found_.reads.uses.push_back(*std::move(use));
    found_.objects.insert(call.getCallee());
    if (llvm::isa<clang::CXXOperatorCallExpr>(call)) found_.objects.insert(call.getArg(0));
    for (const clang::Expr* argument : accessor->arguments) Visit(*argument);
    return true;
  }

  // Lets the name stand in the place, `$` in the text; false where that cannot be.
  bool Take(clang::SourceRange range, const std::string& name, const std::string& text = "$") {
    const std::optional<MemberUse> place = UseAt(ast_, file_, range);
    if (!place || name.empty()) return false;
    found_.reads.uses.push_back({place->offset, place->length, absl::StrReplaceAll(text, {{"$", name}})});
    return true;
  }

  const clang::ASTContext& ast_;
  const MainFile file_;
  const FoundRegion& region_;
  ContainerReads found_;
  StandIns stand_ins_;
  std::vector<const clang::DeclRefExpr*> wholes_;  // no members of these are named there
  std::vector<const clang::MemberExpr*> arrays_;   // members that are named there
  std::vector<const clang::ValueDecl*> declared_;
};

}  // namespace

ContainerReads FindContainerReads(const clang::ASTContext& ast, const FoundRegion& region,
                                  const std::set<const clang::ValueDecl*>& rows) {
  if (!ast.getLangOpts().CPlusPlus) return {};
  ContainerFinder finder(ast, region, rows);
  ContainerReads reads = finder.Find();
  if (!finder.HasCellsOfArrays()) return reads;
  ContainerFinder again(ast, region, rows);
  again.TakeNoCells();
  return again.Find();
}

}  // namespace tune
