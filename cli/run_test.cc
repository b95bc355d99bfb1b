#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

// What users see of the command line, as transcripts of a shell in which `packetmill` is this build's, and `click` a
// link to it. Each test has a directory of its own.
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Result {
  std::string output, errors;
  int status = 0;
};

class Shell : public ::testing::Test {
 protected:
  Shell() {
    std::filesystem::create_directories(directory_ / "bin");
    for (const char* name : {"packetmill", "click"})
      std::filesystem::create_symlink(PACKETMILL_COMMAND, directory_ / "bin" / name);
  }
  ~Shell() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ / name) << text; }
  std::string read(const std::string& name) { return contents(directory_ / name); }

  Result run(const std::string& commands) {
    write("commands", commands);
    const std::string shell = "cd '" + directory_.string() + "' && PATH=$PWD/bin:$PATH sh commands >output 2>errors";
    const int status = std::system(shell.c_str());
    return {read("output"), read("errors"), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  }

 private:
  std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("packetmill-" + std::to_string(getpid()) + "-" +
                                                ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

using cli_run = Shell;
using cli_elements = Shell;

TEST_F(cli_run, OneHandlerIsPrintedAlone) {
  const Result result =
      run("packetmill run -e 'InfiniteSource(LIMIT 5, STOP true) -> c :: Counter -> Discard' -h c.count");
  EXPECT_EQ(result.output, "5\n");
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.status, 0);
}

TEST_F(cli_run, SeveralHandlersHaveHeadings) {
  EXPECT_EQ(run("click -q -e 'Idle -> c :: Counter -> d :: Discard' -h c.count -h d.class").output,
            "c.count:\n0\n\nd.class:\nDiscard\n\n");
  EXPECT_EQ(run("click -q -e 'Idle -> c1 :: Counter -> c2 :: Counter -> Discard' -h 'c*.count'").output,
            "c1.count:\n0\n\nc2.count:\n0\n\n");
}

TEST_F(cli_run, ConfigurationsComeFromFilesStandardInputAndTheCommandLine) {
  write("x.click", "Script(print \"$WHO\", stop)\n");
  EXPECT_EQ(run("packetmill run x.click WHO=file").output, "file\n");
  EXPECT_EQ(run("packetmill run -f x.click WHO=option").output, "option\n");
  EXPECT_EQ(run("packetmill run WHO=input < x.click").output, "input\n");
  EXPECT_EQ(run("packetmill run - WHO=dash < x.click").output, "dash\n");
}

TEST_F(cli_run, TwoConfigurationsAreNotOne) {
  write("x.click", "Idle -> Discard;\n");
  const Result result = run("click -q x.click -e 'Idle -> Discard'");
  EXPECT_THAT(result.errors, HasSubstr("router configuration specified twice\n"));
  EXPECT_EQ(result.status, 1);
}

TEST_F(cli_run, TheExitHandlerGivesTheStatus) {
  const std::string passive = "click -q -e 's :: Script(TYPE PASSIVE, return ";
  EXPECT_EQ(run(passive + "3)' -x s.run").status, 3);
  EXPECT_EQ(run(passive + "true)' -x s.run").status, 0);
  EXPECT_EQ(run(passive + "false)' -x s.run").status, 1);
  EXPECT_EQ(run(passive + "nonsense)' -x s.run").errors, "exit handler value should be integer\n");
}

TEST_F(cli_run, WritesTheFlatConfiguration) {
  EXPECT_EQ(run("click -q -o - -e 'elementclass E { input -> Counter -> output } Idle -> e :: E -> Discard'").output,
            "Idle@1 :: Idle;\ne/Counter@1 :: Counter;\nDiscard@3 :: Discard;\n"
            "Idle@1 -> e/Counter@1;\ne/Counter@1 -> Discard@3;\n");
}

TEST_F(cli_run, AsClickItSpeaksLikeClick) {
  const Result unknown = run("click -e 'Idle -> Frobnicate -> Discard'");
  EXPECT_THAT(unknown.errors, HasSubstr("config:1: "));
  EXPECT_THAT(unknown.errors, HasSubstr("Router could not be initialized!\n"));
  EXPECT_EQ(unknown.status, 1);
  write("bad.click", "Idle\n  -> c :: Counter(COUNT_CALL 1, FROB 2)\n  -> Discard\n");
  EXPECT_THAT(run("click bad.click").errors, HasSubstr("bad.click:2: While configuring 'c :: Counter':\n  "));
}

TEST_F(cli_run, AsPacketmillItShowsThePlace) {
  const Result result = run("packetmill run -e 'Idle -> Discrad'");
  EXPECT_THAT(result.errors, HasSubstr("config:1:9: error: "));
  EXPECT_THAT(result.errors, HasSubstr("    Idle -> Discrad\n            ^\n"));
  EXPECT_EQ(result.status, 1);
}

TEST_F(cli_run, UnknownHandlersAndOptionsAreErrors) {
  const Result handler = run("click -q -e 'Idle -> Discard' -h nobody.count");
  EXPECT_EQ(handler.errors, "no element named 'nobody'\n");
  EXPECT_EQ(handler.status, 1);
  const Result option = run("click --frob");
  EXPECT_THAT(option.errors, HasSubstr("click: "));
  EXPECT_THAT(option.errors, HasSubstr("Try 'click --help' for more information.\n"));
  EXPECT_EQ(option.status, 1);
}

TEST_F(cli_run, AHandlerOfAClassIsThatOfAllItsElements) {
  const std::string script = " -e 'InfiniteSource(LIMIT 3, STOP true) -> a :: Counter -> b :: Counter -> Discard'";
  EXPECT_EQ(run("click" + script + " -h Counter.count").output, "a.count:\n3\n\nb.count:\n3\n\n");
  EXPECT_EQ(run("click" + script + " -h 'b*.count'").output, "b.count:\n3\n\n");
  const Result none = run("click" + script + " -h 'zz*.count'");
  EXPECT_EQ(none.errors, "no handler matching 'zz*.count'\n");
  EXPECT_EQ(none.status, 1);
}

TEST_F(cli_run, AConfigurationWithoutElementsEnds) {
  const Result empty = run("click -e ''");
  EXPECT_EQ(empty.errors, "config: warning: configuration has no elements, exiting\n");
  EXPECT_EQ(empty.status, 0);
  EXPECT_EQ(run("click -w -e ''").errors, "");
}

TEST_F(cli_run, SimulatedTimePassesOnOneCoreWhateverIsAskedFor) {
  EXPECT_EQ(run("click -j2 -w --simtime -e 'a :: InfiniteSource(LIMIT 1000) -> c :: Counter -> Discard;"
                "StaticThreadSched(a 1); DriverManager(wait 1, print c.count, stop)'")
                .output,
            "1000\n");
}

TEST_F(cli_run, HelpAndVersion) {
  EXPECT_THAT(run("click --help").output, HasSubstr("Usage: click [OPTIONS] [FILE...]\n"));
  EXPECT_THAT(run("click --help").output, HasSubstr("--exit-handler"));
  EXPECT_EQ(run("click -j 0 -e 'Script(print hello, stop)'").status, 0);
  EXPECT_THAT(run("click --version").output, MatchesRegex("click \\(PacketMill\\) [0-9.]+\n"));
  EXPECT_THAT(run("packetmill run -v").output, MatchesRegex("packetmill [0-9.]+\n"));
}

TEST_F(cli_run, SimulatedTimeStartsAtABillionSeconds) {
  EXPECT_EQ(run("click --simtime -e 'Script(wait 1000s, print $(now), stop)'").output, "1000001000.000000000\n");
  EXPECT_EQ(run("click --simtime=5 -e 'Script(print $(now), stop)'").output, "5.000000000\n");
}

TEST_F(cli_run, WithoutSimtimeTheMachinesClockRuns) {
  EXPECT_EQ(run("packetmill run -e 'Script(wait 0.2s, print \"ready\"); Idle -> Discard' > out & pid=$!\n"
                "until grep -q ready out; do :; done\n"
                "kill -0 $pid && echo running; kill -TERM $pid; wait $pid")
                .output,
            "running\n");
  EXPECT_THAT(run("click -e 'Script(print $(now), stop)'").output, testing::Not(MatchesRegex("10000.*")));
  EXPECT_EQ(run("click --simtime=soon -e 'Script(stop)'").status, 1);
}

TEST_F(cli_run, TheTimeThatItTook) {
  EXPECT_THAT(run("click -t -e 'Script(stop)'").output,
              MatchesRegex("[0-9]+\\.[0-9]+u [0-9]+\\.[0-9]+s [0-9]+:[0-9]+\\.[0-9]+\n"));
}

TEST_F(cli_run, StatsSayWhereAllPacketsWent) {
  const std::string router =
      " -e 'i :: InfiniteSource(LIMIT 1234, STOP true) -> s :: Switch(0); s[0] -> Discard; s[1] -> Discard'";
  const std::string text = run("packetmill run --stats" + router).errors;
  EXPECT_THAT(text, HasSubstr("in        i          InfiniteSource          1,234\n"));
  EXPECT_THAT(text, HasSubstr("dropped   Discard@"));
  EXPECT_THAT(text, HasSubstr("\n  1,234 generated = 1,234 dropped\n"));
  EXPECT_THAT(text, HasSubstr("cycles/packet"));
  EXPECT_THAT(run("packetmill run --stats=json" + router).errors, HasSubstr("\"generated\":1234"));
}

TEST_F(cli_run, ATerminationEndsTheRunInOrder) {
  const Result result =
      run("packetmill run -e 'Idle -> c :: Counter -> Discard; Script(print \"ready\")' -h c.count > out &\n"
          "pid=$!\n"
          "until grep -q ready out; do :; done\n"
          "kill -TERM $pid\n"
          "wait $pid\n"
          "echo status $?\n"
          "cat out\n");
  EXPECT_EQ(result.output, "status 0\nready\n0\n");
}

TEST_F(cli_run, SignalScriptsHearSignals) {
  const Result result =
      run("packetmill run -e 'Script(TYPE SIGNAL USR1, print \"heard\"); Script(print \"ready\"); Idle -> Discard' > "
          "out &\n"
          "pid=$!\n"
          "until grep -q ready out; do :; done\n"
          "kill -USR1 $pid\n"
          "until grep -q heard out; do :; done\n"
          "kill -INT $pid\n"
          "wait $pid\n"
          "echo status $?\n"
          "cat out\n");
  EXPECT_EQ(result.output, "status 0\nready\nheard\n");
}

TEST_F(cli_run, ControlSocketsOfTheCommandLineAreThoseOfAMilledProgramToo) {
  write("client.py",
        "import socket, time\n"
        "client = socket.socket(socket.AF_UNIX)\n"
        "while client.connect_ex('control') != 0: time.sleep(0.01)\n"
        "answers = client.makefile('rw', newline='')\n"
        "def ask(line):\n"
        "  print(line, file=answers, end='\\r\\n', flush=True)\n"
        "  return answers.readline()\n"
        "def read(handler):\n"
        "  said = ask('READ ' + handler)\n"
        "  return said + answers.read(int(answers.readline().split()[1]))\n"
        "print(answers.readline())\n"
        "while not read('c.count').endswith('3'): time.sleep(0.01)\n"
        "print(read('drops'), ask('WRITE hotconfig Idle') + answers.readline(), ask('WRITE stop'))\n");
  write("x.click", "InfiniteSource(LIMIT 3) -> c :: Counter -> Discard");
  const std::string with_client = " -u control &\n/usr/bin/python3 client.py\nwait $!\necho status $?\n";
  const Result interpreted = run("packetmill run x.click" + with_client);
  EXPECT_THAT(interpreted.output, HasSubstr("Click::ControlSocket/1.3"));
  EXPECT_THAT(interpreted.output, HasSubstr("200 Read handler 'drops' OK\r\nDiscard@3 discarded 3\n"));
  EXPECT_THAT(interpreted.output, HasSubstr("'packetmill run FILE'"));
  EXPECT_THAT(interpreted.output, HasSubstr("200 Write handler 'stop' OK"));
  EXPECT_THAT(interpreted.output, HasSubstr("status 0\n"));
  EXPECT_EQ(run("packetmill build x.click -o milled && ./milled" + with_client).output, interpreted.output);
}

TEST_F(cli_elements, OnePageAndTheList) {
  EXPECT_THAT(run("packetmill elements DecIPTTL").output, HasSubstr("MULTICAST (bool), keyword"));
  EXPECT_THAT(run("packetmill elements").output, HasSubstr("  DecIPTTL "));
  EXPECT_THAT(run("packetmill elements").output, HasSubstr("  LookupIPRoute          as StaticIPLookup\n"));
  const Result unknown = run("packetmill elements DecIPTTTL");
  EXPECT_EQ(unknown.errors, "packetmill elements: error: no element class 'DecIPTTTL'; did you mean 'DecIPTTL'?\n");
  EXPECT_EQ(unknown.status, 1);
}

TEST_F(cli_elements, TheReferenceIsCurrent) {
  EXPECT_TRUE(run("packetmill elements --markdown").output == contents("docs/elements.md"))
      << "docs/elements.md is not what the elements say: run `make docs` and commit it";
}

TEST(cli_docs, WriteAnElementShowsCodeThatIsTested) {
  const std::string code = contents("elements/ip/SetIPDSCP.h") + contents("elements/ip/SetIPDSCP_test.cc");
  const std::string page = contents("docs/write-an-element.md");
  const std::regex block("```cpp\n([^`]*)```");
  int blocks = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), block), end; i != end; ++i, ++blocks)
    EXPECT_THAT(code, HasSubstr((*i)[1].str()));
  EXPECT_EQ(blocks, 6);
}

}  // namespace
