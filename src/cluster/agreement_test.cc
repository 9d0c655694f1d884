#include "cluster/agreement.h"

#include <gtest/gtest.h>

#include "cluster/testing/in_process.h"

namespace strata::cluster {
namespace {

TEST(AgreementTest, TheSameEverywhere) {
  InProcessNetwork network(4);
  run_ranks(network, [](Transport& transport) {
    EXPECT_TRUE(agree(transport, {{"the build", "0.1.0 (abc)"}, {"the model", hash_value(7, 9)}}).ok());
    EXPECT_TRUE(agree(transport, {}).ok());
    EXPECT_TRUE(transport.finish().ok());
  });
}

TEST(AgreementTest, ADifferenceIsNamedOnAllRanks) {
  InProcessNetwork network(5);
  run_ranks(network, [](Transport& transport) {
    const uint64_t model = transport.rank() >= 3 ? 8 : 7;
    const Status status = agree(transport, {{"the build", "0.1.0 (abc)"}, {"the model", hash_value(model)}});
    EXPECT_EQ(status.code(), StatusCode::usage);
    EXPECT_EQ(status.message(), transport.rank_text(0) + " and " + transport.rank_text(3) +
                                    " differ in the model: 0000000000000007 and 0000000000000008; start all "
                                    "of them with the same program, files and options");
    // The transport still stands.
    EXPECT_TRUE(transport.finish().ok());
  });
}

TEST(AgreementTest, LongValuesAreNotShown) {
  InProcessNetwork network(2);
  run_ranks(network, [](Transport& transport) {
    const std::string value(transport.rank() == 0 ? 500u : 501u, 'x');
    const Status status = agree(transport, {{"the options", value}});
    EXPECT_EQ(status.message(),
              transport.rank_text(0) + " and " + transport.rank_text(1) +
                  " differ in the options; start all of them with the same program, files and options");
    EXPECT_TRUE(transport.finish().ok());
  });
}

TEST(AgreementTest, TheProgramHasAHash) {
  const Result<std::string> one = program_hash(), again = program_hash();
  ASSERT_TRUE(one.ok() && again.ok());
  EXPECT_EQ(one->size(), 16u);
  EXPECT_EQ(*one, *again);
}

TEST(AgreementTest, Hashes) {
  EXPECT_EQ(hash_value(1), "0000000000000001");
  EXPECT_EQ(hash_value(1, 2), "00000000000000010000000000000002");
}

}  // namespace
}  // namespace strata::cluster
