// The scripts and the style of a page, and the Content-Security-Policy that allows only these.
#pragma once

#include <string>
#include <vector>

namespace strata {

struct PagePart {
  const char* text;
  const char* sha256;  // in hexadecimal
};

// In the order in which they run.
const std::vector<PagePart>& page_scripts();
const PagePart& page_style();

// The value of Content-Security-Policy: nothing is loaded from elsewhere, and only these scripts run.
std::string content_policy();

// Converts bytes from hexadecimal to base 64.
std::string base64_of_hex(const std::string& hex);

}  // namespace strata
