#include "runtime/scheduler.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace packetmill {
namespace {

constexpr Timestamp kStart{1'000'000'000};

/// A task that does what a test says, on a scheduler.
class Worker {
 public:
  Worker(Scheduler& scheduler, std::function<void(Worker&)> work, int tickets = 1024) : work_(std::move(work)) {
    task.set_home(&scheduler);
    task.set_tickets(tickets);
    task.wake();
  }
  int runs = 0;
  Task task{[](void* owner, int) {
              auto* worker = static_cast<Worker*>(owner);
              ++worker->runs;
              worker->work_(*worker);
              return true;
            },
            this, 0};

 private:
  std::function<void(Worker&)> work_;
};

/// A timer that does what a test says.
class Alarm {
 public:
  Alarm(Scheduler& scheduler, std::function<void(Timer&)> ring) : ring_(std::move(ring)) { timer.set_home(&scheduler); }
  Timer timer{[](void* owner) {
                auto* alarm = static_cast<Alarm*>(owner);
                alarm->ring_(alarm->timer);
              },
              this};

 private:
  std::function<void(Timer&)> ring_;
};

/// Simulated time, which stands at kStart.
class SchedulerTest : public ::testing::Test {
 protected:
  Clock clock{kStart};
  Gate gate;
  Scheduler scheduler{clock, gate};
};

TEST_F(SchedulerTest, TasksGetTurnsInProportionToTheirTickets) {
  int turns = 0;
  const auto work = [&](Worker&) {
    if (++turns == 7000) scheduler.stop();
  };
  Worker once(scheduler, work, 512);
  Worker twice(scheduler, work, 1024);
  Worker four_times(scheduler, work, 2048);
  scheduler.run();
  EXPECT_NEAR(once.runs, 1000, 2);
  EXPECT_NEAR(twice.runs, 2000, 2);
  EXPECT_NEAR(four_times.runs, 4000, 2);
}

TEST_F(SchedulerTest, TasksOfEqualTicketsRunInTheOrderInWhichTheyWoke) {
  std::string order;
  const auto letter = [&](char c) {
    return [&order, c, this](Worker&) {
      order += c;
      if (order.size() == 9) scheduler.stop();
    };
  };
  Worker a(scheduler, letter('a'));
  Worker b(scheduler, letter('b'));
  Worker c(scheduler, letter('c'));
  scheduler.run();
  EXPECT_EQ(order, "abcabcabc");
}

TEST_F(SchedulerTest, ATaskThatSleepsGetsNoTurnsUntilItIsWoken) {
  Worker sleeper(scheduler, [](Worker& self) { self.task.sleep(); });
  scheduler.run();
  EXPECT_EQ(sleeper.runs, 1);
  EXPECT_TRUE(sleeper.task.asleep());
  sleeper.task.wake();
  sleeper.task.wake();
  EXPECT_FALSE(sleeper.task.asleep());
  scheduler.run();
  EXPECT_EQ(sleeper.runs, 2) << "waking twice gives one turn";
}

TEST_F(SchedulerTest, ATaskMayBeWokenInItsOwnTurn) {
  Worker worker(scheduler, [](Worker& self) {
    self.task.sleep();
    if (self.runs < 3) self.task.wake();
  });
  scheduler.run();
  EXPECT_EQ(worker.runs, 3);
}

TEST_F(SchedulerTest, ATaskThatSleptLongDoesNotCatchUp) {
  // Otherwise it would have all the turns until its pass has come up with the others'.
  std::string order;
  Worker late(scheduler, [&](Worker&) { order += 'l'; });
  late.task.sleep();
  Worker steady(scheduler, [&](Worker& self) {
    order += 's';
    if (self.runs == 1000) {
      late.task.wake();
      order.clear();
    }
    if (self.runs == 1003) scheduler.stop();
  });
  scheduler.run();
  EXPECT_LE(late.runs, 4);
  EXPECT_GE(late.runs, 2);
}

TEST_F(SchedulerTest, TimersFireInTheOrderOfTheirTimesThenOfTheirSetting) {
  std::string order;
  const auto letter = [&](char c) { return [&order, c](Timer&) { order += c; }; };
  Alarm a(scheduler, letter('a'));
  Alarm b(scheduler, letter('b'));
  Alarm c(scheduler, letter('c'));
  Alarm never(scheduler, letter('n'));
  a.timer.set(kStart + Duration::seconds(3));
  b.timer.set(kStart + Duration::seconds(2));
  c.timer.set(kStart + Duration::seconds(2));
  never.timer.set(kStart + Duration::seconds(1));
  never.timer.clear();
  EXPECT_FALSE(never.timer.scheduled());
  EXPECT_TRUE(a.timer.scheduled());
  EXPECT_EQ(a.timer.expiry(), kStart + Duration::seconds(3));
  scheduler.run();
  EXPECT_EQ(order, "bca");
}

TEST_F(SchedulerTest, ATimerThatIsSetAgainForgetsTheEarlierTime) {
  std::vector<Timestamp> times;
  Alarm alarm(scheduler, [&](Timer&) { times.push_back(scheduler.now()); });
  alarm.timer.set(kStart + Duration::seconds(1));
  alarm.timer.set(kStart + Duration::seconds(5));
  scheduler.run();
  EXPECT_THAT(times, ::testing::ElementsAre(kStart + Duration::seconds(5)));
}

TEST_F(SchedulerTest, SimulatedTimeGoesFromTimerToTimer) {
  std::vector<Timestamp> times;
  Alarm alarm(scheduler, [&](Timer& timer) {
    times.push_back(scheduler.now());
    if (times.size() < 3) timer.set(timer.expiry() + Duration::seconds(3600));
  });
  alarm.timer.set(kStart);
  scheduler.run();
  EXPECT_THAT(times,
              ::testing::ElementsAre(kStart, kStart + Duration::seconds(3600), kStart + Duration::seconds(7200)));
  EXPECT_EQ(clock.now(), kStart + Duration::seconds(7200));
}

TEST_F(SchedulerTest, RunsUntilATimeAndNotFurther) {
  int rings = 0;
  Alarm alarm(scheduler, [&](Timer& timer) {
    ++rings;
    timer.set(timer.expiry() + Duration::seconds(1));
  });
  alarm.timer.set(kStart + Duration::seconds(1));
  scheduler.run(kStart + Duration::milliseconds(2500));
  EXPECT_EQ(rings, 2);
  EXPECT_EQ(clock.now(), kStart + Duration::milliseconds(2500));
}

TEST_F(SchedulerTest, BusyTasksDoNotMoveTheClockFurther) {
  Worker endless(scheduler, [](Worker&) {});
  scheduler.run(kStart);
  EXPECT_GT(endless.runs, 0);
  EXPECT_EQ(clock.now(), kStart);
  scheduler.run(kStart + Duration{1500});  // a round and a half
  EXPECT_EQ(clock.now(), kStart + Duration{1500});
}

TEST_F(SchedulerTest, EndlessTasksAndTimersGoOnSideBySide) {
  Worker endless(scheduler, [](Worker&) {});
  Alarm alarm(scheduler, [&](Timer&) { scheduler.stop(); });
  alarm.timer.set(kStart + Duration::milliseconds(1));
  scheduler.run();
  EXPECT_GT(endless.runs, 0);
  EXPECT_EQ(clock.now(), kStart + Duration::milliseconds(1));
}

TEST_F(SchedulerTest, ATimerThatIsAlwaysDueLeavesTasksTheirTurns) {
  Alarm alarm(scheduler, [](Timer& timer) { timer.set(kStart); });
  alarm.timer.set(kStart);
  Worker worker(scheduler, [&](Worker& self) {
    if (self.runs == 1000) scheduler.stop();
  });
  scheduler.run();
  EXPECT_EQ(worker.runs, 1000);
}

TEST_F(SchedulerTest, NowStandsStillDuringATurn) {
  Worker worker(scheduler, [&](Worker&) {
    const Timestamp before = scheduler.now();
    clock.advance(before + Duration::seconds(1));
    EXPECT_EQ(scheduler.now(), before);
    scheduler.stop();
  });
  scheduler.run();
}

TEST(Scheduler, OfRealTimeWaitsForWorkFromAnotherThread) {
  // The scheduler has nothing to do and waits; the other thread wakes its task a thousand times. Each time the task
  // says so, and sleeps: a lost wake-up would leave both waiting for ever.
  Clock clock;
  Gate gate;
  Scheduler scheduler(clock, gate);
  std::atomic<int> done{0};
  Worker worker(scheduler, [&](Worker& self) {
    self.task.sleep();
    ++done;
    done.notify_one();
  });
  std::thread other([&] {
    for (int i = 1; i <= 1000; ++i) {
      done.wait(i - 1);
      worker.task.wake();
    }
    done.wait(1000);
    scheduler.stop();
  });
  scheduler.run();
  other.join();
  EXPECT_EQ(worker.runs, 1001);
}

TEST(Scheduler, OfRealTimeMayBeStoppedByAnotherThread) {
  Clock clock;
  Gate gate;
  Scheduler scheduler(clock, gate);
  std::thread other([&] { scheduler.stop(); });
  scheduler.run();
  other.join();
  EXPECT_TRUE(scheduler.stopped());
}

}  // namespace
}  // namespace packetmill
