#include <gmock/gmock.h>

#include <fstream>

#include "ir/literal.h"
#include "tests/mill/command.h"
#include "tests/mill/emitted.h"
#include "tests/support/traces.h"

// A configuration is data: nothing of its text is code in what the mill writes.
namespace packetmill::testing {
namespace {

/// What is left of generated code when its literals are taken out.
std::string without_literals(const std::string& code) {
  std::string rest;
  bool inside = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '"')
      inside = !inside;
    else if (inside && code[i] == '\\')
      ++i;
    else if (!inside)
      rest += code[i];
  }
  EXPECT_FALSE(inside);
  return rest;
}

TEST(UntrustedText, LiteralsHoldWhateverTheTextIs) {
  EXPECT_EQ(ir::text_literal("plain text, 1.0/8"), "\"plain text, 1.0/8\"");
  EXPECT_EQ(ir::text_literal("\"); abort(); //"), "\"\\042); abort(); //\"") << "the quote is no quote";
  EXPECT_EQ(ir::text_literal("\\\n\t?"), "\"\\134\\012\\011\\077\"") << "no trigraph, no line's end";
  EXPECT_EQ(ir::text_literal(std::string_view("\0\x31", 2)), "\"\\0001\"") << "digits after an escape are digits";
  EXPECT_EQ(ir::text_literal("\xc3\xa9"), "\"\\303\\251\"");
}

TEST(UntrustedText, OnlyLiteralsAndIdentifiersComeFromAConfiguration) {
  const std::string evil = "injected";
  const std::string script = "a/b@c :: Idle -> Print(\"*/ " + evil + " \\\" )); " + evil +
                             "();//\") "
                             "-> Print('\n#include <" +
                             evil + ">\n') -> Print(R\"x(" + evil +
                             ")x\") -> Discard;"
                             "// " +
                             evil + "\n/* " + evil + " */";
  const std::string code = emitted(script);
  EXPECT_THAT(code, ::testing::HasSubstr(evil));
  EXPECT_THAT(without_literals(code), ::testing::Not(::testing::HasSubstr(evil)));
  EXPECT_THAT(without_literals(code), ::testing::HasSubstr("a_b_c_0"));
}

TEST(UntrustedText, NamesBecomeIdentifiersWhateverTheyAre) {
  const std::string code =
      emitted("int :: Idle -> for :: Null -> _x :: Null -> x__y :: Null -> " + std::string(5000, 'q') + " :: Discard;");
  for (const char* identifier : {"struct int_0 ", "struct for_1 ", "struct x_2 ", "struct x_y_3 "})
    EXPECT_THAT(code, ::testing::HasSubstr(identifier));
  EXPECT_THAT(without_literals(code), ::testing::Not(::testing::HasSubstr(std::string(100, 'q'))));
}

TEST(UntrustedText, CompoundsParametersAndFilesMayBeCalledAnything) {
  const ScratchDirectory scratch;
  const std::string file = scratch.file("\"$(touch injected)\" \\ #.click");
  std::ofstream(file) << "elementclass int { $class, $x_1 | input -> Print($class, CONTENTS none) -> output }\n"
                         "InfiniteSource(DATA x, LIMIT 1, STOP true) -> for :: int(\"*/ $x_1 //\", 1) -> Discard;";
  const std::string program = scratch.file("program $(touch injected); x");
  const Ended built = run_command(PACKETMILL_COMMAND " build '" + file + "' -o '" + program + "'");
  ASSERT_EQ(built.status, 0) << built.text;
  EXPECT_THAT(run_command("'" + program + "'").text, ::testing::HasSubstr("*/ $x_1 //"));
  EXPECT_FALSE(std::filesystem::exists("injected"));
}

TEST(UntrustedText, ATokenOfAMillionLettersIsCompiled) {
  const ScratchDirectory scratch;
  const std::string name(1'000'000, 'q');
  std::ofstream(scratch.file("c.click")) << "InfiniteSource(DATA x, LIMIT 1, STOP true) -> Print(" << name
                                         << ", CONTENTS none) -> " << name << " :: Counter -> Discard;";
  const std::string program = scratch.file("program");
  const Ended built =
      run_command(std::string(PACKETMILL_COMMAND) + " build " + scratch.file("c.click") + " -o " + program);
  ASSERT_EQ(built.status, 0) << built.text.substr(0, 1000);
  EXPECT_THAT(run_command(program).text, ::testing::StartsWith(name));
}

TEST(UntrustedText, TheProgramPrintsWhatTheConfigurationSays) {
  const ScratchDirectory scratch;
  const std::string label = "a%s%n\\<22>); #include <x> \xc3\xa9";
  std::ofstream(scratch.file("c.click")) << "InfiniteSource(DATA x, LIMIT 1, STOP true) -> Print(\"" << label
                                         << "\", CONTENTS none) -> Discard;";
  const std::string program = scratch.file("program");
  const Ended built =
      run_command(std::string(PACKETMILL_COMMAND) + " build " + scratch.file("c.click") + " -o " + program);
  ASSERT_EQ(built.status, 0) << built.text;
  const Ended interpreted = run_command(std::string(PACKETMILL_COMMAND) + " run " + scratch.file("c.click"));
  EXPECT_THAT(interpreted.text, ::testing::HasSubstr("#include <x> \xc3\xa9"));
  EXPECT_EQ(run_command(program).text, interpreted.text);
}

}  // namespace
}  // namespace packetmill::testing
