#include "worker/ppcg/ppcg_input.h"

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/scop/expression_parts.h"
#include "worker/lower/block_ast.h"
#include "worker/lower/openmp_lowering.h"
#include "worker/ppcg/ppcg_output.h"
#include "worker/print/block_printer.h"
#include "worker/print/statement_text.h"

namespace tune {
namespace {

// Prints the region; a statement that stands in it once is labelled with its name.
class RegionPrinter : public BlockPrinter {
 public:
  RegionPrinter(const OpenMpProgram& program, const v1::Scop& scop, const std::vector<DeviceArray>& arrays,
                const HelperNames& names)
      : BlockPrinter(names, program.index_type), program_(program), statements_(scop, &indices_) {
    for (const DeviceArray& array : arrays) indices_.SetArrayText(array.scop_name, array.name);
    FindLoops(program.body, {});
  }

  std::string Print() {
    PrintInside(program_.body);
    return text_;
  }

  std::string Macros() const { return indices_.Definitions(); }
  // Depths of the loops around each statement that stands in the text once.
  std::map<std::string, std::vector<int>> loops() const {
    std::map<std::string, std::vector<int>> once;
    for (const auto& [name, places] : places_) {
      if (places.size() == 1) once.emplace(name, places[0]);
    }
    return once;
  }
  bool OncePerStatement() const { return loops().size() == places_.size(); }

 private:
  // `around`: depths of the loops around the block.
  void FindLoops(const Block& block, const std::vector<int>& around) {
    for (const Node& node : block) {
      std::vector<int> inside = around;
      if (const auto* instance = node.As<Instance>()) places_[instance->statement].push_back(around);
      if (const auto* loop = node.As<Loop>())
        inside.push_back(std::stoi(loop->iterator.substr(names_.iterator.size())));
      for (const Block* inner : node.blocks()) FindLoops(*inner, inside);
    }
  }

  void PrintOther(const Node& node) override {
    const auto& instance = std::get<Instance>(node.kind);
    const bool once = places_.at(instance.statement).size() == 1;
    Line(once ? instance.statement + ": " : "", statements_.Print(instance));
  }

  const OpenMpProgram& program_;
  StatementPrinter statements_;
  std::map<std::string, std::vector<std::vector<int>>> places_;  // of each statement: the loops around each
};

// Each loop whole: no statement is printed twice.
isl::schedule WithWholeLoops(const isl::schedule& schedule) {
  return ChangeNodes(schedule, [](isl::schedule_node node) {
    if (!node.isa<isl::schedule_node_band>()) return node;
    auto band = node.as<isl::schedule_node_band>();
    for (unsigned i = 0; i < band.n_member(); ++i)
      band = band.member_set_ast_loop_atomic(static_cast<int>(i));
    return isl::schedule_node(band);
  });
}

// Without parameters, which `values` fixes.
isl::union_map WithoutParameters(const isl::union_map& map, const isl::set& values) {
  return map.intersect_params(values).project_out_all_params();
}

// { S[i] -> S[c] } of the statements in `loops`, by the values of these members of the bands above.
isl::union_map Iterations(const isl::schedule& schedule, const isl::set& values,
                          const std::map<std::string, std::vector<int>>& loops) {
  isl::union_map prefixes = isl::union_map::empty(schedule.ctx());  // { S -> T }
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (node.isa<isl::schedule_node_leaf>()) {
      const isl::union_map prefix = PrefixScheduleRelation(node);
      prefixes = prefixes.unite(prefix);
    }
    return true;
  });
  isl::union_map iterations = isl::union_map::empty(schedule.ctx());
  WithoutParameters(prefixes, values).foreach_map([&](isl::map map) {
    const std::string name = TupleName(map, isl_dim_in);
    const auto found = loops.find(name);
    if (found == loops.end()) return;
    isl::map kept = map;
    const std::set<int> depths(found->second.begin(), found->second.end());
    for (int i = Dimensions(kept, isl_dim_out) - 1; i >= 0; --i) {
      if (depths.count(i) == 0) kept = ProjectOut(kept, isl_dim_out, i, 1);
    }
    iterations = iterations.unite(WithTupleName(kept, isl_dim_out, name));
  });
  return iterations;
}

void CollectFunctions(const v1::Expression& expression, std::map<std::string, int>& arguments) {
  ForEachPart(expression, [&](const v1::Expression& part) { CollectFunctions(part, arguments); });
  if (expression.has_call()) arguments[expression.call().function()] = expression.call().arguments_size();
}

// Declarations instead of headers, which PPCG's front end may not find. By the names' rules in <math.h>.
std::string FunctionDeclarations(const v1::Scop& scop) {
  std::map<std::string, int> functions;  // with numbers of arguments
  for (const v1::Statement& statement : scop.statements()) CollectFunctions(statement.value(), functions);
  std::string text;
  for (const auto& [name, count] : functions) {
    std::string type = "double";
    if (name == "abs") {
      type = "int";
    } else if (name == "labs") {
      type = "long";
    } else if (absl::EndsWith(name, "f") && name != "erf") {
      type = "float";
    }
    const std::string result = absl::StartsWith(name, "ilogb") ? "int" : type;
    absl::StrAppend(&text, result, " ", name, "(", absl::StrJoin(std::vector<std::string>(count, type), ", "),
                    ");\n");
  }
  return text;
}

std::string ExtentsText(const std::vector<int64_t>& extents, size_t first) {
  std::string text;
  for (size_t i = first; i < extents.size(); ++i) absl::StrAppend(&text, "[", extents[i], "]");
  return text;
}

struct Declarations {
  std::string global;                   // scalars that are written
  std::string local;                    // at the start of the region
  std::vector<std::string> parameters;  // of the function
};

Declarations Declare(const std::vector<DeviceArray>& arrays) {
  Declarations declarations;
  for (const DeviceArray& array : arrays) {
    const std::string named = absl::StrCat(ElementCType(array.type), " ", array.name);
    if (array.local) {
      absl::StrAppend(&declarations.local, "  ", named, ExtentsText(array.extents, 0), ";\n");
    } else if (array.by_value) {
      declarations.parameters.push_back(named);
    } else if (array.extents.empty()) {
      absl::StrAppend(&declarations.global, named, ";\n");
    } else {
      declarations.parameters.push_back(absl::StrCat(named, "[static const restrict ", array.extents[0], "]",
                                                     ExtentsText(array.extents, 1)));
    }
  }
  if (declarations.parameters.empty()) declarations.parameters.push_back("void");
  return declarations;
}

// PPCG prints offsets into arrays in one dimension.
bool HasLargeArray(const std::vector<DeviceArray>& arrays) {
  for (const DeviceArray& array : arrays) {
    double elements = 1;
    for (const int64_t extent : array.extents) elements *= static_cast<double>(extent);
    if (elements > INT32_MAX) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<PpcgInput> PrintPpcgInput(IslContext& context, const ParsedScop& scop,
                                         const std::vector<DeviceArray>& arrays,
                                         const std::map<std::string, int64_t>& parameter_values) {
  return context.Run("the program for ppcg", [&]() -> absl::StatusOr<PpcgInput> {
    const HelperNames names = ChooseHelperNames(scop.proto);
    const std::string prefix = names.iterator.substr(0, names.iterator.size() - 1);
    const isl::set values = ParameterValues(context, parameter_values);
    const isl::schedule schedule = Specialise(scop.schedule, scop, values);
    if (schedule.domain().is_empty()) {
      return absl::InvalidArgumentError("nothing for ppcg to do: no statement is executed at these sizes");
    }
    const OpenMpProgram program =
        LowerOpenMp(context, WithWholeLoops(scop.schedule), scop, parameter_values, names);
    RegionPrinter printer(program, scop.proto, arrays, names);
    const std::string region = printer.Print();
    const Declarations declarations = Declare(arrays);
    PpcgInput input;
    // What is declared in a block of its own is dead behind it.
    const std::string block =
        declarations.local.empty() ? region : absl::StrCat("  {\n", declarations.local, region, "  }\n");
    input.text =
        absl::StrCat(FunctionDeclarations(scop.proto), printer.Macros(), declarations.global, "void ", prefix,
                     "region(", absl::StrJoin(declarations.parameters, ", "), ")\n{\n", kPpcgBegin,
                     "\n#pragma scop\n", block, "#pragma endscop\n", kPpcgEnd, "\n}\n");
    input.needs_long = program.index_type == "long" || HasLargeArray(arrays);
    if (printer.OncePerStatement()) input.iterations = Iterations(schedule, values, printer.loops());
    return input;
  });
}

}  // namespace tune
