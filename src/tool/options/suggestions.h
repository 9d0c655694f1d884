// Guesses what a user meant by an unknown word.
#pragma once

#include <string>
#include <vector>

namespace strata {

// The candidate closest to a mistyped word, or empty when none is close.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

// "; did you mean `strata murphi -tv MODEL`?" for an option of CMurphi's verifiers or compiler, empty for any other.
std::string cmurphi_hint(const std::string& argument);

}  // namespace strata
