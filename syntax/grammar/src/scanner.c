// The external scanner: layout (indentation), what a line is, where a value
// ends, and what is wrong inside a signature.
//
// Each call looks at most over one line, over the brackets that a value opens,
// or over the blank and comment lines up to the next line with text (which are
// looked over once, at the line before them). It keeps
// no memory but the struct below, so tree-sitter can reuse every token whose
// look-ahead an edit did not touch.

#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

enum TokenType {
  START, NEWLINE, INDENT, DEDENT,
  HEADER_KEYWORD, TEXT_KEYWORD, TOOLS_KEYWORD, SECTION_KEYWORD, IMPORT_KEYWORD, ADD_KEYWORD,
  TOOL_NAME, KEY, TARGET, SOURCE, DASH, BARE_DASH,
  STRING, NUMBER, BOOLEAN, NULL_, TEXT, PATH, PIPE, BLOCK_TEXT, LIST_OPEN, MAP_OPEN,
  ITEM_TEXT, MAP_KEY,
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
  uint8_t plain;    // quotes that nothing closes any more on this line
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
} Word;

static void word_add(Word *w, int32_t c) {
  if (w->length < MAX_WORD) w->text[w->length] = (c >= 'a' && c <= 'z') ? (char)(c - 32) : (c < 128 ? (char)c : '?');
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

// Advances behind a string, whose end is marked, or only over a quote that
// nothing closes: it is text, and so are all of its kind up to the line's end.
static bool scan_string(Scanner *s, TSLexer *l) {
  int32_t quote = l->lookahead;
  advance(l);
  l->mark_end(l);
  bool closed = advance_string(l, quote);
  if (closed) {
    l->mark_end(l);
  } else {
    s->plain |= quote_bit(quote);
  }
  return closed;
}

// Unquoted text, one piece of it. What is consumed belongs to it; `word` holds
// it where the text may still be a number or the like.
static bool scan_text(Scanner *s, TSLexer *l, const bool *valid, const Context *x, Word *word, unsigned tail) {
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
      if (!scan_string(s, l)) break;
      closed = true;
      spaced = false;
      continue;
    }
    advance(l);
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
  s->brackets = 0;
  s->comment = false;
  if (valid[PIPE] && (c == '|' || c == '>')) {
    return advance_pipe(l, true) ? emit(l, PIPE) : scan_text(s, l, valid, x, NULL, 0);
  }
  if (at_string(s, l, false)) {
    if (!scan_string(s, l)) return emit(l, x->text);
    if (valid[PATH]) return emit(l, PATH);
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
  s->brackets = s->plain = 0;
  s->next = cut(column);
  s->comment = s->wrapped = false;
  return emit(l, NEWLINE);
}

// Behind a key, or between the pieces of a value, or behind one.
static bool scan_rest(Scanner *s, TSLexer *l, const bool *valid) {
  static const Context line = {TEXT, false, true};
  bool goes_on = valid[TEXT] && !valid[STRING] && !valid[LIST_OPEN] && !valid[PATH];
  bool spaced = is_blank(l->lookahead);
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l)) return valid[NEWLINE] && end_line(s, l, pass_comments(l));
  if (l->lookahead == '#' && (goes_on ? s->comment : spaced)) return false;
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
    if (s->brackets == 0 && (c == ',' || is_close(c))) return false;
    Word word = {.length = 0};
    return scan_text(s, l, valid, &item, &word, 0);
  }
  if (c == ',' || is_close(c)) return false;
  s->comment = false;
  if (valid[MAP_KEY] && (is_alpha(c) || c == '"' || c == '\'')) {
    Word word = {.length = 0};
    bool quoted = !is_alpha(c);
    if (quoted && !scan_string(s, l)) return emit(l, ITEM_TEXT);
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
    if (goes_on && s->comment) return false;
    if (s->wrapped && spaced) {
      l->mark_end(l);
      advance(l);
      if (at_gap(l)) return false;
      l->mark_end(l);
      static const Context item = {ITEM_TEXT, true, true};
      return valid[ITEM_TEXT] && scan_text(s, l, valid, &item, NULL, 0);
    }
  }
  if (broke) s->plain = 0;
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

static bool scan_keyword(TSLexer *l, const bool *valid, const Word *w) {
  static const struct { const char *name; enum TokenType kind; } sections[] = {
    {"AGENT", HEADER_KEYWORD}, {"SUPERVISOR", HEADER_KEYWORD}, {"VERSION", HEADER_KEYWORD}, {"LANGUAGE", HEADER_KEYWORD},
    {"DESCRIPTION", TEXT_KEYWORD}, {"GOAL", TEXT_KEYWORD}, {"PERSONA", TEXT_KEYWORD}, {"INSTRUCTIONS", TEXT_KEYWORD},
    {"SYSTEM_PROMPT", TEXT_KEYWORD}, {"TOOLS", TOOLS_KEYWORD},
  };
  if (valid[SECTION_KEYWORD]) {
    for (unsigned i = 0; i < sizeof sections / sizeof *sections; i++) {
      if (word_is(w, sections[i].name)) return emit(l, sections[i].kind);
    }
    return emit(l, SECTION_KEYWORD);
  }
  if (valid[IMPORT_KEYWORD] && word_is(w, "FILE")) return emit(l, IMPORT_KEYWORD);
  if (valid[ADD_KEYWORD] && word_is(w, "ADD")) return emit(l, ADD_KEYWORD);
  return valid[KEY] && emit(l, KEY);
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
  s->brackets = s->plain = 0;
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
    if (!scan_string(s, l)) return emit(l, TEXT);
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
  if (l->lookahead == '[') { // an index, as in `items[0].name = 1`
    while (is_word(l->lookahead) || l->lookahead == '[' || l->lookahead == ']' || l->lookahead == '.') advance(l);
    l->mark_end(l);
    word.length = MAX_WORD + 1;
    tail = CLOSED;
  }
  if (is_blank(l->lookahead)) tail |= SPACED;
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
// that is indented no deeper than the block's key.
static bool scan_block_text(Scanner *s, TSLexer *l) {
  while (!l->eof(l)) {
    advance_line(l);
    l->mark_end(l);
    uint32_t column = 0;
    for (; is_blank(l->lookahead) || is_break(l->lookahead); advance(l)) {
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
  }
  if (l->eof(l)) s->next = 0;
  return emit(l, BLOCK_TEXT);
}

static bool scan_line(Scanner *s, TSLexer *l, const bool *valid) {
  // Only a file starts a line without a line end before it.
  bool own_line = valid[SECTION_KEYWORD];
  uint32_t column = pass_space(l, true, &own_line);
  if (!own_line && !l->eof(l)) return scan_opener(s, l, valid, false); // behind a dash
  if (valid[BLOCK_TEXT] && column > top(s)) return scan_block_text(s, l);

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
  if (valid[INVALID] || valid[UNCLOSED]) return scan_signature(s, l, valid);
  if (valid[COMMA] || valid[ITEM_TEXT]) return scan_list(s, l, valid);
  if (valid[NEWLINE]) return scan_rest(s, l, valid);
  if (valid[INDENT] || valid[DEDENT] || valid[KEY] || valid[SECTION_KEYWORD]) return scan_line(s, l, valid);
  return false;
}

unsigned tree_sitter_abl_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *s = payload;
  unsigned levels = (s->count - 1u) * sizeof *s->levels;
  buffer[0] = (char)s->brackets;
  buffer[1] = (char)(s->comment | s->wrapped << 1 | s->endless << 2 | s->plain << 3);
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
  s->plain = buffer[1] >> 3 & 3;
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
