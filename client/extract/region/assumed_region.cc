#include "client/extract/region/assumed_region.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/extract/cpp/container_read.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/cpp/vector_table.h"
#include "client/extract/forms/null_test.h"
#include "client/extract/integers/element_read.h"
#include "client/extract/pointers/row_assumption.h"
#include "client/extract/pointers/settings_text.h"
#include "client/extract/source/main_file.h"
#include "client/extract/source/marked_text.h"
#include "client/extract/source/template_instance.h"
#include "client/extract/structures/member_assumption.h"
#include "client/extract/structures/member_read.h"
#include "client/extract/tree/named_declarations.h"

namespace tune {
namespace {

bool IsCharacter(v1::ElementType type) {
  return type == v1::ELEMENT_TYPE_CHAR || type == v1::ELEMENT_TYPE_SIGNED_CHAR ||
         type == v1::ELEMENT_TYPE_UNSIGNED_CHAR;
}

// Whether data decide about elements of the array in the value of a statement.
bool IsByData(const v1::Statement& statement, const v1::Expression& value, const std::string& array) {
  if (value.has_cast()) return IsByData(statement, value.cast().operand(), array);
  const auto any = [&](const google::protobuf::RepeatedPtrField<v1::Expression>& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const v1::Expression& part) { return IsByData(statement, part, array); });
  };
  if (value.has_call()) return any(value.call().arguments());
  if (!value.has_operation()) return false;
  const v1::Operation& operation = value.operation();
  const int access = operation.op() == "[]" ? operation.operands(0).access() : statement.target();
  const bool here =
      (operation.op() == "[]" || operation.op() == "[]=") && statement.accesses(access).array() == array;
  return here || any(operation.operands());
}

class AssumedReader {
 public:
  AssumedReader(const TranslationUnit& unit, const FoundRegion& region, bool has_pragmas,
                const ParseText& parse, const std::vector<Refusal>& refusals)
      : unit_(unit),
        region_(region),
        has_pragmas_(has_pragmas),
        parse_(parse),
        refusals_(refusals),
        file_(unit.ast().getSourceManager()),
        text_(file_.text().data(), file_.text().size()) {}

  std::optional<AssumedRegion> Read() {
    const bool is_cpp = unit_.ast().getLangOpts().CPlusPlus;
    VectorTables vectors = FindVectorTables(unit_.ast(), region_);
    ContainerReads containers = FindContainerReads(unit_.ast(), region_, vectors.rows);
    if (!containers.others.empty()) return Refused(std::move(containers.others));
    std::vector<RowTable> tables = std::move(vectors.tables);
    tables.insert(tables.end(), containers.tables.begin(), containers.tables.end());
    if (!is_cpp) tables = FindRowTables(unit_.ast(), region_);  // their lines would be C
    MemberReads members =
        Joined(std::move(containers.reads), FindMemberReads(unit_.ast(), region_, containers.objects));
    // Numbers of groups order what is of one kind.
    const bool has_groups = GroupsOf(members) > 0;
    members = Joined(std::move(members), FindElementReads(unit_.ast(), region_, !has_groups));
    members = Filled(file_, Joined(std::move(members), vectors.reads));
    members = Filled(file_, Joined(std::move(members), FindNullTests(unit_.ast(), region_)));
    if (const clang::ValueDecl* own = NamedAs(members)) return NameIsTaken(*own);
    const bool has_conditions = tables.empty() || !is_cpp || !members.members.empty();
    if (!has_conditions) return std::nullopt;
    KeptPointers kept = FindKeptPointers(unit_.ast(), region_);
    const std::optional<std::string> exchanges = SettingsText(
        unit_.ast(), region_.statements,
        [&](const clang::Stmt& statement) { return containers.exchanges.count(&statement) > 0; },
        [](const clang::VarDecl* variable) { return IsReference(*variable); });
    if (!exchanges) return ExchangesMove((*containers.exchanges.begin())->getSourceRange());
    if (tables.empty() && members.uses.empty() && kept.settings.empty()) return std::nullopt;
    if (is_cpp && region_.function->isConstexpr()) {
      return Refused({{{region_.begin, region_.begin},
                       "the region uses containers or members in a `constexpr` function, which cannot check "
                       "addresses",
                       "leave `constexpr` out, or let the function take pointers and numbers"}});
    }
    auto assumption = std::make_shared<Assumption>(std::move(tables), std::move(members), std::move(kept),
                                                   ExchangedContainers{containers.exchanged, *exchanges});
    const MarkedText marked(text_, {assumption->PlaceOf(text_, region_.source, has_pragmas_)});
    const ParsedText parsed = parse_(marked.text());
    if (parsed.unit == nullptr) return NotRead(parsed.error);
    const std::unique_ptr<TranslationUnit>& unit = parsed.unit;
    const bool is_instance = !InstancesBeside(*region_.function, "").empty();
    const FoundRegions found = FindRegions(*unit, is_instance ? FullNameOfInstance(*region_.function) : "");
    const auto same = std::find_if(found.regions.begin(), found.regions.end(), [&](const FoundRegion& other) {
      return other.source.begin_offset() == marked.BeginOf(0);
    });
    if (same == found.regions.end()) return std::nullopt;
    absl::StatusOr<AssembledScop> assembled = AssembleScop(unit->ast(), *same, unit->facts());
    if (!assembled.ok()) return Refused({GivenUp(region_, assembled.status())});
    const MainFile other(unit->ast().getSourceManager());
    for (Refusal& refusal : assembled->refusals) {
      refusal.range = Moved(*assumption, other, same->source, refusal.range);
      NameMembers(assumption->members(), &refusal);
    }
    if (assembled->refusals.empty()) CheckScop(*assumption, &*assembled);
    if (assembled->refusals.empty()) {
      if (const absl::Status status = assumption->Learn(assembled->scop, assembled->reached); !status.ok())
        return Refused({GivenUp(region_, status)});
    }
    for (v1::Statement& statement : *assembled->scop.mutable_statements())
      statement.set_line(marked.LineOfFile(statement.line()));
    *assembled->scop.mutable_region() = region_.source;
    return AssumedRegion{std::move(assumption), *std::move(assembled)};
  }

 private:
  // Beside why the region is refused as it is.
  AssumedRegion NotRead(const std::string& error) const {
    std::vector<Refusal> refusals = refusals_;
    refusals.push_back(
        {{region_.begin, region_.begin},
         absl::StrCat("variables that stand for members and containers before the region do not "
                      "compile: ",
                      error),
         "let pointers, references and numbers of plain names stand for what the region uses of "
         "classes before it"});
    return Refused(std::move(refusals));
  }

  // What the region names as a variable that would stand for something else; null: nothing.
  const clang::ValueDecl* NamedAs(const MemberReads& members) const {
    for (const clang::ValueDecl* own : NamedIn(region_.statements)) {
      const bool is_taken =
          std::any_of(members.members.begin(), members.members.end(),
                      [&](const MemberRead& member) { return own->getNameAsString() == member.name; });
      if (is_taken) return own;
    }
    return nullptr;
  }

  // Nothing is wrong where the region is accepted as it is.
  std::optional<AssumedRegion> NameIsTaken(const clang::ValueDecl& own) const {
    if (refusals_.empty()) return std::nullopt;
    std::vector<Refusal> refusals = refusals_;
    refusals.push_back({{region_.begin, region_.begin},
                        absl::StrCat("`", own.getNameAsString(),
                                     "` is also the name of a variable that would stand for what the region "
                                     "uses of an array or a structure"),
                        "give it a name that does not begin with `tune_`"});
    return Refused(std::move(refusals));
  }

  // Which containers have which elements behind the region is not known then.
  static AssumedRegion ExchangesMove(clang::SourceRange range) {
    return Refused(
        {{range, "containers are exchanged under a condition, or in a loop whose length may change",
          "exchange them as a statement of a plain loop, or behind the region"}});
  }

  static AssumedRegion Refused(std::vector<Refusal> refusals) {
    AssumedRegion region;
    region.assembled.refusals = std::move(refusals);
    return region;
  }

  // Lets the refusal say what stands in the file, not the variables of the other text.
  static void NameMembers(const MemberReads& members, Refusal* refusal) {
    for (const MemberRead& member : members.members) {
      const std::string name = absl::StrCat("`", member.name, "`"),
                        text = absl::StrCat("`", member.text, "`");
      refusal->reason = absl::StrReplaceAll(refusal->reason, {{name, text}});
      refusal->remedy = absl::StrReplaceAll(refusal->remedy, {{name, text}});
    }
  }

  // A place in the region of the other text, whose `source` that is, as one of the file.
  clang::SourceRange Moved(const Assumption& assumption, const MainFile& other,
                           const v1::SourceRegion& source, clang::SourceRange range) const {
    const clang::SourceRange all(region_.begin, region_.begin);
    const std::optional<ByteRange> bytes = range.isValid() ? other.Bytes(range) : std::nullopt;
    if (!bytes || bytes->first < source.body_begin_offset() || bytes->last >= source.body_end_offset())
      return all;
    const int64_t begin = region_.source.body_begin_offset();
    const auto place = [&](int64_t offset) {
      const int64_t inside = offset - source.body_begin_offset();
      return file_.LocationOf(begin + PlaceWithoutMembers(inside, begin, assumption.members()));
    };
    return {place(bytes->first), place(bytes->last)};
  }

  // What the assumption's conditions do not see to.
  void CheckScop(const Assumption& assumption, AssembledScop* assembled) const {
    const std::vector<std::string> tables = NamesOf(assumption.tables());
    if (tables.empty()) return;
    const clang::SourceRange place(region_.begin, region_.begin);
    for (const std::string& table : tables) {
      const auto& statements = assembled->scop.statements();
      const bool by_data = std::any_of(
          statements.begin(), statements.end(),
          [&](const v1::Statement& statement) { return IsByData(statement, statement.value(), table); });
      if (by_data) {
        assembled->refusals.push_back(
            {place, absl::StrCat("data decide which element of a row of `", table, "` is accessed"),
             absl::StrCat("declare the array with its dimensions: `(*", table, ")[m]`")});
      }
    }
    for (const v1::Array& array : assembled->scop.arrays()) {
      const bool is_row = std::find(tables.begin(), tables.end(), array.name()) != tables.end();
      if (is_row || array.read_only() || array.overlap() == v1::Array::NONE ||
          !IsCharacter(array.element_type()))
        continue;
      assembled->refusals.push_back(
          {place,
           absl::StrCat("the region writes characters, `", array.name(),
                        "`, which may be the pointers to the rows of `", tables[0], "`"),
           absl::StrCat("declare the pointer with `restrict`, or `", tables[0],
                        "` as an array in two dimensions")});
    }
  }

  const TranslationUnit& unit_;
  const FoundRegion& region_;
  const bool has_pragmas_;
  const ParseText& parse_;
  const std::vector<Refusal>& refusals_;
  const MainFile file_;
  const absl::string_view text_;
};

}  // namespace

std::optional<AssumedRegion> ReadAssumed(const TranslationUnit& unit, const FoundRegion& region,
                                         bool has_pragmas, const ParseText& parse,
                                         const std::vector<Refusal>& refusals) {
  return AssumedReader(unit, region, has_pragmas, parse, refusals).Read();
}

}  // namespace tune
