// Writes, when the project is built, what the registry knows of the element headers: registry_gen OUTPUT HEADER...
// Each HEADER is elements/<area>/<Name>.h or ports/<kind>/<Name>.h and holds the element <Name>, with its documentation
// in the block of `///` lines right before `struct <Name>`.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

std::string documentation(const std::filesystem::path& header, const std::string& name) {
  std::ifstream file(header);
  std::string block;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("struct " + name)) return block;
    if (line.starts_with("///"))
      block += line.substr(line.size() > 3 && line[3] == ' ' ? 4 : 3) + "\n";
    else
      block.clear();
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::ofstream out(argv[1]);
  std::vector<std::filesystem::path> headers(argv + 2, argv + argc);
  out << "#include \"engine/registry.h\"\n\nnamespace packetmill::engine {\n\n";
  for (const auto& header : headers) out << "Factory factory_" << header.stem().string() << "();\n";
  out << "\nstd::vector<Factory> make_factories() {\n  return {\n";
  for (const auto& header : headers) out << "      factory_" << header.stem().string() << "(),\n";
  out << "  };\n}\n\nPage page_of(std::string_view name) {\n";
  for (const auto& header : headers) {
    const std::string name = header.stem().string();
    const std::string text = documentation(header, name);
    if (text.empty()) {
      std::cerr << header.string() << ": error: no documentation before 'struct " << name << "'\n";
      return 1;
    }
    const std::string area = header.parent_path().filename().string();
    const std::string room = header.parent_path().parent_path().filename().string();
    out << "  if (name == \"" << name << "\") return {\"" << room << '/' << area << '/' << name << ".h\", \"" << area
        << "\", R\"doc(" << text << ")doc\"};\n";
  }
  out << "  return {};\n}\n\n}  // namespace packetmill::engine\n";
  return out ? 0 : 1;
}
