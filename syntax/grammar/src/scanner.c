// The external scanner. It decides the layout (indentation), the kind of each line,
// the end of a value, whether a value is an expression (expression.h), and what is
// invalid inside a signature.
//
// A call looks ahead at most over one line, over the brackets that a value opens, or
// over the blank and comment lines up to the next line with text. It does the last
// once, at the line before them. Its only state is the struct below, so tree-sitter
// can reuse every token whose look-ahead an edit did not touch.

#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

// The order is the same as in `externals` of grammar.js.
enum TokenType {
  START, NEWLINE, INDENT, DEDENT,
  HEADER_KEYWORD, TEXT_KEYWORD, TOOLS_KEYWORD, FLOW_KEYWORD, CONDITION_KEYWORD, SECTION_KEYWORD, IMPORT_KEYWORD, ADD_KEYWORD,
  TOOL_NAME, TOOL_KEY, KEY, CONDITION_KEY, CALL_KEY, CALL_WORD, SET_KEY, RAW_KEY, LABEL_KEY, CONDITION_WORD, FLOW_KEY, STEPS_KEY, STEP_NAME, RULE_KEYWORD, RULE_KEY, IF_KEYWORD, TARGET, SOURCE, LABEL, DASH, BARE_DASH,
  STRING, NUMBER, BOOLEAN, NULL_, TEXT, PATH, PIPE, BLOCK_TEXT, LIST_OPEN, MAP_OPEN,
  ITEM_TEXT, MAP_KEY, CALL_ITEM,
  STRING_START, STRING_TEXT, STRING_END, BLOCK_START, BLOCK_PIECE, BLOCK_END,
  INTERPOLATION, HELPER, ELSE, HELPER_CALL, TEMPLATE, TEMPLATE_TEXT,
  EXPRESSION, CALL, QUOTED, ASSIGNED, LITERAL, OPAQUE, HASH_TEXT, CONDITION_TEXT, RULE_TEXT, BEFORE, CALLING, END, INNER_END,
  UNCLOSED, CONTINUED, INVALID,
  IDENTIFIER, RPAREN, LBRACE, RBRACE, LBRACKET, RBRACKET, EMPTY_BRACKETS, LANGLE, RANGLE,
  COMMA, COLON, EQUALS, QUESTION, ARROW,
  ERROR_SENTINEL,
};

// Deeper lines count as lines of the deepest level. Package syntax has the same
// limit and reports them.
#define MAX_LEVELS 200
#define MAX_BRACKETS 32
#define MAX_WORD 32

typedef struct {
  uint8_t brackets; // open in the unquoted text that another piece continues
  bool comment;     // a trailing comment comes next
  bool wrapped;     // the brackets of this value extend beyond their first line
  bool endless;     // no later block comment is closed
  bool flow;        // the last section was FLOW: a name at column 0 is a step
  bool group_ends;  // this entry of a long block is the last of its group
  bool block_ended; // the last token ended a long block: it is not indented again
  uint8_t plain;    // quotes and {{ that are not closed on the rest of this line
  uint8_t quote;    // of the string with placeholders around, or 0
  uint16_t next;    // column of the line after the blank and comment lines
  uint8_t count;
  uint16_t levels[MAX_LEVELS]; // columns of the open blocks; the first is 0
} Scanner;

#include "chars.h"

// ── Brackets ──────────────────────────────────────────────────────────────

static inline uint16_t top(const Scanner *s) { return s->levels[s->count - 1]; }

// Advances past the bracket that closes `open`; `open` is consumed already. Returns
// false if there is none before a line that is indented no deeper than the block
// and does not start with a closing bracket. ` # ` is text in brackets that close
// on their line; in others it is a comment. On the first line this is not known
// before the line's end.
static bool advance_brackets(const Scanner *s, TSLexer *l, int32_t open, bool *wrapped) {
  char stack[MAX_BRACKETS], before[MAX_BRACKETS];
  unsigned depth = 0, comment = 0; // comment: the depth before a possible comment
  bool spaced = false, lettered = false, closed = false;
  stack[depth++] = (char)closing(open);
  while (depth > 0) {
    int32_t c = l->lookahead;
    if (l->eof(l)) return false;
    if (is_break(c)) {
      bool broke = false;
      uint32_t column = skip_space(l, false, &broke);
      if (comment > 0) memcpy(stack, before, depth = comment);
      comment = 0;
      *wrapped = spaced = true;
      lettered = closed = false;
      if (l->lookahead == '#') {
        advance_line(l);
      } else if (column <= top(s) && !is_close(l->lookahead)) {
        return false;
      }
      continue;
    }
    advance(l);
    bool quote = c == '"' || (c == '\'' && !lettered), fits = true;
    if (c == '#' && spaced && (closed || at_gap(l))) {
      if (*wrapped) {
        advance_line(l);
      } else if (comment == 0) {
        memcpy(before, stack, comment = depth);
      }
    } else if (quote) {
      fits = advance_string(l, c);
    } else if (is_open(c)) {
      fits = depth < MAX_BRACKETS;
      if (fits) stack[depth++] = (char)closing(c);
    } else if (is_close(c)) {
      fits = c == stack[--depth];
    }
    if (!fits) {
      if (comment == 0) return false;
      depth = comment;
      advance_line(l);
    }
    spaced = is_blank(c);
    lettered = is_letter(c);
    if (!spaced) closed = quote || is_close(c);
  }
  return true;
}

// ── Values ────────────────────────────────────────────────────────────────

// Says where unquoted text ends: a value ends with its line, an item before the
// next comma or closing bracket.
typedef struct {
  enum TokenType text;
  bool item;
  bool comments; // ` # ` is a comment here
} Context;

// Returns whether a value may end here: only a comment follows on its line. An item
// may also end before a comma, a closing bracket, or a line that ends the brackets.
// A comment after a closed string or bracket needs no gap.
static bool value_ends(Scanner *s, TSLexer *l, const Context *x, unsigned tail) {
  bool spaced = is_blank(l->lookahead) || tail & SPACED;
  advance_blanks(l);
  if (!x->item) return at_end(l) || (spaced && l->lookahead == '#');
  if (!s->comment && l->lookahead == '#') {
    if (!x->comments || !spaced) return false;
    advance(l);
    s->comment = tail & CLOSED || at_gap(l);
    if (!s->comment) return false;
  }
  if (s->comment) advance_line(l);
  bool ended = at_end(l) && skip_comments(l) <= top(s);
  return ended || l->eof(l) || l->lookahead == ',' || is_close(l->lookahead);
}

// Returns whether the next character is a quote that may open a string.
static bool at_string(const Scanner *s, TSLexer *l, bool lettered) {
  int32_t c = l->lookahead;
  return (c == '"' || (c == '\'' && !lettered)) && !(s->plain & quote_bit(c));
}

enum Quoted { UNCLOSED_STRING, CLOSED_STRING, STRING_WITH_PLACEHOLDERS };

// Advances past a string and marks its end. Marks only the quote if nothing closes
// it: then it is text, and so are all further quotes of its kind on the line. Marks
// only the quote of a string with placeholders, too.
static enum Quoted scan_string(Scanner *s, TSLexer *l, bool placeholders) {
  int32_t quote = l->lookahead;
  advance(l);
  l->mark_end(l);
  bool holds = false;
  while (placeholders && !holds && !at_end(l) && l->lookahead != quote) {
    int32_t c = l->lookahead;
    advance(l);
    if (c == '{' && l->lookahead == '{') {
      advance(l);
      placeholders = holds = advance_braces(l, quote);
    } else if (c == '\\' && !at_end(l)) {
      advance(l);
    }
  }
  if (!advance_string(l, quote)) {
    s->plain |= quote_bit(quote);
    return UNCLOSED_STRING;
  }
  if (!holds) {
    l->mark_end(l);
    return CLOSED_STRING;
  }
  s->quote = (uint8_t)quote;
  return STRING_WITH_PLACEHOLDERS;
}

// Scans {{, whose first brace is consumed: a placeholder, or text that looks like
// one.
static bool scan_braces(Scanner *s, TSLexer *l, const Context *x) {
  advance(l);
  l->mark_end(l);
  if (x->item && s->quote == 0 ? advance_matched_braces(l) : advance_braces(l, s->quote)) {
    s->comment = x->item ? x->comments : s->brackets == 0;
    return emit(l, INTERPOLATION);
  }
  if (s->quote == 0) {
    s->plain |= PLAIN_BRACES;
    s->brackets = s->brackets < UINT8_MAX - 1 ? s->brackets + 2 : UINT8_MAX;
  } else {
    l->mark_end(l);
  }
  return emit(l, x->text);
}

// Scans a piece of a string with placeholders, or of a quoted part of a text: up to
// the next placeholder, or past the quote.
static bool scan_quoted(Scanner *s, TSLexer *l, const Context *x) {
  bool string = x->text == STRING_TEXT;
  for (bool empty = true; !at_end(l); empty = false) {
    int32_t c = l->lookahead;
    if (c == s->quote) {
      if (string && !empty) break;
      advance(l);
      l->mark_end(l);
      s->quote = 0;
      s->comment = x->item ? x->comments : s->brackets == 0;
      return emit(l, string ? STRING_END : x->text);
    }
    advance(l);
    if (c == '{' && l->lookahead == '{') {
      if (empty) return scan_braces(s, l, x);
      advance(l);
      if (advance_braces(l, s->quote)) break;
    } else if (c == '\\' && !at_end(l)) {
      advance(l);
    }
    l->mark_end(l);
  }
  return emit(l, x->text);
}

// Scans one piece of unquoted text. What is consumed belongs to it; `word` holds
// it if the text may still be a number or the like.
static bool scan_text(Scanner *s, TSLexer *l, const bool *valid, const Context *x, Word *word, unsigned tail) {
  if (s->quote != 0) return scan_quoted(s, l, x);
  unsigned depth = s->brackets;
  bool closed = tail & CLOSED, spaced = tail & SPACED, lettered = tail & LETTERED;
  bool whole = word != NULL, empty = word != NULL && word->length == 0;
  s->comment = false;
  while (!at_end(l)) {
    int32_t c = l->lookahead;
    if (x->item && depth == 0 && (c == ',' || is_close(c))) break;
    if (is_blank(c)) {
      spaced = true;
      advance(l);
      continue;
    }
    if (at_string(s, l, lettered && !spaced)) {
      whole = false;
      if (!empty) break;
      empty = false;
      if (scan_string(s, l, valid[INTERPOLATION]) != CLOSED_STRING) break;
      closed = true;
      spaced = false;
      continue;
    }
    advance(l);
    if (c == '{' && l->lookahead == '{' && valid[INTERPOLATION] && !(s->plain & PLAIN_BRACES)) {
      if (empty) {
        s->brackets = (uint8_t)depth;
        return scan_braces(s, l, x);
      }
      advance(l);
      whole = false;
      if (x->item ? advance_matched_braces(l) : advance_braces(l, 0)) break;
      s->plain |= PLAIN_BRACES;
      break;
    }
    if (c == '#' && spaced && (x->item ? x->comments : depth == 0) && (closed || at_gap(l))) {
      s->comment = true;
      break;
    }
    l->mark_end(l);
    if (is_open(c) && depth < UINT8_MAX) depth++;
    if (is_close(c) && depth > 0) depth--;
    if (spaced && !empty) whole = false; // two words
    if (whole) word_add(word, c);
    closed = is_close(c);
    spaced = empty = false;
    lettered = is_letter(c);
  }
  s->brackets = (uint8_t)depth;
  if (empty) return false;
  if (whole && (!x->item || value_ends(s, l, x, 0))) return emit(l, word_kind(word, valid, x->text));
  return emit(l, x->text);
}

// Returns whether a string that does not end its value is the label of a mapping; the
// string is consumed. If it is none, what is consumed belongs to a text.
static bool is_label(TSLexer *l, const bool *valid) {
  if (!valid[LABEL] || l->lookahead != '-') return false;
  bool is = advance_arrow(l);
  if (!is) l->mark_end(l);
  return is;
}

// Scans a value, at its first character.
static bool scan_value(Scanner *s, TSLexer *l, const bool *valid, const Context *x) {
  Word word = {.length = 0};
  int32_t c = l->lookahead;
  s->brackets = s->quote = 0;
  s->comment = false;
  if (valid[PIPE] && (c == '|' || c == '>')) {
    return advance_pipe(l, true) ? emit(l, PIPE) : scan_text(s, l, valid, x, NULL, 0);
  }
  if (at_string(s, l, false)) {
    enum Quoted quoted = scan_string(s, l, valid[INTERPOLATION] && !valid[PATH]);
    if (quoted == UNCLOSED_STRING) return emit(l, x->text);
    if (valid[PATH]) return emit(l, PATH);
    if (quoted == STRING_WITH_PLACEHOLDERS) {
      bool whole = value_ends(s, l, x, CLOSED) || (valid[LABEL] && advance_arrow(l));
      s->comment = false;
      return emit(l, whole && valid[STRING_START] ? STRING_START : x->text);
    }
    bool apart = at_gap(l);
    if (value_ends(s, l, x, CLOSED)) return emit(l, valid[STRING] ? STRING : x->text);
    if (is_label(l, valid)) return emit(l, LABEL);
    if (x->item && apart) return emit(l, x->text);
    return scan_text(s, l, valid, x, NULL, CLOSED);
  }
  enum TokenType open = c == '[' ? LIST_OPEN : MAP_OPEN;
  if ((c == '[' || c == '{') && valid[open]) {
    bool wrapped = s->wrapped;
    advance(l);
    l->mark_end(l);
    bool placeholder = c == '{' && l->lookahead == '{';
    if (placeholder && valid[INTERPOLATION] && !(s->plain & PLAIN_BRACES)) return scan_braces(s, l, x);
    if (!placeholder && advance_brackets(s, l, c, &wrapped) && value_ends(s, l, x, CLOSED)) {
      s->wrapped = wrapped;
      return emit(l, open);
    }
    s->brackets = 1;
    s->comment = false;
    return emit(l, x->text);
  }
  return scan_text(s, l, valid, x, &word, 0);
}

// Scans the end of a line. column is the column of the next line with text.
static bool end_line(Scanner *s, TSLexer *l, uint32_t column) {
  s->brackets = s->plain = s->quote = 0;
  s->next = cut(column);
  s->comment = s->wrapped = false;
  return emit(l, NEWLINE);
}

// After CALL: returns whether `tool WITH: {…}` follows and ends the value. The colon may be
// missing.
static bool advance_with(Scanner *s, TSLexer *l, const Context *x, bool colon) {
  Word with = {.length = 0};
  while (is_word(l->lookahead)) advance(l);
  if (!is_blank(l->lookahead)) return false;
  advance_blanks(l);
  for (; is_word(l->lookahead); advance(l)) word_add(&with, l->lookahead);
  if (!word_is(&with, "WITH")) return false;
  if (l->lookahead == ':') {
    advance(l);
  } else if (colon) {
    return false;
  }
  advance_blanks(l);
  if (l->lookahead != '{') return false;
  bool wrapped = false;
  advance(l);
  return l->lookahead != '{' && advance_brackets(s, l, '{', &wrapped) && value_ends(s, l, x, CLOSED);
}

#include "expression.h"
#include "signature.h"
#include "words.h"

// ── Lines ─────────────────────────────────────────────────────────────────

// Returns whether a line of the block below is REASONING, which only a step has.
static bool advance_reasoning(TSLexer *l) {
  do {
    advance_line(l);
    if (skip_comments(l) == 0) return false;
    Word word = {.length = 0};
    for (; is_word(l->lookahead); advance(l)) word_add(&word, l->lookahead);
    if (l->lookahead == ':' && word_is(&word, "REASONING")) return true;
  } while (!l->eof(l));
  return false;
}

// Returns whether a key is a shared default of all tools of a file, and so declares no tool.
static bool is_shared_default(const Word *w) {
  static const char *const names[] = {"AUTH", "BASE_URL", "HEADERS", "HIDE", "RATE_LIMIT", "RETRY", "RETRY_DELAY", "TIMEOUT"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    if (word_is(w, names[i])) return true;
  }
  return false;
}

// Returns whether the block below has the form of a tool's declaration.
static bool advance_declaration(const Scanner *s, TSLexer *l) {
  static const char *const says[] = {"DESCRIPTION", "PARAMETERS", "PARAMS", "RETURNS"};
  uint32_t first = 0;
  do {
    advance_line(l);
    uint32_t column = skip_comments(l);
    if (column <= top(s)) return false;
    if (first == 0) first = column;
    if (column > first) continue;
    Word word = {.length = 0};
    for (; is_word(l->lookahead); advance(l)) word_add(&word, l->lookahead);
    for (unsigned i = 0; i < sizeof says / sizeof *says; i++) {
      if (l->lookahead == ':' && word_is(&word, says[i])) return true;
    }
  } while (!l->eof(l));
  return false;
}

// Returns whether a key directly below TOOLS declares a tool. The lexer is after its
// colon; nothing else may be on its line.
static bool declares_tool(const Scanner *s, TSLexer *l, const Word *w) {
  advance_blanks(l);
  return (at_end(l) || l->lookahead == '#') && !is_shared_default(w) && advance_declaration(s, l);
}

// Returns whether a key at column 0 is a step of the flow above. The lexer is after
// its colon; nothing else may be on its line. A section in the wrong case is no step,
// unless it has a line REASONING.
static bool names_step(const Scanner *s, TSLexer *l, const Word *w) {
  if (!s->flow || s->count > 1 || !w->lower) return false;
  advance_blanks(l);
  if (!at_end(l) && l->lookahead != '#') return false;
  if (word_is(w, "FLOW") || word_is(w, "STEPS")) return false;
  return !is_section_name(w) || advance_reasoning(l);
}

static bool scan_keyword(Scanner *s, TSLexer *l, const bool *valid, const Word *w) {
  if (valid[STEP_NAME] && names_step(s, l, w)) return emit(l, STEP_NAME);
  const Keyword *k = valid[SECTION_KEYWORD] ? section_keywords : keys;
  while (k->name != NULL && !(valid[k->kind] && word_is(w, k->name))) k++;
  if (valid[SECTION_KEYWORD] && s->count == 1) {
    s->flow = k->kind == FLOW_KEYWORD || (s->flow && (w->lower || !is_section_name(w)));
    s->group_ends = false;
  }
  if ((k->kind == KEY || k->kind == LABEL_KEY) && valid[TOOL_KEY] && declares_tool(s, l, w)) return emit(l, TOOL_KEY);
  return valid[k->kind] && emit(l, k->kind);
}

static bool is_rule_word(const Word *w) { return word_is(w, "REQUIRE") || word_is(w, "LIMIT") || word_is(w, "RESTRICT") || word_is(w, "WARN"); }

// Scans a word after a dash that makes its line a rule or an IF. In lower case it does
// so only if an expression follows, since lines of a text also begin with such words.
static bool scan_rule(Scanner *s, TSLexer *l, const Word *w) {
  static const Context line = {TEXT, false, true};
  bool colon = word_is(w, "IF");
  if (!colon && !is_rule_word(w)) return false;
  advance_blanks(l);
  if (at_end(l) || l->lookahead == '=') return false;
  if (l->lookahead == '-') { // it may begin an arrow
    advance(l);
    if (l->lookahead == '>') {
      advance(l);
      return emit(l, at_gap(l) ? SOURCE : TEXT);
    }
    if (w->lower) return emit(l, TEXT);
  }
  Expression e = expression(s, l, colon ? END_COLON : END_BEFORE);
  bool is = w->lower ? match_expression(&e) && e.computes && expression_ends(&e, s, &line) : !colon || advance_condition(l, true, false);
  return is ? emit(l, colon ? IF_KEYWORD : RULE_KEYWORD) : emit(l, TEXT);
}

// Returns whether only a condition follows a WHEN without its colon. Lines of a text
// also begin with this word, so a name alone is no condition if it is in lower case.
static bool advance_condition_without_colon(Scanner *s, TSLexer *l, bool lower) {
  static const Context line = {TEXT, false, true};
  Expression e = expression(s, l, END_LINE);
  return match_expression(&e) && (e.computes || !(lower || e.literal)) && expression_ends(&e, s, &line);
}

// Returns whether a colon ends a key here: there is a gap after it, or, on a line of
// its own, the rest does not look like a URL or a path.
static bool advance_colon(TSLexer *l, bool own_line) {
  if (l->lookahead != ':') return false;
  advance(l);
  return at_gap(l) || (own_line && l->lookahead != '/' && l->lookahead != ':');
}

// Returns whether a line in TOOLS is a signature: its first `(` comes before its
// first `:`. What is consumed already has neither.
static bool advance_tool_name(TSLexer *l) {
  while (!at_end(l)) {
    int32_t c = l->lookahead;
    if (c == '(') return true;
    if (c == ':' || c == '"' || c == '\'') return false;
    advance(l);
    if (!is_blank(c)) l->mark_end(l);
  }
  return false;
}

// Returns whether only a comment or a pipe follows a dash on its line.
static bool ends_dash(TSLexer *l) {
  int32_t c = l->lookahead;
  if (c == '|' || c == '>') return advance_pipe(l, false);
  if (c != '#') return at_end(l);
  advance(l);
  return at_gap(l);
}

// After VOICE: returns whether INSTRUCTIONS and a colon follow, which make one key.
static bool advance_instructions(TSLexer *l) {
  Word word = {.length = 0};
  for (; is_word(l->lookahead); advance(l)) word_add(&word, l->lookahead);
  if (!word_is(&word, "INSTRUCTIONS") || l->lookahead != ':') return false;
  l->mark_end(l);
  return true;
}

// Scans the second word after CALL or VOICE.
static enum TokenType scan_two_words(Scanner *s, TSLexer *l, const Word *w, bool own_line) {
  static const Context line = {TEXT, false, true};
  if (word_is(w, "CALL")) return advance_with(s, l, &line, own_line) ? CALL_WORD : TEXT;
  return advance_instructions(l) ? KEY : TEXT;
}

static bool scan_opener(Scanner *s, TSLexer *l, const bool *valid, bool own_line) {
  static const Context line = {TEXT, false, true};
  int32_t c = l->lookahead;
  Word word = {.length = 0};
  s->brackets = s->plain = s->quote = 0;
  s->comment = s->wrapped = false;
  if (c == '-') {
    word_add(&word, c);
    advance(l);
    l->mark_end(l);
    if (!at_gap(l)) return scan_text(s, l, valid, &line, &word, 0);
    if (!valid[DASH]) return scan_text(s, l, valid, &line, NULL, 0);
    uint32_t column = top(s) + 1;
    for (; is_blank(l->lookahead); advance(l)) column = l->lookahead == '\t' ? (column / 4 + 1) * 4 : column + 1;
    if (ends_dash(l)) return emit(l, BARE_DASH);
    if (s->count == MAX_LEVELS || column > UINT16_MAX) return scan_text(s, l, valid, &line, NULL, 0);
    s->levels[s->count++] = (uint16_t)column;
    return emit(l, DASH);
  }
  if ((c == '"' || c == '\'') && valid[KEY]) {
    enum Quoted quoted = scan_string(s, l, valid[INTERPOLATION]);
    if (quoted == UNCLOSED_STRING) return emit(l, TEXT);
    if (quoted == STRING_WITH_PLACEHOLDERS && l->lookahead == ':') {
      l->mark_end(l);
      s->quote = 0;
      quoted = CLOSED_STRING;
    }
    if (quoted == STRING_WITH_PLACEHOLDERS) {
      bool whole = value_ends(s, l, &line, CLOSED) || (valid[LABEL] && advance_arrow(l));
      return emit(l, whole && valid[STRING_START] ? STRING_START : TEXT);
    }
    bool colon = l->lookahead == ':';
    if (advance_colon(l, false)) return emit(l, KEY);
    if (value_ends(s, l, &line, CLOSED)) return emit(l, STRING);
    if (is_label(l, valid)) return emit(l, LABEL);
    if (valid[TOOL_NAME] && !colon && advance_tool_name(l)) return emit(l, TOOL_NAME);
    return scan_text(s, l, valid, &line, NULL, CLOSED);
  }
  if (!is_alpha(c)) {
    if (valid[TOOL_NAME] && !is_open(c) && c != '"' && c != '\'' && c != '|' && c != '>') {
      if (c != ':' && advance_tool_name(l)) return emit(l, TOOL_NAME);
      return scan_text(s, l, valid, &line, c == ':' ? &word : NULL, 0);
    }
    return scan_value(s, l, valid, &line);
  }
  unsigned tail = advance_word(l, &word);
  if (is_long_block(valid)) s->group_ends = ends_group(&word);
  if (l->lookahead == ':') {
    if (!advance_colon(l, own_line)) return scan_text(s, l, valid, &line, NULL, 0);
    if (!own_line && !word.lower && valid[RULE_KEY] && is_rule_word(&word)) return emit(l, RULE_KEY);
    if (own_line || word.lower || !valid[CALL_WORD] || !word_is(&word, "CALL")) return scan_keyword(s, l, valid, &word);
    advance_blanks(l);
    return emit(l, advance_with(s, l, &line, false) ? CALL_WORD : CALL_KEY);
  }
  bool spaced = is_blank(l->lookahead);
  bool called = word_is(&word, "CALL") && (own_line || !word.lower);
  if (spaced && valid[CALL_WORD] && !valid[TOOL_NAME] && (called || (own_line && word_is(&word, "VOICE")))) {
    advance_blanks(l);
    // The rest is scanned as another piece of the text.
    if (is_alpha(l->lookahead)) return emit(l, scan_two_words(s, l, &word, own_line));
  }
  if (spaced && valid[SECTION_KEYWORD] && (word_is(&word, "USE") || word_is(&word, "TEMPLATE"))) {
    advance_blanks(l);
    if (is_alpha(l->lookahead)) {
      Word rest = {.length = 0};
      advance_word(l, &rest);
      if (advance_colon(l, true)) {
        s->flow = false;
        return emit(l, SECTION_KEYWORD);
      }
    }
    return scan_text(s, l, valid, &line, NULL, 0);
  }
  if (spaced && valid[CONDITION_WORD] && word_is(&word, "WHEN")) {
    advance_blanks(l);
    bool named = at_end(l) || l->lookahead == '=' || l->lookahead == '-' || l->lookahead == '#'; // or a mapping, or an assignment
    if (!named) return emit(l, advance_condition_without_colon(s, l, word.lower) ? CONDITION_WORD : TEXT);
  }
  if (spaced && valid[RULE_KEYWORD] && scan_rule(s, l, &word)) return true;
  if (l->lookahead == '[') { // an index, as in `items[0].name = 1`
    while (is_word(l->lookahead) || l->lookahead == '[' || l->lookahead == ']' || l->lookahead == '.') advance(l);
    l->mark_end(l);
    word.length = MAX_WORD + 1;
    tail = CLOSED;
  }
  if (spaced || is_blank(l->lookahead)) tail |= SPACED;
  advance_blanks(l);
  if (l->lookahead == '(' && valid[TOOL_NAME]) return emit(l, TOOL_NAME);
  if (l->lookahead == '=' && valid[TARGET]) {
    advance(l);
    if (l->lookahead != '=' && l->lookahead != '>') return emit(l, TARGET);
    l->mark_end(l);
  } else if (l->lookahead == '-' && valid[SOURCE]) {
    advance(l);
    if (l->lookahead == '>') {
      advance(l);
      if (at_gap(l)) return emit(l, SOURCE);
    }
    l->mark_end(l);
  } else if (at_end(l)) {
    return emit(l, word_kind(&word, valid, TEXT));
  }
  if (valid[TOOL_NAME] && advance_tool_name(l)) return emit(l, TOOL_NAME);
  return scan_text(s, l, valid, &line, NULL, tail);
}

// Scans the text of a pipe block, at its first character. It ends at the first line
// that is indented no deeper than the block's key. A text with placeholders comes in
// pieces.
static bool scan_block_text(Scanner *s, TSLexer *l, const bool *valid) {
  bool goes_on = valid[BLOCK_END], empty = true; // empty: no character is consumed
  l->mark_end(l);
  do {
    while (!at_end(l)) {
      int32_t c = l->lookahead;
      advance(l);
      if (c == '{' && l->lookahead == '{' && valid[BLOCK_PIECE]) {
        advance(l);
        if (empty && goes_on) l->mark_end(l);
        if (advance_braces(l, 0)) return emit(l, !empty ? BLOCK_PIECE : goes_on ? INTERPOLATION : BLOCK_START);
      }
      l->mark_end(l);
      empty = false;
    }
    uint32_t column = 0;
    for (; is_blank(l->lookahead) || is_break(l->lookahead); l->advance(l, empty)) {
      int32_t c = l->lookahead;
      column = is_break(c) ? 0 : c == '\t' ? (column / 4 + 1) * 4 : column + 1;
    }
    if (column > top(s)) continue;
    if (l->lookahead == '#') {
      advance_line(l);
      column = skip_comments(l);
    }
    s->next = cut(column);
    break;
  } while (!l->eof(l));
  if (l->eof(l)) s->next = 0;
  return emit(l, !goes_on ? BLOCK_TEXT : empty ? BLOCK_END : BLOCK_PIECE);
}

// Scans the name that a value assigns to.
static bool scan_target(TSLexer *l) {
  while (is_word(l->lookahead) || l->lookahead == '.' || l->lookahead == '-' || l->lookahead == '[' || l->lookahead == ']') advance(l);
  l->mark_end(l);
  return emit(l, TARGET);
}

static bool scan_line(Scanner *s, TSLexer *l, const bool *valid, bool block_ended) {
  // Only a file starts a line without a line end before it.
  bool own_line = valid[SECTION_KEYWORD];
  uint32_t column = skip_space(l, true, &own_line);
  if (!own_line && !l->eof(l)) return scan_opener(s, l, valid, false); // after a dash
  if (valid[BLOCK_TEXT] && column > top(s)) return scan_block_text(s, l, valid);

  // Blank and comment lines open and close nothing: the line after them does.
  bool comment = l->lookahead == '#' && !l->eof(l);
  uint16_t next = comment ? s->next : cut(column);
  if (next > top(s) && valid[INDENT] && !block_ended && s->count < MAX_LEVELS) {
    s->levels[s->count++] = next;
    return emit(l, INDENT);
  }
  if (next < top(s)) {
    bool closes = s->levels[s->count - 2] >= next;
    if (closes && comment && column >= top(s)) return false; // the last comment of the block
    if (closes) {
      s->count--;
      s->block_ended = is_long_block(valid);
      return valid[DEDENT] && emit(l, DEDENT);
    }
    s->levels[s->count - 1] = next;
  }
  if (comment || l->eof(l)) return false;
  if (s->group_ends && s->count > 1 && valid[DEDENT] && is_long_block(valid)) {
    s->group_ends = false;
    s->count--; // the next call indents again
    return emit(l, DEDENT);
  }
  if (column == 0 && l->lookahead == '/' && valid[SECTION_KEYWORD]) {
    // The platform also takes // and /* */ between sections.
    advance(l);
    l->mark_end(l);
    if (l->lookahead == '/') return false;
    if (l->lookahead == '*' && !s->endless) {
      advance(l);
      for (int32_t c = 0; !l->eof(l) && l->lookahead != 0; advance(l)) { // the generated lexer stops at a NUL
        if (c == '*' && l->lookahead == '/') return false;
        c = l->lookahead;
      }
      s->endless = true;
    }
    return emit(l, TEXT);
  }
  return scan_opener(s, l, valid, true);
}

// ── The interface that tree-sitter calls ──────────────────────────────────

bool tree_sitter_abl_external_scanner_scan(void *payload, TSLexer *l, const bool *valid) {
  Scanner *s = payload;
  if (valid[ERROR_SENTINEL]) return false;
  bool block_ended = s->block_ended;
  s->block_ended = false;
  l->mark_end(l);
  if (valid[START]) {
    s->next = cut(skip_comments(l));
    return emit(l, START);
  }
  if (valid[STRING_TEXT]) {
    static const Context string = {STRING_TEXT, false, false};
    return scan_quoted(s, l, &string);
  }
  if (valid[BLOCK_END]) return scan_block_text(s, l, valid);
  if (valid[TEMPLATE]) return scan_template(s, l, valid);
  if (valid[TEMPLATE_TEXT]) return scan_template_text(l);
  if (valid[INVALID] || valid[UNCLOSED]) return scan_signature(s, l, valid);
  if (valid[END] || valid[INNER_END]) return scan_end(l, valid);
  if (valid[LITERAL]) return scan_condition(s, l, valid);
  if (valid[CONDITION_TEXT] || valid[RULE_TEXT]) {
    advance_condition(l, valid[CONDITION_TEXT], true);
    return emit(l, valid[CONDITION_TEXT] ? CONDITION_TEXT : RULE_TEXT);
  }
  if (valid[BEFORE] || valid[CALLING]) return scan_before(s, l, valid);
  if (valid[COMMA] || valid[ITEM_TEXT]) return scan_list(s, l, valid);
  if (valid[NEWLINE]) return scan_rest(s, l, valid);
  if (valid[MAP_OPEN] && !valid[TEXT] && !valid[KEY]) return l->lookahead != ':' && scan_rest(s, l, valid);
  if (valid[TARGET] && !valid[KEY]) return scan_target(l);
  if (valid[TEXT] && !valid[KEY] && !valid[SECTION_KEYWORD]) return scan_rest(s, l, valid);
  if (valid[INDENT] || valid[DEDENT] || valid[KEY] || valid[SECTION_KEYWORD]) return scan_line(s, l, valid, block_ended);
  return false;
}

unsigned tree_sitter_abl_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *s = payload;
  unsigned levels = (s->count - 1u) * sizeof *s->levels;
  buffer[0] = (char)s->brackets;
  buffer[1] = (char)(s->comment | s->wrapped << 1 | s->endless << 2 | s->plain << 3 | (s->quote == 0 ? 0 : quote_bit(s->quote)) << 6);
  buffer[2] = (char)(s->flow | s->group_ends << 1 | s->block_ended << 2);
  memcpy(buffer + 3, &s->next, sizeof s->next);
  memcpy(buffer + 5, s->levels + 1, levels);
  return 5 + levels;
}

void tree_sitter_abl_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *s = payload;
  memset(s, 0, sizeof *s);
  s->count = 1;
  if (length < 5) return;
  s->brackets = (uint8_t)buffer[0];
  s->comment = buffer[1] & 1;
  s->wrapped = buffer[1] >> 1 & 1;
  s->endless = buffer[1] >> 2 & 1;
  s->plain = buffer[1] >> 3 & 7;
  uint8_t quote = (uint8_t)buffer[1] >> 6;
  s->quote = quote == 0 ? 0 : quote == quote_bit('"') ? '"' : '\'';
  s->flow = buffer[2] & 1;
  s->group_ends = buffer[2] >> 1 & 1;
  s->block_ended = buffer[2] >> 2 & 1;
  memcpy(&s->next, buffer + 3, sizeof s->next);
  memcpy(s->levels + 1, buffer + 5, length - 5);
  s->count = (uint8_t)(1 + (length - 5) / sizeof *s->levels);
}

void *tree_sitter_abl_external_scanner_create(void) {
  Scanner *s = malloc(sizeof *s);
  tree_sitter_abl_external_scanner_deserialize(s, NULL, 0);
  return s;
}

void tree_sitter_abl_external_scanner_destroy(void *payload) { free(payload); }
