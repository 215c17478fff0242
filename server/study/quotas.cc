#include "server/study/quotas.h"

namespace tune {
namespace {

absl::Status CheckQuota(int64_t quota, const std::string& owner, int64_t has, int64_t wants,
                        absl::string_view what, absl::string_view remedy) {
  if (quota == 0 || (wants <= quota - has && has < quota)) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("the quota of ", owner, " is ", quota, " ", what, ": ",
                                                   has, " are used and ", wants, " more are asked for; ",
                                                   remedy));
}

}  // namespace

absl::Status CheckQuotas(const Quotas& quotas, const std::string& owner, const Usage& has,
                         const Usage& wants) {
  TUNE_RETURN_IF_ERROR(CheckQuota(quotas.studies, owner, has.studies, wants.studies, "studies at once",
                                  "wait until some have ended, or cancel some"));
  TUNE_RETURN_IF_ERROR(CheckQuota(quotas.evaluations, owner, has.evaluations, wants.evaluations,
                                  "evaluations at once", "wait until studies have ended, or ask for fewer"));
  TUNE_RETURN_IF_ERROR(CheckQuota(quotas.bytes, owner, has.bytes, wants.bytes, "bytes in the database",
                                  "submit less, or let an admin remove old studies with `tunectl gc`"));
  return CheckQuota(quotas.device_seconds, owner, has.device_seconds, wants.device_seconds,
                    "seconds of devices in 24 hours", "submit again later");
}

}  // namespace tune
