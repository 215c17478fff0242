// Forms of C in random programs, one in each file.
#pragma once

#include <vector>

#include "tests/random_programs/forms/form_writer.h"

namespace tune::testing {

struct NamedForm {
  const char* name;
  // Writes statements that have the form, or an assignment where it cannot stand here.
  void (*write)(FormWriter& writer);
};

const std::vector<NamedForm>& AllForms();

void WriteCondition(FormWriter& writer);            // if, else if, else about data
void WriteEarlyEnd(FormWriter& writer);             // continue and break
void WriteCall(FormWriter& writer);                 // functions whose body is visible
void WriteStructure(FormWriter& writer);            // members of elements, copies, sizes that are members
void WriteDerivedIndex(FormWriter& writer);         // j = i + 1; k += 2
void WriteRowPointer(FormWriter& writer);           // double *row = M[i]; p = a + off
void WritePointerWalk(FormWriter& writer);          // *p++
void WriteNestWalk(FormWriter& writer);             // the same through nests, with gaps
void WriteCountingLoop(FormWriter& writer);         // while (n--)
void WriteSwitch(FormWriter& writer);               // over constants
void WriteStatementExpression(FormWriter& writer);  // ({ int t = i; t; })
void WriteConstantTable(FormWriter& writer);        // static const int dx[4]
void WriteCommaAndChoice(FormWriter& writer);       // a = 1, b = 2; c ? a = 1 : (b = 2);
void WriteHint(FormWriter& writer);                 // __builtin_expect, assert
void WriteNarrowLoop(FormWriter& writer);           // iterators of unsigned and narrow types
void WritePackedTriangle(FormWriter& writer);       // T[i * (i + 1) / 2 + j]
void WriteLargestElement(FormWriter& writer);       // if (x[i] > m) { m = x[i]; k = i; }
void WriteComplexNumber(FormWriter& writer);        // double complex z
void WritePackedElements(FormWriter& writer);       // if (x[i] > 0) { b[k] = x[i]; k++; }

}  // namespace tune::testing
