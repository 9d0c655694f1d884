#include "tool/about/cache_command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/units.h"
#include "native/compile/cache_folder.h"
#include "tool/output/output_file.h"
#include "tool/system/console.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

std::string cache_text(const std::string& folder, const native::CacheContent& before,
                       const native::CacheContent& now) {
  std::string out =
      fmt::format("{}\n{} compiled model{}, {} of at most {}\n", folder, now.models,
                  now.models == 1 ? "" : "s", bytes_text(now.bytes), bytes_text(native::kCacheLimit));
  if (now.bytes < before.bytes)
    out += fmt::format("{} model{} removed, {}\n", before.models - now.models,
                       before.models - now.models == 1 ? "" : "s", bytes_text(before.bytes - now.bytes));
  return out;
}

std::string cache_json(const std::string& folder, const native::CacheContent& before,
                       const native::CacheContent& now) {
  const Json object = {{"strata", STRATA_VERSION},     {"folder", folder},
                       {"models", now.models},         {"bytes", now.bytes},
                       {"limit", native::kCacheLimit}, {"removed", before.models - now.models}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int cache_command(const Options& options) {
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());
  const Result<native::CacheFolder> folder = native::open_cache();
  if (!folder.ok()) return fail(folder.status());
  print_note(folder->note);
  const native::CacheContent before = native::cache_content(folder->path);
  if (options.clear) {
    if (Status status = native::clear_cache(folder->path); !status.ok()) return fail(status);
  }
  const native::CacheContent now = native::cache_content(folder->path);
  const Console console(options);
  console.print(cache_text(folder->path, before, now));
  Status status = console.flush();
  if (status.ok() && outputs->json.is_open())
    status = outputs->write_json(cache_json(folder->path, before, now));
  return status.ok() ? 0 : fail(status);
}

}  // namespace strata
