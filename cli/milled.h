#pragma once

#include "engine/program.h"

namespace packetmill::cli {

/// The main function of a milled program: `packetmill run` for the one configuration that it was made from.
int run_milled(int argc, char** argv, const engine::Program& program);

}  // namespace packetmill::cli
