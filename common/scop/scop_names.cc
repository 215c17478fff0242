#include "common/scop/scop_names.h"

namespace tune {

std::set<std::string> NamesOf(const v1::Scop& scop) {
  std::set<std::string> names;
  for (const v1::Parameter& parameter : scop.parameters()) names.insert(parameter.name());
  for (const v1::Array& array : scop.arrays()) names.insert(array.name());
  for (const v1::Statement& statement : scop.statements())
    names.insert(statement.iterators().begin(), statement.iterators().end());
  return names;
}

}  // namespace tune
