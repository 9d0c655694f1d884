// The state machine of checkpoints, all of its transitions; and how a search answers requests in each state.
#include "engine/run/saving.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "block/testing/storages.h"
#include "engine/ranks/search_ranks.h"

namespace strata {
namespace {

using State = SavingState;
using Event = SavingEvent;

const std::vector<State> kStates = {State::direct, State::restoring, State::pausing,
                                    State::barred, State::writing,   State::finished};
const std::vector<Event> kEvents = {Event::resume, Event::ask,     Event::bar,   Event::allow,
                                    Event::write,  Event::written, Event::finish};

// The table of saving_state.h; what is missing is a mistake.
const std::map<std::pair<State, Event>, State> kTransitions = {
    {{State::direct, Event::resume}, State::restoring},
    {{State::direct, Event::ask}, State::pausing},
    {{State::direct, Event::bar}, State::barred},
    {{State::direct, Event::allow}, State::direct},
    {{State::direct, Event::write}, State::writing},
    {{State::restoring, Event::resume}, State::restoring},
    {{State::restoring, Event::ask}, State::pausing},
    {{State::restoring, Event::bar}, State::barred},
    {{State::restoring, Event::allow}, State::restoring},
    {{State::restoring, Event::write}, State::writing},
    {{State::pausing, Event::ask}, State::pausing},
    {{State::pausing, Event::bar}, State::barred},
    {{State::pausing, Event::allow}, State::pausing},
    {{State::pausing, Event::write}, State::writing},
    {{State::barred, Event::ask}, State::barred},
    {{State::barred, Event::bar}, State::barred},
    {{State::barred, Event::allow}, State::direct},
    {{State::barred, Event::write}, State::writing},
    {{State::writing, Event::ask}, State::writing},
    {{State::finished, Event::ask}, State::finished},
    {{State::finished, Event::bar}, State::finished},
    {{State::finished, Event::allow}, State::finished},
};

TEST(SavingStateTest, EveryTransition) {
  for (const State state : kStates) {
    for (const Event event : kEvents) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(state) << " " << static_cast<int>(event));
      for (const State before : {State::direct, State::restoring, State::pausing, State::barred}) {
        const std::optional<State> next = next_state(state, event, before);
        if (event == Event::finish) {
          EXPECT_EQ(next, State::finished);
        } else if (event == Event::written) {
          EXPECT_EQ(next, state == State::writing ? std::optional(before) : std::nullopt);
        } else if (const auto known = kTransitions.find({state, event}); known != kTransitions.end()) {
          EXPECT_EQ(next, known->second);
        } else {
          EXPECT_EQ(next, std::nullopt);
        }
      }
    }
  }
}

TEST(SavingStateTest, WritingEndsWhereItBegan) {
  for (const Event first : {Event::ask, Event::bar, Event::resume}) {
    SavingMachine machine;
    bool changed = false;
    ASSERT_TRUE(machine.move(first, changed));
    const State before = machine.state();
    ASSERT_TRUE(machine.move(Event::write, changed));
    EXPECT_EQ(machine.state(), State::writing);
    ASSERT_TRUE(machine.move(Event::written, changed));
    EXPECT_EQ(machine.state(), before);
  }
}

TEST(SavingStateTest, AMistakeChangesNothing) {
  SavingMachine machine;
  bool changed = false;
  EXPECT_FALSE(machine.move(Event::written, changed));
  EXPECT_FALSE(changed);
  EXPECT_EQ(machine.state(), State::direct);
}

Clock::time_point saving_now;
Clock::time_point read_saving_clock() { return saving_now; }

class SavingTest : public testing::Test {
 protected:
  SavingTest() : limits_(signal_, 10.0, ranks_, nullptr, read_saving_clock) {}

  void make(const std::string& folder, double every) {
    Checkpoints::Options options;
    options.folder = folder;
    options.every = every;
    Result<std::unique_ptr<Checkpoints>> made = Checkpoints::create(options, "{}");
    ASSERT_TRUE(made.ok()) << made.status().message();
    checkpoints_ = std::move(*made);
  }

  std::atomic<bool> signal_{false};
  Solo ranks_;
  ProgressBoard progress_;
  TemporaryFolder folder_;
  RunLimits limits_;
  std::unique_ptr<Checkpoints> checkpoints_;
};

TEST_F(SavingTest, WithoutCheckpointsRequestsEndASearchAtOnce) {
  Saving saving(nullptr, limits_, ranks_, progress_);
  signal_ = true;
  EXPECT_FALSE(saving.pause_wanted());
  EXPECT_FALSE(saving.end_wanted());
  EXPECT_EQ(saving.requests(), Requests::end_at_once);
  saving.set_savable(false);
  saving.set_savable(true);
  EXPECT_TRUE(limits_.trouble().ok());
}

TEST_F(SavingTest, ASearchThatHasAskedEndsByARest) {
  make(folder_.path() + "/run", 1000);
  Saving saving(checkpoints_.get(), limits_, ranks_, progress_);
  uint64_t number = 7;
  ASSERT_TRUE(saving.save_with([&](Image& image) { image.value("number", number); }).ok());
  EXPECT_EQ(saving.requests(), Requests::end_own_at_once);
  EXPECT_FALSE(saving.pause_wanted());
  EXPECT_EQ(saving.requests(), Requests::wait_for_rest);
  signal_ = true;
  EXPECT_TRUE(saving.end_wanted());
  EXPECT_TRUE(saving.pause_wanted());
  saving.checkpoint();
  EXPECT_EQ(limits_.stopped(), StopReason::interrupted);
  EXPECT_EQ(checkpoints_->made(), 1u);
  EXPECT_EQ(saving.state(), SavingState::pausing);
}

TEST_F(SavingTest, APhaseThatCannotBeSavedEndsAtOnceAndIsNotAsked) {
  make(folder_.path() + "/run", 0);
  Saving saving(checkpoints_.get(), limits_, ranks_, progress_);
  ASSERT_TRUE(saving.save_with([](Image&) {}).ok());
  EXPECT_TRUE(saving.pause_wanted());
  saving.set_savable(false);
  EXPECT_FALSE(saving.pause_wanted());
  EXPECT_EQ(saving.requests(), Requests::end_at_once);
  saving.checkpoint_phase();
  EXPECT_EQ(checkpoints_->made(), 1u);
  EXPECT_EQ(saving.state(), SavingState::barred);
  saving.set_savable(true);
  checkpoints_->ask();
  EXPECT_TRUE(saving.pause_wanted());
}

TEST_F(SavingTest, TheTimeLimitOfARunThatResumesBeginsWhenItAsks) {
  make(folder_.path() + "/run", 1000);
  Saving saving(checkpoints_.get(), limits_, ranks_, progress_);
  ASSERT_TRUE(saving.save_with([](Image&) {}).ok());
  saving.take_over();
  saving_now += std::chrono::seconds(100);
  EXPECT_EQ(limits_.requested(), StopReason::none);
  EXPECT_FALSE(saving.pause_wanted());
  saving_now += std::chrono::seconds(11);
  EXPECT_EQ(limits_.requested(), StopReason::time);
}

TEST_F(SavingTest, AnEndedSearchMakesNoCheckpoint) {
  make(folder_.path() + "/run", 0);
  Saving saving(checkpoints_.get(), limits_, ranks_, progress_);
  ASSERT_TRUE(saving.save_with([](Image&) {}).ok());
  limits_.stop(StopReason::memory);
  saving.checkpoint(StopReason::none);
  EXPECT_EQ(checkpoints_->made(), 0u);
  saving.finish();
  EXPECT_FALSE(saving.pause_wanted());
}

}  // namespace
}  // namespace strata
