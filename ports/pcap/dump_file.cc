#include "ports/pcap/dump_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace packetmill::pcap {
namespace {

/// A pcapng file may claim any time; pcap's own 32 bits of seconds are as far as ours go without overflow.
Timestamp time_of(const timeval& time) {
  const auto seconds = std::clamp<std::int64_t>(time.tv_sec, -0x80000000LL, 0xffffffffLL);
  return {seconds * kNanosecondsPerSecond + time.tv_usec};
}

}  // namespace

std::unique_ptr<DumpReader> DumpReader::open(const std::string& path, std::string& wrong) {
  std::optional<TraceStream> stream = TraceStream::open(path, wrong);
  if (!stream) return nullptr;
  char error[PCAP_ERRBUF_SIZE];
  pcap_t* pcap = pcap_fopen_offline_with_tstamp_precision(stream->file(), PCAP_TSTAMP_PRECISION_NANO, error);
  if (pcap == nullptr) {
    wrong = path + ": " + error;
    return nullptr;
  }
  stream->give_away_file();
  return std::unique_ptr<DumpReader>(new DumpReader(std::move(*stream), pcap));
}

DumpReader::~DumpReader() { pcap_close(pcap_); }

std::optional<Record> DumpReader::next(std::string& wrong) {
  pcap_pkthdr* header = nullptr;
  const u_char* data = nullptr;
  switch (pcap_next_ex(pcap_, &header, &data)) {
    case 1:
      move_past(*header);
      return Record{data, header->caplen, std::max(header->caplen, header->len), time_of(header->ts)};
    case PCAP_ERROR_BREAK:  // the end
      return {};
    default:
      wrong = pcap_geterr(pcap_);
      return {};
  }
}

/// Asking the stream where it is costs a system call. A pcap file's records are 16 bytes and the packet; but for those
/// that libpcap cuts to the snap length, and those of its odd relatives. pcapng (major version 1) is asked every time.
void DumpReader::move_past(const pcap_pkthdr& header) {
  if (!position_) return;
  const std::uint64_t expected = *position_ + 16 + header.caplen;
  const bool whole = std::cmp_less(header.caplen, pcap_snapshot(pcap_));
  position_ = counted_ && whole ? expected : stream_.position();
  counted_ = pcap_major_version(pcap_) == 2 && position_ == expected;
}

bool DumpReader::seek(std::uint64_t position) {
  if (position > INT64_MAX || fseeko(pcap_file(pcap_), static_cast<off_t>(position), SEEK_SET) != 0) return false;
  position_ = position;
  return true;
}

std::unique_ptr<DumpWriter> DumpWriter::open(const std::string& path, const Format& format, std::string& wrong) {
  std::FILE* file = open_trace_output(path);
  if (file == nullptr) {
    wrong = path + ": " + std::strerror(errno);
    return nullptr;
  }
  if (format.unbuffered)
    std::setvbuf(file, nullptr, _IONBF, 0);
  else
    std::setvbuf(file, nullptr, _IOFBF, kTraceBuffer);
  pcap_t* pcap = pcap_open_dead_with_tstamp_precision(
      format.link_type, static_cast<int>(format.snap_length),
      format.nanoseconds ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO);
  pcap_dumper_t* dumper = pcap_dump_fopen(pcap, file);
  if (dumper == nullptr) {  // the header could not be written; the stream is closed
    wrong = path + ": " + pcap_geterr(pcap);
    pcap_close(pcap);
    return nullptr;
  }
  return std::unique_ptr<DumpWriter>(new DumpWriter(pcap, dumper, format));
}

DumpWriter::~DumpWriter() {
  pcap_dump_close(dumper_);
  pcap_close(pcap_);
}

bool DumpWriter::write(const Record& record) {
  std::int64_t seconds = record.time.nanoseconds / kNanosecondsPerSecond;
  std::int64_t fraction = record.time.nanoseconds % kNanosecondsPerSecond;
  if (fraction < 0) {
    --seconds;
    fraction += kNanosecondsPerSecond;
  }
  pcap_pkthdr header{};
  header.ts = {seconds, format_.nanoseconds ? fraction : fraction / 1000};
  header.caplen = std::min(record.captured, format_.snap_length);
  header.len = record.length;
  pcap_dump(reinterpret_cast<u_char*>(dumper_), &header, record.data);
  return std::ferror(pcap_dump_file(dumper_)) == 0;
}

}  // namespace packetmill::pcap
