#include "cli/configuration.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <system_error>

#include "cli/report.h"
#include "engine/registry.h"
#include "frontends/click/click.h"

namespace packetmill::cli {
namespace {

/// NAME=VALUE; anything else is a file.
std::optional<std::pair<std::string, std::string>> variable(const std::string& word) {
  const std::size_t equals = word.find('=');
  const auto is_name = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  const std::string name = word.substr(0, equals);
  if (!std::ranges::all_of(name, is_name)) return std::nullopt;
  return std::pair(name, word.substr(equals + 1));
}

void read(const std::string& name, std::vector<Source>& sources, Diagnostics& diagnostics) {
  if (name == "-") {
    sources.push_back({"<stdin>", {std::istreambuf_iterator<char>(std::cin), {}}});
    return;
  }
  // Opening a directory succeeds, reading it throws.
  std::error_code failure;
  if (std::filesystem::is_directory(name, failure)) failure = std::make_error_code(std::errc::is_a_directory);
  std::ifstream file;
  if (!failure) file.open(name, std::ios::binary);
  if (!failure && !file) failure = std::error_code(errno, std::system_category());
  if (failure)
    diagnostics.error({name, 0, 0}, failure.message());
  else
    sources.push_back({name, {std::istreambuf_iterator<char>(file), {}}});
}

}  // namespace

void add_configuration_options(CLI::App& command, ConfigurationOptions& options) {
  command.add_option("FILE", options.words, "the configuration, and NAME=VALUE for parameters");
  command.add_option("-f,--file", options.files, "the configuration; - is standard input, the default")
      ->allow_extra_args(false);
  command.add_option("-e,--expression", options.expressions, "the configuration itself")->allow_extra_args(false);
}

Graph load(const ConfigurationOptions& options, Diagnostics& diagnostics) {
  std::vector<std::string> files = options.files;
  std::map<std::string, std::string> variables;
  for (const std::string& word : options.words) {
    if (const auto found = variable(word))
      variables.insert_or_assign(found->first, found->second);
    else
      files.push_back(word);
  }
  if (files.empty() && options.expressions.empty()) files.emplace_back("-");
  if (files.size() + options.expressions.size() > 1)
    diagnostics.error({"command line", 0, 0}, "router configuration specified twice");
  std::vector<Source> sources;
  for (const std::string& expression : options.expressions) sources.push_back({"config", expression});
  for (const std::string& file : files) read(file, sources, diagnostics);
  return parse_click(sources, variables, engine::Registry::instance(), diagnostics);
}

int finish(const Diagnostics& diagnostics) {
  fmt::print(stderr, "{}", report(diagnostics));
  return diagnostics.errors() > 0 ? 1 : 0;
}

}  // namespace packetmill::cli
