// Writes scops as nested loops, for tests.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tune/v1/scop.pb.h"

namespace tune::testing {

inline v1::Expression Literal(const std::string& text, const std::string& c_type = "double") {
  v1::Expression expression;
  expression.set_literal(text);
  expression.set_c_type(c_type);
  return expression;
}

// The value of access `index` of the statement.
inline v1::Expression Read(int index, const std::string& c_type = "double") {
  v1::Expression expression;
  expression.set_access(index);
  expression.set_c_type(c_type);
  return expression;
}

inline v1::Expression Operation(const std::string& op, const std::vector<v1::Expression>& operands) {
  v1::Expression expression;
  expression.mutable_operation()->set_op(op);
  for (const v1::Expression& operand : operands) *expression.mutable_operation()->add_operands() = operand;
  expression.set_c_type(operands.back().c_type());
  return expression;
}

inline v1::Expression Add(const v1::Expression& a, const v1::Expression& b) { return Operation("+", {a, b}); }
inline v1::Expression Subtract(const v1::Expression& a, const v1::Expression& b) {
  return Operation("-", {a, b});
}
inline v1::Expression Multiply(const v1::Expression& a, const v1::Expression& b) {
  return Operation("*", {a, b});
}
inline v1::Expression Divide(const v1::Expression& a, const v1::Expression& b) {
  return Operation("/", {a, b});
}
inline v1::Expression Negate(const v1::Expression& a) { return Operation("-", {a}); }

inline v1::Expression Call(const std::string& function, const std::vector<v1::Expression>& arguments) {
  v1::Expression expression;
  expression.mutable_call()->set_function(function);
  for (const v1::Expression& argument : arguments) *expression.mutable_call()->add_arguments() = argument;
  expression.set_c_type("double");
  return expression;
}

inline v1::Expression ToInteger(const v1::Expression& value) {
  v1::Expression cast;
  cast.set_c_type("int");
  cast.mutable_cast()->set_c_type("int");
  *cast.mutable_cast()->mutable_operand() = value;
  return cast;
}

// The element that data decide of the array of access `index`; and the value of an update of one.
inline v1::Expression ElementOf(int index, std::vector<v1::Expression> subscripts) {
  subscripts.insert(subscripts.begin(), Read(index));
  v1::Expression element = Operation("[]", subscripts);
  element.set_c_type("double");
  return element;
}
inline v1::Expression UpdateOf(const v1::Expression& value, std::vector<v1::Expression> subscripts) {
  subscripts.insert(subscripts.begin(), value);
  v1::Expression update = Operation("[]=", subscripts);
  update.set_c_type(value.c_type());
  return update;
}

// array[subscripts], subscripts as isl text: {"A", "i, j + 1"}; with a condition on further dimensions where
// data decide: {"A", "o", "0 <= o < n"}.
struct Element {
  std::string array;
  std::string subscripts;
  std::string condition = "";
};

class ScopBuilder {
 public:
  // `context` is a condition on the parameters: "n >= 1".
  ScopBuilder(const std::string& name, std::vector<std::string> parameters, const std::string& context)
      : parameters_(std::move(parameters)) {
    scop_.set_name(name);
    for (const std::string& parameter : parameters_) {
      v1::Parameter* p = scop_.add_parameters();
      p->set_name(parameter);
      p->set_c_type("int");
    }
    scop_.set_context(absl::StrCat(Prefix(), "{ : ", context, " }"));
    open_.push_back(&root_);
  }

  // Extents as C and isl expressions alike: "n", "n + 1".
  ScopBuilder& Array(const std::string& name, const std::vector<std::string>& extents,
                     bool declared_inside = false) {
    v1::Array* array = scop_.add_arrays();
    array->set_name(name);
    array->set_element_type(v1::ELEMENT_TYPE_DOUBLE);
    array->set_declared_inside(declared_inside);
    array->set_read_only(true);
    for (const std::string& extent : extents) array->add_extents()->set_c_expression(extent);
    return *this;
  }

  // Loop over the values of `iterator` with `condition` ("0 <= i < n", "i mod 2 = 0 and ..."), upwards or
  // downwards.
  ScopBuilder& Begin(const std::string& iterator, const std::string& condition, bool decreasing = false) {
    auto node = std::make_unique<Node>();
    node->iterator = iterator;
    node->decreasing = decreasing;
    Node* added = node.get();
    open_.back()->children.push_back(std::move(node));
    open_.push_back(added);
    iterators_.push_back(iterator);
    conditions_.push_back(condition);
    return *this;
  }

  ScopBuilder& End() {
    open_.pop_back();
    iterators_.pop_back();
    conditions_.pop_back();
    return *this;
  }

  // target = value, where access 0 .. reads.size()-1 of `value` are the reads; the target is the last access.
  ScopBuilder& Assign(const Element& target, const std::vector<Element>& reads, const v1::Expression& value) {
    return AddStatement(target, reads, value, v1::NONE);
  }

  // target = target op value.
  ScopBuilder& Update(v1::UpdateOperator op, const Element& target, const std::vector<Element>& reads,
                      const v1::Expression& value) {
    return AddStatement(target, reads, value, op);
  }

  // A declaration of `array` without initialiser.
  ScopBuilder& Kill(const std::string& array, const std::string& any_subscripts = "") {
    v1::Statement* statement = NewStatement();
    statement->set_kind(v1::Statement::KILL);
    AddAccess(statement, {array, any_subscripts}, v1::Access::WRITE);
    return *this;
  }

  v1::Scop Build() const {
    v1::Scop scop = scop_;
    std::string domain = absl::StrCat(Prefix(), "{ ", absl::StrJoin(domains_, "; "), " }");
    scop.set_schedule(absl::StrCat("{ domain: \"", domain, "\"", Child(root_), " }"));
    return scop;
  }

 private:
  struct Node {
    std::string iterator;
    bool decreasing = false;
    int statement = -1;  // a leaf when not negative
    std::vector<std::unique_ptr<Node>> children;
  };

  std::string Prefix() const {
    return parameters_.empty() ? "" : absl::StrCat("[", absl::StrJoin(parameters_, ", "), "] -> ");
  }

  v1::Statement* NewStatement() {
    v1::Statement* statement = scop_.add_statements();
    const int index = scop_.statements_size() - 1;
    statement->set_name(absl::StrCat("S", index));
    for (const std::string& iterator : iterators_) statement->add_iterators(iterator);
    tuples_.push_back(absl::StrCat("S", index, "[", absl::StrJoin(iterators_, ", "), "]"));
    std::string domain = tuples_.back();
    if (!conditions_.empty()) absl::StrAppend(&domain, " : ", absl::StrJoin(conditions_, " and "));
    domains_.push_back(domain);
    statement->set_domain(absl::StrCat(Prefix(), "{ ", domain, " }"));
    statement->set_line(index + 1);
    auto node = std::make_unique<Node>();
    node->statement = index;
    open_.back()->children.push_back(std::move(node));
    return statement;
  }

  void AddAccess(v1::Statement* statement, const Element& element, v1::Access::Kind kind) {
    v1::Access* access = statement->add_accesses();
    access->set_array(element.array);
    access->set_kind(kind);
    access->set_relation(absl::StrCat(Prefix(), "{ ", tuples_.back(), " -> ", element.array, "[",
                                      element.subscripts, "]", element.condition.empty() ? "" : " : ",
                                      element.condition, " }"));
    if (kind == v1::Access::READ) return;
    for (v1::Array& array : *scop_.mutable_arrays()) {
      if (array.name() == element.array) array.set_read_only(false);
    }
  }

  ScopBuilder& AddStatement(const Element& target, const std::vector<Element>& reads,
                            const v1::Expression& value, v1::UpdateOperator op) {
    v1::Statement* statement = NewStatement();
    statement->set_kind(v1::Statement::ASSIGN);
    for (const Element& read : reads) AddAccess(statement, read, v1::Access::READ);
    statement->set_target(static_cast<int>(reads.size()));
    AddAccess(statement, target, op == v1::NONE ? v1::Access::WRITE : v1::Access::UPDATE);
    statement->set_update(op);
    *statement->mutable_value() = value;
    return *this;
  }

  void CollectStatements(const Node& node, std::vector<std::string>& tuples) const {
    if (node.statement >= 0) tuples.push_back(tuples_[node.statement]);
    for (const auto& child : node.children) CollectStatements(*child, tuples);
  }

  // `, child: {...}` for what stands below `node`; empty for a single leaf.
  std::string Child(const Node& node) const {
    if (node.children.size() == 1) {
      const Node& child = *node.children[0];
      if (child.statement >= 0) return "";
      return absl::StrCat(", child: { ", Band(child), " }");
    }
    std::vector<std::string> filters;
    for (const auto& child : node.children) {
      std::vector<std::string> tuples;
      CollectStatements(*child, tuples);
      std::string filter = absl::StrCat("{ filter: \"", Prefix(), "{ ", absl::StrJoin(tuples, "; "), " }\"");
      if (child->statement < 0) absl::StrAppend(&filter, ", child: { ", Band(*child), " }");
      filters.push_back(filter + " }");
    }
    return absl::StrCat(", child: { sequence: [ ", absl::StrJoin(filters, ", "), " ] }");
  }

  std::string Band(const Node& loop) const {
    std::vector<std::string> tuples;
    CollectStatements(loop, tuples);
    for (std::string& tuple : tuples) {
      absl::StrAppend(&tuple, " -> [(", loop.decreasing ? "-" : "", loop.iterator, ")]");
    }
    return absl::StrCat("schedule: \"", Prefix(), "[{ ", absl::StrJoin(tuples, "; "), " }]\"", Child(loop));
  }

  std::vector<std::string> parameters_;
  v1::Scop scop_;
  Node root_;
  std::vector<Node*> open_;
  std::vector<std::string> iterators_, conditions_;  // of the open loops
  std::vector<std::string> tuples_, domains_;        // of the statements
};

}  // namespace tune::testing
