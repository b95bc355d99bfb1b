#include "ports/memory/replay.h"

#include <x86intrin.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "ports/pcap/dump_file.h"

namespace packetmill::memory {
namespace {

/// FNV-1a.
std::uint64_t hash(const std::uint8_t* data, std::uint32_t length) {
  std::uint64_t value = 0xcbf29ce484222325U ^ length;
  for (std::uint32_t i = 0; i < length; ++i) value = (value ^ data[i]) * 0x100000001b3U;
  return value;
}

/// "element.reason count" lines, as the global handler `drops` has them.
std::map<std::string, std::uint64_t> parse_drops(const std::string& text) {
  std::map<std::string, std::uint64_t> drops;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find_last_of(" \t");
    if (space != std::string::npos) drops[line.substr(0, space)] = std::stoull("0" + line.substr(space + 1));
  }
  return drops;
}

}  // namespace

std::unique_ptr<Replay> Replay::open(const std::string& trace, std::string& wrong) {
  const auto file = pcap::DumpReader::open(trace, wrong);
  if (!file) return nullptr;
  auto replay = std::make_unique<Replay>();
  while (replay->pristine_.size() < kFrames) {
    const auto record = file->next(wrong);
    if (!record) break;
    if (record->captured > kBuffer - kHeadroom - 128) {
      wrong = trace + ": a frame is longer than 2048 bytes";
      return nullptr;
    }
    replay->pristine_.emplace_back(record->data, record->data + record->captured);
  }
  if (!wrong.empty()) return nullptr;
  if (replay->pristine_.empty()) {
    wrong = trace + ": no packets";
    return nullptr;
  }
  replay->memory_ = std::make_unique<Cell[]>(kFrames);
  replay->outputs_.resize(std::size_t{4} * kFrames);
  for (std::size_t i = 0; i < kFrames; ++i) replay->frames_.push_back({replay.get(), replay->memory_[i].buffer, 0});
  replay->start();
  return replay;
}

bool Replay::send_copy(const std::uint8_t* data, std::uint32_t length) {
  if (sent_ == outputs_.size()) return false;
  const auto& copy = copies_.emplace_back(data, data + length);
  return send(copy.data(), length);
}

void Replay::restore() {
  for (std::size_t i = 0; i < kFrames; ++i) {
    const auto& frame = pristine_[i % pristine_.size()];
    std::memcpy(frames_[i].buffer + kHeadroom, frame.data(), frame.size());
    frames_[i].length = static_cast<std::uint32_t>(frame.size());
  }
}

void Replay::start() {
  restore();
  copies_.clear();
  copies_.reserve(outputs_.size());
  sent_ = 0;
  next_ = 0;
  outstanding_ = 0;
  started_ = __rdtsc();
}

void Replay::turn(const std::string& drops) {
  const std::uint64_t ended = __rdtsc();
  cycles_.push_back(static_cast<double>(ended - started_ - (*pauses_ - pauses_before_)) / kFrames);
  std::uint64_t digest = 0;
  for (std::size_t i = 0; i < sent_; ++i) digest += hash(outputs_[i].data, outputs_[i].length);
  std::map<std::string, std::uint64_t> now = parse_drops(drops);
  std::map<std::string, std::uint64_t> here;
  for (const auto& [reason, count] : now)
    if (count != drops_[reason]) here[reason] = count - drops_[reason];
  drops_ = std::move(now);
  if (cycles_.size() == 2) {
    reference_ = digest;
    reference_drops_ = here;
  } else if (cycles_.size() > 2 && (digest != reference_ || here != reference_drops_)) {
    ++mismatches_;
  }
  start();
  *pauses_ += __rdtsc() - ended;
  pauses_before_ = *pauses_;
}

std::uint64_t Replay::digest() const {
  std::uint64_t digest = reference_;
  for (const auto& [reason, count] : reference_drops_)
    digest +=
        count * hash(reinterpret_cast<const std::uint8_t*>(reason.data()), static_cast<std::uint32_t>(reason.size()));
  return digest;
}

}  // namespace packetmill::memory
