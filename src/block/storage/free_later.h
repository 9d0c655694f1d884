// Gives the space of files back without waiting for it.
//
// A file system frees the blocks of a file when it has no name any more and nobody has it open; the last one to close it waits.
// Where the device is told of free blocks (ext4 with `discard`), that takes a second for a gigabyte, and a search that has its
// answer would sit and wait: up to a sixth of its time.
#pragma once

#include <vector>

namespace strata {

// Descriptors of files that have no name any more. This process closes them here, and where they are large another one, which it
// leaves behind for as long as it takes, is the last to do so, when this one has ended or a second has passed. Whatever fails,
// they are closed.
void free_later(const std::vector<int>& descriptors);

}  // namespace strata
