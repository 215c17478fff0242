// What loops load and store several elements at a time of (KeptElement::width), as CUDA C has it.
#pragma once

#include <string>
#include <vector>

#include "common/program/helper_names.h"
#include "common/program/program_node.h"

namespace tune {

// Of a loop in chunks of Loop::ahead iterations. Variables, one for each iteration of a chunk, stand in the
// order of memory where pieces of several are loaded or stored.
class RowPieces {
 public:
  // Must not outlive them. `names.element` is the number of an iteration in its chunk.
  RowPieces(const Loop& loop, const HelperNames& names) : loop_(loop), names_(names) {}

  // "float x[16];", aligned where pieces are copied to or from it.
  std::string Declaration(const KeptElement& kept, const std::string& variables) const;

  // The variable of that iteration.
  ElementAccess Variable(const KeptElement& kept, const std::string& variables,
                         const IndexExpression& iteration) const;

  // Copies between the variables of so many iterations from `iteration` on and the elements, of which the
  // loop's iterator says that of the first.
  Transfer Load(const KeptElement& kept, const std::string& variables,
                const IndexExpression& iteration) const;

  // Of what is collected: declarations; what iterations before the first chunk have written that it reads; an
  // access, as an iteration's nodes have it, to the variable in place of the element; the stores behind an
  // iteration's nodes.
  std::vector<std::string> CollectedDeclarations() const;
  Block CollectedBefore() const;
  bool ReplaceCollected(ElementAccess* access) const;
  Block Stores() const;

 private:
  std::string Collected(size_t number) const;
  // Of the piece that an iteration completes.
  Transfer Store(size_t number) const;
  // The largest number of iterations that an access to such elements is behind.
  int64_t MostBehind(const KeptElement& collected) const;

  const Loop& loop_;
  const HelperNames& names_;
};

}  // namespace tune
