#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "engine/router.h"
#include "frontends/click/click.h"

/// Runs a configuration of examples/ in simulated time.
namespace packetmill::testing {

/// A directory of the test's own, gone with it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("packetmill-") + test->name() + "-" + std::to_string(getpid());
    std::replace(name.begin(), name.end(), '/', '-');
    path_ = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directories(path_);
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// The example's router, built with `variables`; null, with a test failure for each diagnostic, where it has errors.
inline std::unique_ptr<engine::Router> make_example(const std::string& file,
                                                    const std::map<std::string, std::string>& variables,
                                                    int batch_size) {
  std::ifstream in("examples/" + file);
  std::stringstream text;
  text << in.rdbuf();
  Diagnostics diagnostics;
  const Graph graph = parse_click({{file, text.str()}}, variables, engine::Registry::instance(), diagnostics);
  engine::Options options;
  options.simulated_time = Timestamp{} + Duration::seconds(1'000'000'000);
  options.batch_size = batch_size;
  auto router = engine::Router::make(graph, options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list())
    ADD_FAILURE() << file << ":" << diagnostic.where.line << ": " << diagnostic.message;
  return router;
}

}  // namespace packetmill::testing
