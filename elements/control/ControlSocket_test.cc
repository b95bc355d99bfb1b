#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "elements/control/control_session.h"
#include "tests/support/router_test.h"
#include "tests/support/scratch_file.h"

namespace packetmill::testing {
namespace {

constexpr const char* kRouter = "Idle -> c :: Counter -> Discard; s :: Script(TYPE PASSIVE, return \"<$args>\")";
const std::string kHello = "Click::ControlSocket/1.3\r\n";

/// The protocol without sockets: what the server answers to these bytes, without its greeting.
std::string answer(const std::string& commands, const ControlSession::Options& options = {}) {
  RouterTest test(kRouter);
  ControlSession session(options, test.router());
  session.receive(commands);
  EXPECT_TRUE(session.output().starts_with(kHello));
  return session.output().substr(kHello.size());
}

TEST(ControlSession, Reads) {
  EXPECT_EQ(answer("READ c.count\r\n"), "200 Read handler 'c.count' OK\r\nDATA 1\r\n0");
  EXPECT_EQ(answer("read c.class\n"), "200 Read handler 'c.class' OK\r\nDATA 7\r\nCounter");
  EXPECT_EQ(answer("READ s.run a  b\r"), "200 Read handler 's.run' OK\r\nDATA 8\r\n\"<a  b>\"");
  EXPECT_EQ(answer("READ 2.name\n"), "200 Read handler '2.name' OK\r\nDATA 1\r\nc");
  EXPECT_EQ(answer("READ list\n"), "200 Read handler 'list' OK\r\nDATA 23\r\n4\nIdle@1\nc\nDiscard@3\ns\n");
}

TEST(ControlSession, ReadsWithDataThatFollow) {
  EXPECT_EQ(answer("READDATA s.run 3\r\na\nbREAD c.count\r\n"),
            "200 Read handler 's.run' OK\r\nDATA 7\r\n\"<a\nb>\"200 Read handler 'c.count' OK\r\nDATA 1\r\n0");
  EXPECT_EQ(answer("READUNTIL s.run END\r\na\r\nb\r\nEND  \r\n"),
            "200 Read handler 's.run' OK\r\nDATA 8\r\n\"<a\nb\n>\"");
  EXPECT_EQ(answer("READUNTIL s.run\na\n\n"), "200 Read handler 's.run' OK\r\nDATA 6\r\n\"<a\n>\"");
}

TEST(ControlSession, Writes) {
  EXPECT_EQ(answer("WRITE c.reset\r\n"), "200 Write handler 'c.reset' OK\r\n");
  EXPECT_EQ(answer("WRITEDATA s.set 3\r\nx 7READ s.get x\r\n"),
            "200 Write handler 's.set' OK\r\n200 Read handler 's.get' OK\r\nDATA 1\r\n7");
  EXPECT_EQ(answer("WRITEUNTIL s.set .\nx 7\n.\n"), "200 Write handler 's.set' OK\r\n");
}

TEST(ControlSession, Checks) {
  EXPECT_EQ(answer("CHECKREAD c.count\n"), "200 Read handler 'c.count' OK\r\n");
  EXPECT_EQ(answer("CHECKWRITE c.count\n"), "530 Handler 'c.count' read-only\r\n");
  EXPECT_EQ(answer("CHECKWRITE c.reset\n"), "200 Write handler 'c.reset' OK\r\n");
}

TEST(ControlSession, SaysWhatIsWrong) {
  EXPECT_EQ(answer("READ nobody.count\n"), "510 No element named 'nobody'\r\n");
  EXPECT_EQ(answer("READ c.nothing\n"), "511 No handler named 'c.nothing'\r\n");
  EXPECT_EQ(answer("READ nothing\n"), "511 No handler named 'nothing'\r\n");
  EXPECT_EQ(answer("READ c.reset\n"), "530 Handler 'c.reset' write-only\r\n");
  EXPECT_EQ(answer("READ s.div 1 0\n"), "520-Read handler 's.div' error:\r\n520 division by zero\r\n");
  EXPECT_EQ(answer("WRITE s.step x\n").substr(0, 37), "520-Write handler 's.step' error:\r\n52");
  EXPECT_EQ(answer("READ\n"), "500 Wrong number of arguments\r\n");
  EXPECT_EQ(answer("FROB c.count\n"), "501 Unimplemented command 'FROB'\r\n");
  EXPECT_EQ(answer("LLRPC c#1234\n"), "501 LLRPCs are not implemented\r\n");
  EXPECT_EQ(answer("WRITEDATA s.set 99999999999\n").substr(0, 4), "521 ");
}

TEST(ControlSession, FilesAndProcessesAreNotForTheNetwork) {
  EXPECT_EQ(answer("READ s.cat /etc/passwd\n"), "530 Permission denied for 's.cat'\r\n");
  EXPECT_EQ(answer("READ s.kill 9 1\n"), "530 Permission denied for 's.kill'\r\n");
}

TEST(ControlSession, ReadonlyRefusesWrites) {
  EXPECT_EQ(answer("WRITE c.reset\n", {.read_only = true, .proxy = {}}), "530 Permission denied for 'c.reset'\r\n");
}

TEST(ControlSession, BehindAProxy) {
  RouterTest test("p :: Script(TYPE PROXY, returnq \"$0 of $args\")");
  ControlSession session({.read_only = false, .proxy = "p"}, test.router());
  session.receive("READ c.count x\n");
  EXPECT_EQ(session.output().substr(kHello.size()), "200 Read handler 'c.count' OK\r\nDATA 12\r\nc.count of x");
}

TEST(ControlSession, QuitEndsIt) {
  RouterTest test(kRouter);
  ControlSession session({}, test.router());
  session.receive("QUIT\r\nREAD c.count\r\n");
  EXPECT_EQ(session.output().substr(kHello.size()), "200 Goodbye!\r\n");
  EXPECT_TRUE(session.finished());
}

TEST(ControlSession, TakesItsBytesInAnyPieces) {
  const std::string commands = "READ c.count\r\nREADDATA s.run 3\r\na\r\nWRITEUNTIL s.set E\r\nx\r\n\r\nE\r\nHELP\r\n";
  const std::string whole = answer(commands);
  RouterTest test(kRouter);
  ControlSession session({}, test.router());
  for (const char c : commands) session.receive({&c, 1});
  EXPECT_EQ(session.output(), kHello + whole);
}

/// A client of a real socket.
class Client {
 public:
  explicit Client(int family, const sockaddr* address, socklen_t length) : socket_(socket(family, SOCK_STREAM, 0)) {
    EXPECT_EQ(connect(socket_, address, length), 0) << strerror(errno);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Sends the commands, and returns all that the server says until it closes the connection.
  std::string talk(const std::string& commands) {
    EXPECT_EQ(send(socket_, commands.data(), commands.size(), 0), static_cast<ssize_t>(commands.size()));
    shutdown(socket_, SHUT_WR);
    std::string result;
    char buffer[4096];
    for (ssize_t n = 0; (n = recv(socket_, buffer, sizeof buffer, 0)) > 0;)
      result.append(buffer, static_cast<std::size_t>(n));
    return result;
  }

 private:
  int socket_;
};

std::string talk_tcp(const std::string& port, const std::string& commands) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return Client(AF_INET, reinterpret_cast<sockaddr*>(&address), sizeof address).talk(commands);
}

TEST(ControlSocket, ServesOverTcp) {
  RouterTest test("s :: ControlSocket(TCP, 41000+, LOCALHOST true); Idle -> c :: Counter -> Discard");
  EXPECT_EQ(talk_tcp(test.read("s.port"), "READ c.count\r\n"), kHello + "200 Read handler 'c.count' OK\r\nDATA 1\r\n0");
}

TEST(ControlSocket, TwoClientsAtATime) {
  RouterTest test("s :: ControlSocket(TCP, 41000+); Idle -> c :: Counter -> Discard");
  const std::string port = test.read("s.port");
  std::thread other([&] { EXPECT_THAT(talk_tcp(port, "READ c.class\n"), ::testing::EndsWith("Counter")); });
  EXPECT_THAT(talk_tcp(port, "READ c.count\n"), ::testing::EndsWith("0"));
  other.join();
}

TEST(ControlSocket, ServesOverAUnixSocketAndRemovesIt) {
  const ScratchFile file;
  const std::string path = file.path() + ".socket";
  {
    RouterTest test("s :: ControlSocket(UNIX, " + path + "); Idle -> c :: Counter -> Discard");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    Client client(AF_UNIX, reinterpret_cast<sockaddr*>(&address), sizeof address);
    EXPECT_EQ(client.talk("READ s.filename\nQUIT\n"), kHello + "200 Read handler 's.filename' OK\r\nDATA " +
                                                          std::to_string(path.size()) + "\r\n" + path +
                                                          "200 Goodbye!\r\n");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ControlSocket, StopsARunningRouter) {
  RouterTest test("s :: ControlSocket(TCP, 41000+); InfiniteSource -> Discard");
  const std::string port = test.read("s.port");
  std::thread client([&] { EXPECT_THAT(talk_tcp(port, "WRITE stop\n"), ::testing::HasSubstr("200 Write handler")); });
  test.router().run();
  client.join();
}

TEST(ControlSocket, SaysWhatIsWrongWithItsConfiguration) {
  EXPECT_EQ(RouterTest("ControlSocket(UDP, 5)").errors(), "TYPE: expected TCP or UNIX\n");
  EXPECT_THAT(RouterTest("ControlSocket(TCP, 70000)").errors(), ::testing::HasSubstr("PORT: "));
  RouterTest first("s :: ControlSocket(TCP, 41000+)");
  EXPECT_EQ(RouterTest("ControlSocket(TCP, " + first.read("s.port") + ")").errors(), "bind: Address already in use\n");
}

}  // namespace
}  // namespace packetmill::testing
