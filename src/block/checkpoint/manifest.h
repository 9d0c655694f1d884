// The file `checkpoint` of a run that can be resumed, and `remains`, which has the same format (doc/formats.md): which
// checkpoint is valid, and where the files are.
//
//   strata checkpoint 2
//   id: 16 hexadecimal digits
//   run: 16 hexadecimal digits
//   number: N
//   previous: N
//   next: N
//   folder: PATH            for each further folder; `quoted folder: PATH` where the path has a line break
//   era: N N ...            for each era
//   sum: 16 hexadecimal digits
//
// Each manifest has exactly one text. A text is read only if its sum is right and it is the text of the manifest that
// was read from it: so nothing is skipped, guessed or read in two ways.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace strata {

struct CheckpointManifest {
  std::string id;        // of the run: 16 hexadecimal digits
  std::string run_hash;  // hash_text() of the file `run`
  // The valid checkpoint, the one before it (0: none), and the number of the next one: previous < number < next, except
  // that number and previous may both be 0.
  uint64_t number = 0, previous = 0, next = 1;
  std::vector<std::string> folders;         // further folders, from number 1 on; number 0 is DIR/files
  std::vector<std::vector<uint64_t>> eras;  // their numbers, at least one each

  std::string text() const;
};

// The manifest with this text, or why there is none. `path` is for messages.
Result<CheckpointManifest> parse_manifest(const std::string& text, const std::string& path);
Result<CheckpointManifest> read_manifest(const std::string& path);

}  // namespace strata
