#include "tool/murphi/murphi_options.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

using Words = std::vector<std::string>;

Words as_strata(const Words& arguments) {
  const Result<MurphiOptions> options = parse_murphi(arguments);
  EXPECT_TRUE(options.ok()) << options.status().message();
  return options.ok() ? options->strata : Words();
}

std::string refused(const Words& arguments) {
  const std::string message = parse_murphi(arguments).status().message();
  return message.substr(0, message.find('\n'));
}

TEST(MurphiOptions, BecomeThoseOfStrata) {
  EXPECT_EQ(as_strata({"-m", "1024", "-ndl", "-tv", "m.m"}),
            (Words{"--memory", "1024M", "--deadlock", "off", "--trace", "diff"}));
  EXPECT_EQ(as_strata({"-m1024", "-k64000"}), (Words{"--memory", "1024M", "--memory", "64000K"}));
  EXPECT_EQ(as_strata({"-tf", "-tv", "-nosym"}), (Words{"--trace", "full", "--symmetry", "off"}));
  EXPECT_EQ(as_strata({"-sym", "4"}), (Words{"--symmetry", "exact"}));
  EXPECT_EQ(as_strata({"-sym", "m.m"}), (Words{"--symmetry", "exact"}));
  EXPECT_EQ(as_strata({"-b", "m.m"}), Words());
  // The number of bits counts, whatever the order.
  EXPECT_EQ(as_strata({"-b32", "-c"}), (Words{"--store", "signatures:40", "--store", "signatures:32"}));
  EXPECT_EQ(as_strata({"-d", "/tmp", "-errorsmax5"}), (Words{"--disk", "/tmp", "--max-errors", "5"}));
}

TEST(MurphiOptions, ThoseOfStrataStayAsTheyAre) {
  const MurphiOptions options =
      parse_murphi({"--threads", "2", "a.m", "--json=x", "-D", "N=3", "-DM=1", "--plan", "b.m", "-"}).value();
  EXPECT_EQ(options.strata, (Words{"--threads", "2", "--json=x", "-D", "N=3", "-DM=1", "--plan"}));
  EXPECT_EQ(options.models, (Words{"a.m", "b.m", "-"}));
}

TEST(MurphiOptions, SayWhatIsIgnored) {
  EXPECT_EQ(parse_murphi({"-vdfs", "-loop", "10", "-p", "-m1", "-ta"})->notes.size(), 5u);
  EXPECT_TRUE(parse_murphi({"-vbfs", "-v", "-pr", "-p3", "-b", "-tv"})->notes.empty());
  EXPECT_EQ(as_strata({"-m1"}), (Words{"--memory", "16M"}));
}

TEST(MurphiOptions, Progress) {
  EXPECT_EQ(parse_murphi({})->progress_every, 1000u);
  EXPECT_EQ(parse_murphi({"-p5"})->progress_every, 100000u);
  EXPECT_EQ(parse_murphi({"-p1"})->progress_every, 10u);
  EXPECT_EQ(parse_murphi({"-pn"})->progress_every, 0u);
  EXPECT_TRUE(parse_murphi({"-pr"})->rules);
}

TEST(MurphiOptions, Mistakes) {
  EXPECT_EQ(refused({"-q"}), "unknown option '-q' of CMurphi");
  EXPECT_EQ(refused({"-m", "m.m"}), "-m needs a number");
  EXPECT_EQ(refused({"-loop"}), "-loop needs a number");
  EXPECT_EQ(refused({"--emit"}), "--emit needs a value");
  EXPECT_EQ(refused({"--emit="}), "--emit: the name of the folder is empty");
  EXPECT_EQ(refused({"-sym5"}), "-sym5: there are the symmetry algorithms 1 to 4");
  EXPECT_EQ(refused({"-m99999999999999999999"}), "-m: 99999999999999999999 is too much");
}

TEST(MurphiOptions, HelpStaysWithinTheTerminal) {
  const std::string help = murphi_help();
  for (size_t begin = 0; begin < help.size();) {
    const size_t end = help.find('\n', begin);
    EXPECT_LE(end - begin, 100u) << help.substr(begin, end - begin);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace strata
