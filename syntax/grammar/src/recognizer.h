// The recognizer decides whether a value is an expression. It accepts no more than the
// rules of grammar.js, from which the parser then builds the tree; other values stay
// text. It reads a value once and stores nothing.
//
// Part of scanner.c; only scanner.c includes it.

#define MAX_NESTING 32

// The ways in which an expression ends.
enum End { END_LINE, END_ITEM, END_QUOTE, END_BRACES, END_COLON, END_BEFORE };

// The kinds of operators after an operand.
enum Found { NOTHING, FAILED, OPERATOR, MATCHING, PRESENCE };

typedef struct {
  const Scanner *s;
  TSLexer *l;
  enum End end;
  int32_t quote;    // of the string around it, or 0
  unsigned depth;   // of brackets
  unsigned nesting; // of expressions in expressions
  bool spaced;      // blanks are before the next character
  bool closed;      // a string or bracket ends before them
  bool broke;       // it extends beyond its first line
  bool computes;    // it has an operator or a call
  bool condition;   // it has an operator that makes a quoted value a condition
  bool literal;     // its last operand is no more than a literal
  bool name;        // its last operand is no more than a name
  bool before;      // BEFORE calling follows it
  bool otherwise;   // it begins with `else`
  bool filtered;    // a `|` with a filter follows it
  bool helper;      // it is a helper of a placeholder with its arguments
  bool passed;      // blanks before the next character are consumed already
  enum Found found; // the operator that is consumed already, or NOTHING
} Expression;

static bool match_expression(Expression *e);

static bool is_quote(int32_t c) { return c == '"' || c == '\''; }

// Passes over the blanks between tokens; in brackets also over line ends and comments,
// up to a line that is indented no deeper than the block.
static bool match_space(Expression *e) {
  TSLexer *l = e->l;
  bool lines = e->depth > 0 && e->end != END_QUOTE && e->end != END_BRACES;
  e->spaced = is_blank(l->lookahead) || e->passed;
  e->passed = false;
  advance_blanks(l);
  while (lines && !l->eof(l) && (is_break(l->lookahead) || (l->lookahead == '#' && e->spaced))) {
    // In brackets that close on their line a comment would be text.
    for (; !at_end(l); advance(l)) {
      if (!e->broke && is_close(l->lookahead)) return false;
    }
    uint32_t column = skip_space(l, false, &e->broke);
    if (l->eof(l) || (column <= top(e->s) && l->lookahead != '#' && !is_close(l->lookahead))) return false;
    e->spaced = true;
  }
  return true;
}

// Matches a character after blanks.
static bool match_char(Expression *e, int32_t c) {
  if (!match_space(e) || e->l->lookahead != c) return false;
  advance(e->l);
  return true;
}

// Returns whether a word tests for a type, such as is_number.
static bool is_test(const Word *w) { return w->length > 3 && memcmp(w->text, "IS_", 3) == 0; }

static void match_word(Expression *e, Word *w) {
  for (w->length = 0; is_word(e->l->lookahead); advance(e->l)) word_add(w, e->l->lookahead);
}

// Matches a string, at its quote. Inside another string it may have neither that
// string's quote nor a backslash, since it is not defined which of the two strings
// the backslash belongs to.
static bool match_string(Expression *e) {
  TSLexer *l = e->l;
  int32_t quote = l->lookahead;
  if (quote == e->quote) return false;
  for (advance(l); !at_end(l); advance(l)) {
    if (l->lookahead == quote) {
      advance(l);
      e->closed = e->literal = true;
      return true;
    }
    if (e->quote && (l->lookahead == e->quote || l->lookahead == '\\')) return false;
    if (l->lookahead == '\\') {
      advance(l);
      if (at_end(l)) return false;
    }
  }
  return false;
}

static bool match_number(Expression *e) {
  TSLexer *l = e->l;
  while (is_digit(l->lookahead)) advance(l);
  if (l->lookahead == '.') {
    advance(l);
    if (!is_digit(l->lookahead)) return false;
    while (is_digit(l->lookahead)) advance(l);
  }
  e->literal = true;
  // 24h, 1.2.3 and 2031-04-30 are text.
  return !is_letter(l->lookahead) && l->lookahead != '.' && l->lookahead != '-';
}

// Matches one expression and its closing bracket, after the opening bracket.
static bool match_nested(Expression *e, int32_t close) {
  e->depth++;
  bool taken = match_expression(e) && match_char(e, close);
  e->depth--;
  e->closed = true;
  return taken;
}

// Matches elements between commas and the closing bracket, after the opening bracket.
static bool match_elements(Expression *e, int32_t close, bool (*element)(Expression *)) {
  bool taken = true, first = true;
  e->depth++;
  for (;; first = false) {
    taken = match_space(e);
    if (!taken || (first && e->l->lookahead == close)) break;
    taken = element(e) && match_space(e);
    if (!taken || e->l->lookahead != ',') break;
    advance(e->l);
  }
  e->depth--;
  if (!taken || e->l->lookahead != close) return false;
  advance(e->l);
  e->closed = true;
  e->literal = e->name = false;
  return true;
}

static bool match_operand(Expression *e);
static bool match_rest(Expression *e);

// Matches the content of an argument: `name = value`, `name: value` or a value.
static bool match_argument_content(Expression *e) {
  TSLexer *l = e->l;
  if (!match_operand(e)) return false;
  if (e->name) {
    if (!match_space(e)) return false;
    if (l->lookahead == ':') {
      advance(l);
      return match_expression(e);
    }
    if (l->lookahead == '=') {
      advance(l);
      if (l->lookahead != '=') return match_expression(e);
      advance(l);
      e->computes = e->condition = true;
      if (!match_operand(e)) return false;
    }
  }
  return match_rest(e);
}

// Matches an argument, which may have a name.
static bool match_argument(Expression *e) {
  if (e->nesting == MAX_NESTING) return false;
  e->nesting++;
  bool taken = match_argument_content(e);
  e->nesting--;
  return taken;
}

static bool match_member_pair(Expression *e) {
  Word key;
  if (is_quote(e->l->lookahead)) {
    if (!match_string(e)) return false;
  } else if (is_alpha(e->l->lookahead)) {
    match_word(e, &key);
    if (e->l->lookahead == '.') return false;
  } else {
    return false;
  }
  return match_char(e, ':') && match_expression(e);
}

// Matches the first name of a path.
static bool match_name(Expression *e, Word *w) {
  TSLexer *l = e->l;
  if (l->lookahead == '@') {
    word_add(w, '@');
    advance(l);
    if (!is_alpha(l->lookahead)) return false;
  }
  for (; is_word(l->lookahead); advance(l)) word_add(w, l->lookahead);
  return true;
}

// Matches what may follow a path, a call or parentheses.
static bool match_postfix(Expression *e) {
  TSLexer *l = e->l;
  for (;;) {
    if (l->lookahead == '.') {
      advance(l);
      if (!is_alpha(l->lookahead)) return false;
      while (is_word(l->lookahead)) advance(l);
      e->closed = e->name = false;
    } else if (l->lookahead == '[') {
      advance(l);
      if (!match_nested(e, ']')) return false;
    } else if (l->lookahead == '(') {
      advance(l);
      if (!match_elements(e, ')', match_argument)) return false;
      e->computes = e->condition = true;
    } else {
      e->literal = false;
      return !is_letter(l->lookahead);
    }
    e->name = false;
  }
}

static enum Found match_operator_word(Expression *e, Word *w);
static bool match_word_operand(Expression *e, const Word *w, bool *again);

static bool is_operator_word(const Word *w) {
  static const char *const words[] = {"AND", "OR", "IMPLIES", "IS", "NOT", "IN", "CONTAINS", "MATCHES", "STARTSWITH", "ENDSWITH", "BEFORE"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    if (word_is(w, words[i])) return true;
  }
  return is_test(w);
}

// After a word that is a prefix if an operand follows, and else a name. If an operator
// follows the name, e->found stores what was consumed of it.
static bool match_prefix(Expression *e, bool capital, bool *again) {
  TSLexer *l = e->l;
  if (!match_space(e)) return false;
  int32_t c = l->lookahead;
  e->name = false;
  *again = c == '@' || c == '(' || c == '[' || c == '-' || c == '!';
  if (*again) {
    e->condition = e->condition || capital || c == '!';
    if (c == '!') advance(l);
    if (c == '!' && l->lookahead == '=') advance(l);
    return true;
  }
  if (!is_alpha(c)) return e->passed = e->spaced, e->name = true;
  Word w = {.length = 0};
  match_word(e, &w);
  if (is_operator_word(&w)) return (e->found = match_operator_word(e, &w)) != FAILED;
  e->computes = true;
  e->condition = e->condition || capital;
  return match_word_operand(e, &w, again);
}

// Matches the operands of a placeholder's helper, between blanks, after its name.
static bool match_helper(Expression *e) {
  TSLexer *l = e->l;
  Word w;
  while (l->lookahead != '}') {
    int32_t c = l->lookahead;
    e->passed = false;
    if (is_quote(c)) {
      if (!match_string(e) || is_letter(l->lookahead)) return false;
    } else if (is_digit(c) || c == '-') {
      advance(l);
      if ((c == '-' && !is_digit(l->lookahead)) || !match_number(e)) return false;
    } else if (is_alpha(c) || c == '@') {
      w.length = 0;
      if (!match_name(e, &w)) return false;
      if (!e->helper && is_operator_word(&w)) return (e->found = match_operator_word(e, &w)) != FAILED;
      while (l->lookahead == '.') {
        advance(l);
        if (!is_alpha(l->lookahead)) return false;
        while (is_word(l->lookahead)) advance(l);
      }
    } else {
      return e->passed = !e->helper;
    }
    e->helper = true;
    if (l->lookahead != '}' && !is_blank(l->lookahead)) return false;
    advance_blanks(l);
  }
  e->passed = true;
  return true;
}

// Matches an operand that begins with a word.
static bool match_word_operand(Expression *e, const Word *w, bool *again) {
  TSLexer *l = e->l;
  bool goes_on = l->lookahead == '.' || l->lookahead == '[' || l->lookahead == '(';
  if (word_is(w, "AND") || word_is(w, "OR") || word_is(w, "IMPLIES")) return false;
  if (word_is(w, "NOT") && l->lookahead != '.' && l->lookahead != '[') {
    e->condition = e->condition || !w->lower || l->lookahead == '(';
    return *again = !is_letter(l->lookahead);
  }
  bool sentinel = word_is(w, "UNDEFINED") || word_is(w, "ALWAYS");
  if (sentinel || word_is(w, "TRUE") || word_is(w, "FALSE") || word_is(w, "NULL")) {
    e->literal = !sentinel;
    return !goes_on && !is_letter(l->lookahead);
  }
  if (word_is(w, "ELSE") && !e->computes && e->nesting == 1 && e->depth == 0) e->otherwise = !goes_on && !is_letter(l->lookahead);
  e->name = w->text[0] != '@';
  return match_postfix(e);
}

static bool match_named(Expression *e, bool *again, bool first) {
  TSLexer *l = e->l;
  Word w = {.length = 0};
  if (!match_name(e, &w)) return false;
  bool apart = is_blank(l->lookahead) || (e->depth > 0 && is_break(l->lookahead));
  if (apart && (word_is(&w, "EXISTS") || word_is(&w, "EMPTY"))) return match_prefix(e, !w.lower, again);
  bool top = first && e->end == END_BRACES && e->nesting == 1 && e->depth == 0 && !e->computes;
  if (apart && top && word_is(&w, "ADD") && w.lower) {
    advance_blanks(l);
    return match_helper(e);
  }
  return match_word_operand(e, &w, again);
}

// Matches an operand.
static bool match_operand(Expression *e) {
  TSLexer *l = e->l;
  bool first = true;
  for (bool again = true; again; first = false) {
    if (!match_space(e)) return false;
    again = e->closed = e->literal = e->name = false;
    int32_t c = l->lookahead;
    if (is_quote(c)) return match_string(e) && !is_letter(l->lookahead);
    if (is_digit(c)) return match_number(e);
    if (is_alpha(c) || c == '@') {
      if (!match_named(e, &again, first)) return false;
      if (!again) {
        e->name = e->name && first;
        return true;
      }
    } else if (c == '[' || c == '{') {
      advance(l);
      return c == '[' ? match_elements(e, ']', match_expression) : match_elements(e, '}', match_member_pair);
    } else if (c == '(') {
      advance(l);
      return match_nested(e, ')') && match_postfix(e);
    } else if (c == '!' || c == '-') {
      advance(l);
      if (c == '-' && is_digit(l->lookahead)) return match_number(e);
      e->condition = e->condition || c == '!';
      again = true;
    } else {
      return false;
    }
    e->computes = true;
  }
  return false;
}

static enum Found match_comparing(Expression *e, const Word *w) {
  static const char *const words[] = {"IN", "CONTAINS", "STARTSWITH", "ENDSWITH"};
  enum Found found = word_is(w, "MATCHES") ? MATCHING : FAILED;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    if (word_is(w, words[i])) found = OPERATOR;
  }
  e->condition = true;
  return found;
}

// Matches the rest of an operator that begins with a word, after the word.
static enum Found match_operator_word(Expression *e, Word *w) {
  if (is_letter(e->l->lookahead)) return FAILED;
  if (word_is(w, "AND") || word_is(w, "OR") || word_is(w, "IMPLIES")) {
    e->condition = e->condition || !w->lower;
    return OPERATOR;
  }
  if (e->end == END_BEFORE && e->depth == 0 && word_is(w, "BEFORE")) {
    advance_blanks(e->l);
    match_word(e, w);
    e->before = word_is(w, "CALLING") || word_is(w, "RETURNING");
    return e->before ? NOTHING : FAILED;
  }
  bool is = word_is(w, "IS"), not = word_is(w, "NOT");
  if (is_test(w)) {
    e->condition = true;
    return PRESENCE;
  }
  if (is || not) {
    if (e->l->lookahead != ' ' && e->l->lookahead != '\t') return FAILED;
    while (e->l->lookahead == ' ' || e->l->lookahead == '\t') advance(e->l);
    match_word(e, w);
  }
  if (is && word_is(w, "NOT")) {
    while (e->l->lookahead == ' ' || e->l->lookahead == '\t') advance(e->l);
    match_word(e, w);
  }
  if (is_letter(e->l->lookahead)) return FAILED;
  if (!is) return match_comparing(e, w);
  e->condition = true;
  return word_is(w, "SET") ? PRESENCE : FAILED;
}

// Matches the next operator, if there is one.
static enum Found match_operator(Expression *e) {
  TSLexer *l = e->l;
  enum Found found = e->found;
  e->found = NOTHING;
  if (found != NOTHING || e->before || e->helper) return found;
  if (!match_space(e)) return FAILED;
  int32_t c = l->lookahead;
  if (is_alpha(c)) {
    Word w;
    match_word(e, &w);
    return match_operator_word(e, &w);
  }
  switch (c) {
  case '+': case '*': case '/': case '%': case '-':
    advance(l);
    return OPERATOR;
  case '<': case '>':
    advance(l);
    if (l->lookahead == '=') advance(l);
    e->condition = true;
    return OPERATOR;
  case '=': case '!': case '&': case '|':
    advance(l);
    e->filtered = c == '|' && l->lookahead != '|' && e->end == END_BRACES && e->depth == 0 && e->nesting == 1;
    if (e->filtered) return NOTHING;
    if (l->lookahead != (c == '!' ? '=' : c)) return FAILED;
    advance(l);
    e->condition = true;
    return OPERATOR;
  default:
    return NOTHING;
  }
}

// Matches a regular expression between slashes, at the first slash. It may not begin
// with `/` or `*`, which would make it a comment.
static bool match_regex(Expression *e) {
  TSLexer *l = e->l;
  bool class = false, first = true;
  for (advance(l); !at_end(l) && l->lookahead != e->quote; first = false) {
    int32_t c = l->lookahead;
    if (first && (c == '/' || c == '*')) return false;
    advance(l);
    if (c == '/' && !class) {
      while (l->lookahead >= 'a' && l->lookahead <= 'z') advance(l);
      return !is_letter(l->lookahead);
    }
    if (c == '\\') {
      if (at_end(l) || l->lookahead == e->quote) return false;
      advance(l);
    } else if (c == '[') {
      class = true;
    } else if (c == ']') {
      class = false;
    }
  }
  return false;
}

static bool match_pattern(Expression *e) {
  if (!match_space(e)) return false;
  return e->l->lookahead == '/' ? match_regex(e) : match_operand(e);
}

// Matches the rest of an expression after its first operand.
static bool match_rest(Expression *e) {
  enum Found found;
  while ((found = match_operator(e)) != NOTHING) {
    if (found == FAILED) return false;
    e->computes = true;
    e->closed = e->literal = e->name = false;
    if (found == OPERATOR && !match_operand(e)) return false;
    if (found == MATCHING && !match_pattern(e)) return false;
  }
  if (e->l->lookahead != '?' || e->before || e->filtered || e->helper || (e->end == END_COLON && e->depth == 0)) return true;
  e->computes = true;
  advance(e->l);
  return match_expression(e) && match_char(e, ':') && match_expression(e);
}

static bool match_expression(Expression *e) {
  if (e->nesting == MAX_NESTING) return false;
  e->nesting++;
  bool taken = match_operand(e) && match_rest(e);
  e->nesting--;
  return taken;
}

// Matches the names of filters, after the first `|`.
static bool match_filters(Expression *e) {
  TSLexer *l = e->l;
  for (;; advance(l)) {
    advance_blanks(l);
    if (!is_alpha(l->lookahead)) return false;
    while (is_word(l->lookahead)) advance(l);
    advance_blanks(l);
    if (l->lookahead != '|') return true;
  }
}

// Returns whether the matched expression is followed only by what must end it.
static bool expression_ends(Expression *e, Scanner *s, const Context *x) {
  TSLexer *l = e->l;
  if (e->filtered && !match_filters(e)) return false;
  int32_t c = l->lookahead;
  switch (e->end) {
  case END_QUOTE: return c == e->quote;
  case END_ITEM: return value_ends(s, l, x, (e->spaced ? SPACED : 0u) | (e->closed ? CLOSED : 0u));
  case END_BRACES:
  case END_COLON:
    if (at_end(l) || c != (e->end == END_COLON ? ':' : '}')) return false;
    advance(l);
    return e->end == END_COLON ? at_gap(l) : l->lookahead == '}';
  default:
    if (at_end(l) || e->before) return true;
    if (c != '#' || !e->spaced) return false;
    advance(l);
    return e->closed || at_gap(l);
  }
}
