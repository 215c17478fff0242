#include "common/evaluation/compile_flags.h"

namespace tune {

std::vector<std::string> CompileFlags(const v1::Program& program) {
  if (program.compile_flags().empty()) return {"-O3", "-march=native"};
  return {program.compile_flags().begin(), program.compile_flags().end()};
}

void AddCompileFlags(const std::vector<std::string>& further, v1::Program* program) {
  const std::vector<std::string> flags = CompileFlags(*program);
  program->mutable_compile_flags()->Assign(flags.begin(), flags.end());
  program->mutable_compile_flags()->Add(further.begin(), further.end());
}

}  // namespace tune
