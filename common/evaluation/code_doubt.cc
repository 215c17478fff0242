#include "common/evaluation/code_doubt.h"

#include "absl/strings/str_cat.h"
#include "common/base/plain_text.h"

namespace tune {

std::string CodeDoubt(const v1::Study& study, const v1::Evaluation& evaluation) {
  if (study.id().empty()) return "";
  if (study.has_provenance()) {
    return absl::StrCat(
        "its code comes from ", EscapeLine(study.provenance().server()),
        " and was not compared with what this server makes of it: read it before you build it");
  }
  if (evaluation.comparison().same()) return "";
  const std::string why = EscapeLine(evaluation.comparison().note());
  return absl::StrCat("its code is as worker ", EscapeLine(evaluation.worker()),
                      " sent it, not compared with what the server makes of it", why.empty() ? "" : " (", why,
                      why.empty() ? "" : ")", ": read it before you build it");
}

}  // namespace tune
