#include "tests/random_programs/random_program.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/base/c_identifier.h"
#include "tests/random_programs/random_expressions.h"

namespace tune::testing {
namespace {

constexpr int kDeepest = 3;               // loops inside one another
constexpr int64_t kMostInstances = 4000;  // of one nest, about

class ProgramWriter {
 public:
  explicit ProgramWriter(uint64_t seed)
      : random_(seed),
        forms_(seed, /*stream=*/1),
        data_(seed, /*stream=*/2),
        expressions_(&random_, &data_, &scope_) {
    program_.seed = seed;
  }

  RandomProgram Write() {
    macros_ = Chance(50);
    outside_iterators_ = Chance(25);
    DeclareSizes();
    DeclareArrays();
    WriteRegion();
    program_.text = absl::StrCat(Beginning(), region_, Tail());
    return std::move(program_);
  }

 private:
  struct Declaration {
    std::string name;
    int indent;
    size_t place;  // in the text of the region
  };

  int Pick(int count) { return expressions_.Pick(count); }
  bool Chance(int percent) { return expressions_.Chance(percent); }
  // Of how something is written, not of what: with other forms a seed's program stays the same.
  bool ChanceOfForm(int percent) { return forms_.Below(100) < static_cast<uint64_t>(percent); }

  // --- declarations ---
  void DeclareSizes() {
    for (const char* name : {"n", "m"}) {
      const int64_t value = 7 + Pick(17);
      const std::string printed = macros_ ? (name[0] == 'n' ? "N" : "M") : name;
      sizes_.push_back({printed, value});
      expressions_.Name(printed, value);
      if (!macros_) program_.sizes[printed] = value;
    }
  }

  v1::ElementType Type() {
    constexpr v1::ElementType kTypes[] = {v1::ELEMENT_TYPE_DOUBLE, v1::ELEMENT_TYPE_DOUBLE,
                                          v1::ELEMENT_TYPE_FLOAT,  v1::ELEMENT_TYPE_FLOAT,
                                          v1::ELEMENT_TYPE_INT,    v1::ELEMENT_TYPE_LONG};
    return kTypes[Pick(6)];
  }

  void DeclareArrays() {
    constexpr const char* kNames[] = {"A", "x", "B", "s", "y", "C"};
    const int count = 3 + Pick(4);
    for (int i = 0; i < count; ++i) {
      ProgramArray array{kNames[i], i == 0 ? v1::ELEMENT_TYPE_DOUBLE : Type(), {}, true};
      const int rank = i == 0 ? 1 + Pick(2) : Pick(4);
      // Some a little longer than the loops go.
      for (int d = 0; d < rank; ++d) array.extents.push_back(sizes_[Pick(2)].second + (Chance(20) ? 1 : 0));
      if (rank == 3) array.extents[0] = 4;
      if (rank == 0) array.written = Chance(60);
      if (rank == 2 && !macros_ && ChanceOfForm(30)) array.row = Extent(array.extents[1]);
      scope_.Declare(array);
      program_.arrays.push_back(array);
    }
  }

  std::string Extent(int64_t extent) {
    std::string printed = absl::StrCat(extent);
    for (const auto& [name, value] : sizes_) {
      if (extent == value) printed = name;
      if (extent == value + 1) printed = name + " + 1";
    }
    return printed;
  }

  std::string Extents(const ProgramArray& array) {
    std::string text;
    for (const int64_t extent : array.extents) absl::StrAppend(&text, "[", Extent(extent), "]");
    return text;
  }

  // --- the region ---
  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&region_, std::string(2 * indent_, ' '), parts..., "\n");
  }

  void WriteRegion() {
    const int nests = 1 + (Chance(40) ? 1 : 0) + (Chance(15) ? 1 : 0);
    for (int i = 0; i < nests; ++i) {
      instances_ = 1;
      if (Chance(15)) WriteLocal();
      if (Chance(10)) WriteAssignment();
      WriteLoop(1 + Pick(kDeepest));
    }
  }

  void WriteBody(int depth) {
    const int parts = depth > 0 ? 1 + (Chance(40) ? 1 : 0) + (Chance(10) ? 1 : 0) : 1 + (Chance(30) ? 1 : 0);
    const int inner = depth > 0 ? Pick(parts) : -1;
    for (int i = 0; i < parts; ++i) {
      if (i == inner) {
        WriteLoop(depth);
        continue;
      }
      switch (Pick(10)) {
        case 0:
        case 1:
          WriteLocal();
          WriteAssignment();
          break;
        case 2:
          WriteCondition(depth);
          break;
        case 3:
          WriteBlock();
          break;
        default:
          WriteAssignment();
      }
    }
  }

  struct Head {
    Bounded iterator;  // with its least and greatest value
    std::string start, condition, step;
  };
  Head LoopHead(const std::string& name) {
    const auto& [size, value] = sizes_[Pick(2)];
    const std::vector<Bounded>& outer = scope_.iterators();
    int64_t low = Pick(3), high = value - 1 - Pick(2);
    std::string first = expressions_.Constant(low), end = expressions_.Constant(high + 1);
    if (Chance(15) && high > 6) {
      high = 3 + Pick(3);
      end = absl::StrCat(high + 1);
    }
    if (!outer.empty() && Chance(35)) {  // triangles, bands
      const Bounded& iterator = outer[Pick(static_cast<int>(outer.size()))];
      switch (Pick(4)) {
        case 0:
          first = absl::StrCat(iterator.text, " + 1"), low = iterator.low + 1;
          break;
        case 1:
          first = iterator.text, low = iterator.low;
          break;
        case 2:
          end = iterator.text, high = iterator.high - 1;
          break;
        default:
          end = absl::StrCat(size, " - ", iterator.text), high = value - iterator.low - 1;
      }
      if (low > high) low = 0, high = value - 1, first = "0", end = size;
    }
    const int step = Chance(25) ? 2 + Pick(2) : 1;
    const std::string type = outside_iterators_ ? "" : "int ";
    const std::string forward = step == 1 ? name + "++" : absl::StrCat(name, " += ", step);
    const std::string backward = step == 1 ? name + "--" : absl::StrCat(name, " -= ", step);
    const int64_t trips = (high - low) / step + 1;
    instances_ *= trips;
    const Bounded iterator{name, low, high, true};
    const std::string start = absl::StrCat(type, name, " = ");
    if (Chance(25)) return {iterator, start + end + " - 1", absl::StrCat(name, " >= ", first), backward};
    if (Chance(20)) return {iterator, start + first, absl::StrCat(name, " <= ", end, " - 1"), forward};
    return {iterator, start + first, absl::StrCat(name, " < ", end), forward};
  }

  void WriteLoop(int depth) {
    constexpr const char* kNames[] = {"i", "j", "k", "l"};
    const size_t level = scope_.iterators().size();
    if (level >= 4 || instances_ > kMostInstances) return WriteAssignment();
    const ProgramScope::Mark mark = scope_.Enter();
    const int64_t before = instances_;
    const Head head = LoopHead(kNames[level]);
    scope_.Loop(head.iterator);
    if (ChanceOfForm(20)) {
      WriteWhile(head, depth);
    } else {
      Line("for (", head.start, "; ", head.condition, "; ", head.step, ") {");
      ++indent_;
      WriteBody(depth - 1);
      --indent_;
      Line("}");
    }
    scope_.Leave(mark);
    instances_ = before;
  }

  void WriteWhile(const Head& head, int depth) {
    Line("{");
    ++indent_;
    Line(head.start, ";");
    const bool ends_inside = ChanceOfForm(30), at_end = !ends_inside && ChanceOfForm(40);
    if (at_end)
      Line("if (", head.condition, ") do {");
    else
      Line("while (", ends_inside ? "1" : head.condition, ") {");
    ++indent_;
    if (ends_inside) Line("if (!(", head.condition, ")) break;");
    WriteBody(depth - 1);
    Line(head.step, ";");
    indent_ -= 2;
    Line("  }", at_end ? absl::StrCat(" while (", head.condition, ");") : "");
    Line("}");
  }

  void WriteBlock() {
    const ProgramScope::Mark mark = scope_.Enter();
    Line("{");
    ++indent_;
    WriteLocal();
    WriteAssignment();
    --indent_;
    Line("}");
    scope_.Leave(mark);
  }

  void WriteCondition(int depth) {
    const ProgramScope::Mark mark = scope_.Enter();
    const bool of_data = Chance(50);
    const std::string condition = of_data ? expressions_.DataCondition() : expressions_.Condition();
    const bool as_switch = ChanceOfForm(20);
    Line(as_switch ? "switch (" : "if (", condition, as_switch ? ") { default: {" : ") {");
    ++indent_;
    if (depth > 0 && Chance(30)) WriteLoop(1);
    if (of_data && Chance(30)) WriteLocal();
    if (of_data && depth >= 0 && Chance(20)) WriteCondition(-1);
    WriteAssignment();
    if (of_data && Chance(30)) WriteAssignment();
    if (as_switch) Line("break;");
    --indent_;
    scope_.Leave(mark);
    if (Chance(50)) {
      Line(as_switch ? "} case 0: {" : "} else {");
      ++indent_;
      WriteAssignment();
      --indent_;
      scope_.Leave(mark);
    } else if (as_switch) {
      Line("} case 0: {");
    }
    Line(as_switch ? "} }" : "}");
  }

  std::string Value(bool integer) { return integer ? expressions_.Integer(2) : expressions_.Number(2); }

  // A name that is free, or one that hides another.
  std::string LocalName() {
    // The function's parameters are of its outermost block.
    if (indent_ == 1 || !Chance(20)) return absl::StrCat("t", locals_++);
    constexpr const char* kHiding[] = {"x", "s", "t0", "y"};
    return kHiding[Pick(4)];
  }

  void WriteLocal() {
    const ProgramArray local{LocalName(), Type(), {}, true};
    if (!NewInBlock(local.name)) return;
    const std::string type(ElementCType(local.type));
    const bool integer = IsInteger(local.type);
    if (Chance(15)) return WriteLocalArray(local, type, integer);
    // The variable's scope begins before its initialiser.
    const std::string value = ValueWithout(integer, local.name);
    if (Chance(60)) {
      Line(type, " ", local.name, " = ", value, ";");
      Declare(local);
      return;
    }
    Line(type, " ", local.name, ";");
    Declare(local);
    Line(local.name, " = ", value, ";");
  }

  // A value in which the variable, which has none yet, does not occur.
  std::string ValueWithout(bool integer, const std::string& name) {
    for (int i = 0; i < 10; ++i) {
      const std::string value = Value(integer);
      if (!Mentions(value, name)) return value;
    }
    return "1";
  }

  static bool Mentions(const std::string& text, const std::string& name) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      if ((at == 0 || !IsNameCharacter(text[at - 1])) &&
          (at + name.size() == text.size() || !IsNameCharacter(text[at + name.size()])))
        return true;
    }
    return false;
  }

  void WriteLocalArray(ProgramArray local, const std::string& type, bool integer) {
    local.extents = {3 + Pick(3)};
    Line(type, " ", local.name, "[", local.extents[0], "];");
    const std::string iterator = absl::StrCat("q", queries_++);
    Line("for (int ", iterator, " = 0; ", iterator, " < ", local.extents[0], "; ", iterator, "++) ",
         local.name, "[", iterator,
         "] = ", integer ? absl::StrCat(iterator, " * 3") : absl::StrCat("0.5 * ", iterator), ";");
    Declare(local);
  }

  void Declare(const ProgramArray& local) {
    scope_.Declare(local);
    declared_.push_back({local.name, indent_, region_.size()});
  }

  // No variable of this name was declared where the block goes on.
  bool NewInBlock(const std::string& name) const {
    for (const Declaration& declaration : declared_) {
      if (declaration.name != name || declaration.indent != indent_) continue;
      // The same block, unless a line of less indentation has ended it.
      bool closed = false;
      for (size_t at = declaration.place; at < region_.size(); at = region_.find('\n', at) + 1)
        closed |= region_.find_first_not_of(' ', at) - at < 2 * static_cast<size_t>(indent_);
      if (!closed) return false;
    }
    return true;
  }

  // An update of an element that integers of another array decide; false where there are no such arrays.
  bool WriteDataUpdate() {
    std::vector<ProgramArray> arrays;
    for (const ProgramArray& variable : scope_.Visible()) {
      if (variable.written && !variable.extents.empty() && variable.row.empty()) arrays.push_back(variable);
    }
    if (arrays.empty()) return false;
    const ProgramArray target = arrays[data_.Below(arrays.size())];
    const std::optional<std::string> place = expressions_.DataIndex(target.extents[0], target.name);
    if (!place) return false;
    std::string element = absl::StrCat(target.name, "[", *place, "]");
    for (size_t d = 1; d < target.extents.size(); ++d)
      absl::StrAppend(&element, "[", data_.Below(target.extents[d]), "]");
    const bool integer = IsInteger(target.type);
    const std::string literal = integer ? "3" : "0.125f";
    const std::string value = data_.Below(2) == 0 && !scope_.iterators().empty()
                                  ? absl::StrCat(literal, " * (", scope_.iterators().back().text, " + 1)")
                                  : literal;
    if (data_.Below(4) == 0)
      Line("if (", value, " < ", element, ") ", element, " = ", value, ";");
    else
      Line(element, data_.Below(3) == 0 ? " -= " : " += ", value, ";");
    return true;
  }

  void WriteAssignment() {
    if (data_.Below(100) < 6 && WriteDataUpdate()) return;
    const bool wanted = Chance(25);
    v1::ElementType type = v1::ELEMENT_TYPE_DOUBLE;
    std::optional<std::string> target = expressions_.Access(wanted, /*write=*/true, &type);
    if (!target) target = expressions_.Access(!wanted, /*write=*/true, &type);
    if (!target) return;
    if (IsInteger(type)) return WriteInteger(*target);
    const std::string value = expressions_.Number(2);
    switch (Pick(12)) {
      case 0:
      case 1:
        return Line(*target, " += ", value, ";");
      case 2:
        return Line(*target, " = ", *target, " + 0.1 * (", value, ");");
      case 3:
        return Line(*target, " -= 0.25 * (", value, ");");
      case 4:
        return Line(*target, " *= ", Chance(50) ? "0.9" : "1.01f", ";");
      case 5:
        return Line(*target, " = ", *target, " < (", value, ") ? (", value, ") : ", *target, ";");
      case 6:
        return Line(*target, " = fmin(", *target, ", ", value, ");");
      default:
        return Line(*target, " = ", value, ";");
    }
  }

  void WriteInteger(const std::string& target) {
    const std::string value = expressions_.Integer(2);
    switch (Pick(7)) {
      case 0:
        return Line(target, " += (", value, ") % 7;");
      case 1:
        return Line(target, " = ", target, " > (", value, ") ? ", target, " : (", value, ");");
      case 2:
        return Line(target, " = (", target, " + ", value, ") % 1009;");
      case 3:
        return Line(target, " -= (", value, ") % 3;");
      default:
        return Line(target, " = (", value, ") % 100003;");
    }
  }

  // --- around it ---
  std::string Parameters() {
    std::vector<std::string> parameters;
    for (const auto& [name, value] : program_.sizes) parameters.push_back("int " + name);
    for (const ProgramArray& array : program_.arrays) {
      const std::string type(ElementCType(array.type));
      if (!array.row.empty())
        parameters.push_back(absl::StrCat(type, " *", array.name));
      else if (!array.extents.empty())
        parameters.push_back(absl::StrCat(type, " ", array.name, Extents(array)));
      else
        parameters.push_back(array.written ? absl::StrCat(type, " *", array.name, "_end")
                                           : absl::StrCat(type, " ", array.name));
    }
    return absl::StrJoin(parameters, ", ");
  }

  std::string Beginning() {
    std::string text = absl::StrCat("/* seed ", program_.seed,
                                    " */\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n");
    if (macros_) {
      for (const auto& [name, value] : sizes_) absl::StrAppend(&text, "#define ", name, " ", value, "\n");
    }
    absl::StrAppend(&text, "void kernel(", Parameters(), ") {\n");
    if (outside_iterators_) absl::StrAppend(&text, "  int i, j, k, l;\n");
    for (const ProgramArray& array : program_.arrays) {
      if (array.extents.empty() && array.written)
        absl::StrAppend(&text, "  ", ElementCType(array.type), " ", array.name, " = *", array.name,
                        "_end;\n");
    }
    return text + "#pragma scop\n";
  }

  std::string Tail() {
    std::string text = "#pragma endscop\n";
    for (const ProgramArray& array : program_.arrays) {
      if (array.extents.empty() && array.written)
        absl::StrAppend(&text, "  *", array.name, "_end = ", array.name, ";\n");
    }
    absl::StrAppend(&text, "}\n\n", Main());
    return text;
  }

  std::string Main() {
    std::string text = "int main(void) {\n";
    std::vector<std::string> pointers;
    for (const ProgramArray& array : program_.arrays) {
      const int64_t count = Elements(array);
      absl::StrAppend(&text, "  static ", ElementCType(array.type), " ", array.name, "_[", count, "];\n",
                      "  for (int i = 0; i < ", count, "; i++) ", array.name, "_[i] = i % 5 + ",
                      IsInteger(array.type) ? "1" : "0.5", ";\n");
      pointers.push_back(array.name + "_");
    }
    absl::StrAppend(&text, "  void *memory[] = {", absl::StrJoin(pointers, ", "), "};\n  ",
                    program_.Call("memory"), "\n");
    for (const ProgramArray& array : program_.arrays) {
      absl::StrAppend(&text, "  {\n    double sum = 0;\n    for (int i = 0; i < ", Elements(array),
                      "; i++) sum += ", array.name, "_[i];\n    printf(\"", array.name,
                      " %.17g\\n\", sum);\n  }\n");
    }
    return text + "  return 0;\n}\n";
  }

  static int64_t Elements(const ProgramArray& array) {
    int64_t count = 1;
    for (const int64_t extent : array.extents) count *= extent;
    return count;
  }

  Random random_, forms_, data_;
  ProgramScope scope_;
  RandomExpressions expressions_;
  RandomProgram program_;
  bool macros_ = false, outside_iterators_ = false;
  std::vector<std::pair<std::string, int64_t>> sizes_;
  std::string region_;
  int indent_ = 1;
  int64_t instances_ = 1;
  int locals_ = 0, queries_ = 0;
  std::vector<Declaration> declared_;  // locals
};

}  // namespace

std::string RandomProgram::Call(const std::string& memory) const {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : sizes) arguments.push_back(absl::StrCat(value));
  for (size_t i = 0; i < arrays.size(); ++i) {
    const ProgramArray& array = arrays[i];
    const std::string type(ElementCType(array.type));
    std::string inner;
    for (size_t d = 1; d < array.extents.size() && array.row.empty(); ++d)
      absl::StrAppend(&inner, "[", array.extents[d], "]");
    const bool by_value = array.extents.empty() && !array.written;
    const std::string pointer = inner.empty() ? type + " *" : absl::StrCat(type, " (*)", inner);
    arguments.push_back(absl::StrCat(by_value ? "*" : "", "(", pointer, ")", memory, "[", i, "]"));
  }
  return absl::StrCat("kernel(", absl::StrJoin(arguments, ", "), ");");
}

RandomProgram MakeRandomProgram(uint64_t seed) { return ProgramWriter(seed).Write(); }

}  // namespace tune::testing
