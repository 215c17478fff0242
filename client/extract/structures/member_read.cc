#include "client/extract/structures/member_read.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/source/main_file.h"
#include "client/extract/structures/member_assumption.h"
#include "client/extract/tree/evaluation_reach.h"

namespace tune {
namespace {

// A member as its variable and what leads from there.
struct MemberChain {
  const clang::Decl* base = nullptr;  // a variable, or the function for whose object `this` stands
  MemberRead member;
  std::string element = {};  // type of the number, or of the numbers in an array
  // Of the value of an integer at a known place of an array: the same as an element of the array.
  std::shared_ptr<const MemberChain> whole = nullptr;
};

std::string TypeText(const clang::ASTContext& ast, clang::QualType type) {
  return type.getCanonicalType().getUnqualifiedType().getAsString(ast.getPrintingPolicy());
}

void SortUses(MemberReads* reads) {
  std::sort(reads->uses.begin(), reads->uses.end(), [](const MemberUse& a, const MemberUse& b) {
    const bool a_is_empty = a.length == 0, b_is_empty = b.length == 0;
    return std::tuple(a.offset, !a_is_empty, -a.length) < std::tuple(b.offset, !b_is_empty, -b.length);
  });
}

class MemberFinder {
 public:
  MemberFinder(const clang::ASTContext& ast, const FoundRegion& region,
               const std::set<const clang::Stmt*>& apart)
      : ast_(ast), file_(ast.getSourceManager()), region_(region), apart_(apart) {}

  MemberReads Find() {
    for (const clang::Stmt* statement : region_.statements) Visit(*statement, Reach::kCertain);
    TakeWholeArrays();
    if (has_jumps_) reached_.clear();
    MemberReads reads;
    std::map<std::string, std::string> names;  // and what they stand for
    std::map<std::string, int> groups;         // of pointers
    for (size_t i = 0; i < found_.size(); ++i) {
      MemberChain& chain = found_[i];
      if (others_.count(chain.base) > 0 || IsOfOneType(chain.base)) continue;
      const std::string pointer = chain.member.hops.empty() ? "" : chain.member.hops.back();
      if (!pointer.empty() && certain_.count(pointer) == 0) {
        if (reached_.count(pointer) == 0) continue;
        chain.member.group = groups.emplace(pointer, static_cast<int>(groups.size()) + 1).first->second;
      }
      if (set_.count(chain.member.text) > 0) {
        chain.member.type = "auto &";
        chain.member.cells.clear();  // what it has now is read
        chain.member.value.clear();
      }
      const auto [known, is_new] = names.emplace(chain.member.name, chain.member.text);
      if (known->second != chain.member.text) continue;  // s.a_b and s.a.b
      uses_[i].text =
          chain.member.type.empty() ? absl::StrCat("(*", chain.member.name, ")") : chain.member.name;
      reads.uses.push_back(uses_[i]);
      if (is_new && !chain.member.value.empty())
        reads.conditions.push_back(IsTruthValue(ast_, chain.member.text));
      if (is_new) reads.members.push_back(chain.member);
    }
    SortUses(&reads);  // designated initialisers are not visited in the order of the text
    const bool twice =
        std::adjacent_find(reads.uses.begin(), reads.uses.end(), [](const MemberUse& a, const MemberUse& b) {
          return a.offset + a.length > b.offset;
        }) != reads.uses.end();
    return twice ? MemberReads() : reads;
  }

 private:
  // Integers of arrays of which the region uses more than integers at known places are elements of these.
  void TakeWholeArrays() {
    std::set<std::string> arrays;
    for (const MemberChain& chain : found_) {
      if (chain.member.type.empty()) arrays.insert(chain.member.text);
    }
    for (size_t i = 0; i < found_.size(); ++i) {
      const std::shared_ptr<const MemberChain> whole = found_[i].whole;
      if (whole == nullptr || arrays.count(whole->member.text) == 0) continue;
      found_[i] = *whole;
      uses_[i] = wholes_.at(i);
    }
  }

  // Whether arrays of numbers of one type, and such numbers, are all that the region uses of the variable.
  bool IsOfOneType(const clang::Decl* base) const {
    if (base == region_.function) return false;
    std::set<std::string> elements;
    bool has_array = false, has_pointer = false;
    for (const MemberChain& chain : found_) {
      if (chain.base != base) continue;
      has_array = has_array || chain.member.type.empty();
      has_pointer = has_pointer || absl::EndsWith(chain.element, "*");
      elements.insert(chain.element);
    }
    return has_array && !has_pointer && elements.size() == 1;
  }

  void Visit(const clang::Stmt& node, Reach reach) {
    if (apart_.count(&node) > 0) return;
    if (llvm::isa<clang::CXXThisExpr>(node)) others_.insert(region_.function);
    if (const auto* value = llvm::dyn_cast<clang::ImplicitCastExpr>(&node)) {
      if (TakeCell(*value, reach) || TakeMember(*value, reach)) return;
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node)) {
      if (TakeObject(*member)) return;
    }
    has_jumps_ = has_jumps_ || IsJump(node);
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&node)) {
      for (const clang::Decl* declaration : declarations->decls()) others_.insert(declaration);
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node))
      others_.insert(reference->getDecl());
    int place = 0;
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr) Visit(*child, ReachOf(node, *child, place, reach));
      ++place;
    }
  }

  // Whether it is the value of an integer at a place of an array which the text says, grid->n[1]: a size,
  // say.
  bool TakeCell(const clang::ImplicitCastExpr& value, Reach reach) {
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(value.getSubExpr()->IgnoreParens());
    if (element == nullptr || value.getCastKind() != clang::CK_LValueToRValue) return false;
    const auto* place = llvm::dyn_cast<clang::IntegerLiteral>(element->getIdx()->IgnoreParenImpCasts());
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(element->getBase()->IgnoreParenImpCasts());
    const auto* array = member == nullptr ? nullptr : ast_.getAsConstantArrayType(member->getType());
    if (place == nullptr || place->getBeginLoc().isMacroID() || array == nullptr || array->getSize().ule(1) ||
        array->getSize().ule(place->getValue().getLimitedValue()) || !value.getType()->isIntegerType() ||
        value.getType()->isBooleanType() || !IsNumber(ast_, value.getType()))
      return false;
    std::optional<MemberChain> cell = ChainOf(*member);
    MemberChain whole = cell.value_or(MemberChain());
    const std::optional<MemberUse> use = UseAt(ast_, file_, element->getSourceRange()),
                                   array_use = UseAt(ast_, file_, member->getSourceRange());
    if (!cell || !use || !array_use || !Finish(*member, /*is_array=*/true, &whole)) return false;
    const uint64_t number = place->getValue().getZExtValue();
    absl::StrAppend(&cell->member.text, "[", number, "]");
    absl::StrAppend(&cell->member.name, "_", number);
    cell->member.type = absl::StrCat("__typeof__(", cell->member.text, ")");
    cell->member.cells.push_back(cell->member.text);
    cell->element = TypeText(ast_, value.getType());
    cell->whole = std::make_shared<const MemberChain>(std::move(whole));
    wholes_.emplace(found_.size(), *array_use);
    Take(*std::move(cell), *use, reach);
    return true;
  }

  void Take(MemberChain chain, const MemberUse& use, Reach reach) {
    if (reach == Reach::kCertain) certain_.insert(chain.member.hops.begin(), chain.member.hops.end());
    if (reach == Reach::kInLoops) reached_.insert(chain.member.hops.begin(), chain.member.hops.end());
    found_.push_back(std::move(chain));
    uses_.push_back(use);
  }

  // Whether the value is that of a member that a variable can stand for, or an array's that is one.
  bool TakeMember(const clang::ImplicitCastExpr& value, Reach reach) {
    const bool is_array = value.getCastKind() == clang::CK_ArrayToPointerDecay;
    if (!is_array && value.getCastKind() != clang::CK_LValueToRValue) return false;
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(value.getSubExpr()->IgnoreParens());
    std::optional<MemberChain> chain = member == nullptr ? std::nullopt : ChainOf(*member);
    if (!chain || !Finish(*member, is_array, &*chain)) return false;
    const std::optional<MemberUse> use = UseAt(ast_, file_, member->getSourceRange());
    if (!use) return false;
    Take(*std::move(chain), *use, reach);
    return true;
  }

  // Whether it is a number of the object that `this` points to: a reference stands for one that the region
  // sets.
  bool TakeObject(const clang::MemberExpr& member) {
    std::optional<MemberChain> chain = IsNumber(ast_, member.getType()) ? ChainOf(member) : std::nullopt;
    const std::optional<MemberUse> use = UseAt(ast_, file_, member.getSourceRange());
    if (!chain || !use || chain->base != region_.function || !chain->member.hops.empty()) return false;
    chain->element = TypeText(ast_, member.getType());
    set_.insert(chain->member.text);
    found_.push_back(*std::move(chain));
    uses_.push_back(*use);
    return true;
  }

  // Sets what the variable is that stands for the member; false where there can be none.
  bool Finish(const clang::MemberExpr& member, bool is_array, MemberChain* chain) const {
    const clang::QualType type = member.getType();
    if (type.isVolatileQualified()) return false;
    if (is_array) {
      const auto* array = ast_.getAsConstantArrayType(type);
      if (array == nullptr || array->getSize().ule(1)) return false;
      chain->element = TypeText(ast_, ast_.getBaseElementType(type));
      return IsNumber(ast_, ast_.getBaseElementType(type));
    }
    const bool is_pointer = type->isPointerType() && IsNumber(ast_, type->getPointeeType());
    if (!is_pointer && !IsNumber(ast_, type)) return false;
    chain->element = TypeText(ast_, type);
    // Other builds may have other types. A pointer is the value alone, without `restrict`.
    chain->member.type = absl::StrCat("__typeof__(", chain->member.text, is_pointer ? " + 0)" : ")");
    chain->member.cells.push_back(chain->member.text);
    if (type->isBooleanType()) chain->member.value = TruthValueOf(chain->member.text);
    return true;
  }

  std::optional<MemberChain> ChainOf(const clang::MemberExpr& member) const {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
    if (field == nullptr || field->isBitField() || field->getParent()->isUnion() || !field->getIdentifier() ||
        field->getType().isVolatileQualified() || member.hasQualifier())  // B::n may be another one's n
      return std::nullopt;
    const clang::Expr* base = member.getBase()->IgnoreParens();
    const bool is_this = llvm::isa<clang::CXXThisExpr>(base->IgnoreImpCasts());
    if (member.isArrow() && !is_this) {
      const auto* value = llvm::dyn_cast<clang::ImplicitCastExpr>(base);
      if (value == nullptr || value->getCastKind() != clang::CK_LValueToRValue) return std::nullopt;
      base = value->getSubExpr()->IgnoreParens();
    }
    std::optional<MemberChain> chain;
    if (is_this) {
      chain = MemberChain{region_.function, {"tune_this", "this", "", {}, {}}};
    } else if (const auto* outer = llvm::dyn_cast<clang::MemberExpr>(base)) {
      chain = ChainOf(*outer);
      if (chain && member.isArrow()) chain->member.cells.push_back(chain->member.text);
    } else if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(base)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (variable == nullptr || variable->getType().isVolatileQualified() ||
          variable->getStorageClass() == clang::SC_Register)
        return std::nullopt;
      const std::string name = variable->getNameAsString();
      chain = MemberChain{variable, {absl::StrCat("tune_", name), name, "", {}, {}}};
      if (member.isArrow()) chain->member.cells.push_back(name);
    }
    if (!chain) return std::nullopt;
    const std::string name = field->getNameAsString();
    if (member.isArrow() && !is_this) chain->member.hops.push_back(chain->member.text);
    absl::StrAppend(&chain->member.text, member.isArrow() ? "->" : ".", name);
    AppendMember(*field, &chain->member.name);
    return chain;
  }

  const clang::ASTContext& ast_;
  const MainFile file_;
  const FoundRegion& region_;
  const std::set<const clang::Stmt*>& apart_;
  std::vector<MemberChain> found_;
  std::vector<MemberUse> uses_;              // parallel
  std::map<size_t, MemberUse> wholes_;       // of arrays, where found_ has an integer in one
  std::set<std::string> set_;                // members that the region may set
  std::set<std::string> certain_, reached_;  // pointers that the region follows in any case, and in loops
  bool has_jumps_ = false;
  std::set<const clang::Decl*> others_;  // used in other ways, or declared
};

}  // namespace

std::string TruthValueOf(const std::string& member) {
  return absl::StrCat("*(const unsigned char *)&", member, " != 0");
}

std::string IsTruthValue(const clang::ASTContext& ast, const std::string& member) {
  return ast.getLangOpts().CPlusPlus
             ? absl::StrCat("__is_same(const __typeof__(", member, "), const bool)")
             : absl::StrCat("__builtin_types_compatible_p(__typeof__(", member, "), _Bool)");
}

std::string PlainName(const clang::NamedDecl& member) {
  const std::string plain = member.getNameAsString();
  return std::string(absl::StripSuffix(absl::StripPrefix(plain, "_"), "_"));
}

void AppendMember(const clang::FieldDecl& field, std::string* name) {
  absl::StrAppend(name, "_", PlainName(field));
}

std::optional<MemberUse> UseAt(const clang::ASTContext& ast, const MainFile& file, clang::SourceRange range) {
  const clang::SourceManager& manager = ast.getSourceManager();
  const clang::SourceLocation begin = range.getBegin(), last = range.getEnd();
  if (begin.isMacroID() || last.isMacroID() || !manager.isWrittenInMainFile(begin) ||
      !manager.isWrittenInMainFile(last))
    return std::nullopt;
  const int64_t offset = file.Offset(begin);
  const int64_t end = file.Offset(last) + clang::Lexer::MeasureTokenLength(last, manager, ast.getLangOpts());
  if (file.text().slice(static_cast<size_t>(offset), static_cast<size_t>(end)).contains('\n'))
    return std::nullopt;
  return MemberUse{offset, end - offset, ""};
}

std::string TextAt(const MainFile& file, const MemberUse& place) {
  return file.text().substr(static_cast<size_t>(place.offset), static_cast<size_t>(place.length)).str();
}

MemberReads FindMemberReads(const clang::ASTContext& ast, const FoundRegion& region,
                            const std::set<const clang::Stmt*>& apart) {
  return MemberFinder(ast, region, apart).Find();
}

std::string MarkOfHole(size_t hole) { return absl::StrCat("\1", hole, "\2"); }

MemberReads Filled(const MainFile& file, MemberReads reads) {
  SortUses(&reads);  // what is in another one, and shorter, behind it
  std::vector<MemberUse> filled;
  for (auto outer = reads.uses.rbegin(); outer != reads.uses.rend(); ++outer) {
    MemberUse use = *outer;
    const auto ends_behind = std::find_if(filled.rbegin(), filled.rend(), [&](const MemberUse& each) {
      return each.offset >= use.offset + use.length;
    });
    std::vector<MemberUse> inside(filled.rbegin(), ends_behind);
    filled.resize(filled.size() - inside.size());
    size_t used = 0;
    for (size_t i = 0; i < use.holes.size(); ++i) {
      const MemberUse::Hole& hole = use.holes[i];
      MemberReads parts;
      for (const MemberUse& each : inside) {
        if (each.offset >= hole.offset && each.offset + each.length <= hole.offset + hole.length)
          parts.uses.push_back(each);
      }
      used += parts.uses.size();
      const std::string text = WithMembers(TextAt(file, {hole.offset, hole.length, ""}), hole.offset, parts);
      use.text = absl::StrReplaceAll(use.text, {{MarkOfHole(i), text}});
    }
    if (used != inside.size()) return {};
    use.holes.clear();
    filled.push_back(std::move(use));
  }
  reads.uses.assign(filled.rbegin(), filled.rend());
  return reads;
}

MemberReads Joined(MemberReads reads, const MemberReads& others) {
  for (const MemberRead& other : others.members) {
    const auto known = std::find_if(reads.members.begin(), reads.members.end(),
                                    [&](const MemberRead& each) { return each.name == other.name; });
    if (known == reads.members.end()) {
      reads.members.push_back(other);
    } else if (known->text != other.text || known->type != other.type) {
      return {};
    }
  }
  for (const std::string& condition : others.conditions) {
    if (std::find(reads.conditions.begin(), reads.conditions.end(), condition) == reads.conditions.end())
      reads.conditions.push_back(condition);
  }
  reads.uses.insert(reads.uses.end(), others.uses.begin(), others.uses.end());
  SortUses(&reads);
  return reads;
}

}  // namespace tune
