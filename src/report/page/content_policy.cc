#include "report/page/content_policy.h"

#include <cstdint>

namespace strata {

namespace embedded {
extern const char *const kPageStyle, *const kPageStyleSha256;
extern const char *const kPagePlotLibrary, *const kPagePlotLibrarySha256;
extern const char *const kPageBase, *const kPageBaseSha256;
extern const char *const kPageStates, *const kPageStatesSha256;
extern const char *const kPageLists, *const kPageListsSha256;
extern const char *const kPageExpression, *const kPageExpressionSha256;
extern const char *const kPageTree, *const kPageTreeSha256;
extern const char *const kPageTrace, *const kPageTraceSha256;
extern const char *const kPageCarriers, *const kPageCarriersSha256;
extern const char *const kPageActors, *const kPageActorsSha256;
extern const char *const kPageMessages, *const kPageMessagesSha256;
extern const char *const kPageSequence, *const kPageSequenceSha256;
extern const char *const kPagePlots, *const kPagePlotsSha256;
extern const char *const kPageSource, *const kPageSourceSha256;
extern const char *const kPageMain, *const kPageMainSha256;
}  // namespace embedded

const std::vector<PagePart>& page_scripts() {
  using namespace embedded;
  static const std::vector<PagePart> scripts = {{kPagePlotLibrary, kPagePlotLibrarySha256},
                                                {kPageBase, kPageBaseSha256},
                                                {kPageStates, kPageStatesSha256},
                                                {kPageLists, kPageListsSha256},
                                                {kPageExpression, kPageExpressionSha256},
                                                {kPageCarriers, kPageCarriersSha256},
                                                {kPageActors, kPageActorsSha256},
                                                {kPageMessages, kPageMessagesSha256},
                                                {kPageSequence, kPageSequenceSha256},
                                                {kPageTree, kPageTreeSha256},
                                                {kPageTrace, kPageTraceSha256},
                                                {kPagePlots, kPagePlotsSha256},
                                                {kPageSource, kPageSourceSha256},
                                                {kPageMain, kPageMainSha256}};
  return scripts;
}

const PagePart& page_style() {
  static const PagePart style = {embedded::kPageStyle, embedded::kPageStyleSha256};
  return style;
}

std::string content_policy() {
  const auto source = [](const PagePart& part) { return " 'sha256-" + base64_of_hex(part.sha256) + "'"; };
  std::string out = "default-src 'none'; script-src";
  for (const PagePart& script : page_scripts()) out += source(script);
  return out + "; style-src" + source(page_style()) +
         "; img-src data: blob:; base-uri 'none'; form-action 'none'";
}

std::string base64_of_hex(const std::string& hex) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto nibble = [&](size_t i) -> uint32_t {
    if (i >= hex.size()) return 0;
    return static_cast<uint32_t>(hex[i] <= '9' ? hex[i] - '0' : hex[i] - 'a' + 10);
  };
  // Six hexadecimal digits are three bytes, which are four characters of base 64.
  std::string out;
  for (size_t i = 0; i < hex.size(); i += 6) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 6; ++k) bits = bits << 4 | nibble(i + k);
    const size_t used = (hex.size() - i + 1) * 2 / 3;
    for (size_t k = 0; k < 4; ++k) out += k < used ? kDigits[bits >> (18 - 6 * k) & 63u] : '=';
  }
  return out;
}

}  // namespace strata
