// What a block looks like (doc/formats.md):
//
//   block    = header payload rest          block_bytes in all; the rest is of no meaning
//   header   = magic:u32 used:u32 number:u64 stamp:u64 checksum:u64
//
// `used` is the length of the payload, `number` the block's place in its file, `stamp` is the same in all
// blocks that were written to a file in one go, so that a block that was misplaced, or left over from another
// file, or that another run wrote, is not taken for a good one: it is what the owner of the file has for it,
// xor the file's mark. The checksum (XXH3 of header without it, and payload) covers everything that is read.
// All numbers are little-endian.
#pragma once

#include <cstdint>

#include "block/storage/file.h"

namespace strata {

constexpr uint64_t kBlockHeaderBytes = 32;

constexpr uint64_t payload_bytes(uint64_t block_bytes) { return block_bytes - kBlockHeaderBytes; }

// Completes a block whose payload stands behind the header's place.
void seal_block(uint8_t* block, uint64_t used, const File& file, uint64_t number, uint64_t stamp);

// The length of the payload of a block that was read, or an error that names file and offset.
Result<uint64_t> verify_block(const uint8_t* block, const File& file, uint64_t number, uint64_t stamp);
// The same for a file that is no File.
void seal_block(uint8_t* block, uint64_t used, uint64_t number, uint64_t stamp);
struct BlockPlace {
  const std::string& file;
  uint64_t offset, block_bytes;
};
Result<uint64_t> verify_block(const uint8_t* block, const BlockPlace& place, uint64_t number, uint64_t stamp);

}  // namespace strata
