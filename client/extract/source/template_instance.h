// Functions by their names, and the instances of templates.
#pragma once

#include <string>
#include <vector>

#include "client/extract/source/diagnostic.h"

namespace clang {
class FunctionDecl;
}

namespace tune {

// "gemm"; of what C has no name for, as operators, letters and underscores.
std::string NameOfFunction(const clang::FunctionDecl& function);

// The same with what a template was given: "gemm<float>".
std::string NameOfInstance(const clang::FunctionDecl& function);

// That with the names of namespaces and classes before it, each with what it was given: "space::Grid<3>::f".
std::string FullNameOfInstance(const clang::FunctionDecl& function);

// Whether somebody may call the function so: "gemm", "gemm<float>", and both with the names of namespaces and
// classes before them.
bool IsNamed(const clang::FunctionDecl& function, const std::string& name);

// The instances, in order, of the template that the function is an instance of, as far as they have the name;
// an empty name is that of all. None where it is no instance.
std::vector<const clang::FunctionDecl*> InstancesBeside(const clang::FunctionDecl& function,
                                                        const std::string& name);

// What a parameter of a template is in an instance.
struct TemplateArgument {
  std::string parameter;  // its name
  bool is_type = false;
  std::string value;  // of a type of numbers its name in C, of an integer the number; empty: something else
};
// Of all templates around the body of the function, itself included; none where there are no such.
std::vector<TemplateArgument> ArgumentsOfInstance(const clang::FunctionDecl& function);

// That the region at `place` is in each of these instances of a template, and how one is chosen.
Refusal ChooseInstance(clang::SourceLocation place, const std::vector<const clang::FunctionDecl*>& instances);

}  // namespace tune
