// C text in, facts about the extraction out.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/extract/scop_extractor.h"
#include "common/isl/isl.h"

namespace tune::testing {

// A folder for one test, removed at its end, with files written into it.
class SourceFolder {
 public:
  SourceFolder();
  ~SourceFolder();
  SourceFolder(const SourceFolder&) = delete;
  SourceFolder& operator=(const SourceFolder&) = delete;

  // Writes `text` to a path below the folder, making folders as needed; the absolute path.
  std::string Write(const std::string& path, const std::string& text) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Extracts from one file with this text.
v1::Extraction Extract(const std::string& text, ExtractionRequest request = {});
// The same of a file in C++.
v1::Extraction ExtractCpp(const std::string& text, ExtractionRequest request = {});

// `head` (a function's head, declarations before it allowed), then a region with `body` as the whole body.
std::string Function(const std::string& head, const std::string& body);

// The only scop of Function(head, body); the test fails with the diagnostics when there is none.
v1::Scop ScopOf(const std::string& head, const std::string& body);
// The same in C++.
v1::Scop CppScopOf(const std::string& head, const std::string& body);

// Equality by meaning of isl texts: sets, maps, piecewise expressions.
::testing::AssertionResult SameSet(const std::string& a, const std::string& b);
::testing::AssertionResult SameMap(const std::string& a, const std::string& b);
::testing::AssertionResult SamePwAff(const std::string& a, const std::string& b);
// The same for an expression over a statement's instances.
::testing::AssertionResult SameValue(const std::string& a, const std::string& b);
// Same order of the same instances.
::testing::AssertionResult SameSchedule(const std::string& a, const std::string& b);

// The value of a statement as a C-like text, accesses as their subscripted arrays: "A[i, j] * 0.5".
std::string ValueText(const v1::Statement& statement);
// "C[i, j] += alpha[] * A[i, k]": target, update and value.
std::string StatementText(const v1::Statement& statement);

// All diagnostics, rendered.
std::string Problems(const v1::Extraction& extraction);

}  // namespace tune::testing
