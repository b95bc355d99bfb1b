#include "cli/candidate.h"

#include <fstream>

#include "cli/configuration.h"
#include "cli/plan_option.h"
#include "mill/emit.h"
#include "mill/toolchain.h"

namespace packetmill::cli {

std::optional<Candidate> compile_candidate(const Graph& graph, const std::string& plan,
                                           const std::filesystem::path& stem, std::string& error) {
  Diagnostics diagnostics;
  Candidate candidate{plan, read_plan(plan, diagnostics), stem.string() + ".o"};
  const auto outline = diagnostics.errors() == 0 ? engine::Router::outline(graph, diagnostics) : nullptr;
  if (finish(diagnostics) != 0 || !outline) return std::nullopt;
  const std::filesystem::path source = stem.string() + ".cc";
  std::ofstream(source) << mill::emit(graph, mill::network_of(*outline, candidate.plan), candidate.plan);
  if (auto wrong = mill::compile(source, candidate.object, candidate.plan)) {
    error = *wrong;
    return std::nullopt;
  }
  return candidate;
}

std::optional<std::string> link_candidate(const Candidate& candidate, int round, const std::filesystem::path& program) {
  return mill::link(candidate.object, program, candidate.plan, static_cast<unsigned>(round) * 7919U + 1U);
}

std::string padding_of(int round) {
  return "PACKETMILL_PADDING=" + std::string(static_cast<std::size_t>(round) * 517 % 4096, 'x');
}

}  // namespace packetmill::cli
