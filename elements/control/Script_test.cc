#include <gmock/gmock.h>

#include <csignal>

#include "tests/support/packets.h"
#include "tests/support/router_test.h"
#include "tests/support/scratch_file.h"

namespace packetmill::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A configuration that has run for an hour, for what it says.
class RouterRun {
 public:
  explicit RouterRun(const std::string& configuration) : test_(configuration) {
    if (errors().empty()) test_.advance(Duration::seconds(3600));
  }
  [[nodiscard]] const std::string& output() const { return test_.printed(); }
  [[nodiscard]] const std::vector<std::string>& messages() const { return test_.messages(); }
  [[nodiscard]] const std::string& errors() const { return test_.errors(); }

 private:
  RouterTest test_;
};

/// What a Script of these instructions prints.
std::string printed(const std::string& instructions) { return RouterRun("Script(" + instructions + ")").output(); }

/// What a function of the language returns.
std::string value(const std::string& call) { return printed("print \"$(" + call + ")\""); }

TEST(Script, PrintsTextsAndHandlers) {
  // The examples of the manual page.
  const std::string counter = "Idle -> c :: Counter -> Discard; ";
  EXPECT_EQ(RouterRun(counter + "Script(print c.count, print \"c.count\", print '\"c.count\"', set x c.count,"
                                "       print $x, print $($x), printn a_b, printn \"no newline\")")
                .output(),
            "0\nc.count\n\"c.count\"\nc.count\n0\nno newline");
}

TEST(Script, TheFormsWithQTakeQuotesOff) {
  EXPECT_EQ(printed("set x 0, set y \"$x\", print '$y is' $y, setq z \"$x\", print [$z], print $(length $y)"),
            "$y is 0\n[0]\n3\n");
}

TEST(Script, LoopsOfTheManualPage) {
  const std::string expected = "0\n1\n2\n3\n4\n";
  EXPECT_EQ(RouterRun("s :: Script(set x 0, label begin_loop, print $x, set x $(s.add $x 1),"
                      "            goto begin_loop $(s.lt $x 5), stop)")
                .output(),
            expected);
  EXPECT_EQ(printed("set x 0, label again, print $x, set x $(add $x 1), goto again $(lt $x 5), stop"), expected);
}

TEST(Script, ConstantsOfTheConfigurationComeFirst) {
  EXPECT_EQ(RouterRun("define($who world); Script(set x $who, print \"hello $x, $nobody\")").output(),
            "hello world, $nobody\n");
}

TEST(Script, ReferencesNestAndKeepQuotesWhole) {
  EXPECT_EQ(printed("set a 1, print $(add ${a} $(mul 2 \"3\"))"), "7\n");
  EXPECT_EQ(printed(R"(set q 'say "hi"', setq r "$q", print $r)"), "say \"hi\"\n");
  EXPECT_EQ(printed("print '$(add 1 2)'"), "$(add 1 2)\n");
}

TEST(Script, ArithmeticIsWholeAsLongAsItCan) {
  EXPECT_EQ(value("add 10 5 2"), "17\n");
  EXPECT_EQ(value("add 1 0.5"), "1.5\n");
  EXPECT_EQ(value("sub 10 5 2"), "3\n");
  EXPECT_EQ(value("mul 3 0x10"), "48\n");
  EXPECT_EQ(value("div 7 2"), "3.5\n");
  EXPECT_EQ(value("idiv 7 2"), "3\n");
  EXPECT_EQ(value("idiv 7.9 2"), "3\n");
  EXPECT_EQ(value("mod 7 3"), "1\n");
  EXPECT_EQ(value("rem 7.5 2"), "1.5\n");
  EXPECT_EQ(value("neg 4"), "-4\n");
  EXPECT_EQ(value("abs -4.5"), "4.5\n");
  EXPECT_EQ(value("min 5 10 2"), "2\n");
  EXPECT_EQ(value("max 5 10 2"), "10\n");
  EXPECT_EQ(value("count 5 0 2"), "3\n");
  EXPECT_EQ(value("popcount 5 0 2"), "2\n");
  EXPECT_EQ(value("idiv -9223372036854775808 -1"), "-9223372036854775808\n");
}

TEST(Script, ComparesNumbersAsNumbersAndTheRestAsText) {
  EXPECT_EQ(value("eq 10 0xA"), "true\n");
  EXPECT_EQ(value("le 9 8"), "false\n");
  EXPECT_EQ(value("eq 10x 10x"), "true\n");
  EXPECT_EQ(value("lt 9 10"), "true\n");
  EXPECT_EQ(value("lt 9 10x"), "false\n");  // "9" > "10x"
  EXPECT_EQ(value("ne 1 1.0"), "false\n");
  EXPECT_EQ(value("gt 2 1"), "true\n");
  EXPECT_EQ(value("ge 1 2"), "false\n");
}

TEST(Script, Logic) {
  EXPECT_EQ(value("not true"), "false\n");
  EXPECT_EQ(value("and true 1 yes"), "true\n");
  EXPECT_EQ(value("or false 0"), "false\n");
  EXPECT_EQ(value("nand true true"), "false\n");
  EXPECT_EQ(value("nor false false"), "true\n");
  EXPECT_EQ(value("if $(eq 1 1) a b"), "a\n");
  EXPECT_EQ(value("in foo bar foo"), "true\n");
  EXPECT_EQ(value("in foo bar"), "false\n");
}

TEST(Script, Texts) {
  EXPECT_EQ(value("sprintf %05x 127"), "0007f\n");
  EXPECT_EQ(value("sprintf '%s-%d%%' a 5"), "a-5%\n");
  EXPECT_EQ(value("sprintf %5.2f 3.14159"), " 3.14\n");
  EXPECT_EQ(value("length abcdef"), "6\n");
  EXPECT_EQ(value("first a b"), "a\n");
  EXPECT_EQ(printed("setq x '\"a b\"', print \"$x $(unquote $x)\""), "\"a b\" a b\n");
  EXPECT_EQ(value("htons 0x1234"), "13330\n");
  EXPECT_EQ(value("now"), "1000000000.000000000\n");
}

TEST(Script, RandomNumbersKeepWithinTheirBoundsAndFollowTheSeed) {
  const std::string script =
      "Script(set i 0, label again, print $(random 3), print $(random 5 6), set i $(add $i 1), goto again $(lt $i 50))";
  const std::string numbers = RouterRun(script).output();
  EXPECT_EQ(numbers.find_first_not_of("01256\n"), std::string::npos) << numbers;
  EXPECT_EQ(RouterRun(script).output(), numbers);
}

TEST(Script, SaysWhatIsWrongAndGoesOn) {
  const RouterRun run("s :: Script(write nobody.reset, print $?, print $(div 1 0), write s.set y 1, print $?)");
  EXPECT_EQ(run.output(), "-1\n\n0\n");
  EXPECT_THAT(run.messages(), ElementsAre("While executing 's':", "  no element named 'nobody'",
                                          "While executing 's':", "  division by zero"));
}

TEST(Script, ReadTellsTheUser) {
  EXPECT_THAT(RouterRun("Idle -> c :: Counter -> Discard; Script(read c.count)").messages(),
              ElementsAre("c.count:", "0"));
}

TEST(Script, WritesFiles) {
  const ScratchFile file;
  printed("print >" + file.path() + " \"one\", print >>" + file.path() + " \"two\", append version " + file.path());
  EXPECT_EQ(file.text(), "one\ntwo\n" + std::string(engine::kVersion));
  EXPECT_EQ(printed("print $(cat " + file.path() + ")"), "one\ntwo\n" + std::string(engine::kVersion) + "\n");
}

TEST(Script, TheHandlerToSaveMayBeAVariable) {
  const ScratchFile file;
  printed("set what version, save $what " + file.path() + ", set what nothing, append $what " + file.path());
  EXPECT_EQ(file.text(), std::string(engine::kVersion));
}

TEST(Script, WaitsInItsOwnTime) {
  EXPECT_EQ(printed("print $(now), wait 1.5s, print $(now)"), "1000000000.000000000\n1000000001.500000000\n");
}

TEST(Script, StepsPassPausesAndWaits) {
  const RouterRun run(
      "s :: Script(print \"a\", pause 2, print \"b\", wait 100s, print \"c\" $(now));"
      "Script(write s.step, print \"1\", write s.step, print \"2\", write s.step)");
  EXPECT_EQ(run.output(), "a\n1\nb\n2\nc 1000000000.000000000\n");
}

TEST(Script, GotoHandlerGoesThere) {
  EXPECT_EQ(RouterRun("s :: Script(pause, end, label there, print \"there\"); Script(write s.goto there)").output(),
            "there\n");
}

TEST(Script, PassiveScriptsAreHandlers) {
  EXPECT_EQ(RouterRun("s :: Script(TYPE PASSIVE, return $(add $1 $(sub $2 $#))); Script(print s.run 10 5)").output(),
            "13\n");
  EXPECT_EQ(RouterRun("s :: Script(TYPE PASSIVE, goto done $(le $1 1), return $(mul $1 $(s.run $(sub $1 1))),"
                      "            label done, return 1);"
                      "Script(print s.run 1)")
                .output(),
            "1\n");
  const RouterRun failing("s :: Script(TYPE PASSIVE, error \"no $1\"); Script(print s.run luck)");
  EXPECT_THAT(failing.messages(), ElementsAre("While executing 'Script@2':", "  no luck"));
}

TEST(Script, ProxyScriptsAnswerForAnyHandler) {
  const RouterRun run(
      "s :: Script(TYPE PROXY, goto nota $(ne $0 a), returnq \"you called 'a'\", label nota, goto notb $(ne $0 b),"
      "            returnq \"you called 'b' $write\", label notb, error bad handler);"
      "Script(print s.a, print s.b, print s.c, write s.b 1)");
  EXPECT_EQ(run.output(), "you called 'a'\nyou called 'b' false\n");
  EXPECT_THAT(run.messages(), ElementsAre("While executing 'Script@2':", "  bad handler"));
}

TEST(Script, ExportedVariablesAreHandlers) {
  EXPECT_EQ(RouterRun("s :: Script(export v 1, wait 1s, set v 2, init w 9, print s.get w);"
                      "Script(print s.v, wait 2s, print s.v)")
                .output(),
            "1\n9\n2\n");
}

TEST(Script, ShiftsArguments) {
  EXPECT_EQ(
      RouterRun("s :: Script(TYPE PASSIVE, set a $(shift), return \"$a|$args\"); Script(print s.run x y z)").output(),
      "\"x|y z\"\n");
}

TEST(Script, EndlessLoopsAreStopped) {
  const RouterRun run("s :: Script(label l, goto l)");
  EXPECT_THAT(run.messages(), ElementsAre("While executing 's':", "  possible infinite loop in script"));
}

TEST(Script, PacketScriptsChooseOutputs) {
  ElementTest test("Script", "TYPE PACKET, init n 0, set n $(add $n 1), goto exit $(eq $n 2), return $(idiv $n 3)",
                   {.outputs = 2});
  for (const std::uint8_t n : {1, 2, 3, 4}) test.push(0, TestPacket(Bytes{n}));
  EXPECT_EQ(test.output(0), std::vector<TestPacket>{Bytes{1}});
  EXPECT_EQ(test.output(1), (std::vector<TestPacket>{Bytes{3}, Bytes{4}}));
  EXPECT_EQ(test.drops("dropped_by_script"), 1);
}

TEST(Script, WithPortsItIsAPacketScript) {
  ElementTest test("Script", "return $input", {.inputs = 2, .outputs = 2});
  test.push(1, TestPacket(Bytes{1}));
  EXPECT_THAT(test.output(0), IsEmpty());
  EXPECT_EQ(test.output(1).size(), 1U);
}

TEST(Script, SignalScriptsRunAtEachSignalUntilTheyExit) {
  RouterTest test("s :: Script(TYPE SIGNAL HUP USR1, init n 0, set n $(add $n 1), print $n, goto exit $(eq $n 2))");
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(test.router().signal(SIGHUP));
    test.settle();
  }
  EXPECT_FALSE(test.router().signal(SIGINT));
  EXPECT_EQ(test.printed(), "1\n2\n");
}

TEST(Script, ErrorsOfTheConfiguration) {
  EXPECT_EQ(RouterRun("Script(jump x)").errors(), "unknown instruction 'jump'\n");
  EXPECT_EQ(RouterRun("Script(goto nowhere)").errors(), "no such label 'nowhere'\n");
  EXPECT_EQ(RouterRun("Script(wait soon)").errors(), "expected time\n");
  EXPECT_EQ(RouterRun("Script(pause x)").errors(), "expected count\n");
  EXPECT_EQ(RouterRun("Script(set)").errors(), "expected variable name\n");
  EXPECT_EQ(RouterRun("Script(TYPE SIGNAL NONE, end)").errors(), "TYPE: bad signal 'NONE'\n");
}

TEST(DriverManager, StopsWhenItsScriptSaysSo) {
  // The second request passes the pause; the first one ended a `wait` and was left for it (DriverManager).
  EXPECT_EQ(RouterRun("DriverManager(print $(now), wait 5s, print $(now), pause, print $(now), stop);"
                      "Script(wait 1s, write stop)")
                .output(),
            "1000000000.000000000\n1000000001.000000000\n1000000001.000000000\n");
}

TEST(DriverManager, WithoutInstructionsItStopsAtTheFirstRequest) {
  EXPECT_EQ(RouterRun("DriverManager; Script(wait 1s, stop); Script(wait 2s, print \"not reached\")").output(), "");
}

TEST(DriverManager, SeesAllPacketsOfTheTraceThatEnded) {
  EXPECT_EQ(RouterRun("InfiniteSource(LIMIT 1000, STOP true) -> c :: Counter -> Discard;"
                      "DriverManager(wait_stop, print c.count, loop)")
                .output(),
            "1000\n");
}

TEST(Script, OthersMayCallItsHandlersWhileTheyStart) {
  EXPECT_EQ(RouterRun("Script(init x $(later.run), print $x, stop); later :: Script(TYPE PASSIVE, return 3);").output(),
            "3\n");
}

TEST(DriverManager, ThereIsOne) {
  EXPECT_EQ(RouterRun("DriverManager; DriverManager").errors(), "router has more than one driver manager\n");
}

}  // namespace
}  // namespace packetmill::testing
