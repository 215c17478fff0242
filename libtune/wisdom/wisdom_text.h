// Wisdom as the text of a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libtune/wisdom/wisdom.h"

namespace libtune {

// INPUT,INPUT,...
std::string InputsText(const Inputs& inputs);
// Back; nothing where it is something else.
std::optional<Inputs> ParseInputs(std::string_view text);

// REGION <tab> DEVICE <tab> INPUT,INPUT,... <tab> SECONDS <tab> NAME=VALUE <tab> NAME=VALUE ...
std::string EntryFields(const WisdomKey& key, const WisdomEntry& entry);
// Back into an empty key and entry; false where it is something else.
bool ParseEntryFields(std::string_view text, WisdomKey* key, WisdomEntry* entry);

// tune-wisdom <tab> 1
// entry <tab> the fields above
// end <tab> number of entries <tab> checksum of all lines before
std::string WisdomText(const Wisdom& wisdom);

// REFUSED_FILE where the text is something else, of a newer version, cut off or changed: what it is, and what
// to do. Nothing of it is taken then.
Status ParseWisdom(std::string_view text, Wisdom* wisdom);

}  // namespace libtune
