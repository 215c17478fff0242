// isl's vertices of parametric polytopes, which isl.h leaves out: one folder needs them.
#pragma once

#include <isl/vertices.h>

#include "common/isl/isl.h"
