// The external scanner: layout (indentation), what a line is, where a value
// ends, whether it is an expression (recognizer.h), and what is wrong inside a
// signature.
//
// Each call looks at most over one line, over the brackets that a value opens,
// or over the blank and comment lines up to the next line with text (which are
// looked over once, at the line before them). It keeps
// no memory but the struct below, so tree-sitter can reuse every token whose
// look-ahead an edit did not touch.

#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

// The order is that of `externals` in grammar.js.
enum TokenType {
  START, NEWLINE, INDENT, DEDENT,
  HEADER_KEYWORD, TEXT_KEYWORD, TOOLS_KEYWORD, FLOW_KEYWORD, CONDITION_KEYWORD, SECTION_KEYWORD, IMPORT_KEYWORD, ADD_KEYWORD,
  TOOL_NAME, KEY, CONDITION_KEY, CALL_KEY, SET_KEY, RAW_KEY, FLOW_KEY, STEPS_KEY, RULE_KEYWORD, IF_KEYWORD, TARGET, SOURCE, DASH, BARE_DASH,
  STRING, NUMBER, BOOLEAN, NULL_, TEXT, PATH, PIPE, BLOCK_TEXT, LIST_OPEN, MAP_OPEN,
  ITEM_TEXT, MAP_KEY,
  STRING_START, STRING_TEXT, STRING_END, BLOCK_START, BLOCK_PIECE, BLOCK_END,
  INTERPOLATION, HELPER, ELSE, TEMPLATE, TEMPLATE_TEXT,
  EXPRESSION, CALL, QUOTED, ASSIGNED, LITERAL, OPAQUE, HASH_TEXT, CONDITION_TEXT, RULE_TEXT, BEFORE, CALLING, END, INNER_END,
  UNCLOSED, CONTINUED, INVALID,
  IDENTIFIER, RPAREN, LBRACE, RBRACE, LBRACKET, RBRACKET, EMPTY_BRACKETS, LANGLE, RANGLE,
  COMMA, COLON, EQUALS, QUESTION, ARROW,
  ERROR_SENTINEL,
};

// Deeper lines count as lines of the deepest level; the same limit stands in
// package syntax, which reports them.
#define MAX_LEVELS 200
#define MAX_BRACKETS 32
#define MAX_WORD 32

typedef struct {
  uint8_t brackets; // open in the unquoted text that goes on in another piece
  bool comment;     // a trailing comment comes next
  bool wrapped;     // the brackets of this value leave their first line
  bool endless;     // nothing ends a block comment any more
  uint8_t plain;    // quotes and {{ that nothing closes any more on this line
  uint8_t quote;    // of the string with placeholders around, or 0
  uint16_t next;    // column of the line behind the blank and comment lines
  uint8_t count;
  uint16_t levels[MAX_LEVELS]; // columns of the open blocks; the first is 0
} Scanner;

// ── Characters ────────────────────────────────────────────────────────────

static inline void advance(TSLexer *l) { l->advance(l, false); }
static inline void skip(TSLexer *l) { l->advance(l, true); }
static inline bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == 0xFEFF; }
static inline bool is_break(int32_t c) { return c == '\n' || c == '\r'; }
static inline bool at_end(TSLexer *l) { return is_break(l->lookahead) || l->eof(l); }
static inline bool at_gap(TSLexer *l) { return is_blank(l->lookahead) || at_end(l); }
static inline bool is_alpha(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static inline bool is_word(int32_t c) { return is_alpha(c) || is_digit(c); }
// A letter or digit of any script: an apostrophe behind it opens no string.
static inline bool is_letter(int32_t c) { return is_word(c) || c > 127; }
static inline bool is_open(int32_t c) { return c == '(' || c == '[' || c == '{'; }
static inline bool is_close(int32_t c) { return c == ')' || c == ']' || c == '}'; }
static inline uint8_t quote_bit(int32_t c) { return c == '"' ? 1 : 2; }
static inline uint16_t cut(uint32_t column) { return column < UINT16_MAX ? (uint16_t)column : UINT16_MAX; }
static inline int32_t closing(int32_t c) { return c == '(' ? ')' : c == '[' ? ']' : '}'; }

static inline int32_t upper(int32_t c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

static inline bool emit(TSLexer *l, enum TokenType t) {
  l->result_symbol = t;
  return true;
}

static void advance_blanks(TSLexer *l) {
  while (is_blank(l->lookahead)) advance(l);
}

static void advance_line(TSLexer *l) {
  while (!at_end(l)) advance(l);
}

// Advances behind the quote that closes the string, whose opening quote is
// consumed. Strings end on their line.
static bool advance_string(TSLexer *l, int32_t quote) {
  while (!at_end(l)) {
    int32_t c = l->lookahead;
    advance(l);
    if (c == quote) return true;
    if (c == '\\' && !at_end(l)) advance(l);
  }
  return false;
}

#define PLAIN_BRACES 4

// Advances behind }}, up to the line's end or (not 0) before a quote that ends
// the string around. Says whether it was there.
static bool advance_braces(TSLexer *l, int32_t quote) {
  while (!at_end(l) && (quote == 0 || l->lookahead != quote)) {
    int32_t c = l->lookahead;
    advance(l);
    if (c == '}' && l->lookahead == '}') {
      advance(l);
      return true;
    }
    if (quote != 0 && c == '\\' && !at_end(l)) advance(l);
  }
  return false;
}

// The same between commas, where brackets were matched before: what stands in
// the braces must leave that as it is.
static bool advance_matched_braces(TSLexer *l) {
  char stack[MAX_BRACKETS];
  unsigned depth = 0;
  int32_t quote = 0, before = ' ';
  while (!at_end(l)) {
    int32_t c = l->lookahead;
    advance(l);
    if (c == '}' && l->lookahead == '}') {
      advance(l);
      return depth == 0 && quote == 0;
    }
    if (quote != 0) {
      if (c == '\\' && !at_end(l)) advance(l);
      if (c == quote) quote = 0;
    } else if (c == '"' || (c == '\'' && !is_letter(before))) {
      quote = c;
    } else if (is_open(c)) {
      if (depth == MAX_BRACKETS) return false;
      stack[depth++] = (char)closing(c);
    } else if (is_close(c) && (depth == 0 || c != stack[--depth])) {
      return false;
    } else if (c == '#' && is_blank(before)) {
      return false;
    }
    before = c;
  }
  return false;
}

// Passes over blanks and line ends, which become part of the token or (skipped)
// do not. Returns the column reached; *broke is set where a line end was among
// them. Once a token has begun nothing may be skipped: that would begin it anew.
static uint32_t pass_space(TSLexer *l, bool skipped, bool *broke) {
  uint32_t column = 0;
  for (;; l->advance(l, skipped)) {
    int32_t c = l->lookahead;
    if (is_break(c)) {
      column = 0;
      *broke = true;
    } else if (c == '\t') {
      column = (column / 4 + 1) * 4;
    } else if (c == ' ') {
      column++;
    } else if (!is_blank(c)) {
      return l->eof(l) ? 0 : column;
    }
  }
}

// Passes over blank and comment lines. Returns the column of the next line.
static uint32_t pass_comments(TSLexer *l) {
  for (;;) {
    bool broke = false;
    uint32_t column = pass_space(l, false, &broke);
    if (l->lookahead != '#' || l->eof(l)) return column;
    advance_line(l);
  }
}

// What consumed text ends with.
enum Tail { CLOSED = 1, SPACED = 2, LETTERED = 4 };

// A word, upper-cased and cut to fit.
typedef struct {
  char text[MAX_WORD];
  unsigned length;
  bool lower; // it was not upper case as a whole
} Word;

static void word_add(Word *w, int32_t c) {
  if (w->length < MAX_WORD) w->text[w->length] = c < 128 ? (char)upper(c) : '?';
  if (upper(c) != c) w->lower = true;
  w->length++;
}

static bool word_is(const Word *w, const char *s) {
  return w->length == strlen(s) && w->length <= MAX_WORD && memcmp(w->text, s, w->length) == 0;
}

static bool word_is_number(const Word *w) {
  unsigned i = 0, digits = 0;
  if (w->length > MAX_WORD) return false;
  if (i < w->length && w->text[i] == '-') i++;
  for (; i < w->length && is_digit(w->text[i]); i++) digits++;
  if (digits == 0 || i == w->length) return digits > 0;
  if (w->text[i++] != '.') return false;
  for (digits = 0; i < w->length && is_digit(w->text[i]); i++) digits++;
  return digits > 0 && i == w->length;
}

// Advances over what may be a key. Returns what it ends with.
static unsigned advance_word(TSLexer *l, Word *w) {
  bool lettered = false;
  for (; is_word(l->lookahead) || l->lookahead == '.' || l->lookahead == '-'; advance(l)) {
    lettered = is_word(l->lookahead);
    word_add(w, l->lookahead);
  }
  l->mark_end(l);
  return lettered ? LETTERED : 0;
}

static enum TokenType word_kind(const Word *w, const bool *valid, enum TokenType text) {
  if (valid[NUMBER] && word_is_number(w)) return NUMBER;
  if (valid[BOOLEAN] && (word_is(w, "TRUE") || word_is(w, "FALSE"))) return BOOLEAN;
  if (valid[NULL_] && word_is(w, "NULL")) return NULL_;
  return text;
}

// ── Brackets ──────────────────────────────────────────────────────────────

static inline uint16_t top(const Scanner *s) { return s->levels[s->count - 1]; }

// Advances to the bracket that closes `open`, which is consumed, and behind it.
// Fails where it is not there: at a line that is indented no deeper than the
// block and does not start with a closing bracket. ` # ` is text in brackets
// that close on their line; in others it is a comment, which on the first line
// is not known before its end.
static bool advance_brackets(const Scanner *s, TSLexer *l, int32_t open, bool *wrapped) {
  char stack[MAX_BRACKETS], before[MAX_BRACKETS];
  unsigned depth = 0, comment = 0; // comment: the depth before what may be one
  bool spaced = false, lettered = false, closed = false;
  stack[depth++] = (char)closing(open);
  while (depth > 0) {
    int32_t c = l->lookahead;
    if (l->eof(l)) return false;
    if (is_break(c)) {
      bool broke = false;
      uint32_t column = pass_space(l, false, &broke);
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

// Where unquoted text ends: a value takes the rest of its line, an item what
// stands before the next comma or closing bracket.
typedef struct {
  enum TokenType text;
  bool item;
  bool comments; // ` # ` is a comment here
} Context;

// Whether a value may end here: nothing but a comment follows on its line, or
// (an item) a comma or closing bracket, or a line that ends the brackets.
// Behind a closed string or bracket a comment needs no gap.
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
  bool ended = at_end(l) && pass_comments(l) <= top(s);
  return ended || l->eof(l) || l->lookahead == ',' || is_close(l->lookahead);
}

// Whether the quote ahead may open a string.
static bool at_string(const Scanner *s, TSLexer *l, bool lettered) {
  int32_t c = l->lookahead;
  return (c == '"' || (c == '\'' && !lettered)) && !(s->plain & quote_bit(c));
}

enum Quoted { UNCLOSED_STRING, WHOLE, HOLDS };

// Advances behind a string, whose end is marked, or only over a quote that
// nothing closes: it is text, and so are all of its kind up to the line's end.
// Of a string that holds placeholders only the quote is marked.
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
    return WHOLE;
  }
  s->quote = (uint8_t)quote;
  return HOLDS;
}

// At {{, whose first brace is consumed: a placeholder, or text that looks like
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

// A piece of a string that holds placeholders, or of a quoted part of a text:
// up to the next placeholder, or behind the quote.
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

// Unquoted text, one piece of it. What is consumed belongs to it; `word` holds
// it where the text may still be a number or the like.
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
      if (scan_string(s, l, valid[INTERPOLATION]) != WHOLE) break;
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

// Advances over what opens a pipe block, if nothing else follows on the line.
static bool advance_pipe(TSLexer *l, bool mark) {
  advance(l);
  if (l->lookahead == '-' || l->lookahead == '+') advance(l);
  if (mark) l->mark_end(l);
  bool spaced = is_blank(l->lookahead);
  advance_blanks(l);
  return at_end(l) || (spaced && l->lookahead == '#');
}

// A value, at its first character.
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
    if (quoted == HOLDS) {
      bool whole = value_ends(s, l, x, CLOSED);
      s->comment = false;
      return emit(l, whole && valid[STRING_START] ? STRING_START : x->text);
    }
    bool apart = at_gap(l);
    if (value_ends(s, l, x, CLOSED)) return emit(l, valid[STRING] ? STRING : x->text);
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

// At the end of a line; column is that of the next line with text.
static bool end_line(Scanner *s, TSLexer *l, uint32_t column) {
  s->brackets = s->plain = s->quote = 0;
  s->next = cut(column);
  s->comment = s->wrapped = false;
  return emit(l, NEWLINE);
}

#include "recognizer.h"

// ── Expressions ───────────────────────────────────────────────────────────

static Expression expression(const Scanner *s, TSLexer *l, enum End end) {
  return (Expression){.s = s, .l = l, .end = end};
}

// What a quoted value is: a string that holds an expression, one that does not,
// or the first operand of an expression.
static enum TokenType quoted_kind(Scanner *s, TSLexer *l, const Context *x) {
  Expression inside = expression(s, l, END_QUOTE);
  inside.quote = l->lookahead;
  advance(l);
  bool holds = take_expression(&inside) && inside.computes && l->lookahead == inside.quote;
  if (!advance_string(l, inside.quote)) return OPAQUE;
  Expression around = expression(s, l, END_LINE);
  around.closed = around.literal = true;
  bool taken = !is_letter(l->lookahead) && take_more(&around) && expression_ends(&around, s, x);
  if (taken && around.computes) return EXPRESSION;
  return taken && holds ? QUOTED : OPAQUE;
}

static bool at_assignment(TSLexer *l) {
  if (!is_alpha(l->lookahead)) return false;
  while (is_word(l->lookahead) || l->lookahead == '.' || l->lookahead == '-' || l->lookahead == '[' || l->lookahead == ']') advance(l);
  advance_blanks(l);
  if (l->lookahead != '=') return false;
  advance(l);
  return l->lookahead != '=' && l->lookahead != '>';
}

// What a value is, at its first character.
static enum TokenType value_kind(Scanner *s, TSLexer *l, const bool *valid, const Context *x) {
  Expression e = expression(s, l, x->item ? END_ITEM : END_LINE);
  if (valid[ASSIGNED]) return at_assignment(l) ? ASSIGNED : OPAQUE;
  if (valid[CALL]) {
    bool call = is_alpha(l->lookahead) && take_operand(&e) && !e.literal && take_space(&e);
    return call && expression_ends(&e, s, x) ? CALL : OPAQUE;
  }
  if (valid[QUOTED] && is_quote(l->lookahead)) return quoted_kind(s, l, x);
  bool taken = take_expression(&e) && (e.computes || !e.literal) && expression_ends(&e, s, x);
  return taken ? EXPRESSION : OPAQUE;
}

// Says what comes, in a token without a character.
static bool scan_start(Scanner *s, TSLexer *l, const bool *valid, const Context *x) {
  l->mark_end(l);
  s->brackets = 0;
  enum TokenType kind = value_kind(s, l, valid, x);
  s->comment = false;
  return emit(l, kind);
}

// Whether BEFORE calling or BEFORE returning stands here. Advances over words.
static bool at_before(TSLexer *l) {
  static const char *const words[] = {"CALLING", "RETURNING"};
  Word word = {.length = 0};
  for (; is_word(l->lookahead); advance(l)) word_add(&word, l->lookahead);
  if (!word_is(&word, "BEFORE")) return false;
  advance_blanks(l);
  for (word.length = 0; is_word(l->lookahead); advance(l)) word_add(&word, l->lookahead);
  return word_is(&word, words[0]) || word_is(&word, words[1]);
}

// Advances over a condition that is no expression, up to the colon of an IF, or
// to BEFORE or the line's end. Its end is marked if it is to be a token. Says
// whether what should end it was found.
static bool advance_condition(TSLexer *l, bool colon, bool mark) {
  unsigned depth = 0;
  bool spaced = true, closed = false, lettered = false;
  for (bool first = true; !at_end(l); first = false) {
    int32_t c = l->lookahead;
    if (!colon && spaced && !first && upper(c) == 'B') {
      if (at_before(l)) return true;
      spaced = false;
      lettered = true;
    } else {
      advance(l);
      if (c == '#' && spaced && depth == 0 && (closed || at_gap(l))) return false;
      if (colon && c == ':' && depth == 0 && at_gap(l)) return true;
      bool quote = c == '"' || (c == '\'' && !lettered);
      if (quote && !advance_string(l, c)) colon = false;
      if (is_open(c)) depth++;
      if (is_close(c) && depth > 0) depth--;
      spaced = is_blank(c);
      lettered = is_letter(c);
      if (!spaced) closed = quote || is_close(c);
    }
    if (mark && !spaced) l->mark_end(l);
  }
  return false;
}

// Behind the keyword of a rule or of an IF.
static bool scan_condition(Scanner *s, TSLexer *l, const bool *valid) {
  static const Context line = {TEXT, false, true};
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l)) return valid[NEWLINE] && end_line(s, l, pass_comments(l));
  l->mark_end(l);
  int32_t c = l->lookahead;
  if (c == '#' || (c == ':' && valid[COLON])) {
    advance(l);
    return !at_gap(l) && emit(l, OPAQUE);
  }
  Expression e = expression(s, l, valid[COLON] ? END_COLON : END_BEFORE);
  bool taken = take_expression(&e) && expression_ends(&e, s, &line);
  return emit(l, !taken ? OPAQUE : e.computes || !e.literal ? EXPRESSION : LITERAL);
}

// Behind a condition, or at BEFORE and behind it.
static bool scan_before(Scanner *s, TSLexer *l, const bool *valid) {
  static const Context line = {TEXT, false, true};
  bool spaced = is_blank(l->lookahead);
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l)) return end_line(s, l, pass_comments(l));
  if (l->lookahead == '#' && spaced) return false;
  Word word = {.length = 0};
  for (; is_word(l->lookahead); advance(l)) word_add(&word, l->lookahead);
  l->mark_end(l);
  if (valid[BEFORE]) return emit(l, BEFORE);
  if (word_is(&word, "CALLING")) {
    advance_blanks(l);
    bool named = is_alpha(l->lookahead);
    while (is_word(l->lookahead) || l->lookahead == '.') advance(l);
    bool gap = is_blank(l->lookahead);
    advance_blanks(l);
    if (named && (at_end(l) || (gap && l->lookahead == '#'))) return emit(l, CALLING);
    l->mark_end(l);
  }
  return scan_text(s, l, valid, &line, NULL, LETTERED);
}

// Behind {{, or behind a helper there.
static bool scan_template(const Scanner *s, TSLexer *l, const bool *valid) {
  while (is_blank(l->lookahead)) skip(l);
  l->mark_end(l);
  int32_t c = l->lookahead;
  if (c == '}') {
    advance(l);
    return l->lookahead != '}' && emit(l, TEMPLATE);
  }
  if (valid[HELPER] && (c == '#' || c == '/')) {
    advance(l);
    while (is_word(l->lookahead)) advance(l);
    l->mark_end(l);
    return emit(l, HELPER);
  }
  Expression e = expression(s, l, END_BRACES);
  e.quote = s->quote;
  bool taken = take_expression(&e) && expression_ends(&e, NULL, NULL);
  if (e.otherwise && !e.computes && valid[ELSE]) return emit(l, ELSE);
  return emit(l, taken ? EXPRESSION : TEMPLATE);
}

// What no helper or expression is, up to }}.
static bool scan_template_text(TSLexer *l) {
  while (!at_end(l)) {
    int32_t c = l->lookahead;
    advance(l);
    if (c == '}' && l->lookahead == '}') break;
    if (!is_blank(c)) l->mark_end(l);
  }
  return emit(l, TEMPLATE_TEXT);
}

// Where an expression ends the parser is told so.
static bool scan_end(TSLexer *l, const bool *valid) {
  if (valid[INNER_END]) {
    pass_comments(l);
  } else {
    advance_blanks(l);
  }
  int32_t c = l->lookahead;
  bool ends = at_end(l) || c == '#' || c == ',' || (c == ':' && !valid[COLON]) || c == '"' || c == '\'' || is_close(c) || upper(c) == 'B';
  return ends && emit(l, valid[INNER_END] ? INNER_END : END);
}

// Behind a key, or between the pieces of a value, or behind one.
static bool scan_rest(Scanner *s, TSLexer *l, const bool *valid) {
  static const Context line = {TEXT, false, true};
  bool goes_on = valid[TEXT] && !valid[STRING] && !valid[LIST_OPEN] && !valid[PATH];
  bool spaced = is_blank(l->lookahead);
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l)) return valid[NEWLINE] && end_line(s, l, pass_comments(l));
  if (l->lookahead == '#' && valid[HASH_TEXT] && spaced) {
    advance(l);
    if (at_gap(l)) return false;
    l->mark_end(l);
    return emit(l, HASH_TEXT);
  }
  if (l->lookahead == '#' && spaced && s->quote == 0 && (s->comment || !goes_on)) return false;
  if (valid[OPAQUE]) return scan_start(s, l, valid, &line);
  if (!valid[TEXT] && !valid[PIPE]) return false;
  if (!goes_on) return scan_value(s, l, valid, &line);
  Word word = {.length = 0};
  return scan_text(s, l, valid, &line, &word, 0);
}

// ── Lists, maps and signatures ────────────────────────────────────────────

static bool scan_item(Scanner *s, TSLexer *l, const bool *valid, bool signature) {
  const Context item = {ITEM_TEXT, true, signature || s->wrapped};
  int32_t c = l->lookahead;
  if (l->eof(l) || !valid[ITEM_TEXT]) return false;
  if (!valid[LIST_OPEN]) { // the text goes on
    if (s->brackets == 0 && s->quote == 0 && (c == ',' || is_close(c))) return false;
    Word word = {.length = 0};
    return scan_text(s, l, valid, &item, &word, 0);
  }
  if (c == ',' || is_close(c)) return false;
  s->comment = false;
  if (valid[MAP_KEY] && (is_alpha(c) || c == '"' || c == '\'')) {
    Word word = {.length = 0};
    bool quoted = !is_alpha(c);
    if (quoted && scan_string(s, l, false) != WHOLE) return emit(l, ITEM_TEXT);
    unsigned tail = quoted ? CLOSED : advance_word(l, &word);
    bool apart = at_gap(l);
    if (is_blank(l->lookahead)) tail |= SPACED;
    advance_blanks(l);
    if (l->lookahead == ':') return emit(l, MAP_KEY);
    if (value_ends(s, l, &item, tail)) return emit(l, quoted ? STRING : word_kind(&word, valid, ITEM_TEXT));
    return apart ? emit(l, ITEM_TEXT) : scan_text(s, l, valid, &item, NULL, tail);
  }
  return scan_value(s, l, valid, &item);
}

static bool scan_list(Scanner *s, TSLexer *l, const bool *valid) {
  bool broke = false, spaced = is_blank(l->lookahead);
  bool goes_on = valid[ITEM_TEXT] && !valid[LIST_OPEN];
  pass_space(l, true, &broke);
  if (l->lookahead == '#') {
    if (broke) return false;
    if (goes_on && s->comment && spaced && s->quote == 0) return false;
    if (s->wrapped && spaced && s->quote == 0) {
      l->mark_end(l);
      advance(l);
      if (at_gap(l)) return false;
      if (valid[OPAQUE]) return emit(l, OPAQUE);
      l->mark_end(l);
      static const Context item = {ITEM_TEXT, true, true};
      return valid[ITEM_TEXT] && scan_text(s, l, valid, &item, NULL, 0);
    }
  }
  if (broke) s->plain = 0;
  if (valid[OPAQUE] && l->lookahead != ',' && !is_close(l->lookahead)) {
    const Context item = {ITEM_TEXT, true, s->wrapped};
    return !l->eof(l) && scan_start(s, l, valid, &item);
  }
  return scan_item(s, l, valid, false);
}

static bool acceptable(TSLexer *l, const bool *valid, int32_t c) {
  switch (c) {
  case ')': return valid[RPAREN];
  case '{': return valid[LBRACE];
  case '}': return valid[RBRACE];
  case ']': return valid[RBRACKET];
  case '<': return valid[LANGLE];
  case '>': return valid[RANGLE];
  case ',': return valid[COMMA];
  case ':': return valid[COLON];
  case '=': return valid[EQUALS];
  case '?': return valid[QUESTION];
  case '[': return l->lookahead == ']' ? valid[EMPTY_BRACKETS] : valid[LBRACKET];
  case '-': return l->lookahead == '>' && valid[ARROW];
  default: return is_alpha(c) && valid[IDENTIFIER];
  }
}

// What fits no form inside a signature, up to where it may go on. Its first
// character is consumed.
static bool scan_invalid(TSLexer *l, const bool *valid, int32_t c) {
  bool spaced = false;
  for (;;) {
    if (c == '"' && !advance_string(l, c)) break;
    if (!is_blank(c)) l->mark_end(l);
    spaced = is_blank(c);
    c = l->lookahead;
    if (at_end(l) || (c == '#' && spaced)) break;
    if (!valid[NEWLINE] && (c == ',' || c == ')' || (c == '}' && valid[RBRACE]) || (c == ']' && valid[RBRACKET]) || (c == '>' && valid[RANGLE]))) break;
    advance(l);
  }
  if (c == '"') l->mark_end(l);
  return emit(l, INVALID);
}

static bool scan_signature(Scanner *s, TSLexer *l, const bool *valid) {
  bool broke = false, spaced = is_blank(l->lookahead);
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l) && valid[NEWLINE]) {
    uint32_t column = pass_comments(l);
    if (valid[CONTINUED] && column > top(s) && l->lookahead == '-') {
      advance(l);
      if (l->lookahead == '>') return emit(l, CONTINUED);
    }
    return end_line(s, l, column);
  }
  if (at_end(l)) {
    uint32_t column = pass_space(l, true, &broke);
    if (l->lookahead == '#' && !l->eof(l)) return false;
    if (column <= top(s) && !is_close(l->lookahead)) return valid[UNCLOSED] && emit(l, UNCLOSED);
    s->wrapped = true;
    s->plain = 0;
  }
  int32_t c = l->lookahead;
  if (c == '#' && (spaced || broke)) return false;
  if (c == ')' && !valid[RPAREN] && valid[UNCLOSED]) return emit(l, UNCLOSED);
  if (valid[ITEM_TEXT] && c != ',' && !is_close(c)) return scan_item(s, l, valid, true);
  if (!valid[INVALID]) return false;
  advance(l);
  return !acceptable(l, valid, c) && scan_invalid(l, valid, c);
}

// ── Lines ─────────────────────────────────────────────────────────────────

typedef struct {
  const char *name;
  enum TokenType kind;
} Keyword;

static const Keyword section_keywords[] = {
  {"AGENT", HEADER_KEYWORD}, {"SUPERVISOR", HEADER_KEYWORD}, {"VERSION", HEADER_KEYWORD}, {"LANGUAGE", HEADER_KEYWORD},
  {"DESCRIPTION", TEXT_KEYWORD}, {"GOAL", TEXT_KEYWORD}, {"PERSONA", TEXT_KEYWORD}, {"INSTRUCTIONS", TEXT_KEYWORD},
  {"SYSTEM_PROMPT", TEXT_KEYWORD}, {"TOOLS", TOOLS_KEYWORD}, {"FLOW", FLOW_KEYWORD}, {"STEPS", FLOW_KEYWORD},
  {"WHEN", CONDITION_KEYWORD}, {NULL, SECTION_KEYWORD},
};

static const Keyword keys[] = {
  {"FILE", IMPORT_KEYWORD}, {"ADD", ADD_KEYWORD},
  {"WHEN", CONDITION_KEY}, {"IF", CONDITION_KEY}, {"CHECK", CONDITION_KEY}, {"FILTER", CONDITION_KEY},
  {"EXIT_WHEN", CONDITION_KEY}, {"COMPLETE_WHEN", CONDITION_KEY}, {"CONDITION", CONDITION_KEY},
  {"CODE", RAW_KEY}, {"STATEMENT", RAW_KEY}, {"BODY_SCHEMA", RAW_KEY}, {"CALL", CALL_KEY}, {"SET", SET_KEY}, {"WITH", SET_KEY}, {"MAP", SET_KEY},
  {"ENTRY_POINT", FLOW_KEY}, {"GLOBAL_DIGRESSIONS", FLOW_KEY}, {"STEPS", STEPS_KEY},
  {NULL, KEY},
};

static bool scan_keyword(TSLexer *l, const bool *valid, const Word *w) {
  const Keyword *k = valid[SECTION_KEYWORD] ? section_keywords : keys;
  while (k->name != NULL && !(valid[k->kind] && word_is(w, k->name))) k++;
  return valid[k->kind] && emit(l, k->kind);
}

// A word behind a dash that makes its line a rule or an IF. In lower case it is
// one only where an expression follows, for the lines of a text begin so, too.
static bool scan_rule(Scanner *s, TSLexer *l, const Word *w) {
  static const Context line = {TEXT, false, true};
  bool colon = word_is(w, "IF");
  if (!colon && !word_is(w, "REQUIRE") && !word_is(w, "LIMIT") && !word_is(w, "RESTRICT") && !word_is(w, "WARN")) return false;
  advance_blanks(l);
  if (at_end(l) || l->lookahead == '=') return false;
  if (l->lookahead == '-') { // perhaps of an arrow
    advance(l);
    if (l->lookahead == '>') {
      advance(l);
      return emit(l, at_gap(l) ? SOURCE : TEXT);
    }
    if (w->lower) return emit(l, TEXT);
  }
  Expression e = expression(s, l, colon ? END_COLON : END_BEFORE);
  bool is = w->lower ? take_expression(&e) && e.computes && expression_ends(&e, s, &line) : !colon || advance_condition(l, true, false);
  return is ? emit(l, colon ? IF_KEYWORD : RULE_KEYWORD) : emit(l, TEXT);
}

// Whether a colon ends a key here: with a gap behind it, or (on a line of its
// own) whatever does not look like a URL or a path.
static bool advance_colon(TSLexer *l, bool own_line) {
  if (l->lookahead != ':') return false;
  advance(l);
  return at_gap(l) || (own_line && l->lookahead != '/' && l->lookahead != ':');
}

// A line in TOOLS is a signature if its first `(` comes before its first `:`.
// What is consumed holds neither.
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

// Whether nothing follows a dash on its line but a comment or a pipe.
static bool ends_dash(TSLexer *l) {
  int32_t c = l->lookahead;
  if (c == '|' || c == '>') return advance_pipe(l, false);
  if (c != '#') return at_end(l);
  advance(l);
  return at_gap(l);
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
    if (quoted == HOLDS && l->lookahead == ':') {
      l->mark_end(l);
      s->quote = 0;
      quoted = WHOLE;
    }
    if (quoted == HOLDS) return emit(l, value_ends(s, l, &line, CLOSED) && valid[STRING_START] ? STRING_START : TEXT);
    if (advance_colon(l, false)) return emit(l, KEY);
    if (value_ends(s, l, &line, CLOSED)) return emit(l, STRING);
    if (valid[TOOL_NAME] && advance_tool_name(l)) return emit(l, TOOL_NAME);
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
  if (l->lookahead == ':') {
    if (advance_colon(l, own_line)) return scan_keyword(l, valid, &word);
    return scan_text(s, l, valid, &line, NULL, 0);
  }
  bool spaced = is_blank(l->lookahead);
  if (spaced && valid[SECTION_KEYWORD] && (word_is(&word, "USE") || word_is(&word, "TEMPLATE"))) {
    advance_blanks(l);
    if (is_alpha(l->lookahead)) {
      Word rest = {.length = 0};
      advance_word(l, &rest);
      if (advance_colon(l, true)) return emit(l, SECTION_KEYWORD);
    }
    return scan_text(s, l, valid, &line, NULL, 0);
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

// The text of a pipe block, at its first character. Ends at the first line
// that is indented no deeper than the block's key. One that holds placeholders
// comes in pieces.
static bool scan_block_text(Scanner *s, TSLexer *l, const bool *valid) {
  bool goes_on = valid[BLOCK_END], empty = true; // empty: no character is taken
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
      column = pass_comments(l);
    }
    s->next = cut(column);
    break;
  } while (!l->eof(l));
  if (l->eof(l)) s->next = 0;
  return emit(l, !goes_on ? BLOCK_TEXT : empty ? BLOCK_END : BLOCK_PIECE);
}

// The name that a value assigns to.
static bool scan_target(TSLexer *l) {
  while (is_word(l->lookahead) || l->lookahead == '.' || l->lookahead == '-' || l->lookahead == '[' || l->lookahead == ']') advance(l);
  l->mark_end(l);
  return emit(l, TARGET);
}

static bool scan_line(Scanner *s, TSLexer *l, const bool *valid) {
  // Only a file starts a line without a line end before it.
  bool own_line = valid[SECTION_KEYWORD];
  uint32_t column = pass_space(l, true, &own_line);
  if (!own_line && !l->eof(l)) return scan_opener(s, l, valid, false); // behind a dash
  if (valid[BLOCK_TEXT] && column > top(s)) return scan_block_text(s, l, valid);

  // Blank and comment lines open and close nothing: the line behind them does.
  bool comment = l->lookahead == '#' && !l->eof(l);
  uint16_t next = comment ? s->next : cut(column);
  if (next > top(s) && valid[INDENT] && s->count < MAX_LEVELS) {
    s->levels[s->count++] = next;
    return emit(l, INDENT);
  }
  if (next < top(s)) {
    bool closes = s->levels[s->count - 2] >= next;
    if (closes && comment && column >= top(s)) return false; // a last comment of the block
    if (closes) {
      s->count--;
      return valid[DEDENT] && emit(l, DEDENT);
    }
    s->levels[s->count - 1] = next;
  }
  if (comment || l->eof(l)) return false;
  if (column == 0 && l->lookahead == '/' && valid[SECTION_KEYWORD]) {
    // The platform also takes // and /* */ between sections.
    advance(l);
    l->mark_end(l);
    if (l->lookahead == '/') return false;
    if (l->lookahead == '*' && !s->endless) {
      advance(l);
      for (int32_t c = 0; !l->eof(l); advance(l)) {
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
  l->mark_end(l);
  if (valid[START]) {
    s->next = cut(pass_comments(l));
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
  if (valid[TARGET] && !valid[KEY]) return scan_target(l);
  if (valid[TEXT] && !valid[KEY] && !valid[SECTION_KEYWORD]) return scan_rest(s, l, valid);
  if (valid[INDENT] || valid[DEDENT] || valid[KEY] || valid[SECTION_KEYWORD]) return scan_line(s, l, valid);
  return false;
}

unsigned tree_sitter_abl_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *s = payload;
  unsigned levels = (s->count - 1u) * sizeof *s->levels;
  buffer[0] = (char)s->brackets;
  buffer[1] = (char)(s->comment | s->wrapped << 1 | s->endless << 2 | s->plain << 3 | (s->quote == 0 ? 0 : quote_bit(s->quote)) << 6);
  memcpy(buffer + 2, &s->next, sizeof s->next);
  memcpy(buffer + 4, s->levels + 1, levels);
  return 4 + levels;
}

void tree_sitter_abl_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *s = payload;
  memset(s, 0, sizeof *s);
  s->count = 1;
  if (length < 4) return;
  s->brackets = (uint8_t)buffer[0];
  s->comment = buffer[1] & 1;
  s->wrapped = buffer[1] >> 1 & 1;
  s->endless = buffer[1] >> 2 & 1;
  s->plain = buffer[1] >> 3 & 7;
  uint8_t quote = (uint8_t)buffer[1] >> 6;
  s->quote = quote == 0 ? 0 : quote == quote_bit('"') ? '"' : '\'';
  memcpy(&s->next, buffer + 2, sizeof s->next);
  memcpy(s->levels + 1, buffer + 4, length - 4);
  s->count = (uint8_t)(1 + (length - 4) / sizeof *s->levels);
}

void *tree_sitter_abl_external_scanner_create(void) {
  Scanner *s = malloc(sizeof *s);
  tree_sitter_abl_external_scanner_deserialize(s, NULL, 0);
  return s;
}

void tree_sitter_abl_external_scanner_destroy(void *payload) { free(payload); }
