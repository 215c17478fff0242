// Which studies of another server are here already, as far as lists tell.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tune/v1/study.pb.h"

namespace tune {

// A study that is not recognised is fetched for nothing: the server finds the copy by its content.
class KnownStudies {
 public:
  // `own`: the studies of the server here.
  explicit KnownStudies(const std::vector<v1::Study>& own);

  // Whether a study that was made there is here.
  bool HasCopyOf(const v1::Study& made_there) const;
  // The same of one that came there from elsewhere; it may have been made here.
  bool HasCopyOf(const v1::Study& listed, const v1::Provenance& origin) const;

 private:
  // What tells a study from others, whatever its server is called: id where it was made, creation, end.
  using Identity = std::tuple<std::string, int64_t, int64_t>;
  static Identity IdentityOf(const std::string& id, const v1::Study& study) {
    return {id, study.created_unix_ms(), study.finished_unix_ms()};
  }

  std::set<Identity> made_here_, copies_;
  std::set<std::string> fingerprints_;  // of copies
};

}  // namespace tune
