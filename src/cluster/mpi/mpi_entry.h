// What libstrata_mpi.so offers to the program that loads it.
#pragma once

#include "cluster/transport/wire.h"

extern "C" {
// A wire of the process's own MPI, which is not joined yet. The caller owns it.
[[gnu::visibility("default")]] strata::cluster::Wire* strata_mpi_wire();
// What the MPI library says of itself, "Open MPI v4.1.4, ...".
[[gnu::visibility("default")]] const char* strata_mpi_library();
}
