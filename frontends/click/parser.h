#pragma once

#include <set>
#include <string>

#include "frontends/click/ast.h"

namespace packetmill::click {

/// Parses one source into statements. After a syntax error the parser goes on with the next statement, so one run
/// finds them all. `require(library)` puts the library's statements in the place of the statement.
class Parser {
 public:
  /// `libraries` are the names included so far; a library is included once only.
  Parser(const Source& source, std::set<std::string>& libraries, Diagnostics& diagnostics);

  ast::Statements parse();

 private:
  struct SyntaxError {};  ///< thrown after the error was reported, caught by stmts()
  class Nesting;

  // One function for each rule of click(5) "BNF GRAMMAR".
  ast::Statements stmts();
  void stmt(ast::Statements& statements);
  ast::Connection connection();
  std::vector<ast::Element> elements(bool first);
  ast::Element element(bool first);
  void element_reference(ast::Element& element);
  std::optional<ast::Ports> opt_port();
  Configuration opt_config();
  std::shared_ptr<const ast::Class> element_class();
  void compounds(ast::Class& result);
  ast::Compound compound();
  std::vector<ast::Formal> formals();
  std::shared_ptr<const ast::Group> group();
  ast::ElementClassStatement elementclassstmt();
  void requirestmt(ast::Statements& statements);
  ast::ProvideStatement providestmt();
  ast::DefineStatement definestmt();

  std::vector<Argument> statement_arguments();
  void include(const std::string& name, const Location& where, ast::Statements& statements);
  Token expect(TokenKind kind, const std::string& what);
  bool accept(TokenKind kind);
  Token element_name(const std::string& what);
  [[noreturn]] void syntax_error(const std::string& expected);
  void report_syntax_error(const Token& token, const std::string& what);
  void recover();
  void check_ports(const ast::PseudoPorts& ports, const std::string& what, const Location& where);

  const std::string file_;
  Lexer lexer_;
  std::set<std::string>& libraries_;
  Diagnostics& diagnostics_;
  std::size_t last_error_ = static_cast<std::size_t>(-1);  ///< characters left at the last syntax error
  int depth_ = 0;                                          ///< compounds and groups around the current place
};

}  // namespace packetmill::click
