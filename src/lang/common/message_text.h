// How messages show parts of the model's text.
#pragma once

#include <string>
#include <string_view>

namespace strata::lang {

// The first `longest` bytes at most, cut between characters; "..." marks the cut.
std::string cut(std::string_view text, size_t longest);

// "; did you mean 'Foo'?", or nothing if `similar` is empty.
std::string did_you_mean(std::string_view similar);

}  // namespace strata::lang
