#include "check/run_search.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>

#include "report/testing/fake_model.h"

namespace strata {
namespace {

std::string refused(const Options& options) {
  const auto algorithm = choose_algorithm(options);
  if (algorithm.ok()) return "accepted";
  EXPECT_EQ(algorithm.status().code(), StatusCode::usage);
  return algorithm.status().message();
}

TEST(ChooseAlgorithm, KnownNamesAndParameters) {
  Options options;
  EXPECT_STREQ((*choose_algorithm(options))->name, "auto");
  options.parameters = {{"nonsense", "1"}};
  EXPECT_EQ(refused(options),
            "--set nonsense=1: the algorithm auto has no such parameter\nTry 'strata algorithms'.");
  options.algorithm = "nonsense";
  EXPECT_TRUE(
      refused(options).starts_with("--algorithm: there is no algorithm 'nonsense'; this version has auto, "));
}

TEST(ChooseAlgorithm, RamKeepsStatesExactly) {
  Options options;
  options.algorithm = "ram";
  EXPECT_EQ(refused(options), "accepted");
  options.store.signature_bits = 40;
  EXPECT_EQ(refused(options),
            "--store signatures: the algorithm ram keeps states exactly; choose another one, for example "
            "--algorithm part");
  options.algorithm = "auto";
  EXPECT_EQ(refused(options), "accepted");
}

TEST(SearchOptions, FollowTheCommandLine) {
  Options options;
  options.memory = uint64_t{64} << 20;
  options.store.signature_bits = 40;
  options.disks = {"/a", "/b"};
  options.disk_limit = uint64_t{1} << 30;
  options.parameters = {{"gamma", "0.2"}};
  const SearchOptions search = *search_options(options);
  EXPECT_EQ(search.memory, uint64_t{64} << 20);
  EXPECT_EQ(search.store.signature_bits, 40u);
  EXPECT_EQ(search.disk.disks, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(search.disk.limit, uint64_t{1} << 30);
  EXPECT_EQ(search.disk.keep_folder, "");
  EXPECT_EQ(search.parameters.at("gamma"), "0.2");
  EXPECT_TRUE(search.trace);
}

TEST(SearchOptions, TheDiskNobodyNamed) {
  const char* before = std::getenv("TMPDIR");
  const std::string restored = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/some/where", 1);
  EXPECT_EQ(search_options({})->disk.disks, std::vector<std::string>{"/some/where"});
  EXPECT_EQ(search_options({})->disk.limit, UINT64_MAX);
  ::setenv("TMPDIR", "", 1);
  EXPECT_EQ(search_options({})->disk.disks, std::vector<std::string>{"/var/tmp"});
  ::unsetenv("TMPDIR");
  EXPECT_EQ(search_options({})->disk.disks, std::vector<std::string>{"/var/tmp"});
  if (before != nullptr) ::setenv("TMPDIR", restored.c_str(), 1);
  Options options;
  options.keep = "/kept";
  EXPECT_EQ(search_options(options)->disk.keep_folder, "/kept");
}

TEST(SearchOptions, AFileForTheTraceWantsAPath) {
  Options options;
  options.trace = TraceMode::off;
  EXPECT_FALSE(search_options(options)->trace);
  options.trace_file = "t.itf.json";
  EXPECT_TRUE(search_options(options)->trace);
}

TEST(CheckDisk, TriesTheFoldersAtTheStart) {
  const Algorithm on_disk{"mono", "", "", trait::on_disk, {}, nullptr, {}};
  const Algorithm in_ram{"ram", "", "", 0, {}, nullptr, {}};
  Options options;
  options.disks = {"/proc"};  // not even the superuser can make a folder here
  SearchOptions search;
  search.disk.disks = options.disks;
  const Status status = check_disk(options, on_disk, search, {});
  EXPECT_EQ(status.code(), StatusCode::usage);
  EXPECT_TRUE(status.message().starts_with("--disk /proc: no file can be created there: "))
      << status.message();
  EXPECT_TRUE(check_disk(options, in_ram, search, {}).ok());
  options.disks.clear();
  EXPECT_TRUE(check_disk(options, on_disk, search, {}).ok());  // with a warning
  search.disk.disks = {"/tmp"};
  options.disks = search.disk.disks;
  EXPECT_TRUE(check_disk(options, on_disk, search, {}).ok());
}

// Runs a search that does nothing but answer.
Result<SearchResult> run(Result<SearchResult> (*search)(const SearchContext&), StoreMode store = {}) {
  const Algorithm algorithm{"cbf", "", "", trait::signatures, {}, search, {}};
  const FakeModel model;
  SearchOptions options;
  options.memory = 1000;
  options.store = store;
  ProgressBoard board;
  const std::atomic<bool> stop{false};
  return run_search(algorithm, {model, options, board, stop}, ProgressSettings());
}

TEST(RunSearch, WhatASearchRefusesIsBadUsage) {
  const Status status = run([](const SearchContext&) -> Result<SearchResult> {
                          return Status::usage("the parameter gamma is a number from 0 to 1, not '2'");
                        }).status();
  EXPECT_EQ(status.code(), StatusCode::usage);
  EXPECT_EQ(
      status.message(),
      "--algorithm cbf: the parameter gamma is a number from 0 to 1, not '2'\nTry 'strata algorithms'.");
  // One that names its option says enough.
  EXPECT_EQ(run([](const SearchContext&) -> Result<SearchResult> {
              return Status::usage("--set gamma=2: not a number from 0 to 1");
            })
                .status()
                .message(),
            "--set gamma=2: not a number from 0 to 1");
}

TEST(RunSearch, ALimitAtTheStartIsAResult) {
  const auto memory =
      run([](const SearchContext&) -> Result<SearchResult> { return Status::limit("16 MiB are too few"); });
  EXPECT_EQ(memory->verdict, Verdict::incomplete);
  EXPECT_EQ(memory->stop, StopReason::memory);
  EXPECT_EQ(memory->reason, Reason::memory);
  EXPECT_EQ(memory->stop_message, "16 MiB are too few");
  const auto disk = run([](const SearchContext&) -> Result<SearchResult> {
    return Status::disk_full("the disk is full: /a: creating: No space left on device");
  });
  EXPECT_EQ(disk->stop, StopReason::disk);
  EXPECT_EQ(disk->reason, Reason::disk_full);
  EXPECT_EQ(exit_code(*disk), 152);
}

TEST(RunSearch, OtherFailuresStayWhatTheyAre) {
  const Status status =
      run([](const SearchContext&) -> Result<SearchResult> { return Status::system("no"); }).status();
  EXPECT_EQ(status.code(), StatusCode::system);
  EXPECT_EQ(status.message(), "no");
}

}  // namespace
}  // namespace strata
