// Texts of the model in messages about it.
#pragma once

#include <string>
#include <string_view>

namespace strata::lang {

// At most this many bytes of a text, up to the end of a character; "..." stands for the rest.
std::string cut(std::string_view text, size_t longest);

// "; did you mean 'Foo'?", or nothing where there is nothing similar.
std::string did_you_mean(std::string_view similar);

}  // namespace strata::lang
