// The options of CMurphi's verifiers and of its compiler `mu`, as those of `strata check` and `strata simulate`.
//
//   -m 1024 -ndl -tv model.m     becomes     --memory 1024M --deadlock off --trace diff model.m
//
// A number may follow its option directly or as a separate word. Options that begin with two dashes are Strata's own,
// and are passed on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata {

struct MurphiOptions {
  bool help = false;
  bool licence = false;
  bool simulates = false;           // -s
  bool mu = false;                  // --mu: be the compiler
  std::string emit;                 // --emit DIR; empty: check
  std::string name;                 // --name: what a model from standard input is called
  bool hash_compaction = false;     // -c
  bool rules = false;               // -pr
  uint64_t progress_every = 1000;   // states; 0: no progress
  bool traces = false;              // -tv and its kin
  std::vector<std::string> strata;  // the options as Strata's, and the models
  std::vector<std::string> models;  // the models alone
  std::vector<std::string> notes;   // about options that are ignored or work differently
};

Result<MurphiOptions> parse_murphi(const std::vector<std::string>& arguments);

// An option as a user sees it; one that the row before describes has no help.
struct MurphiRow {
  const char* name;
  const char*
      argument;  // "N", "[N]" where the number may be left out, "DIR" or "NAME" for a word; empty: none
  const char* help;
};
std::vector<MurphiRow> murphi_rows();

// `strata murphi --help`.
std::string murphi_help();

}  // namespace strata
