// Gives the space of files back without waiting for it.
//
// A file system frees the blocks of a file when it has no name any more and no process has it open; the last process
// that closes it waits. Where the device is told of free blocks (ext4 with `discard`), that takes a second for a
// gigabyte, and a process that has its answer would wait: up to a sixth of its time.
//
// The files belong to the process, because they outlive every object of a search: the list of them is global.
//
// Thread safety: all functions may be called by any thread.
#pragma once

#include <vector>

namespace strata {

// Takes descriptors of files that have no name any more. They stay open until free_now(), or until the process ends.
void free_later(const std::vector<int>& descriptors);
// Closes them, for a search that is about to need their space.
void free_now();
// At the end of the process: starts another process that outlives this one and closes the files last, so that this one
// need not wait. If the files are small, or no process can be started, they are closed when this process ends.
void free_after_the_end();

}  // namespace strata
