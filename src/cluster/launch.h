// Finds out whether a launcher (mpirun, srun) started this process as one of several, and joins the others. MPI is in
// an object of its own, libstrata_mpi.so beside the program, which is loaded only then: a single process starts
// without it and does not need MPI.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "cluster/transport/transport.h"

namespace strata::cluster {

// What the environment says.
struct Launch {
  int ranks = 1;         // 1: a single process, by a launcher or without
  int rank = 0;          // by the launcher; for errors that one rank reports before there is a transport
  std::string launcher;  // the variable that was found, "OMPI_COMM_WORLD_SIZE"; empty: none
};

using Environment = std::function<const char*(const char* name)>;
Launch detect_launch(const Environment& environment);
Launch detect_launch();  // of this process

// The transport of this process: alone, or one of the launch's ranks. An error where there is more than one rank and
// this build has no MPI (the message says what to install), and where MPI finds another number of ranks than the
// launcher started: each rank would then search the whole model by itself.
Result<std::unique_ptr<Transport>> join(const Launch& launch, const TransportOptions& options = {});

}  // namespace strata::cluster
