#include "block/record/block_format.h"

#include <fmt/format.h>

#include <cstring>

#include "base/hash.h"

namespace strata {

namespace {

constexpr uint32_t kMagic = 0x4b4c4253;  // "SBLK"

struct Header {
  uint32_t magic = kMagic;
  uint32_t used = 0;
  uint64_t number = 0;
  uint64_t stamp = 0;
  uint64_t checksum = 0;
};
static_assert(sizeof(Header) == kBlockHeaderBytes);

uint64_t checksum_of(const uint8_t* block, uint64_t used) {
  constexpr uint64_t kBefore = offsetof(Header, checksum);
  return hash_bytes(block, kBefore) ^ std::rotl(hash_bytes(block + sizeof(Header), used), 1);
}

}  // namespace

void seal_block(uint8_t* block, uint64_t used, uint64_t number, uint64_t stamp) {
  Header header;
  header.used = static_cast<uint32_t>(used);
  header.number = number;
  header.stamp = stamp;
  std::memcpy(block, &header, sizeof header);
  header.checksum = checksum_of(block, used);
  std::memcpy(block, &header, sizeof header);
}

void seal_block(uint8_t* block, uint64_t used, const File& file, uint64_t number, uint64_t stamp) {
  seal_block(block, used, number, stamp ^ file.mark(number));
}

Result<uint64_t> verify_block(const uint8_t* block, const File& file, uint64_t number, uint64_t stamp) {
  return verify_block(block, BlockPlace{file.name(), file.offset(number), file.block_bytes()}, number,
                      stamp ^ file.mark(number));
}

Result<uint64_t> verify_block(const uint8_t* block, const BlockPlace& place, uint64_t number,
                              uint64_t stamp) {
  Header header;
  std::memcpy(&header, block, sizeof header);
  const auto damaged = [&](const char* what) {
    return Status::system(
        fmt::format("{}: the block at offset {} is damaged: {}; the disk or another program changed it",
                    place.file, place.offset, what));
  };
  if (header.magic != kMagic) return damaged("it does not begin as a block does");
  if (header.used > payload_bytes(place.block_bytes)) return damaged("its length is impossible");
  if (header.checksum != checksum_of(block, header.used)) return damaged("its checksum is wrong");
  if (header.number != number || header.stamp != stamp)
    return damaged("it belongs to another place or to another run");
  return uint64_t{header.used};
}

}  // namespace strata
