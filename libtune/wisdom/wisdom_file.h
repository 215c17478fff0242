// The wisdom file of a context.
#pragma once

#include <string>

#include "libtune/wisdom/wisdom.h"

namespace libtune {

// NOT_FOUND, IO, REFUSED_FILE as in tune.h; the text names the file.
Status LoadWisdom(const std::string& path, Wisdom* wisdom);

// What `wisdom` knows better than the file is written to it, under its lock. A file that is refused is left
// alone, as it may be somebody's. `replaced`: keys for which the file's entry is not better though it says
// so.
Status SaveWisdom(const std::string& path, const Wisdom& wisdom, const Wisdom& replaced, double lock_seconds);

}  // namespace libtune
