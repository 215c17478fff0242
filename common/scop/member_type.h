// Names of the types of members, for Meaning.TYPE.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tune {

// "__typeof__(((struct point *)0)->x)". `structure`: "struct point", "point", "struct ::space::point".
std::string TypeOfMember(absl::string_view structure, absl::string_view member);

// Whether the text is such a name.
bool IsTypeOfMember(absl::string_view text);

}  // namespace tune
