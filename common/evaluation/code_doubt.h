// What a user should know of a result's code before building it.
#pragma once

#include <string>

#include "tune/v1/study.pb.h"

namespace tune {

// One sentence where the code of this evaluation, one of the study's, is as a worker sent it, and the server
// has not compared it with what it makes of the same configuration itself: "its code is ...". Empty where it
// has, and where no worker sent it (a study without an id).
std::string CodeDoubt(const v1::Study& study, const v1::Evaluation& evaluation);

}  // namespace tune
