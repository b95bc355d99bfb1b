#include "cli/signals.h"

#include <pthread.h>

#include <csignal>

namespace packetmill::cli {
namespace {

/// Those that people, service managers and Scripts of type SIGNAL use.
sigset_t handled() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Signals::Signals() {
  const sigset_t set = handled();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // A reader that has gone (`| head`, a control connection) is an error of that write, not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
}

void Signals::deliver_to(std::function<bool(int)> on_signal) {
  on_signal_ = std::move(on_signal);
  thread_ = std::thread([this] { wait(); });
}

void Signals::wait() {
  const sigset_t set = handled();
  for (int signal = 0; sigwait(&set, &signal) == 0 && !done_;) {
    if (on_signal_(signal)) continue;
    std::signal(signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  }
}

Signals::~Signals() {
  if (thread_.joinable()) {
    done_ = true;
    pthread_kill(thread_.native_handle(), SIGUSR2);
    thread_.join();
  }
  const sigset_t set = handled();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace packetmill::cli
