// What running applications try: the lines of a tries file of libtune, as they come.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "client/exchange/application_wisdom.h"
#include "common/base/status.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

// Follows one file (libtune/wisdom/tries_file.h), which applications add to. Whoever follows it from its
// beginning makes the same reports, so it can be done again. Not thread safe.
class ApplicationTries {
 public:
  explicit ApplicationTries(std::string path) : path_(std::move(path)) {}

  // Takes the lines that have come since the last time; lines that are none are left out, and one without an
  // end is taken the next time. A file that does not exist yet is empty. UNAVAILABLE when it cannot be read;
  // FAILED_PRECONDITION when it has become another one.
  absl::Status Read();

  // What is to be reported now: tries that were not, in reports of a size that can be sent, and what goes on.
  // `run_ended`: no search goes on. Empty: nothing was ever tried, or nothing is left to be told.
  std::vector<v1::ReportTriesRequest> Reports(bool run_ended) const;
  // The server has these.
  void Reported(const v1::ReportTriesRequest& report);

  int64_t tries() const { return tries_; }  // that were read
  // Whether a search of it has this as its result, which reports tell.
  bool Tells(const LearntResult& result) const;

 private:
  using Key = std::tuple<std::string, std::string, std::vector<int64_t>>;  // region, device, inputs
  struct Search {
    std::vector<v1::OnlineTry> tries;
    int64_t reported = 0;   // of the tries
    bool settled = false;   // and nothing was tried since
    bool told_end = false;  // of what is reported
  };

  void TakeLine(const std::string& line);
  static Key KeyOf(const v1::OnlineSearch& search);

  const std::string path_;
  std::string run_;      // empty: no line was read
  std::string partial_;  // of the last line
  int64_t offset_ = 0;
  uint64_t inode_ = 0;
  int64_t tries_ = 0;
  std::map<Key, Search> searches_;
};

}  // namespace tune
