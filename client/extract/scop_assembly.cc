#include "client/extract/scop_assembly.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/extract/arrays/aliasing.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/arrays/array_table.h"
#include "client/extract/arrays/outside_elements.h"
#include "client/extract/cpp/accessor.h"
#include "client/extract/cpp/refused_cpp.h"
#include "client/extract/forms/lowered_region.h"
#include "client/extract/integers/constant_table.h"
#include "client/extract/loops/nest_walk.h"
#include "client/extract/pointers/flat_offset.h"
#include "client/extract/pointers/product_hint.h"
#include "client/extract/region/escaping_values.h"
#include "client/extract/region/region.h"
#include "client/extract/source/fitting_constant.h"
#include "client/extract/source/meanings.h"
#include "client/extract/source/visible_name.h"
#include "client/extract/statements/refused_statement.h"
#include "client/extract/statements/region_walker.h"
#include "client/extract/structures/structure_member.h"
#include "client/extract/structures/structure_values.h"
#include "client/extract/tree/known_value.h"
#include "common/base/c_identifier.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/spaces.h"
#include "common/isl/tuple_name.h"
#include "common/scop/c_text_check.h"
#include "common/scop/expression_parts.h"
#include "common/scop/member_type.h"
#include "common/scop/scop_texts.h"

namespace tune {
namespace {

void Append(std::vector<Refusal> more, std::vector<Refusal>* all) {
  std::move(more.begin(), more.end(), std::back_inserter(*all));
}

isl::pw_aff Constant(const isl::space& space, int value) {
  isl::aff zero = isl::aff::zero_on_domain(space);
  return isl::pw_aff(zero.add_constant(value));
}

isl::set OutermostIndices(const Region& region, const ArrayTable::Entry& entry) {
  isl::set indices = isl::set::empty(
      AddDimensions(SetSpaceFromParameters(region.parameter_space), isl_dim_set, 1));  // { [a] }
  for (const isl::map& accessed : entry.accessed) {
    isl::set range = accessed.range().intersect_params(region.context);  // { A[a, ...] }
    unsigned dimensions = Dimensions(range, isl_dim_set);
    isl::set first = ProjectOut(range, isl_dim_set, 1, dimensions - 1);
    indices = indices.unite(WithoutTupleId(first));
  }
  return indices;
}

// One more than the largest outermost index, 0 where nothing is accessed: [params] -> { [n] }.
isl::pw_aff AccessedExtent(const Region& region, const isl::set& indices) {
  isl::pw_aff largest = DimensionMax(indices, 0);
  isl::pw_aff extent = largest.add(Constant(region.parameter_space, 1));
  isl::set unused = region.context.subtract(indices.params());
  if (!unused.is_empty())
    extent = extent.union_add(Constant(region.parameter_space, 0).intersect_domain(unused));
  return extent.gist(region.context).coalesce();
}

// Tuned files compare the words with their meanings, which has to be possible: not of a macro whose argument
// is a statement.
std::vector<Refusal> CheckMeanings(const clang::ASTContext& ast, const v1::Scop& scop,
                                   const std::vector<PlacedMeaning>& macros) {
  const clang::SourceManager& manager = ast.getSourceManager();
  const clang::SourceLocation file = manager.getLocForStartOfFile(manager.getMainFileID());
  std::vector<Refusal> refusals;
  for (const v1::Meaning& meaning : scop.meanings()) {
    if (CheckMeaning(meaning).ok()) continue;
    const auto place = std::find_if(macros.begin(), macros.end(), [&](const PlacedMeaning& macro) {
      return macro.meaning.kind() == meaning.kind() && macro.meaning.text() == meaning.text();
    });
    clang::SourceRange range;
    if (place != macros.end()) range = file.getLocWithOffset(static_cast<int>(place->offset));
    const bool is_macro = meaning.kind() == v1::Meaning::EXPANSION;
    refusals.push_back({range, "tuned code cannot test whether these words mean the same where it is built",
                        is_macro ? "write the text of the macro in its place"
                                 : "use a type or constant that is declared outside of templates"});
  }
  return refusals;
}

// That no set or relation is larger than every other program takes.
std::vector<Refusal> CheckTexts(const FoundRegion& found, const v1::Scop& scop) {
  const absl::Status status = CheckScopTexts(scop);
  if (status.ok()) return {};
  return {{{found.begin, found.begin},
           std::string(status.message()),
           "mark a smaller region, or simplify its bounds, conditions and subscripts"}};
}

// Adds the functions that the value calls.
void AddCalled(const v1::Expression& value, std::set<std::string>* called) {
  ForEachPart(value, [&](const v1::Expression& part) { AddCalled(part, called); });
  if (value.has_call()) called->insert(value.call().function());
}

std::set<std::string> CalledIn(const v1::Scop& scop) {
  std::set<std::string> called;
  for (const v1::Statement& statement : scop.statements()) AddCalled(statement.value(), &called);
  return called;
}

// By whose names the program's files define no macros: after `#define sin(x) sin((x) * DEGREE)` a call of sin
// in the tuned text would be the macro once more. At most one refusal, of the region at `place`.
std::vector<Refusal> CheckCalls(clang::SourceRange place, const std::set<std::string>& called,
                                const std::vector<PlacedMeaning>& macros) {
  const auto hidden = std::find_if(macros.begin(), macros.end(), [&](const PlacedMeaning& macro) {
    return macro.offset < 0 && called.count(macro.meaning.text()) > 0;
  });
  if (hidden == macros.end()) return {};
  return {{place,
           absl::StrCat("the region calls the function `", hidden->meaning.text(),
                        "`, and the program has a macro of that name"),
           "give the macro another name"}};
}

// Names of functions that are called, as another build may have macros of these names. The compiler's, and
// those of the system's macros, as of <tgmath.h>, stay what they are.
void AddCalledNames(const clang::ASTContext& ast, const std::set<std::string>& called, v1::Scop* scop) {
  for (const std::string& name : called) {
    const auto known = ast.Idents.find(name);
    const bool is_macro = known != ast.Idents.end() && known->second->hasMacroDefinition();
    if (is_macro || absl::StartsWith(name, "__builtin_")) continue;
    v1::Meaning* meaning = scop->add_meanings();
    meaning->set_kind(v1::Meaning::UNDEFINED);
    meaning->set_text(name);
  }
}

// What reading the region tells that reading it again needs.
struct Knowledge {
  std::set<const clang::VarDecl*> data;              // of what was taken for derived, what is not
  std::map<const clang::VarDecl*, RowList> rows;     // Region::rows
  std::map<const clang::VarDecl*, isl::val> values;  // Region::values
  std::set<Factors> products;                        // of Region::products
  std::set<const clang::VarDecl*> of_products;       // Region::of_products
};

class Assembler {
 public:
  Assembler(isl::ctx ctx, const clang::ASTContext& ast, const FoundRegion& found,
            const StructureValues& values, const std::map<std::string, int64_t>& constants,
            const Knowledge& known)
      : ast_(ast),
        found_(found),
        values_(values),
        variables_(ast, *found.function, found.statements),
        region_(ast, variables_, ctx, known.products),
        arrays_(variables_),
        behind_(ast, found) {
    for (const clang::VarDecl* variable : variables_.assigned_indices()) {
      if (behind_.ReadOf(variable) == nullptr && known.data.count(variable) == 0)
        region_.derived.insert(variable);
    }
    if (PointersReadBehind(behind_, found, variables_.set_pointers()).empty())
      region_.pointers = variables_.set_pointers();
    region_.rows = known.rows;
    region_.of_products = known.of_products;
    region_.hints = FindProductHints(variables_);
    region_.set_structures = StructuresSetIn(found.statements);
    for (const auto& [parameter, value] : known.values)
      if (variables_.IsParameter(parameter)) region_.Fix(parameter, value);
    for (const clang::VarDecl* parameter : variables_.parameters()) {
      const auto value = constants.find(parameter->getNameAsString());
      if (value != constants.end() && region_.values.count(parameter) == 0)
        region_.Fix(parameter, isl::val(ctx, std::to_string(value->second)));
    }
  }

  const RegionVariables& variables() const { return variables_; }
  std::map<std::string, std::string> Known() const { return KnownParameters(region_); }
  // Adds what this reading told; false where that is nothing new.
  bool Teach(Knowledge* known) const {
    known->values.insert(region_.found_values.begin(), region_.found_values.end());
    known->products.insert(region_.found_products.begin(), region_.found_products.end());
    // What lengths are called in the texts of rows changes with the parameters.
    if (!region_.found_products.empty()) known->rows.clear();
    // Without these more was data than is.
    if (!region_.found_values.empty() || !region_.found_products.empty()) return true;
    known->data.insert(region_.data.begin(), region_.data.end());
    for (const auto& [array, strides] : region_.found_strides) {
      const std::optional<RowList> rows = RowsOf(strides);
      const bool may_have_rows = !rows && !region_.hints.empty() && known->of_products.insert(array).second;
      if (!may_have_rows) known->rows[array] = rows.value_or(RowList());
    }
    return !region_.data.empty() || !region_.found_strides.empty();
  }

  // The numbered steps from statements to message.
  AssembledScop Assemble() {
    CheckNames();
    CheckThreadLocals();
    Append(FindRefusedCpp(found_, variables_), &result_.refusals);
    if (!result_.refusals.empty()) return std::move(result_);
    // 1. Statements, their order, and what they access.
    WalkedRegion walked = WalkRegion(region_, arrays_, found_.statements);
    Append(std::move(walked.refusals), &result_.refusals);
    for (v1::Statement& statement : walked.statements) *result_.scop.add_statements() = std::move(statement);
    // 2. What the region must not do beside that.
    CheckStructureValues();
    Append(CheckEscapingValues(behind_, found_, variables_), &result_.refusals);
    // 3. Arrays, and what their sizes say about the parameters.
    for (const ArrayTable::Entry& entry : arrays_.entries()) AddArray(entry);
    if (result_.refusals.empty() && !walked.schedule)
      result_.refusals.push_back(RefuseNothing(found_.begin, walked.end_of_program));
    if (!result_.refusals.empty()) return std::move(result_);
    for (size_t i = 0; i < arrays_.entries().size(); ++i) {
      const v1::Array& array = result_.scop.arrays(static_cast<int>(i));
      if (auto outside = RefuseOutside(region_, arrays_.entries()[i], array))
        result_.refusals.push_back(*std::move(outside));
    }
    if (!result_.refusals.empty()) return std::move(result_);
    const std::vector<v1::Array::Overlap> overlaps = FindOverlap(ast_, arrays_, variables_);
    for (size_t i = 0; i < overlaps.size(); ++i)
      result_.scop.mutable_arrays(static_cast<int>(i))->set_overlap(overlaps[i]);
    // 4. Extents that C leaves open, from the accesses.
    for (size_t i = 0; i < arrays_.entries().size(); ++i) CompleteExtent(static_cast<int>(i));
    CheckParameters();
    if (!result_.refusals.empty()) return std::move(result_);
    for (const ArrayTable::Entry& entry : arrays_.entries()) SetReached(entry);
    // 5. The rest.
    result_.scop.set_name(found_.scop_name);
    const std::vector<bool> targets = FindParametersPointedTo(ast_, variables_);
    for (size_t i = 0; i < targets.size(); ++i) AddParameter(*variables_.parameters()[i], targets[i]);
    for (const auto& [factors, id] : region_.products) AddProduct(factors, id);
    for (const clang::VarDecl* table : region_.tables) AddTable(*table);
    result_.scop.set_context(IslText(region_.context.coalesce()));
    if (walked.schedule) result_.scop.set_schedule(IslText(*walked.schedule));
    *result_.scop.mutable_region() = found_.source;
    return std::move(result_);
  }

 private:
  void AddArray(const ArrayTable::Entry& entry) {
    Accepted<v1::Array> array =
        DescribeArray(region_, *found_.function, *entry.variable, entry.use, entry.member);
    if (auto* refusal = std::get_if<Refusal>(&array)) {
      result_.refusals.push_back(std::move(*refusal));
      return;
    }
    v1::Array& described = std::get<0>(array);
    described.set_name(entry.name);
    described.set_read_only(!entry.is_written);
    SetRows(*entry.variable, &described);
    *result_.scop.add_arrays() = std::move(described);
  }

  // The dimensions that the array's subscripts say, in place of its only one.
  void SetRows(const clang::VarDecl& variable, v1::Array* array) const {
    const auto rows = region_.rows.find(&variable);
    if (rows == region_.rows.end() || rows->second.empty()) return;
    array->set_is_flat(true);
    const v1::Extent innermost = array->extents(array->extents_size() - 1);
    array->clear_extents();
    array->add_extents();
    for (const RowLength& length : rows->second)
      array->add_extents()->set_c_expression(RowText(region_, length));
    if (array->has_structure()) *array->add_extents() = innermost;
  }

  // Sets, maps and generated text have the region's names.
  void CheckNames() {
    std::set<std::string> seen;
    for (const clang::VarDecl* variable : variables_.mentioned()) {
      const std::string name = variable->getNameAsString();
      if (name.empty() || IsCIdentifier(name) || !seen.insert(name).second) continue;
      result_.refusals.push_back({variable->getSourceRange(),
                                  absl::StrCat("the name `", name, "` has characters that are not in ASCII"),
                                  "rename the variable with letters from a to z, digits and _"});
    }
  }

  // Variables that stand for members have the types of these, which arrays' guards see to, or meanings.
  void CheckStructureValues() {
    for (const auto& [variable, member] : values_.members()) {
      const clang::QualType type = member->getType();
      if (region_.members.count(member) > 0 || !type->isArithmeticType()) continue;
      const std::string structure = NameOfStructure(*member->getParent());
      if (structure.empty()) {
        result_.refusals.push_back(
            {variable->getSourceRange(),
             absl::StrCat(
                 "a structure that the region declares, whose kind has no name in this file before it, and "
                 "no array in the region has the member `",
                 member->getNameAsString(), "`"),
             "define the structure with a name in this file, or use a variable for each member"});
        return;
      }
      v1::Meaning* meaning = result_.scop.add_meanings();
      meaning->set_kind(v1::Meaning::TYPE);
      meaning->set_text(TypeOfMember(structure, member->getNameAsString()));
      meaning->set_value(CTypeName(ast_, type));
    }
  }

  // As a C expression names it before the region; empty where it cannot, and of other files', of which no
  // meaning says which members they have where the program is built.
  std::string NameOfStructure(const clang::RecordDecl& structure) const {
    const clang::SourceManager& manager = ast_.getSourceManager();
    const clang::SourceLocation place = manager.getExpansionLoc(structure.getLocation());
    if (!manager.isWrittenInMainFile(place) || !manager.isBeforeInTranslationUnit(place, found_.begin))
      return "";
    if (ast_.getLangOpts().CPlusPlus) {  // a function may have the name, too
      const std::string name = IsAccessibleIn(*found_.function, structure) ? FullName(structure) : "";
      return name.empty() ? "" : "struct " + name;
    }
    return tune::NameOfStructure(structure);
  }

  // Tuned code has threads, for which these are other variables.
  void CheckThreadLocals() {
    std::set<const clang::VarDecl*> seen;
    for (const clang::VarDecl* variable : variables_.mentioned()) {
      if (variable->getTLSKind() == clang::VarDecl::TLS_None || !seen.insert(variable).second) continue;
      result_.refusals.push_back(
          {variable->getSourceRange(),
           absl::StrCat("`", variable->getNameAsString(), "` is another variable in each thread"),
           "let a pointer that is set before the region point to it"});
    }
  }

  // Sets and maps name them all, also those that no bound or subscript has.
  void CheckParameters() {
    for (const clang::VarDecl* variable : variables_.parameters()) {
      const std::string name = variable->getNameAsString();
      if (IsReservedByIsl(name))
        result_.refusals.push_back(ReservedParameter(variable->getSourceRange(), name));
    }
  }

  void CompleteExtent(int index) {
    v1::Array* array = result_.scop.mutable_arrays(index);
    if (array->extents_size() == 0 || !array->extents(0).c_expression().empty()) return;
    const ArrayTable::Entry& entry = arrays_.entries()[index];
    isl::set indices = OutermostIndices(region_, entry);
    isl::aff index_aff = VariableOn(indices.space(), 0);
    isl::pw_aff first = isl::pw_aff(index_aff);
    isl::set negative = indices.intersect(first.lt_set(Constant(indices.space(), 0)));
    // A program in which it happens for some values of the parameters only may never be given them.
    if (!negative.is_empty() && indices.params().is_subset(negative.params())) {
      result_.refusals.push_back({entry.use,
                                  absl::StrCat("`", entry.name, "` is accessed before its first element"),
                                  "let the pointer point to the lowest element that is accessed"});
      return;
    }
    if (!HasUpperBound(indices, isl_dim_set, 0)) {
      result_.refusals.push_back(
          {entry.use, absl::StrCat("the number of elements of `", entry.name, "` cannot be bounded"),
           absl::StrCat("declare its size: `", entry.name, "[n]`")});
      return;
    }
    array->mutable_extents(0)->set_accessed(IslText(AccessedExtent(region_, indices)));
  }

  void SetReached(const ArrayTable::Entry& entry) {
    if (entry.accessed.empty()) return;
    isl::set elements = entry.accessed[0].range();
    for (const isl::map& accessed : entry.accessed) elements = elements.unite(accessed.range());
    result_.reached[entry.name] = IslText(elements.coalesce());
  }

  void AddParameter(const clang::VarDecl& variable, bool is_target) {
    v1::Parameter* parameter = result_.scop.add_parameters();
    parameter->set_name(variable.getNameAsString());
    parameter->set_c_type(ValueTypeName(ast_, variable.getType()));
    parameter->set_is_target(is_target);
  }

  void AddProduct(const Factors& factors, const isl::id& id) {
    v1::Parameter* parameter = result_.scop.add_parameters();
    parameter->set_name(id.name());
    parameter->set_c_type("long");
    for (const clang::VarDecl* factor : factors) parameter->add_factors(factor->getNameAsString());
  }

  // Another build may have other values in a table from outside of the region.
  void AddTable(const clang::VarDecl& table) {
    const clang::DeclContext* context = table.getDeclContext();
    const bool is_called = context != found_.function && context->isFunctionOrMethod();
    if (is_called || variables_.IsDeclaredInside(&table)) return;
    for (const auto& [element, value] : ElementsOfTable(table, FullName(table))) {
      v1::Meaning* meaning = result_.scop.add_meanings();
      meaning->set_kind(v1::Meaning::CONSTANT);
      meaning->set_text(element);
      meaning->set_value(value);
    }
  }

  const clang::ASTContext& ast_;
  const FoundRegion& found_;
  const StructureValues& values_;
  RegionVariables variables_;
  Region region_;
  ArrayTable arrays_;
  const ValuesBehind behind_;
  AssembledScop result_;
};

}  // namespace

absl::StatusOr<AssembledScop> AssembleScop(const clang::ASTContext& ast, const FoundRegion& marked,
                                           const FileFacts& facts) {
  IslContext context;
  return context.Run("extracting the region", [&]() -> absl::StatusOr<AssembledScop> {
    const LoweredRegion lowered(ast, marked);
    const StructureValues& values = lowered.structures();
    if (values.refusal()) return AssembledScop{{}, {*values.refusal()}};
    const FoundRegion& found = lowered.found();
    Knowledge known;
    for (const auto& [variable, value] : lowered.known())
      known.values.emplace(variable, isl::val(isl::ctx(context.ctx()), value));
    std::unique_ptr<Assembler> assembler;
    const auto assemble = [&](Knowledge learned) {
      AssembledScop result;
      do {
        assembler = std::make_unique<Assembler>(context.ctx(), ast, found, values, facts.constants, learned);
        result = assembler->Assemble();
      } while (assembler->Teach(&learned));
      return result;
    };
    AssembledScop assembled = assemble(known);
    std::optional<NestWalks> walks;
    if (!assembled.refusals.empty() && walks.emplace(ast, found).any()) {
      AssembledScop other = assemble(known);
      if (other.refusals.empty()) assembled = std::move(other);
    }
    if (assembled.refusals.empty()) assembled.known = assembler->Known();
    Append(
        RefuseMisfits(ast, {found.begin, found.begin}, assembler->variables().parameters(), facts.constants),
        &assembled.refusals);
    std::set<const clang::RecordDecl*> structures = values.structures();
    std::vector<const clang::FunctionDecl*> called = assembler->variables().called();
    // What the text that is read stands for.
    const FoundAccessors accessors = AccessorsIn(ast, found.original);
    for (const clang::FunctionDecl* accessor : accessors.functions) {
      called.push_back(accessor);
      structures.insert(llvm::cast<clang::CXXMethodDecl>(accessor)->getParent());
    }
    FoundRegion written = found;
    written.statements.insert(written.statements.end(), lowered.sources().begin(), lowered.sources().end());
    for (v1::Meaning& meaning : FindMeanings(ast, written, called, {structures.begin(), structures.end()},
                                             facts.macros, accessors.hidden))
      *assembled.scop.add_meanings() = std::move(meaning);
    if (assembled.refusals.empty())
      Append(CheckMeanings(ast, assembled.scop, facts.macros), &assembled.refusals);
    const std::set<std::string> functions = CalledIn(assembled.scop);
    if (assembled.refusals.empty())
      Append(CheckCalls({found.begin, found.begin}, functions, facts.macros), &assembled.refusals);
    if (assembled.refusals.empty()) AddCalledNames(ast, functions, &assembled.scop);
    if (assembled.refusals.empty()) Append(CheckTexts(found, assembled.scop), &assembled.refusals);
    return assembled;
  });
}

Refusal GivenUp(const FoundRegion& found, const absl::Status& error) {
  return {{found.begin, found.begin},
          std::string(error.message()),
          "mark a smaller region, or simplify its bounds and conditions"};
}

}  // namespace tune
