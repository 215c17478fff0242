#include "tests/random_programs/forms/form_program.h"

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "tests/random_programs/forms/form_writer.h"

namespace tune::testing {
namespace {

constexpr int kMargin = 8;  // elements in main's memory behind each array

enum class Passing { kLengths, kRestrict, kPointer, kOfTheFile };

struct PassedArray {
  ProgramArray array;
  Passing passing;
  std::vector<std::string> extents;  // as the program writes them
};

class FormProgramWriter {
 public:
  explicit FormProgramWriter(uint64_t seed) : random_(seed, /*stream=*/5), seed_(seed) {}

  FormProgram Write() {
    FormProgram program;
    program.exact = Pick(4) > 0;
    std::vector<Bounded> sizes;
    for (const char* name : {"n", "m"}) {
      const int64_t value = (name[0] == 'n' ? 11 : 6) + Pick(9);
      sizes.push_back({name, value, value, true});
      program.parameters.push_back(absl::StrCat(name, "=", value));
    }
    program.parameters.insert(program.parameters.end(), {"tune_g_rows=6", "tune_g_columns=10"});
    FormWriter writer(seed_, sizes, program.exact);
    DeclareArrays(sizes, writer);
    const int nests = 1 + Pick(2);
    for (int i = 0; i < nests; ++i) Pick(2) == 0 ? writer.Loop() : writer.Form();
    program.text = Text(writer, sizes);
    return program;
  }

 private:
  int Pick(int count) { return static_cast<int>(random_.Below(static_cast<uint64_t>(count))); }

  void DeclareArrays(const std::vector<Bounded>& sizes, FormWriter& writer) {
    const auto declare = [&](const char* name, v1::ElementType type, std::vector<size_t> of, Passing passing,
                             const char* row = "") {
      PassedArray passed{{name, type, {}, true, row}, passing, {}};
      for (const size_t i : of) {
        passed.array.extents.push_back(sizes[i].high);
        passed.extents.push_back(passing == Passing::kOfTheFile ? absl::StrCat(sizes[i].high)
                                                                : sizes[i].text);
      }
      arrays_.push_back(passed);
      writer.scope().Declare(passed.array);
    };
    const auto real = [&] { return Pick(4) == 0 ? v1::ELEMENT_TYPE_FLOAT : v1::ELEMENT_TYPE_DOUBLE; };
    // Data decide about elements of arrays of known lengths alone.
    const bool pointers = Pick(2) == 0;
    const auto passing = [&] {
      return pointers       ? static_cast<Passing>(1 + Pick(2))
             : Pick(3) == 0 ? Passing::kOfTheFile
                            : Passing::kLengths;
    };
    declare("a", real(), {0}, passing());
    declare("b", real(), {0}, passing());
    declare("c", v1::ELEMENT_TYPE_DOUBLE, {1}, passing());
    declare("A", real(), {0, 1}, passing());
    if (Pick(2) == 0) declare("B", v1::ELEMENT_TYPE_DOUBLE, {1, 0}, passing());
    if (pointers || Pick(2) == 0)
      declare("K", v1::ELEMENT_TYPE_INT, {0, 1}, passing());
    else
      declare("k", v1::ELEMENT_TYPE_INT, {0}, passing());
    // A matrix in one dimension.
    if (Pick(2) == 0) declare("F", v1::ELEMENT_TYPE_DOUBLE, {0, 1}, passing(), "m");
    if (Pick(2) == 0) declare("s", v1::ELEMENT_TYPE_DOUBLE, {}, Passing::kOfTheFile);
  }

  static std::string TypeOf(const PassedArray& passed) {
    return std::string(ElementCType(passed.array.type));
  }

  std::string Declared(const PassedArray& passed) const {
    const std::string& name = passed.array.name;
    const bool is_flat = !passed.array.row.empty(), matrix = !is_flat && passed.extents.size() == 2;
    const char* const restricted = passed.passing == Passing::kRestrict ? "restrict " : "";
    if (passed.passing == Passing::kLengths || passed.passing == Passing::kOfTheFile) {
      std::string lengths;
      if (!passed.extents.empty())
        lengths = absl::StrCat("[", absl::StrJoin(passed.extents, is_flat ? " * " : "]["), "]");
      return absl::StrCat(TypeOf(passed), " ", name, lengths);
    }
    if (matrix) return absl::StrCat(TypeOf(passed), " (*", restricted, name, ")[", passed.extents[1], "]");
    return absl::StrCat(TypeOf(passed), " *", restricted, name);
  }

  std::string Text(const FormWriter& writer, const std::vector<Bounded>& sizes) const {
    std::string text = absl::StrCat(
        "/* seed ", seed_,
        " */\n#include <assert.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n",
        "static void fill(double *x, int count) {\n  for (int i = 0; i < count; i++) x[i] = (i * 7 + 3) % 23 "
        "* 0.25 - "
        "2;\n}\nstatic void print(const char *name, double *x, int count) {\n  for (int i = 0; i < count; "
        "i++) "
        "printf(\"%s %.9g\\n\", name, x[i]);\n}\n");
    std::vector<std::string> parameters = {"int n", "int m"};
    for (const PassedArray& passed : arrays_) {
      if (passed.passing == Passing::kOfTheFile)
        absl::StrAppend(&text, "static ", Declared(passed), ";\n");
      else
        parameters.push_back(Declared(passed));
    }
    absl::StrAppend(&text, writer.outside(), "\nvoid kernel(", absl::StrJoin(parameters, ", "), ") {\n",
                    writer.before(), "#pragma scop\n", writer.region(),
                    "#pragma endscop\n}\n\nint main(void) {\n", Main(writer, sizes));
    return text;
  }

  std::string Main(const FormWriter& writer, const std::vector<Bounded>& sizes) const {
    std::string text;
    for (const PassedArray& passed : arrays_) {
      const std::string& name = passed.array.name;
      const bool of_file = passed.passing == Passing::kOfTheFile;
      std::string memory = of_file ? absl::StrCat("((", TypeOf(passed), " *)&", name, ")") : name + "_";
      if (!of_file)
        absl::StrAppend(&text, "  static ", TypeOf(passed), " ", memory, "[", Count(passed) + kMargin,
                        "];\n");
      const bool integer = IsInteger(passed.array.type);
      absl::StrAppend(&text, "  for (int i = 0; i < ", Count(passed) + (of_file ? 0 : kMargin), "; i++) ",
                      memory, "[i] = ", integer ? "(i * 7 + 2) % 13 - 4" : "(i * 5 + 3) % 19 * 0.25 - 1.5",
                      ";\n");
    }
    absl::StrAppend(&text, writer.fill(), Call(sizes, /*overlapping=*/false),
                    Call(sizes, /*overlapping=*/true));
    for (const PassedArray& passed : arrays_) {
      const bool of_file = passed.passing == Passing::kOfTheFile;
      const std::string memory = of_file ? absl::StrCat("((", TypeOf(passed), " *)&", passed.array.name, ")")
                                         : passed.array.name + "_";
      absl::StrAppend(&text, "  for (int i = 0; i < ", Count(passed) + (of_file ? 0 : kMargin),
                      "; i++) printf(\"", passed.array.name, " %.9g\\n\", (double)", memory, "[i]);\n");
    }
    return absl::StrCat(text, writer.print(), "  return 0;\n}\n");
  }

  // `overlapping`: plain pointers lead into the first array of their type, rank and extents.
  std::string Call(const std::vector<Bounded>& sizes, bool overlapping) const {
    std::vector<std::string> arguments;
    for (const Bounded& size : sizes) arguments.push_back(absl::StrCat(size.high));
    for (const PassedArray& passed : arrays_) {
      if (passed.passing == Passing::kOfTheFile) continue;
      const PassedArray* from = &passed;
      for (const PassedArray& other : arrays_) {
        if (!overlapping || other.array.name == passed.array.name) break;
        if (other.array.type != passed.array.type || other.extents != passed.extents) continue;
        if (passed.passing == Passing::kPointer && other.passing == Passing::kPointer) from = &other;
      }
      const std::string memory = absl::StrCat(from->array.name, "_", from == &passed ? "" : " + 3");
      arguments.push_back(absl::StrCat("(void *)(", memory, ")"));
    }
    return absl::StrCat("  kernel(", absl::StrJoin(arguments, ", "), ");\n");
  }

  static int64_t Count(const PassedArray& passed) {
    int64_t count = 1;
    for (const int64_t extent : passed.array.extents) count *= extent;
    return count;
  }

  Random random_;
  const uint64_t seed_;
  std::vector<PassedArray> arrays_;
};

}  // namespace

FormProgram MakeFormProgram(uint64_t seed) { return FormProgramWriter(seed).Write(); }

}  // namespace tune::testing
