// Variables that a file declares more than once.
#pragma once

namespace clang {
class ASTContext;
}

namespace tune {

// Makes all expressions of the user's functions and variables that name a variable name the same declaration
// of it: of `extern int n; ... int n;`, as a header and its file have them, clang has two, and an expression
// names the last one before it. It is the first one whose type is complete, so that of `extern double a[];
// double a[20];` the size is known. Call it before anything compares declarations.
void NameOneDeclaration(clang::ASTContext& ast);

}  // namespace tune
