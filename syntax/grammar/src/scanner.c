// The external scanner: layout (indentation), what a line is, where a value
// ends, and what is wrong inside a signature.
//
// Each call looks at most over one line, over the brackets that a value opens,
// or over the blank and comment lines up to the next line with text. It keeps
// no memory but the struct below, so tree-sitter can reuse every token whose
// look-ahead an edit did not touch.

#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

enum TokenType {
  NEWLINE, INDENT, DEDENT,
  HEADER_KEYWORD, TOOLS_KEYWORD, SECTION_KEYWORD, IMPORT_KEYWORD, ADD_KEYWORD,
  TOOL_NAME, KEY, TARGET, SOURCE, DASH, BARE_DASH,
  STRING, NUMBER, BOOLEAN, NULL_, TEXT, PATH, PIPE, BLOCK_TEXT, LIST_OPEN, MAP_OPEN,
  ITEM_TEXT, MAP_KEY,
  UNCLOSED, INVALID,
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
  bool wrapped;     // the brackets of this value have left their first line
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
// block and does not start with a closing bracket.
static bool advance_brackets(const Scanner *s, TSLexer *l, int32_t open, bool wrapped) {
  char stack[MAX_BRACKETS];
  unsigned depth = 0;
  bool spaced = false, lettered = false;
  stack[depth++] = (char)closing(open);
  while (depth > 0) {
    int32_t c = l->lookahead;
    if (l->eof(l)) return false;
    if (is_break(c)) {
      bool broke = false;
      uint32_t column = pass_space(l, false, &broke);
      if (l->eof(l)) return false;
      if (l->lookahead == '#') {
        advance_line(l);
        continue;
      }
      if (column <= top(s) && !is_close(l->lookahead)) return false;
      wrapped = spaced = true;
      lettered = false;
      continue;
    }
    advance(l);
    if (c == '#' && wrapped && spaced && at_gap(l)) {
      advance_line(l);
    } else if (c == '"' || (c == '\'' && !lettered)) {
      if (!advance_string(l, c)) return false;
    } else if (is_open(c)) {
      if (depth == MAX_BRACKETS) return false;
      stack[depth++] = (char)closing(c);
    } else if (is_close(c) && c != stack[--depth]) {
      return false;
    }
    spaced = is_blank(c);
    lettered = is_letter(c);
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
// (an item) a comma or closing bracket.
static bool value_ends(const Scanner *s, TSLexer *l, const Context *x) {
  bool spaced = is_blank(l->lookahead);
  advance_blanks(l);
  if (!x->item) return at_end(l) || (spaced && l->lookahead == '#');
  bool wrapped = s->wrapped;
  while (at_end(l) && !l->eof(l)) {
    advance(l);
    advance_blanks(l);
    wrapped = true;
  }
  return l->eof(l) || l->lookahead == ',' || is_close(l->lookahead) || ((wrapped || x->comments) && l->lookahead == '#');
}

// What the consumed text ends with: a closed string or bracket, a blank.
enum Tail { OPEN_TAIL, CLOSED, SPACED };

// Unquoted text, one piece of it. What is consumed belongs to it; `word` holds
// it where the text may still be a number or the like.
static bool scan_text(Scanner *s, TSLexer *l, const bool *valid, const Context *x, Word *word, enum Tail tail) {
  unsigned depth = s->brackets;
  bool closed = tail == CLOSED, spaced = tail == SPACED, lettered = false;
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
    if ((c == '"' || (c == '\'' && (spaced || !lettered)))) {
      if (!empty) {
        whole = false;
        break;
      }
      advance(l);
      l->mark_end(l);
      whole = empty = false;
      if (!advance_string(l, c)) break;
      l->mark_end(l);
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
    closed = is_close(c) && depth == 0;
    spaced = empty = false;
    lettered = is_letter(c);
  }
  s->brackets = (uint8_t)depth;
  if (empty) return false;
  if (whole && (s->comment || !x->item || value_ends(s, l, x))) return emit(l, word_kind(word, valid, x->text));
  return emit(l, x->text);
}

// A value, at its first character.
static bool scan_value(Scanner *s, TSLexer *l, const bool *valid, const Context *x) {
  Word word = {.length = 0};
  int32_t c = l->lookahead;
  s->brackets = 0;
  if (valid[PIPE] && (c == '|' || c == '>')) {
    advance(l);
    if (l->lookahead == '-' || l->lookahead == '+') advance(l);
    l->mark_end(l);
    return value_ends(s, l, x) ? emit(l, PIPE) : scan_text(s, l, valid, x, NULL, OPEN_TAIL);
  }
  if (c == '"' || c == '\'') {
    advance(l);
    l->mark_end(l);
    if (!advance_string(l, c)) return emit(l, x->text);
    l->mark_end(l);
    if (valid[PATH]) return emit(l, PATH);
    if (value_ends(s, l, x)) return emit(l, valid[STRING] ? STRING : x->text);
    return scan_text(s, l, valid, x, NULL, CLOSED);
  }
  enum TokenType open = c == '[' ? LIST_OPEN : MAP_OPEN;
  if ((c == '[' || c == '{') && valid[open]) {
    advance(l);
    l->mark_end(l);
    if (l->lookahead != '{' && advance_brackets(s, l, c, s->wrapped) && value_ends(s, l, x)) return emit(l, open);
    s->brackets = 1;
    return emit(l, x->text);
  }
  return scan_text(s, l, valid, x, &word, OPEN_TAIL);
}

static bool end_line(Scanner *s, TSLexer *l) {
  s->brackets = 0;
  s->comment = s->wrapped = false;
  return emit(l, NEWLINE);
}

// Behind a key, or between the pieces of a value, or behind one.
static bool scan_rest(Scanner *s, TSLexer *l, const bool *valid) {
  static const Context line = {TEXT, false, true};
  bool goes_on = valid[TEXT] && !valid[STRING] && !valid[LIST_OPEN] && !valid[PATH];
  bool spaced = is_blank(l->lookahead);
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l)) return valid[NEWLINE] && end_line(s, l);
  if (l->lookahead == '#' && (goes_on ? s->comment : spaced)) return false;
  if (!valid[TEXT]) return false;
  if (!goes_on) return scan_value(s, l, valid, &line);
  Word word = {.length = 0};
  return scan_text(s, l, valid, &line, &word, OPEN_TAIL);
}

// ── Lists, maps and signatures ────────────────────────────────────────────

static bool scan_item(Scanner *s, TSLexer *l, const bool *valid, bool signature) {
  const Context item = {ITEM_TEXT, true, signature || s->wrapped};
  int32_t c = l->lookahead;
  if (l->eof(l) || !valid[ITEM_TEXT]) return false;
  if (!valid[LIST_OPEN]) { // the text goes on
    if (s->brackets == 0 && (c == ',' || is_close(c))) return false;
    Word word = {.length = 0};
    return scan_text(s, l, valid, &item, &word, OPEN_TAIL);
  }
  if (c == ',' || is_close(c)) return false;
  if (valid[MAP_KEY] && (is_alpha(c) || c == '"' || c == '\'')) {
    Word word = {.length = 0};
    bool quoted = !is_alpha(c);
    if (quoted) {
      advance(l);
      l->mark_end(l);
      if (!advance_string(l, c)) return emit(l, ITEM_TEXT);
    }
    for (; !quoted && (is_word(l->lookahead) || l->lookahead == '.' || l->lookahead == '-'); advance(l)) word_add(&word, l->lookahead);
    l->mark_end(l);
    advance_blanks(l);
    if (l->lookahead == ':') return emit(l, MAP_KEY);
    if (value_ends(s, l, &item)) return emit(l, quoted ? STRING : word_kind(&word, valid, ITEM_TEXT));
    return at_end(l) ? emit(l, ITEM_TEXT) : scan_text(s, l, valid, &item, NULL, quoted ? CLOSED : OPEN_TAIL);
  }
  return scan_value(s, l, valid, &item);
}

static bool scan_list(Scanner *s, TSLexer *l, const bool *valid) {
  bool broke = false, spaced = is_blank(l->lookahead);
  pass_space(l, true, &broke);
  if (l->lookahead == '#') {
    if (broke) return false;
    if (s->comment) return false;
    if (s->wrapped && spaced) {
      l->mark_end(l);
      advance(l);
      if (at_gap(l)) return false;
      l->mark_end(l);
      static const Context item = {ITEM_TEXT, true, true};
      return valid[ITEM_TEXT] && scan_text(s, l, valid, &item, NULL, OPEN_TAIL);
    }
  }
  s->wrapped = s->wrapped || broke;
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
  if (at_end(l)) {
    uint32_t column = pass_space(l, true, &broke);
    int32_t c = l->lookahead;
    bool deeper = column > top(s) && !l->eof(l);
    if (valid[NEWLINE]) {
      // The arrow may stand on the next line.
      while (c == '#' && valid[ARROW]) {
        advance_line(l);
        column = pass_space(l, true, &broke);
        c = l->lookahead;
        deeper = column > top(s) && !l->eof(l);
      }
      if (c == '-' && deeper && valid[ARROW]) {
        advance(l);
        if (l->lookahead == '>') return false;
      }
      return end_line(s, l);
    }
    if (c == '#' && !l->eof(l)) return false;
    if (!deeper && !is_close(c)) return valid[UNCLOSED] && emit(l, UNCLOSED);
    s->wrapped = true;
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
  static const char *headers[] = {"AGENT", "SUPERVISOR", "VERSION", "LANGUAGE"};
  if (valid[SECTION_KEYWORD]) {
    if (word_is(w, "TOOLS")) return emit(l, TOOLS_KEYWORD);
    for (unsigned i = 0; i < sizeof headers / sizeof *headers; i++) {
      if (word_is(w, headers[i])) return emit(l, HEADER_KEYWORD);
    }
    return emit(l, SECTION_KEYWORD);
  }
  if (valid[IMPORT_KEYWORD] && word_is(w, "FILE")) return emit(l, IMPORT_KEYWORD);
  if (valid[ADD_KEYWORD] && word_is(w, "ADD")) return emit(l, ADD_KEYWORD);
  return valid[KEY] && emit(l, KEY);
}

static void advance_word(TSLexer *l, Word *w) {
  for (; is_word(l->lookahead) || l->lookahead == '.' || l->lookahead == '-'; advance(l)) {
    word_add(w, l->lookahead);
  }
  l->mark_end(l);
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

static bool scan_opener(Scanner *s, TSLexer *l, const bool *valid, bool own_line) {
  static const Context line = {TEXT, false, true};
  int32_t c = l->lookahead;
  Word word = {.length = 0};
  s->brackets = 0;
  s->comment = s->wrapped = false;
  if (c == '-') {
    word_add(&word, c);
    advance(l);
    l->mark_end(l);
    if (!at_gap(l)) return scan_text(s, l, valid, &line, &word, OPEN_TAIL);
    if (!valid[DASH]) return scan_text(s, l, valid, &line, NULL, OPEN_TAIL);
    uint32_t column = top(s) + 1;
    for (; is_blank(l->lookahead); advance(l)) column = l->lookahead == '\t' ? (column / 4 + 1) * 4 : column + 1;
    if (at_end(l) || l->lookahead == '#') return emit(l, BARE_DASH);
    if (s->count == MAX_LEVELS || column > UINT16_MAX) return scan_text(s, l, valid, &line, NULL, OPEN_TAIL);
    s->levels[s->count++] = (uint16_t)column;
    return emit(l, DASH);
  }
  if ((c == '"' || c == '\'') && valid[KEY]) {
    advance(l);
    l->mark_end(l);
    if (!advance_string(l, c)) return emit(l, TEXT);
    l->mark_end(l);
    if (advance_colon(l, false)) return emit(l, KEY);
    if (value_ends(s, l, &line)) return emit(l, STRING);
    return scan_text(s, l, valid, &line, NULL, CLOSED);
  }
  if (!is_alpha(c)) {
    if (valid[TOOL_NAME] && !is_open(c) && c != '"' && c != '\'' && c != '|' && c != '>' && !is_digit(c)) {
      if (c != ':' && advance_tool_name(l)) return emit(l, TOOL_NAME);
      return scan_text(s, l, valid, &line, c == ':' ? &word : NULL, OPEN_TAIL);
    }
    return scan_value(s, l, valid, &line);
  }
  advance_word(l, &word);
  if (l->lookahead == ':') {
    if (advance_colon(l, own_line)) return scan_keyword(l, valid, &word);
    return scan_text(s, l, valid, &line, NULL, OPEN_TAIL);
  }
  bool spaced = is_blank(l->lookahead);
  if (spaced && valid[SECTION_KEYWORD] && (word_is(&word, "USE") || word_is(&word, "TEMPLATE"))) {
    advance_blanks(l);
    if (is_alpha(l->lookahead)) {
      Word rest = {.length = 0};
      advance_word(l, &rest);
      if (advance_colon(l, true)) return emit(l, SECTION_KEYWORD);
    }
    return scan_text(s, l, valid, &line, NULL, OPEN_TAIL);
  }
  if (l->lookahead == '[') { // an index, as in `items[0].name = 1`
    while (is_word(l->lookahead) || l->lookahead == '[' || l->lookahead == ']' || l->lookahead == '.') advance(l);
    l->mark_end(l);
    word.length = MAX_WORD + 1;
  }
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
  return scan_text(s, l, valid, &line, NULL, spaced ? SPACED : OPEN_TAIL);
}

// The text of a pipe block, at its first character. Ends at the first line
// that is indented no deeper than the block's key.
static bool scan_block_text(const Scanner *s, TSLexer *l) {
  while (!l->eof(l)) {
    advance_line(l);
    l->mark_end(l);
    uint32_t column = 0;
    for (; is_blank(l->lookahead) || is_break(l->lookahead); advance(l)) {
      int32_t c = l->lookahead;
      column = is_break(c) ? 0 : c == '\t' ? (column / 4 + 1) * 4 : column + 1;
    }
    if (column <= top(s)) break;
  }
  return emit(l, BLOCK_TEXT);
}

static bool scan_line(Scanner *s, TSLexer *l, const bool *valid) {
  // Only a file starts a line without a line end before it.
  bool own_line = valid[SECTION_KEYWORD];
  uint32_t column = pass_space(l, true, &own_line), comment = UINT32_MAX;
  if (!own_line && !l->eof(l)) return scan_opener(s, l, valid, false); // behind a dash
  if (valid[BLOCK_TEXT] && column > top(s)) return scan_block_text(s, l);

  // Blank and comment lines open and close nothing.
  while (l->lookahead == '#' && !l->eof(l)) {
    if (comment == UINT32_MAX) comment = column;
    advance_line(l);
    column = pass_space(l, true, &own_line);
  }
  if (column > top(s) && valid[INDENT] && s->count < MAX_LEVELS) {
    s->levels[s->count++] = (uint16_t)(column < UINT16_MAX ? column : UINT16_MAX);
    return emit(l, INDENT);
  }
  if (column < top(s)) {
    bool closes = s->levels[s->count - 2] >= column;
    if (closes && comment != UINT32_MAX && comment >= top(s)) return false; // a last comment of the block
    if (closes) {
      s->count--;
      return valid[DEDENT] && emit(l, DEDENT);
    }
    s->levels[s->count - 1] = (uint16_t)column;
  }
  if (comment != UINT32_MAX || l->eof(l)) return false;
  if (column == 0 && l->lookahead == '/' && valid[SECTION_KEYWORD]) {
    // The platform also takes // and /* */ between sections.
    advance(l);
    l->mark_end(l);
    if (l->lookahead == '/') return false;
    if (l->lookahead == '*') {
      advance(l);
      for (int32_t c = 0; !l->eof(l); advance(l)) {
        if (c == '*' && l->lookahead == '/') return false;
        c = l->lookahead;
      }
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
  buffer[1] = (char)(s->comment | s->wrapped << 1);
  memcpy(buffer + 2, s->levels + 1, levels);
  return 2 + levels;
}

void tree_sitter_abl_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  Scanner *s = payload;
  memset(s, 0, sizeof *s);
  s->count = 1;
  if (length < 2) return;
  s->brackets = (uint8_t)buffer[0];
  s->comment = buffer[1] & 1;
  s->wrapped = buffer[1] >> 1 & 1;
  memcpy(s->levels + 1, buffer + 2, length - 2);
  s->count = (uint8_t)(1 + (length - 2) / sizeof *s->levels);
}

void *tree_sitter_abl_external_scanner_create(void) {
  Scanner *s = malloc(sizeof *s);
  tree_sitter_abl_external_scanner_deserialize(s, NULL, 0);
  return s;
}

void tree_sitter_abl_external_scanner_destroy(void *payload) { free(payload); }
