#include "common/transform/plain_assignment.h"

#include <algorithm>

namespace tune {

std::optional<size_t> FindPlainAssignment(const ParsedScop& scop, const std::string& name) {
  size_t index = 0;
  while (scop.statements[index].name != name) ++index;
  const ParsedStatement& statement = scop.statements[index];
  const bool by_data = std::any_of(statement.accesses.begin(), statement.accesses.end(),
                                   [](const ParsedAccess& access) { return access.of_data; });
  return statement.kind == v1::Statement::ASSIGN && !by_data ? std::optional(index) : std::nullopt;
}

}  // namespace tune
