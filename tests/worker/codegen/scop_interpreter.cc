#include "tests/worker/codegen/scop_interpreter.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/array/element_type.h"
#include "common/array/half.h"
#include "common/base/random.h"
#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"
#include "common/scop/c_tokens.h"

namespace tune::testing {
namespace {

struct Value {
  bool floating = false;
  double number = 0;    // when floating
  int64_t integer = 0;  // otherwise
  double AsDouble() const { return floating ? number : static_cast<double>(integer); }
  int64_t AsInteger() const { return floating ? static_cast<int64_t>(number) : integer; }
};

Value Number(double number) { return {true, number, 0}; }
Value Integer(int64_t integer) { return {false, 0, integer}; }

// Conversion to a C type, given by its name.
Value Convert(const Value& value, const std::string& type) {
  if (type == "double") return Number(value.AsDouble());
  if (type == "float") return Number(static_cast<float>(value.AsDouble()));
  const int64_t integer = value.AsInteger();
  if (type == "int") return Integer(static_cast<int32_t>(integer));
  if (type == "unsigned int") return Integer(static_cast<uint32_t>(integer));
  if (type == "char" || type == "signed char") return Integer(static_cast<signed char>(integer));
  if (type == "unsigned char") return Integer(static_cast<unsigned char>(integer));
  if (type == "short") return Integer(static_cast<int16_t>(integer));
  if (type == "unsigned short") return Integer(static_cast<uint16_t>(integer));
  return Integer(integer);
}

// A number of binary16.
struct Half {
  uint16_t bits = 0;
};

template <typename T>
Value LoadAs(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_same_v<T, Half>) {
    return Number(HalfValue(value.bits));
  } else if constexpr (std::is_floating_point_v<T>) {
    return Number(value);
  } else {
    return Integer(static_cast<int64_t>(value));
  }
}

template <typename T>
void StoreAs(std::byte* at, const Value& value) {
  T stored;
  if constexpr (std::is_same_v<T, Half>) {
    stored.bits = HalfBits(value.AsDouble());
  } else if constexpr (std::is_floating_point_v<T>) {
    stored = static_cast<T>(value.AsDouble());
  } else {
    stored = static_cast<T>(value.AsInteger());
  }
  std::memcpy(at, &stored, sizeof stored);
}

template <typename Do>
auto WithType(v1::ElementType type, Do&& f) {
  switch (type) {
    case v1::ELEMENT_TYPE_CHAR:
    case v1::ELEMENT_TYPE_SIGNED_CHAR:
      return f(static_cast<signed char>(0));
    case v1::ELEMENT_TYPE_UNSIGNED_CHAR:
      return f(static_cast<unsigned char>(0));
    case v1::ELEMENT_TYPE_SHORT:
      return f(static_cast<int16_t>(0));
    case v1::ELEMENT_TYPE_UNSIGNED_SHORT:
      return f(static_cast<uint16_t>(0));
    case v1::ELEMENT_TYPE_INT:
      return f(static_cast<int32_t>(0));
    case v1::ELEMENT_TYPE_UNSIGNED_INT:
      return f(static_cast<uint32_t>(0));
    case v1::ELEMENT_TYPE_LONG:
      return f(static_cast<int64_t>(0));
    case v1::ELEMENT_TYPE_UNSIGNED_LONG:
      return f(static_cast<uint64_t>(0));
    case v1::ELEMENT_TYPE_FLOAT16:
      return f(Half());
    case v1::ELEMENT_TYPE_FLOAT:
      return f(0.0f);
    default:
      return f(0.0);
  }
}

Value Load(const ArrayMemory& array, int64_t index) {
  return WithType(array.type, [&](auto zero) {
    return LoadAs<decltype(zero)>(array.bytes.data() + index * ElementSize(array.type));
  });
}

void Store(ArrayMemory& array, int64_t index, const Value& value) {
  WithType(array.type, [&](auto zero) {
    StoreAs<decltype(zero)>(array.bytes.data() + index * ElementSize(array.type), value);
  });
}

// One statement with its relations as functions of a point.
struct Relations {
  const ParsedStatement* statement;
  std::vector<isl::pw_multi_aff> accesses;
  std::map<const v1::Expression*, isl::pw_aff> affine;
};

struct Instance {
  std::vector<int64_t> time;
  isl::point point;
  const Relations* relations;
};

int64_t At(const isl::pw_aff& value, const isl::point& point) {
  const isl::pw_aff aligned = AlignParameters(value, isl::set(point).space());
  return aligned.eval(point).num_si();
}

class Machine {
 public:
  Machine(IslContext& context, Memory& memory) : context_(context), memory_(memory) {}

  void Run(const Instance& instance) {
    const v1::Statement& statement = *instance.relations->statement->proto;
    const Value value = Evaluate(instance, statement.value());
    ArrayMemory& array = memory_.at(statement.accesses(statement.target()).array());
    const int64_t index = Index(instance, statement.target());
    Store(array, index, Updated(statement.update(), Load(array, index), value));
  }

 private:
  static Value Updated(v1::UpdateOperator op, const Value& old, const Value& value) {
    const bool floating = old.floating || value.floating;
    switch (op) {
      case v1::ADD:
        return floating ? Number(old.AsDouble() + value.AsDouble()) : Integer(old.integer + value.integer);
      case v1::MULTIPLY:
        return floating ? Number(old.AsDouble() * value.AsDouble()) : Integer(old.integer * value.integer);
      case v1::MIN:
        return old.AsDouble() < value.AsDouble() ? old : value;
      case v1::MAX:
        return old.AsDouble() > value.AsDouble() ? old : value;
      default:
        return value;
    }
  }

  int64_t Index(const Instance& instance, int access) const {
    const ArrayMemory& array = memory_.at(instance.relations->statement->proto->accesses(access).array());
    const isl::pw_multi_aff& relation = instance.relations->accesses[access];
    int64_t index = 0;
    for (size_t i = 0; i < array.extents.size(); ++i) {
      index = index * array.extents[i] + At(relation.at(static_cast<int>(i)), instance.point);
    }
    return index;
  }

  Value Evaluate(const Instance& instance, const v1::Expression& expression) {
    switch (expression.kind_case()) {
      case v1::Expression::kLiteral: {
        const std::string& text = expression.literal();
        const bool floating = IsSpecialNumber(text) || text.find_first_of(".eE") != std::string::npos;
        return Convert(floating ? Number(std::strtod(text.c_str(), nullptr))
                                : Integer(std::strtoll(text.c_str(), nullptr, 0)),
                       expression.c_type());
      }
      case v1::Expression::kAccess:
        return Load(memory_.at(instance.relations->statement->proto->accesses(expression.access()).array()),
                    Index(instance, expression.access()));
      case v1::Expression::kAffine: {
        auto found = affine_.find(&expression);
        if (found == affine_.end()) {
          found = affine_.emplace(&expression, isl::pw_aff(context_.ctx(), expression.affine())).first;
        }
        return Convert(Integer(At(found->second, instance.point)), expression.c_type());
      }
      case v1::Expression::kCast:
        return Convert(Evaluate(instance, expression.cast().operand()), expression.cast().c_type());
      case v1::Expression::kCall:
        return Call(instance, expression.call());
      default:
        return Convert(Operate(instance, expression.operation()), expression.c_type());
    }
  }

  Value Call(const Instance& instance, const v1::Call& call) {
    std::vector<double> arguments;
    for (const v1::Expression& argument : call.arguments()) {
      arguments.push_back(Evaluate(instance, argument).AsDouble());
    }
    if (call.function() == "sqrt") return Number(std::sqrt(arguments.at(0)));
    if (call.function() == "fabs") return Number(std::fabs(arguments.at(0)));
    if (call.function() == "abs") return Integer(std::abs(static_cast<int>(arguments.at(0))));
    std::abort();
  }

  Value Operate(const Instance& instance, const v1::Operation& operation) {
    const std::string& op = operation.op();
    const Value a = Evaluate(instance, operation.operands(0));
    if (op == "?:") return Evaluate(instance, operation.operands(a.AsDouble() != 0 ? 1 : 2));
    if (operation.operands_size() == 1) {
      if (op == "!") return Integer(a.AsDouble() == 0);
      if (op == "~") return Integer(~a.integer);
      if (op == "+") return a;
      return a.floating ? Number(-a.number) : Integer(-a.integer);
    }
    Value result = a;
    for (int i = 1; i < operation.operands_size(); ++i)
      result = OperateTwo(op, result, Evaluate(instance, operation.operands(i)));
    return result;
  }

  static Value OperateTwo(const std::string& op, const Value& a, const Value& b) {
    if (a.floating || b.floating) return OperateDouble(op, a.AsDouble(), b.AsDouble());
    return OperateInteger(op, a.integer, b.integer);
  }

  static Value OperateDouble(const std::string& op, double a, double b) {
    if (op == "+") return Number(a + b);
    if (op == "-") return Number(a - b);
    if (op == "*") return Number(a * b);
    if (op == "/") return Number(a / b);
    return Compare(op, a, b);
  }

  static Value OperateInteger(const std::string& op, int64_t a, int64_t b) {
    if (op == "+") return Integer(a + b);
    if (op == "-") return Integer(a - b);
    if (op == "*") return Integer(a * b);
    if (op == "/") return Integer(a / b);
    if (op == "%") return Integer(a % b);
    if (op == "&") return Integer(a & b);
    if (op == "|") return Integer(a | b);
    if (op == "^") return Integer(a ^ b);
    if (op == "<<") return Integer(a << b);
    if (op == ">>") return Integer(a >> b);
    return Compare(op, a, b);
  }

  template <typename T>
  static Value Compare(const std::string& op, T a, T b) {
    if (op == "<") return Integer(a < b);
    if (op == "<=") return Integer(a <= b);
    if (op == ">") return Integer(a > b);
    if (op == ">=") return Integer(a >= b);
    if (op == "==") return Integer(a == b);
    if (op == "!=") return Integer(a != b);
    if (op == "&&") return Integer(a != 0 && b != 0);
    if (op == "||") return Integer(a != 0 || b != 0);
    std::abort();
  }

  IslContext& context_;
  Memory& memory_;
  std::map<const v1::Expression*, isl::pw_aff> affine_;
};

std::vector<Instance> Instances(const std::vector<Relations>& statements, const isl::union_map& schedule,
                                const isl::set& values) {
  std::vector<Instance> instances;
  for (const Relations& relations : statements) {
    const isl::set domain = relations.statement->domain.intersect_params(values);
    // S -> [t0, t1, ...]
    const isl::union_map times = schedule.intersect_domain(isl::union_set(domain));
    if (times.is_empty()) continue;
    const isl::pw_multi_aff time = times.as_map().as_pw_multi_aff();
    domain.foreach_point([&](isl::point point) {
      Instance instance{{}, point, &relations};
      for (int i = 0; i < Dimensions(time, isl_dim_out); ++i) {
        instance.time.push_back(At(time.at(i), point));
      }
      instances.push_back(std::move(instance));
    });
  }
  std::sort(instances.begin(), instances.end(),
            [](const Instance& a, const Instance& b) { return a.time < b.time; });
  return instances;
}

std::map<std::string, int64_t> Values(const v1::Reference& reference) {
  std::map<std::string, int64_t> values;
  for (const v1::ParameterValue& value : reference.parameters()) values[value.name()] = value.value();
  return values;
}

ArrayMemory Allocate(const v1::Array& array, const v1::Reference& reference) {
  ArrayMemory memory;
  memory.type = array.element_type();
  for (const v1::ArrayExtents& extents : reference.arrays()) {
    if (extents.name() == array.name())
      memory.extents.assign(extents.extents().begin(), extents.extents().end());
  }
  int64_t count = 1;
  for (const int64_t extent : memory.extents) count *= extent;
  memory.bytes.resize(count * ElementSize(memory.type));
  return memory;
}

}  // namespace

int64_t ElementSize(v1::ElementType type) {
  return WithType(type, [](auto zero) { return static_cast<int64_t>(sizeof zero); });
}

v1::Reference MakeReference(const v1::Scop& scop, const std::map<std::string, int64_t>& parameter_values) {
  v1::Reference reference;
  for (const auto& [name, value] : parameter_values) {
    v1::ParameterValue* parameter = reference.add_parameters();
    parameter->set_name(name);
    parameter->set_value(value);
  }
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const isl::set values = ParameterValues(context, parameter_values);
  for (const v1::Array& array : scop.arrays()) {
    v1::ArrayExtents* extents = reference.add_arrays();
    extents->set_name(array.name());
    std::vector<int64_t> largest(array.extents_size(), 0);
    parsed->reads.unite(parsed->writes).intersect_params(values).range().foreach_set([&](isl::set set) {
      if (TupleName(set) != array.name() || set.is_empty()) return;
      for (int i = 0; i < array.extents_size(); ++i) {
        largest[i] = set.dim_max_val(i).num_si() + 1;
      }
    });
    for (const int64_t extent : largest) extents->add_extents(std::max<int64_t>(extent, 1));
  }
  return reference;
}

Memory MakeInputs(const v1::Scop& scop, const v1::Reference& reference, uint64_t seed) {
  Memory memory;
  Random random(seed);
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside()) continue;
    ArrayMemory& values = memory[array.name()] = Allocate(array, reference);
    const bool floating = IsFloating(array.element_type());
    const int64_t count = static_cast<int64_t>(values.bytes.size()) / ElementSize(values.type);
    for (int64_t i = 0; i < count; ++i) {
      Store(values, i, floating ? Number(0.5 + random.Uniform()) : Integer(1 + random.Below(5)));
    }
  }
  return memory;
}

absl::Status Interpret(const v1::Scop& scop, const v1::Reference& reference, Memory& memory) {
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const auto parsed, ParseScop(context, scop));
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside()) memory[array.name()] = Allocate(array, reference);
  }
  const absl::Status status = context.Run("interpreting", [&]() -> absl::Status {
    std::vector<Relations> statements;
    for (const ParsedStatement& statement : parsed->statements) {
      if (statement.kind == v1::Statement::KILL) continue;
      Relations relations{&statement, {}, {}};
      for (const ParsedAccess& access : statement.accesses) {
        relations.accesses.push_back(access.relation.as_pw_multi_aff());
      }
      statements.push_back(std::move(relations));
    }
    const isl::set values = ParameterValues(context, Values(reference));
    Machine machine(context, memory);
    for (const Instance& instance : Instances(statements, parsed->schedule.map(), values))
      machine.Run(instance);
    return absl::OkStatus();
  });
  for (const v1::Array& array : scop.arrays()) {
    if (array.declared_inside()) memory.erase(array.name());
  }
  return status;
}

bool SameNumbers(const ArrayMemory& a, const ArrayMemory& b) {
  if (a.type != v1::ELEMENT_TYPE_DOUBLE) return a == b;
  for (size_t at = 0; at < a.bytes.size(); at += sizeof(double)) {
    double x, y;
    std::memcpy(&x, &a.bytes[at], sizeof x);
    std::memcpy(&y, &b.bytes[at], sizeof y);
    if (std::memcmp(&x, &y, sizeof x) != 0 && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

namespace {

template <typename T>
bool CloseVectors(const std::vector<std::byte>& a, const std::vector<std::byte>& b, double tolerance) {
  double distance = 0, length = 0;
  for (size_t at = 0; at < a.size(); at += sizeof(T)) {
    T x, y;
    std::memcpy(&x, &a[at], sizeof x);
    std::memcpy(&y, &b[at], sizeof y);
    if (std::isnan(x) && std::isnan(y)) continue;
    distance += (double{x} - y) * (double{x} - y);
    length += double{y} * y;
  }
  return distance <= tolerance * tolerance * length;
}

}  // namespace

bool CloseNumbers(const ArrayMemory& a, const ArrayMemory& b, std::optional<double> tolerance) {
  if (a.type != b.type || a.bytes.size() != b.bytes.size()) return false;
  if (a.type == v1::ELEMENT_TYPE_DOUBLE)
    return CloseVectors<double>(a.bytes, b.bytes, tolerance.value_or(1e-9));
  if (a.type == v1::ELEMENT_TYPE_FLOAT)
    return CloseVectors<float>(a.bytes, b.bytes, tolerance.value_or(1e-5));
  return a == b;
}

}  // namespace tune::testing
