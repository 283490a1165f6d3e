// Characters, words, and the white space and comments between tokens.
//
// Part of scanner.c; only scanner.c includes it.

static inline void advance(TSLexer *l) { l->advance(l, false); }
static inline void skip(TSLexer *l) { l->advance(l, true); }
static inline bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == 0xFEFF; }
static inline bool is_break(int32_t c) { return c == '\n' || c == '\r'; }
static inline bool at_end(TSLexer *l) { return is_break(l->lookahead) || l->eof(l); }
static inline bool at_gap(TSLexer *l) { return is_blank(l->lookahead) || at_end(l); }
static inline bool is_alpha(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static inline bool is_word(int32_t c) { return is_alpha(c) || is_digit(c); }
// Returns whether c is a letter or a digit of any script. An apostrophe after it opens
// no string.
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

// Advances past the quote that closes a string. The opening quote is consumed. Returns
// false if the string does not end on its line.
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

// Advances past }}. Returns false if it is not there before the line's end, or, if
// quote is not 0, before the quote that ends the string around.
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

// The same for a placeholder in an item, whose brackets were matched before: the text
// in the braces must not change the match.
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

// Passes over blanks and line ends; with `skipped` they do not become part of the
// token. Returns the column reached, and sets *broke if there was a line end. After
// the first character of a token `skipped` must be false: it would restart the token.
static uint32_t skip_space(TSLexer *l, bool skipped, bool *broke) {
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
static uint32_t skip_comments(TSLexer *l) {
  for (;;) {
    bool broke = false;
    uint32_t column = skip_space(l, false, &broke);
    if (l->lookahead != '#' || l->eof(l)) return column;
    advance_line(l);
  }
}

// The kinds of characters that consumed text ends with.
enum Tail { CLOSED = 1, SPACED = 2, LETTERED = 4 };

// A word in upper case, cut to fit.
typedef struct {
  char text[MAX_WORD];
  unsigned length;
  bool lower; // it had letters in lower case
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

// Advances over a word that may be a key. Returns its tail.
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

// Advances over the pipe that opens a pipe block. Returns false if more follows on the
// line.
static bool advance_pipe(TSLexer *l, bool mark) {
  advance(l);
  if (l->lookahead == '-' || l->lookahead == '+') advance(l);
  if (mark) l->mark_end(l);
  bool spaced = is_blank(l->lookahead);
  advance_blanks(l);
  return at_end(l) || (spaced && l->lookahead == '#');
}

// Returns whether the arrow of a mapping follows.
static bool advance_arrow(TSLexer *l) {
  if (l->lookahead != '-') return false;
  advance(l);
  if (l->lookahead != '>') return false;
  advance(l);
  return at_gap(l);
}
