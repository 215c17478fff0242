#include "client/exchange/application_tries.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "absl/strings/str_cat.h"
#include "common/base/fingerprint.h"
#include "libtune/wisdom/tries_file.h"

namespace tune {
namespace {

constexpr int64_t kTriesOfAReport = 2000;
constexpr size_t kReadBytes = 1 << 20;

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "";
}

v1::OnlineTry TryOf(const libtune::WisdomEntry& entry) {
  v1::OnlineTry tried;
  tried.set_seconds(entry.seconds);
  for (const auto& [name, value] : entry.values) {
    v1::Decision& decision = *tried.mutable_configuration()->add_decisions();
    decision.set_key(name);
    decision.set_option(value);
  }
  return tried;
}

}  // namespace

ApplicationTries::Key ApplicationTries::KeyOf(const v1::OnlineSearch& search) {
  return {search.region(), search.device(), {search.inputs().begin(), search.inputs().end()}};
}

absl::Status ApplicationTries::Read() {
  struct stat state = {};
  if (stat(path_.c_str(), &state) != 0) return absl::OkStatus();
  if (offset_ > 0 && (state.st_ino != inode_ || state.st_size < offset_))
    return absl::FailedPreconditionError(
        absl::StrCat(path_, " was replaced while it was followed; start again"));
  inode_ = state.st_ino;
  std::ifstream file(path_, std::ios::binary);
  if (!file || !file.seekg(offset_)) return absl::UnavailableError(absl::StrCat(path_, " cannot be read"));
  std::string buffer(kReadBytes, '\0');
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    offset_ += file.gcount();
    partial_.append(buffer, 0, static_cast<size_t>(file.gcount()));
    size_t begin = 0;
    for (size_t end; (end = partial_.find('\n', begin)) != std::string::npos; begin = end + 1)
      TakeLine(partial_.substr(begin, end - begin));
    partial_.erase(0, begin);
  }
  return absl::OkStatus();
}

void ApplicationTries::TakeLine(const std::string& line) {
  // The time of the first try makes it another one than that of any other run.
  if (run_.empty()) run_ = Fingerprint(absl::StrCat(HostName(), "\n", inode_, "\n", line));
  const std::optional<libtune::Try> tried = libtune::ParseTryLine(line);
  if (!tried.has_value()) return;
  const libtune::WisdomKey& key = tried->key;
  Search& search = searches_[{key.region, key.device, {key.inputs.begin(), key.inputs.end()}}];
  search.settled = tried->kind == libtune::TryKind::kSettled;
  search.told_end = false;
  if (search.settled) return;
  search.tries.push_back(TryOf(tried->entry));
  ++tries_;
}

std::vector<v1::ReportTriesRequest> ApplicationTries::Reports(bool run_ended) const {
  std::vector<v1::ReportTriesRequest> reports;
  int64_t room = 0;
  for (const auto& [key, search] : searches_) {
    if (search.told_end) continue;
    const int64_t all = static_cast<int64_t>(search.tries.size());
    int64_t first = search.reported;
    do {
      if (room == 0) {
        reports.emplace_back().set_run(run_);
        room = kTriesOfAReport;
      }
      v1::OnlineSearch& part = *reports.back().add_searches();
      part.set_region(std::get<0>(key));
      part.set_device(std::get<1>(key));
      part.mutable_inputs()->Assign(std::get<2>(key).begin(), std::get<2>(key).end());
      part.set_first(first);
      const int64_t count = std::min(room, all - first);
      for (int64_t i = 0; i < count; ++i) *part.add_tries() = search.tries[first + i];
      first += count;
      room -= count;
      if (first < all) continue;
      part.set_end(search.settled ? v1::OnlineSearch::SETTLED
                   : run_ended    ? v1::OnlineSearch::RUN_ENDED
                                  : v1::OnlineSearch::GOES_ON);
    } while (first < all);
  }
  return reports;
}

void ApplicationTries::Reported(const v1::ReportTriesRequest& report) {
  for (const v1::OnlineSearch& part : report.searches()) {
    Search& search = searches_[KeyOf(part)];
    search.reported = std::max(search.reported, part.first() + part.tries_size());
    search.told_end = part.end() != v1::OnlineSearch::GOES_ON;
  }
}

bool ApplicationTries::Tells(const LearntResult& result) const {
  const auto found = searches_.find({result.region, result.device, result.inputs});
  return found != searches_.end() && found->second.settled;
}

}  // namespace tune
