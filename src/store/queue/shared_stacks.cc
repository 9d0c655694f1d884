#include "store/queue/shared_stacks.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/image/record_image.h"

namespace strata {

namespace {

constexpr double kWandering = 0.5, kStraight = 0.95;
// A section has room for this many blocks, so that moves of whole blocks leave something on both sides.
constexpr uint64_t kLeastBlocks = 3;

uint64_t entries_of(uint64_t entry_bytes, uint64_t section_bytes, uint64_t per_block) {
  return std::max(section_bytes / entry_bytes, kLeastBlocks * per_block);
}

}  // namespace

uint64_t SharedStacks::section_bytes(uint64_t entry_bytes, uint64_t bytes, uint64_t block_bytes) {
  const uint64_t entries = entries_of(entry_bytes, bytes, payload_bytes(block_bytes) / entry_bytes);
  return round_up(entries * entry_bytes, kPageBytes);
}

SharedStacks::SharedStacks(Storage& storage, std::string name, uint64_t entry_bytes, uint64_t section_bytes,
                           double rho2, BufferRing& shelf, MemoryBudget& budget)
    : storage_(storage),
      name_(std::move(name)),
      entry_bytes_(entry_bytes),
      per_block_(shelf.per_block(entry_bytes)),
      capacity_(entries_of(entry_bytes, section_bytes, per_block_)),
      automatic_(rho2 == kAutomatic),
      rho2_(automatic_ ? kWandering : rho2),
      shelf_(shelf),
      made_(TableMemory::create(capacity_ * entry_bytes, budget)) {
  if (made_.ok()) section_ = &*made_;
}

SharedStacks::~SharedStacks() {
  static_cast<void>(shelf_.drain());
  for (unsigned s = 0; s < 2; ++s) {
    if (!stacks_[s].file) continue;
    stacks_[s].file.reset();
    static_cast<void>(storage_.remove(file_name(s)));
  }
}

Status SharedStacks::open() {
  if (section_ != nullptr) return {};
  return Status::limit("--memory is too small for the stacks of the search; raise it");
}

Result<uint8_t*> SharedStacks::push(unsigned stack) {
  if (stacks_[0].here + stacks_[1].here == capacity_) {
    if (Status status = move_all_out(); !status.ok()) return status;
  }
  return at(stack, stacks_[stack].here++);
}

Status SharedStacks::pop(unsigned stack) {
  Stack& own = stacks_[stack];
  STRATA_CHECK(own.here > 0);
  --own.here;
  return own.here > 0 || own.blocks == 0 ? Status() : move_in(stack);
}

void SharedStacks::note(Direction direction) {
  ++(direction == Direction::out ? figures_.out : figures_.in);
  if (automatic_ && last_ != Direction::none)
    rho2_ = direction == last_ ? (rho2_ + kStraight) / 2 : kWandering;
  last_ = direction;
}

// Dmem-DB
Status SharedStacks::move_all_out() {
  note(Direction::out);
  uint64_t moved = 0;
  for (unsigned s = 0; s < 2; ++s) {
    const auto share = static_cast<uint64_t>(static_cast<double>(stacks_[s].here) * rho2_);
    const uint64_t blocks = share / per_block_;
    moved += blocks;
    if (Status status = move_out(s, blocks); !status.ok()) return status;
  }
  if (moved > 0) return {};
  // Less than a block: one of the larger stack, which has more than that.
  return move_out(stacks_[0].here >= stacks_[1].here ? 0 : 1, 1);
}

// The lowest blocks of a stack go to disk, and the rest moves down.
Status SharedStacks::move_out(unsigned stack, uint64_t blocks) {
  if (blocks == 0) return {};
  Stack& own = stacks_[stack];
  if (!own.file) {
    Result<std::unique_ptr<File>> file = storage_.create(file_name(stack), shelf_.block_bytes());
    if (!file.ok()) return file.status();
    own.file = std::move(*file);
  }
  for (uint64_t b = 0; b < blocks; ++b) {
    const uint64_t buffer = own.blocks % shelf_.count();
    if (Status status = shelf_.settle(buffer); !status.ok()) return status;
    for (uint64_t i = 0; i < per_block_; ++i)
      std::memcpy(shelf_.payload(buffer) + i * entry_bytes_, at(stack, b * per_block_ + i), entry_bytes_);
    shelf_.write(buffer, *own.file, own.blocks++, per_block_ * entry_bytes_, stamp(stack));
  }
  const uint64_t moved = blocks * per_block_;
  own.here -= moved;
  figures_.moved_out += moved;
  uint8_t* section = section_->data();
  const uint64_t from = stack == 0 ? moved : capacity_ - moved - own.here;
  const uint64_t to = stack == 0 ? 0 : capacity_ - own.here;
  std::memmove(section + to * entry_bytes_, section + from * entry_bytes_, own.here * entry_bytes_);
  return {};
}

// DDB-mem
Status SharedStacks::move_in(unsigned stack) {
  note(Direction::in);
  Stack &own = stacks_[stack], &other = stacks_[1 - stack];
  if (capacity_ - other.here < per_block_) {
    if (Status status = move_out(1 - stack, 1); !status.ok()) return status;
  }
  const auto room = static_cast<uint64_t>(static_cast<double>(capacity_ - other.here) * rho2_);
  const uint64_t blocks = std::clamp<uint64_t>(room / per_block_, 1, own.blocks);
  const uint64_t first = own.blocks - blocks;
  const Status status = read_blocks(stack, first, blocks, [&](uint64_t block, const uint8_t* entries) {
    for (uint64_t i = 0; i < per_block_; ++i)
      std::memcpy(at(stack, (block - first) * per_block_ + i), entries + i * entry_bytes_, entry_bytes_);
  });
  if (!status.ok()) return status;
  own.here = blocks * per_block_;
  own.blocks = first;
  figures_.moved_in += own.here;
  return own.file->discard(first, blocks);
}

// Blocks of a stack's file, in order.
Status SharedStacks::read_blocks(unsigned stack, uint64_t first, uint64_t count,
                                 const std::function<void(uint64_t block, const uint8_t*)>& take) {
  if (Status status = shelf_.drain(); !status.ok()) return status;
  File& file = *stacks_[stack].file;
  for (uint64_t begin = first; begin < first + count; begin += shelf_.count()) {
    const uint64_t n = std::min(shelf_.count(), first + count - begin);
    {
      const SubmitBatch held(file.carrier());
      for (uint64_t i = 0; i < n; ++i)
        if (Status status = shelf_.read(i, file, begin + i); !status.ok()) return status;
    }
    for (uint64_t i = 0; i < n; ++i) {
      const Result<uint64_t> used = shelf_.arrived(i, file, begin + i, stamp(stack));
      if (!used.ok()) return used.status();
      take(begin + i, shelf_.payload(i));
    }
  }
  return {};
}

void SharedStacks::serialize(Image& image, const std::function<void(unsigned, uint8_t*)>& adapt) {
  for (unsigned s = 0; s < 2 && image.ok(); ++s) {
    if (image.restores()) {
      restore_records(image, "entries", entry_bytes_, [&](const uint8_t* entries, uint64_t n) {
        for (uint64_t i = 0; i < n; ++i) {
          const Result<uint8_t*> room = push(s);
          image.fail(room.status());
          if (!image.ok()) return false;
          std::memcpy(*room, entries + i * entry_bytes_, entry_bytes_);
          adapt(s, *room);
        }
        return true;
      });
      continue;
    }
    uint64_t count = size(s);
    std::vector<uint8_t> copy(entry_bytes_);
    image.value("entries", count);
    image.fail(for_each(s, [&](const uint8_t* entry) {
      std::memcpy(copy.data(), entry, entry_bytes_);
      image.bytes(copy.data(), entry_bytes_);
    }));
  }
}

Status SharedStacks::for_each(unsigned stack, const std::function<void(const uint8_t*)>& visit) {
  const Stack& own = stacks_[stack];
  if (own.blocks > 0) {
    const Status status = read_blocks(stack, 0, own.blocks, [&](uint64_t, const uint8_t* entries) {
      for (uint64_t i = 0; i < per_block_; ++i) visit(entries + i * entry_bytes_);
    });
    if (!status.ok()) return status;
  }
  for (uint64_t i = 0; i < own.here; ++i) visit(at(stack, i));
  return {};
}

std::string SharedStacks::check_invariants() const {
  InvariantCheck check("SharedStacks");
  for (unsigned s = 0; s < 2; ++s) {
    const Stack& own = stacks_[s];
    check.holds(1, own.here > 0 || own.blocks == 0, "the top of a stack is in the section", s);
    check.holds(2, own.blocks == 0 || own.file != nullptr, "a stack's blocks on disk are in its file", s);
  }
  check.holds(3, stacks_[0].here + stacks_[1].here <= capacity_, "both stacks fit into the section");
  return check.broken();
}

}  // namespace strata
