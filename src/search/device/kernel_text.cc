#include "search/device/kernel_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "device/kernels/arguments.h"
#include "device/kernels/texts.h"
#include "search/device/fold_text.h"

namespace strata {

namespace {

// A block has so much memory for its warps on every device. Blocks of kMostWarps take less, so that several of them
// leave room for the cache, which is in the same memory.
constexpr uint64_t kBlockBytes = 48 << 10, kMostBytes = 36 << 10, kMostWarps = 8;

// Whether 16 bytes can be compared and swapped at once: on the host, and on GPUs from sm_90 on.
bool swaps_pairs(const std::string& architecture) {
  constexpr std::string_view kPrefix = "sm_";
  if (!architecture.starts_with(kPrefix)) return true;
  unsigned number = 0;
  std::from_chars(architecture.data() + kPrefix.size(), architecture.data() + architecture.size(), number);
  return number >= 90;
}

const char* template_of(SlotForm form) {
  switch (form) {
    case SlotForm::states: return "StateSlots";
    case SlotForm::places: return "PlaceSlots";
    case SlotForm::folded: break;
  }
  return "FoldedSlots";
}

// What comes between the text of a model and that of a level: the form of the visited states.
std::string slots_text(const KernelShape& shape) {
  if (!shape.beyond) return fmt::format("\nusing Slots = {}<kStateWords>;\n", template_of(shape.slots));
  const bool places = shape.slots == SlotForm::places;
  return fmt::format("\nusing Keys = {}<kListWords>;\nconstexpr bool kKeysInList = {};\n",
                     places ? "PlaceSlots" : "StateSlots", places) +
         embedded::kBeyondText + "\nusing Slots = BeyondSlots;\n";
}

}  // namespace

KernelShape kernel_shape(const DeviceCode& code, uint64_t state_bits, const device::DeviceInfo& device) {
  KernelShape shape;
  shape.words = code.state_words;
  // The highest bit of the last word says that a slot is used.
  const bool has_mark = state_bits < 64 * shape.words;
  if (has_mark && (shape.words == 1 || (shape.words == 2 && swaps_pairs(device.architecture))))
    shape.slots = SlotForm::states;
  if (code.tree.folds()) shape.slots = SlotForm::folded;
  const uint64_t later = code.reduces ? 2 * (2 * uint64_t{device.lanes} - 1) : 0;
  shape.two_passes = code.two_passes;
  shape.reduces = code.reduces;
  shape.groups = code.groups;
  shape.repeated = code.repeated;
  // In two passes, only states wait whose representatives need a second or third stage.
  const uint64_t quick = code.two_passes ? 0 : device.lanes - 1 + uint64_t{device.lanes} * code.most_of_group;
  const uint64_t most = quick + later;
  shape.queue_bytes = most * shape.words * sizeof(uint64_t);
  shape.rules_at_hand = std::clamp<uint64_t>(code.rules, 1, device::kernels::kMostRulesAtHand);
  const uint64_t each = shape.queue_bytes + device::kernels::count_bytes(shape.rules_at_hand);
  shape.queues_in_memory = each > kBlockBytes || (code.two_passes && code.reduces);
  if (shape.queues_in_memory || kMostWarps * each <= kMostBytes)
    shape.warps_of_block = kMostWarps;
  else
    shape.warps_of_block = std::min(kMostWarps / 2, kBlockBytes / each);
  return shape;
}

device::KernelText kernel_text(const DeviceCode& code, const KernelShape& shape) {
  using namespace embedded;
  device::KernelText result;
  const std::string constants = fmt::format(
      "constexpr u32 kStateWords = {}, kGroups = {}, kMostOfGroup = {}, kRules = {}, kNotes = {};\n"
      "constexpr u32 kWarpsOfBlock = {}, kRulesAtHand = {}, kRepeated = {};\n"
      "constexpr bool kQueuesInMemory = {}, kReduces = {}, kTwoPasses = {}, kFolds = {};\n"
      "constexpr u32 kListWords = {};\n",
      code.state_words, code.groups, code.most_of_group, code.rules, code.notes, shape.warps_of_block,
      shape.rules_at_hand, code.repeated, shape.queues_in_memory, code.reduces, code.two_passes,
      shape.folds(), shape.list_words());
  const std::string slots = slots_text(shape);
  const std::string folding = shape.folds() ? kFoldedText + fold_text(code.tree, code.state_words) : "";
  for (const std::string& part : {std::string(kLaneText), std::string(kVisitedText), constants, folding,
                                  std::string(kFiringText), code.text, slots, std::string(kLevelText),
                                  std::string(code.two_passes ? kTwoPassesText : kExpandText),
                                  std::string(kSearchText), std::string(shape.beyond ? kResolveText : "")})
    result.text += part;
  return result;
}

const char* form_name(SlotForm form) {
  switch (form) {
    case SlotForm::states: return "states";
    case SlotForm::places: return "places";
    case SlotForm::folded: break;
  }
  return "folded";
}

}  // namespace strata
