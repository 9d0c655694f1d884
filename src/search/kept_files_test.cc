// The files of searches on disk: what --keep leaves.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "model/testing/random_graph.h"
#include "search/testing/variants.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

uint64_t number_at(const std::string& bytes, uint64_t place, uint64_t width) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + place, width);
  return value;
}

// The records of a file, from its blocks, as doc/formats.md has them.
uint64_t records_in(const std::string& file, uint64_t block_bytes, uint64_t record_bytes) {
  uint64_t records = 0;
  EXPECT_EQ(0u, file.size() % block_bytes);
  for (uint64_t block = 0; block < file.size() / block_bytes; ++block) {
    const uint64_t place = block * block_bytes;
    EXPECT_EQ("SBLK", file.substr(place, 4));
    EXPECT_EQ(block, number_at(file, place + 8, 8));
    const uint64_t used = number_at(file, place + 4, 4);
    EXPECT_EQ(0u, used % record_bytes);
    records += used / record_bytes;
  }
  return records;
}

// The manifest's lines, and its logs by name.
struct Manifest {
  struct Log {
    uint64_t block_bytes = 0, record_bytes = 0, records = 0;
  };
  explicit Manifest(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const uint64_t colon = line.find(": ");
      EXPECT_NE(std::string::npos, colon) << line;
      std::istringstream value(line.substr(colon + 2));
      if (line.starts_with("log: ")) {
        std::string name;
        value >> name;
        value >> logs[name].block_bytes >> logs[name].record_bytes >> logs[name].records;
      } else {
        values[line.substr(0, colon)] = value.str();
      }
    }
  }
  std::map<std::string, std::string> values;
  std::map<std::string, Log> logs;
};

class KeptFilesTest : public testing::TestWithParam<Variant> {
 protected:
  KeptFilesTest() {
    std::string pattern = (fs::temp_directory_path() / "strata-kept-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~KeptFilesTest() override { fs::remove_all(folder_); }

  Result<SearchResult> search(const Model& model, const SearchOptions& options) {
    return GetParam().algorithm->run({model, options, progress_, stop_});
  }

  // `auto` makes no files before it goes to disk.
  bool stayed_in_ram(const SearchResult& result) const {
    const auto share = GetParam().parameters.find("ram");
    return result.disk_access.empty() && (share == GetParam().parameters.end() || share->second != "0");
  }

  std::string folder_;
  ProgressBoard progress_;
  const std::atomic<bool> stop_{false};
};

INSTANTIATE_TEST_SUITE_P(All, KeptFilesTest, testing::ValuesIn(disk_variants()),
                         [](const auto& test) { return test_name(test.param); });

TEST_P(KeptFilesTest, AreComplete) {
  for (const uint64_t seed : {3u, 4u}) {
    const ExplicitGraphModel model(large_random_graph(seed));
    SearchOptions options;
    options.memory = 2 * (256 << 10);
    options.threads = 1 + static_cast<unsigned>(seed % 2);
    options.deadlock = DeadlockMode::off;
    options.parameters = GetParam().parameters;
    if (seed == 4) options.store.signature_bits = 40;
    options.disk.keep_folder = folder_ + "/" + std::to_string(seed);
    const auto result = search(model, options);
    ASSERT_TRUE(result.ok()) << result.status().message();
    ASSERT_NE(StopReason::disk, result->stop) << result->stop_message;
    if (stayed_in_ram(*result)) continue;
    Manifest manifest(content(options.disk.keep_folder + "/manifest"));
    EXPECT_EQ("1", manifest.values["format"]);
    EXPECT_EQ(model.info().path, manifest.values["model"]);
    EXPECT_EQ(seed == 4 ? "signatures:40" : "states", manifest.values["store"]);
    EXPECT_EQ(std::to_string(model.info().state_bytes), manifest.values["state_bytes"]);
    EXPECT_EQ(std::to_string(seed == 4 ? 5 : model.info().state_bytes), manifest.values["key_bytes"]);
    EXPECT_EQ("1", manifest.values["folders"]);
    EXPECT_FALSE(manifest.logs.empty());
    std::set<std::string> listed = {"manifest", "administrative"};
    for (const auto& [name, log] : manifest.logs) {
      SCOPED_TRACE(name);
      const std::string file = content(options.disk.keep_folder + "/" + name);
      EXPECT_GT(log.records, 0u);
      EXPECT_LE(log.records, records_in(file, log.block_bytes, log.record_bytes));
      listed.insert(name);
    }
    for (const auto& entry : fs::directory_iterator(options.disk.keep_folder))
      EXPECT_TRUE(listed.contains(entry.path().filename().string())) << entry.path();
  }
}

// A search that ended early leaves what it has.
TEST_P(KeptFilesTest, AfterADiskLimit) {
  const ExplicitGraphModel model(large_random_graph(3));
  SearchOptions options;
  options.memory = 2 * (256 << 10);
  options.deadlock = DeadlockMode::off;
  options.parameters = GetParam().parameters;
  options.disk.keep_folder = folder_ + "/kept";
  options.disk.limit = 16 << 10;
  const auto result = search(model, options);
  ASSERT_TRUE(result.ok()) << result.status().message();
  if (result->stop == StopReason::disk) {
    EXPECT_EQ(Reason::disk_limit, result->reason) << result->stop_message;
  }
  if (stayed_in_ram(*result)) return;
  const Manifest manifest(content(options.disk.keep_folder + "/manifest"));
  EXPECT_EQ("1", manifest.values.at("format"));
}

}  // namespace
}  // namespace strata
