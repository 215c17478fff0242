// The compilers of this machine.
#pragma once

#include <string>
#include <vector>

namespace tune {

// Its command: the words of the environment variable CC ("ccache gcc"), or "cc" where that is not set or has
// none.
std::vector<std::string> CCompilerCommand();

// The same of the C++ compiler: CXX, or "c++".
std::vector<std::string> CppCompilerCommand();

}  // namespace tune
