#include "tests/random_programs/forms/all_forms.h"

namespace tune::testing {

const std::vector<NamedForm>& AllForms() {
  static const std::vector<NamedForm>* const kForms = new std::vector<NamedForm>{
      {"condition", WriteCondition},
      {"early_end", WriteEarlyEnd},
      {"call", WriteCall},
      {"structure", WriteStructure},
      {"derived_index", WriteDerivedIndex},
      {"row_pointer", WriteRowPointer},
      {"pointer_walk", WritePointerWalk},
      {"nest_walk", WriteNestWalk},
      {"counting_loop", WriteCountingLoop},
      {"switch", WriteSwitch},
      {"statement_expression", WriteStatementExpression},
      {"constant_table", WriteConstantTable},
      {"comma_and_choice", WriteCommaAndChoice},
      {"hint", WriteHint},
      {"narrow_loop", WriteNarrowLoop},
      {"packed_triangle", WritePackedTriangle},
      {"largest_element", WriteLargestElement},
      {"complex_number", WriteComplexNumber},
      {"packed_elements", WritePackedElements},
  };
  return *kForms;
}

}  // namespace tune::testing
