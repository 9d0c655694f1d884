// Gives the space of files back without waiting for it.
//
// A file system frees the blocks of a file when it has no name any more and nobody has it open; the last one
// to close it waits. Where the device is told of free blocks (ext4 with `discard`), that takes a second for a
// gigabyte, and a process that has its answer would sit and wait: up to a sixth of its time.
#pragma once

#include <vector>

namespace strata {

// Descriptors of files that have no name any more, which stay open until one of the others is called, or the
// process ends.
void free_later(const std::vector<int>& descriptors);
// Closes them. For a search that is about to need their space.
void free_now();
// At the end of the process: another one, which it leaves behind for as long as that takes, is to be the last
// that closes them. Small files, and all if that cannot be, are closed with the process.
void free_after_the_end();

}  // namespace strata
