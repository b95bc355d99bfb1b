#include "tests/support/traces.h"

#include <pcap/pcap.h>
#include <unistd.h>

#include <algorithm>

namespace packetmill::testing {

ScratchDirectory::ScratchDirectory() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string("packetmill-") + test->name() + "-" + std::to_string(getpid());
  std::replace(name.begin(), name.end(), '/', '-');
  path_ = std::filesystem::temp_directory_path() / name;
  std::filesystem::create_directories(path_);
}

void write_trace(const std::string& path, const std::vector<Bytes>& frames) {
  pcap_t* const dead = pcap_open_dead(DLT_EN10MB, 262144);
  pcap_dumper_t* const file = pcap_dump_open(dead, path.c_str());
  ASSERT_NE(file, nullptr) << path;
  pcap_pkthdr header{};
  header.ts.tv_sec = 1000;
  for (const Bytes& frame : frames) {
    header.caplen = header.len = static_cast<bpf_u_int32>(frame.size());
    pcap_dump(reinterpret_cast<unsigned char*>(file), &header, frame.data());
    ++header.ts.tv_usec;
  }
  pcap_dump_close(file);
  pcap_close(dead);
}

std::vector<Bytes> read_trace(const std::string& path) {
  char error[PCAP_ERRBUF_SIZE];
  pcap_t* const file = pcap_open_offline(path.c_str(), error);
  std::vector<Bytes> frames;
  if (file == nullptr) {
    ADD_FAILURE() << path << ": " << error;
    return frames;
  }
  pcap_pkthdr* header = nullptr;
  for (const unsigned char* bytes = nullptr; pcap_next_ex(file, &header, &bytes) == 1;)
    frames.emplace_back(bytes, bytes + header->caplen);
  pcap_close(file);
  return frames;
}

}  // namespace packetmill::testing
