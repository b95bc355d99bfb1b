#include "frontends/click/parser.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "frontends/click/library.h"
#include "frontends/click/ports.h"

namespace packetmill::click {
namespace {

constexpr int kDeepest = 100;     // compounds and groups in one another; more would only overflow the stack
constexpr int kLastPort = 65535;  // more would only exhaust memory

bool begins_reference(TokenKind kind) {
  return kind == TokenKind::identifier || kind == TokenKind::number || kind == TokenKind::open_brace ||
         kind == TokenKind::open_parenthesis;
}

bool is_arrow(TokenKind kind) { return kind == TokenKind::arrow || kind == TokenKind::double_arrow; }

bool is_closing(TokenKind kind) {
  return kind == TokenKind::end || kind == TokenKind::close_brace || kind == TokenKind::close_parenthesis ||
         kind == TokenKind::double_bar;
}

bool is_keyword(TokenKind kind) {
  return kind == TokenKind::keyword_define || kind == TokenKind::keyword_elementclass ||
         kind == TokenKind::keyword_provide || kind == TokenKind::keyword_require;
}

std::string shown(const Token& token) {
  if (token.kind == TokenKind::end) return token.text;
  if (token.kind == TokenKind::variable) return "'$" + token.text + "'";
  const auto c = static_cast<unsigned char>(token.text[0]);
  if (token.kind != TokenKind::invalid || (c >= ' ' && c < 0x7f)) return "'" + token.text + "'";
  return "character code " + std::to_string(c);
}

/// "No component of an identifier may consist solely of numbers."
bool has_all_digit_component(std::string_view name) {
  while (!name.empty()) {
    const std::string_view component = name.substr(0, name.find('/'));
    if (std::all_of(component.begin(), component.end(), [](char c) { return c >= '0' && c <= '9'; })) return true;
    name.remove_prefix(std::min(name.size(), component.size() + 1));
  }
  return false;
}

}  // namespace

/// Counts the compounds and groups that the parser is inside of.
class Parser::Nesting {
 public:
  explicit Nesting(Parser& parser) : depth_(parser.depth_) {
    if (depth_ == kDeepest) {
      parser.diagnostics_.error(parser.lexer_.peek().where, "compound elements and groups are nested too deeply");
      throw SyntaxError{};
    }
    ++depth_;
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& depth_;
};

Parser::Parser(const Source& source, std::set<std::string>& libraries, Diagnostics& diagnostics)
    : file_(source.file), lexer_(source, diagnostics), libraries_(libraries), diagnostics_(diagnostics) {}

ast::Statements Parser::parse() {
  ast::Statements statements;
  while (true) {
    std::ranges::move(stmts(), std::back_inserter(statements));
    if (lexer_.peek().kind == TokenKind::end) return statements;
    report_syntax_error(lexer_.peek(), "which closes nothing");
    lexer_.next();
  }
}

/// stmts ::= stmts stmt | empty
ast::Statements Parser::stmts() {
  ast::Statements statements;
  while (!is_closing(lexer_.peek().kind)) {
    const std::size_t before = lexer_.remaining();
    try {
      stmt(statements);
    } catch (const SyntaxError&) {
      if (lexer_.remaining() == before) lexer_.next();
      recover();
    }
  }
  return statements;
}

/// stmt ::= connection | elementclassstmt | requirestmt | definestmt | ";"
void Parser::stmt(ast::Statements& statements) {
  switch (lexer_.peek().kind) {
    case TokenKind::semicolon:
      lexer_.next();
      break;
    case TokenKind::keyword_elementclass:
      statements.push_back({elementclassstmt()});
      break;
    case TokenKind::keyword_require:
      requirestmt(statements);
      break;
    case TokenKind::keyword_provide:
      statements.push_back({providestmt()});
      break;
    case TokenKind::keyword_define:
      statements.push_back({definestmt()});
      break;
    default:
      statements.push_back({connection()});
      break;
  }
}

/// connection ::= elements opt-conntail | conntail
/// conntail ::= arrow elements opt-conntail | arrow
ast::Connection Parser::connection() {
  ast::Connection result;
  result.elements.push_back(elements(true));
  while (is_arrow(lexer_.peek().kind)) {
    const Token arrow = lexer_.next();
    result.arrows.push_back({arrow.kind == TokenKind::double_arrow, arrow.where});
    result.elements.push_back(elements(false));
  }
  const auto is_implicit = [](const ast::Element& e) { return e.kind == ast::Element::Kind::implicit; };
  if (result.arrows.empty() && std::ranges::any_of(result.elements[0], is_implicit)) syntax_error("'->'");
  return result;
}

/// elements ::= element | elements "," element
std::vector<ast::Element> Parser::elements(bool first) {
  std::vector<ast::Element> list;
  do list.push_back(element(first));
  while (accept(TokenKind::comma));
  return list;
}

/// element ::= opt-port element-reference opt-port
///
/// Inside a compound or group the reference may be missing: "Click infers input at the beginning of a connection, and
/// output at the end". The ports then are those on the side of the arrow.
ast::Element Parser::element(bool first) {
  ast::Element result;
  result.where = lexer_.peek().where;
  std::optional<ast::Ports> ports = opt_port();
  const TokenKind next = lexer_.peek().kind;
  if (begins_reference(next)) {
    element_reference(result);
    result.inputs = std::move(ports);
    result.outputs = opt_port();
    return result;
  }
  const bool ends = is_closing(next) || next == TokenKind::semicolon || is_keyword(next);
  const bool implicit = (first ? is_arrow(next) : ends) || (next == TokenKind::comma && ports);
  if (depth_ == 0 || !implicit) syntax_error("an element");
  (first ? result.outputs : result.inputs) = std::move(ports);
  return result;
}

/// element-reference ::= element-name | element-name "::" class opt-config | class opt-config | group
void Parser::element_reference(ast::Element& result) {
  using Kind = ast::Element::Kind;
  result.where = lexer_.peek().where;
  if (lexer_.peek().kind == TokenKind::open_parenthesis) {
    result.kind = Kind::group;
    result.group = group();
    return;
  }
  if (lexer_.peek().kind == TokenKind::open_brace) {
    result.kind = Kind::anonymous;
    result.element_class = element_class();
    result.configuration = opt_config();
    return;
  }
  const Token name = element_name("element");
  if (accept(TokenKind::declares)) {
    result.kind = Kind::declaration;
    result.name = name.text;
    result.element_class = element_class();
    result.configuration = opt_config();
  } else if (lexer_.peek().kind == TokenKind::open_parenthesis) {
    result.kind = Kind::anonymous;
    result.element_class = std::make_shared<ast::Class>(ast::Class{name.where, name.text, {}, false});
    result.configuration = opt_config();
  } else {
    result.kind = Kind::reference;
    result.name = name.text;
  }
}

/// opt-port ::= "[" ports "]" | empty
/// ports ::= portnumber | ports "," portnumber
std::optional<ast::Ports> Parser::opt_port() {
  if (lexer_.peek().kind != TokenKind::open_bracket) return std::nullopt;
  ast::Ports ports{{}, lexer_.next().where};
  do {
    const Token token = expect(TokenKind::number, "a port number");
    int number = 0;
    const auto [end, failure] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
    if (failure != std::errc{} || number > kLastPort) {
      diagnostics_.error(token.where, "port number " + token.text + " is too large",
                         "the last port is " + std::to_string(kLastPort));
      number = 0;
    }
    ports.numbers.push_back(number);
  } while (accept(TokenKind::comma));
  expect(TokenKind::close_bracket, "']'");
  return ports;
}

/// opt-config ::= "(" configstring ")" | empty
Configuration Parser::opt_config() {
  if (lexer_.peek().kind != TokenKind::open_parenthesis) return {{}, lexer_.peek().where};
  return lexer_.configuration();
}

/// class ::= identifier | "{" compounds "}" | "{" compounds "||" "..." "}"
std::shared_ptr<const ast::Class> Parser::element_class() {
  auto result = std::make_shared<ast::Class>();
  result->where = lexer_.peek().where;
  if (accept(TokenKind::open_brace)) {
    compounds(*result);
    expect(TokenKind::close_brace, "'}'");
  } else {
    result->name = element_name("element class").text;
  }
  return result;
}

/// compounds ::= compound | compounds "||" compound
void Parser::compounds(ast::Class& result) {
  do {
    if (accept(TokenKind::ellipsis)) {
      result.extends = true;
      return;
    }
    result.compounds.push_back(compound());
  } while (accept(TokenKind::double_bar));
}

/// compound ::= stmts | opt-formals "|" stmts
ast::Compound Parser::compound() {
  const Nesting nesting(*this);
  ast::Compound result;
  result.where = lexer_.peek().where;
  const TokenKind first = lexer_.peek().kind;
  if (first == TokenKind::variable || (first == TokenKind::identifier && lexer_.peek(1).kind == TokenKind::variable)) {
    result.formals = formals();
    expect(TokenKind::bar, "'|'");
  } else {
    accept(TokenKind::bar);
  }
  result.statements = stmts();
  result.ports = pseudo_ports(result.statements);
  check_ports(result.ports, "compound element", result.where);
  return result;
}

/// formals ::= formal | formals "," formal
std::vector<ast::Formal> Parser::formals() {
  std::vector<ast::Formal> list;
  do {
    ast::Formal formal;
    formal.where = lexer_.peek().where;
    if (lexer_.peek().kind == TokenKind::identifier) formal.keyword = lexer_.next().text;
    formal.variable = expect(TokenKind::variable, "a parameter such as '$x'").text;
    const bool repeated = std::ranges::any_of(list, [&](const auto& f) { return f.variable == formal.variable; });
    if (repeated) diagnostics_.error(formal.where, "parameter '$" + formal.variable + "' multiply defined");
    if (!list.empty() && list.back().keyword == "__REST__")
      diagnostics_.error(formal.where, "'__REST__' must be the last parameter");
    else if (!list.empty() && !list.back().keyword.empty() && formal.keyword.empty())
      diagnostics_.error(formal.where, "positional parameters must precede keyword parameters");
    list.push_back(std::move(formal));
  } while (accept(TokenKind::comma));
  return list;
}

/// group ::= "(" stmts ")"
std::shared_ptr<const ast::Group> Parser::group() {
  const Nesting nesting(*this);
  auto result = std::make_shared<ast::Group>();
  const Location where = lexer_.next().where;
  result->statements = stmts();
  expect(TokenKind::close_parenthesis, "')'");
  result->ports = pseudo_ports(result->statements);
  check_ports(result->ports, "element group", where);
  return result;
}

/// elementclassstmt ::= "elementclass" identifier class
ast::ElementClassStatement Parser::elementclassstmt() {
  lexer_.next();
  ast::ElementClassStatement result;
  result.name = element_name("element class").text;
  result.element_class = element_class();
  return result;
}

/// requirestmt ::= "require" "(" configstring ")"
void Parser::requirestmt(ast::Statements& statements) {
  lexer_.next();
  ast::RequireStatement result;
  for (Argument& requirement : statement_arguments()) {
    const std::vector<std::string> words = split_words(requirement.text);
    if (words.size() == 2 && words[0] == "library")
      include(unquote(words[1]), requirement.where, statements);
    else
      result.requirements.push_back(std::move(requirement));
  }
  statements.push_back({std::move(result)});
}

void Parser::include(const std::string& name, const Location& where, ast::Statements& statements) {
  if (depth_ > 0) {
    diagnostics_.error(where, "'require(library)' can only be used at file scope");
    return;
  }
  if (!libraries_.insert(name).second) return;
  if (libraries_.size() > kDeepest) {
    diagnostics_.error(where, "too many libraries");
    return;
  }
  const std::optional<Source> library = find_library(name, file_);
  if (!library) {
    diagnostics_.error(where, "library '" + name + "' not found",
                       "it is looked for beside this file and in the directories of CLICKPATH");
    return;
  }
  diagnostics_.add_source(library->file, library->text);
  std::ranges::move(Parser(*library, libraries_, diagnostics_).parse(), std::back_inserter(statements));
}

/// INTERPRETATION: click(5) reserves the keyword `provide` without a rule; it is taken as the counterpart of `require`.
ast::ProvideStatement Parser::providestmt() {
  lexer_.next();
  return {statement_arguments()};
}

/// definestmt ::= "define" "(" configstring ")"
ast::DefineStatement Parser::definestmt() {
  lexer_.next();
  ast::DefineStatement result;
  for (const Argument& argument : statement_arguments()) {
    const std::string_view text = argument.text;
    const std::size_t end = std::min(text.find_first_of(" \t\n\v\f\r"), text.size());
    const std::string_view name = text.substr(0, end);
    const auto is_name = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (name.size() < 2 || name[0] != '$' || !std::all_of(name.begin() + 1, name.end(), is_name)) {
      diagnostics_.error(argument.where, "bad definition, expected '$parameter value'");
      continue;
    }
    const std::size_t value = std::min(text.find_first_not_of(" \t\n\v\f\r", end), text.size());
    result.definitions.push_back({std::string(name.substr(1)), std::string(text.substr(value)), argument.where});
  }
  return result;
}

std::vector<Argument> Parser::statement_arguments() {
  if (lexer_.peek().kind != TokenKind::open_parenthesis) syntax_error("'('");
  const Configuration configuration = lexer_.configuration();
  return split_arguments(configuration.text, configuration.where);
}

Token Parser::element_name(const std::string& what) {
  const TokenKind kind = lexer_.peek().kind;
  if (kind != TokenKind::identifier && kind != TokenKind::number) syntax_error("an " + what + " name");
  Token name = lexer_.next();
  if (has_all_digit_component(name.text))
    diagnostics_.error(name.where, what + " name '" + name.text + "' has all-digit component");
  return name;
}

bool Parser::accept(TokenKind kind) {
  if (lexer_.peek().kind != kind) return false;
  lexer_.next();
  return true;
}

Token Parser::expect(TokenKind kind, const std::string& what) {
  if (lexer_.peek().kind != kind) syntax_error(what);
  return lexer_.next();
}

void Parser::syntax_error(const std::string& expected) {
  report_syntax_error(lexer_.peek(), "expected " + expected);
  throw SyntaxError{};
}

/// Says it once for each place: what closes compounds and groups meets a place again and again.
void Parser::report_syntax_error(const Token& token, const std::string& what) {
  if (lexer_.remaining() == last_error_) return;
  last_error_ = lexer_.remaining();
  diagnostics_.error(token.where, "syntax error near " + shown(token) + ", " + what);
}

/// Skips to the end of the statement: a semicolon, a keyword, or what closes the surrounding compound or group.
void Parser::recover() {
  int braces = 0;
  while (true) {
    const TokenKind kind = lexer_.peek().kind;
    if (kind == TokenKind::end) return;
    if (braces == 0 && (is_closing(kind) || is_keyword(kind))) return;
    if (kind == TokenKind::open_parenthesis) {
      lexer_.skip_parentheses();
      continue;
    }
    if (kind == TokenKind::open_brace) ++braces;
    if (kind == TokenKind::close_brace) --braces;
    lexer_.next();
    if (braces == 0 && kind == TokenKind::semicolon) return;
  }
}

void Parser::check_ports(const ast::PseudoPorts& ports, const std::string& what, const Location& where) {
  if (const int port = missing_port(ports.inputs); port >= 0)
    diagnostics_.error(where, what + " input " + std::to_string(port) + " unused");
  if (const int port = missing_port(ports.outputs); port >= 0)
    diagnostics_.error(where, what + " output " + std::to_string(port) + " unused");
}

}  // namespace packetmill::click
