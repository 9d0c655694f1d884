// What a block looks like (doc/formats.md):
//
//   block    = header payload rest          block_bytes in all; the rest has no meaning
//   header   = magic:u32 used:u32 number:u64 stamp:u64 checksum:u64
//
// `used` is the length of the payload, `number` the block's place in its file. `stamp` is the number that the owner
// of the file has for its blocks, xor the file's mark: a block that is in the wrong place, is left over from another
// file, or was written by another run has another one. The checksum (XXH3 of the header before it, and of the
// payload) covers everything that is read. All numbers are little-endian.
#pragma once

#include <cstdint>

#include "block/storage/file.h"

namespace strata {

constexpr uint64_t kBlockHeaderBytes = 32;

constexpr uint64_t payload_bytes(uint64_t block_bytes) { return block_bytes - kBlockHeaderBytes; }

// Writes the header of a block whose payload is complete.
void seal_block(uint8_t* block, uint64_t used, const File& file, uint64_t number, uint64_t stamp);

// The length of the payload of a block that was read, or an error that names file and offset.
Result<uint64_t> verify_block(const uint8_t* block, const File& file, uint64_t number, uint64_t stamp);
// The same for a file that is not a File.
void seal_block(uint8_t* block, uint64_t used, uint64_t number, uint64_t stamp);
struct BlockPlace {
  const std::string& file;
  uint64_t offset, block_bytes;
};
Result<uint64_t> verify_block(const uint8_t* block, const BlockPlace& place, uint64_t number, uint64_t stamp);

}  // namespace strata
