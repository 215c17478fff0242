// Containers of C++'s library that a region uses, as pointers, arrays and sizes.
#pragma once

#include <set>
#include <vector>

#include "client/extract/cpp/exchanged_containers.h"
#include "client/extract/pointers/row_table.h"
#include "client/extract/source/diagnostic.h"
#include "client/extract/structures/member_read.h"

namespace clang {
class Stmt;
class ValueDecl;
}  // namespace clang

namespace tune {

struct ContainerReads {
  MemberReads reads;             // what stands for the elements and the sizes
  std::vector<RowTable> tables;  // of members: plain variables that are such are in vector_table.h
  // The first use of each container that is none of its elements, size or pointer: the region may change
  // where its elements are. Where there are any, `reads` must not be used.
  std::vector<Refusal> others;
  std::set<const clang::Stmt*> objects;  // expressions that name the containers
  // Calls that exchange two containers, for which `reads` has calls that exchange the pointers to their
  // elements.
  std::set<const clang::Stmt*> exchanges;
  std::vector<ExchangedContainer> exchanged;
};

// v[i], v.size(), v.data(), std::swap(v, w) of variables that are declared outside of the region, and of
// members of these and of the object that the function is called for; of members also a[i][j] of vectors of
// vectors. None for C. `rows`: references to vectors that something else stands for.
ContainerReads FindContainerReads(const clang::ASTContext& ast, const FoundRegion& region,
                                  const std::set<const clang::ValueDecl*>& rows = {});

}  // namespace tune
