// SQL that is run again and again, parsed once.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>

#include "absl/cleanup/cleanup.h"

namespace tune {

// Of one connection, which outlives it; for one thread at a time.
class PreparedStatements {
 public:
  explicit PreparedStatements(SQLite::Database* database) : database_(database) {}

  // Runs the statement, which gives no rows, with the values that `bind` puts into it. `sql`: a literal,
  // which is told from others by its address.
  template <typename Bind>
  void Run(const char* sql, const Bind& bind) {
    SQLite::Statement& statement = statements_.try_emplace(sql, *database_, sql).first->second;
    const absl::Cleanup done = [&statement] {
      statement.tryReset();
      statement.clearBindings();  // values may be large
    };
    bind(statement);
    statement.exec();
  }

 private:
  SQLite::Database* const database_;
  std::map<const char*, SQLite::Statement> statements_;
};

}  // namespace tune
