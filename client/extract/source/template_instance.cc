#include "client/extract/source/template_instance.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/StringExtras.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/source/defined_functions.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

std::string Named(const clang::FunctionDecl& function, bool qualified) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  clang::PrintingPolicy policy = function.getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  policy.SuppressTemplateArgsInCXXConstructors = true;
  function.getNameForDiagnostic(stream, policy, qualified);
  return stream.str();
}

bool IsInstance(const clang::FunctionDecl& function) {
  return function.getTemplateInstantiationPattern() != nullptr;
}

void AppendArguments(const clang::ASTContext& ast, const clang::TemplateParameterList& parameters,
                     const clang::TemplateArgumentList& arguments, std::vector<TemplateArgument>* all) {
  for (unsigned i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    const clang::TemplateArgument& given = arguments[i];
    TemplateArgument argument;
    argument.parameter = parameters.getParam(i)->getNameAsString();
    argument.is_type = given.getKind() == clang::TemplateArgument::Type;
    if (argument.parameter.empty()) continue;  // nothing is made of it
    if (argument.is_type && ElementTypeOf(ast, given.getAsType()))
      argument.value = CTypeName(ast, given.getAsType());
    if (given.getKind() == clang::TemplateArgument::Integral)
      argument.value = llvm::toString(given.getAsIntegral(), 10);
    all->push_back(std::move(argument));
  }
}

}  // namespace

std::string NameOfFunction(const clang::FunctionDecl& function) {
  std::string name = function.getNameAsString();
  if (IsCIdentifier(name)) return name;
  for (char& c : name) {
    if (!IsCIdentifier(absl::StrCat("_", std::string(1, c)))) c = '_';
  }
  return name;
}

std::string NameOfInstance(const clang::FunctionDecl& function) {
  return IsInstance(function) ? Named(function, /*qualified=*/false) : NameOfFunction(function);
}

std::string FullNameOfInstance(const clang::FunctionDecl& function) {
  return Named(function, /*qualified=*/true);
}

bool IsNamed(const clang::FunctionDecl& function, const std::string& name) {
  return name == NameOfFunction(function) || name == function.getQualifiedNameAsString() ||
         name == Named(function, /*qualified=*/false) || name == Named(function, /*qualified=*/true);
}

std::vector<const clang::FunctionDecl*> InstancesBeside(const clang::FunctionDecl& function,
                                                        const std::string& name) {
  std::vector<const clang::FunctionDecl*> instances;
  if (!IsInstance(function)) return instances;
  for (const clang::FunctionDecl* each : FunctionsOf(function.getASTContext())) {
    const bool beside = each->getTemplateInstantiationPattern() == function.getTemplateInstantiationPattern();
    if (beside && (name.empty() || IsNamed(*each, name))) instances.push_back(each);
  }
  return instances;
}

std::vector<TemplateArgument> ArgumentsOfInstance(const clang::FunctionDecl& function) {
  std::vector<TemplateArgument> all;
  if (const clang::FunctionTemplateDecl* pattern = function.getPrimaryTemplate();
      pattern != nullptr && IsInstance(function))
    AppendArguments(function.getASTContext(), *pattern->getTemplateParameters(),
                    *function.getTemplateSpecializationArgs(), &all);
  for (const clang::DeclContext* context = function.getDeclContext(); context != nullptr;
       context = context->getParent()) {
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(context);
    if (instance == nullptr || instance->isExplicitSpecialization()) continue;
    AppendArguments(function.getASTContext(), *instance->getSpecializedTemplate()->getTemplateParameters(),
                    instance->getTemplateArgs(), &all);
  }
  return all;
}

Refusal ChooseInstance(clang::SourceLocation place,
                       const std::vector<const clang::FunctionDecl*>& instances) {
  std::vector<std::string> names;
  for (const clang::FunctionDecl* instance : instances)
    names.push_back(absl::StrCat("`", Named(*instance, /*qualified=*/true), "`"));
  return {{place, place},
          absl::StrCat("the template has ", instances.size(),
                       " instances, and tuned code is for one of them: ", absl::StrJoin(names, ", ")),
          absl::StrCat("name one of them: --function '", Named(*instances.front(), /*qualified=*/true), "'")};
}

}  // namespace tune
