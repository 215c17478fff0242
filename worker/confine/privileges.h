// What the user of a process may do beyond others.
#pragma once

namespace tune {

// No capabilities, now and after any exec, and no_new_privs. `strict`: fails the sandbox where one of them
// remains; else takes away what can be.
void DropPrivileges(bool strict);

}  // namespace tune
