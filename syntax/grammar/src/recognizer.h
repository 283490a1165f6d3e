// Whether a value is an expression. The recognizer takes no more than the rules
// of grammar.js take, from which the parser then builds the tree; what it does
// not take stays text. It looks over a value once and keeps nothing.
//
// Part of scanner.c, and included by it alone.

#define MAX_NESTING 32

// What an expression ends with.
enum End { END_LINE, END_ITEM, END_QUOTE, END_BRACES, END_COLON, END_BEFORE };

// What stands behind an operand.
enum Found { NOTHING, FAILED, OPERATOR, MATCHING, PRESENCE };

typedef struct {
  const Scanner *s;
  TSLexer *l;
  enum End end;
  int32_t quote;    // of the string around it, or 0
  unsigned depth;   // of brackets
  unsigned nesting; // of expressions in expressions
  bool spaced;      // blanks stand before the next character
  bool closed;      // a string or bracket ends before them
  bool broke;       // it leaves its first line
  bool computes;    // it has an operator or a call
  bool condition;   // it has one that makes a condition of a quoted value
  bool literal;     // its last operand is no more than a literal
  bool name;        // its last operand is no more than a name
  bool before;      // BEFORE calling stands behind it
  bool otherwise;   // it begins with `else`
  bool filtered;    // a `|` with a filter stands behind it
  bool helper;      // it is a helper of a placeholder with its arguments
  bool passed;      // blanks before the next character are consumed already
  enum Found found; // the operator that is consumed already, or NOTHING
} Expression;

static bool take_expression(Expression *e);

static bool is_quote(int32_t c) { return c == '"' || c == '\''; }

// Passes over what may stand between tokens: in brackets also line ends and
// comments, up to a line that is indented no deeper than the block.
static bool take_space(Expression *e) {
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
    uint32_t column = pass_space(l, false, &e->broke);
    if (l->eof(l) || (column <= top(e->s) && l->lookahead != '#' && !is_close(l->lookahead))) return false;
    e->spaced = true;
  }
  return true;
}

// A character that must come next, behind blanks.
static bool take(Expression *e, int32_t c) {
  if (!take_space(e) || e->l->lookahead != c) return false;
  advance(e->l);
  return true;
}

// Whether a word asks for a type: is_number.
static bool is_test(const Word *w) { return w->length > 3 && memcmp(w->text, "IS_", 3) == 0; }

static void take_word(Expression *e, Word *w) {
  for (w->length = 0; is_word(e->l->lookahead); advance(e->l)) word_add(w, e->l->lookahead);
}

// A string, at its quote. It may not hold the quote of the string around it, nor
// a backslash there: what that means in which of the two is not settled.
static bool take_string(Expression *e) {
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

static bool take_number(Expression *e) {
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

// One expression, behind its opening bracket.
static bool take_nested(Expression *e, int32_t close) {
  e->depth++;
  bool taken = take_expression(e) && take(e, close);
  e->depth--;
  e->closed = true;
  return taken;
}

// Elements between commas, behind the opening bracket.
static bool take_elements(Expression *e, int32_t close, bool (*element)(Expression *)) {
  bool taken = true, first = true;
  e->depth++;
  for (;; first = false) {
    taken = take_space(e);
    if (!taken || (first && e->l->lookahead == close)) break;
    taken = element(e) && take_space(e);
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

static bool take_operand(Expression *e);
static bool take_more(Expression *e);

// What stands in an argument: `name = value`, `name: value` or a value.
static bool take_given(Expression *e) {
  TSLexer *l = e->l;
  if (!take_operand(e)) return false;
  if (e->name) {
    if (!take_space(e)) return false;
    if (l->lookahead == ':') {
      advance(l);
      return take_expression(e);
    }
    if (l->lookahead == '=') {
      advance(l);
      if (l->lookahead != '=') return take_expression(e);
      advance(l);
      e->computes = e->condition = true;
      if (!take_operand(e)) return false;
    }
  }
  return take_more(e);
}

// An argument, perhaps with its name.
static bool take_argument(Expression *e) {
  if (e->nesting == MAX_NESTING) return false;
  e->nesting++;
  bool taken = take_given(e);
  e->nesting--;
  return taken;
}

static bool take_member_pair(Expression *e) {
  Word key;
  if (is_quote(e->l->lookahead)) {
    if (!take_string(e)) return false;
  } else if (is_alpha(e->l->lookahead)) {
    take_word(e, &key);
    if (e->l->lookahead == '.') return false;
  } else {
    return false;
  }
  return take(e, ':') && take_expression(e);
}

// The first name of a path.
static bool take_name(Expression *e, Word *w) {
  TSLexer *l = e->l;
  if (l->lookahead == '@') {
    word_add(w, '@');
    advance(l);
    if (!is_alpha(l->lookahead)) return false;
  }
  for (; is_word(l->lookahead); advance(l)) word_add(w, l->lookahead);
  return true;
}

// What may follow a path, a call or what stands in parentheses.
static bool take_postfix(Expression *e) {
  TSLexer *l = e->l;
  for (;;) {
    if (l->lookahead == '.') {
      advance(l);
      if (!is_alpha(l->lookahead)) return false;
      while (is_word(l->lookahead)) advance(l);
      e->closed = e->name = false;
    } else if (l->lookahead == '[') {
      advance(l);
      if (!take_nested(e, ']')) return false;
    } else if (l->lookahead == '(') {
      advance(l);
      if (!take_elements(e, ')', take_argument)) return false;
      e->computes = e->condition = true;
    } else {
      e->literal = false;
      return !is_letter(l->lookahead);
    }
    e->name = false;
  }
}

static enum Found take_operator_word(Expression *e, Word *w);
static bool take_word_operand(Expression *e, const Word *w, bool *again);

static bool is_operator_word(const Word *w) {
  static const char *const words[] = {"AND", "OR", "IMPLIES", "IS", "NOT", "IN", "CONTAINS", "MATCHES", "STARTSWITH", "ENDSWITH", "BEFORE"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    if (word_is(w, words[i])) return true;
  }
  return is_test(w);
}

// Behind a word that is a prefix where an operand follows, and else a name. What
// is consumed of the operator behind the name is kept.
static bool take_prefix(Expression *e, bool capital, bool *again) {
  TSLexer *l = e->l;
  if (!take_space(e)) return false;
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
  take_word(e, &w);
  if (is_operator_word(&w)) return (e->found = take_operator_word(e, &w)) != FAILED;
  e->computes = true;
  e->condition = e->condition || capital;
  return take_word_operand(e, &w, again);
}

// A helper of placeholders, behind its name: operands between blanks.
static bool take_helper(Expression *e) {
  TSLexer *l = e->l;
  Word w;
  while (l->lookahead != '}') {
    int32_t c = l->lookahead;
    e->passed = false;
    if (is_quote(c)) {
      if (!take_string(e) || is_letter(l->lookahead)) return false;
    } else if (is_digit(c) || c == '-') {
      advance(l);
      if ((c == '-' && !is_digit(l->lookahead)) || !take_number(e)) return false;
    } else if (is_alpha(c) || c == '@') {
      w.length = 0;
      if (!take_name(e, &w)) return false;
      if (!e->helper && is_operator_word(&w)) return (e->found = take_operator_word(e, &w)) != FAILED;
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

// What begins with a word.
static bool take_word_operand(Expression *e, const Word *w, bool *again) {
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
  return take_postfix(e);
}

static bool take_named(Expression *e, bool *again, bool first) {
  TSLexer *l = e->l;
  Word w = {.length = 0};
  if (!take_name(e, &w)) return false;
  bool apart = is_blank(l->lookahead) || (e->depth > 0 && is_break(l->lookahead));
  if (apart && (word_is(&w, "EXISTS") || word_is(&w, "EMPTY"))) return take_prefix(e, !w.lower, again);
  bool top = first && e->end == END_BRACES && e->nesting == 1 && e->depth == 0 && !e->computes;
  if (apart && top && word_is(&w, "ADD") && w.lower) {
    advance_blanks(l);
    return take_helper(e);
  }
  return take_word_operand(e, &w, again);
}

// What operators stand between.
static bool take_operand(Expression *e) {
  TSLexer *l = e->l;
  bool first = true;
  for (bool again = true; again; first = false) {
    if (!take_space(e)) return false;
    again = e->closed = e->literal = e->name = false;
    int32_t c = l->lookahead;
    if (is_quote(c)) return take_string(e) && !is_letter(l->lookahead);
    if (is_digit(c)) return take_number(e);
    if (is_alpha(c) || c == '@') {
      if (!take_named(e, &again, first)) return false;
      if (!again) {
        e->name = e->name && first;
        return true;
      }
    } else if (c == '[' || c == '{') {
      advance(l);
      return c == '[' ? take_elements(e, ']', take_expression) : take_elements(e, '}', take_member_pair);
    } else if (c == '(') {
      advance(l);
      return take_nested(e, ')') && take_postfix(e);
    } else if (c == '!' || c == '-') {
      advance(l);
      if (c == '-' && is_digit(l->lookahead)) return take_number(e);
      e->condition = e->condition || c == '!';
      again = true;
    } else {
      return false;
    }
    e->computes = true;
  }
  return false;
}

static enum Found take_comparing(Expression *e, const Word *w) {
  static const char *const words[] = {"IN", "CONTAINS", "STARTSWITH", "ENDSWITH"};
  enum Found found = word_is(w, "MATCHES") ? MATCHING : FAILED;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    if (word_is(w, words[i])) found = OPERATOR;
  }
  e->condition = true;
  return found;
}

// A word that is an operator, behind the word.
static enum Found take_operator_word(Expression *e, Word *w) {
  if (is_letter(e->l->lookahead)) return FAILED;
  if (word_is(w, "AND") || word_is(w, "OR") || word_is(w, "IMPLIES")) {
    e->condition = e->condition || !w->lower;
    return OPERATOR;
  }
  if (e->end == END_BEFORE && e->depth == 0 && word_is(w, "BEFORE")) {
    advance_blanks(e->l);
    take_word(e, w);
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
    take_word(e, w);
  }
  if (is && word_is(w, "NOT")) {
    while (e->l->lookahead == ' ' || e->l->lookahead == '\t') advance(e->l);
    take_word(e, w);
  }
  if (is_letter(e->l->lookahead)) return FAILED;
  if (!is) return take_comparing(e, w);
  e->condition = true;
  return word_is(w, "SET") ? PRESENCE : FAILED;
}

// Takes the operator ahead, if there is one.
static enum Found take_operator(Expression *e) {
  TSLexer *l = e->l;
  enum Found found = e->found;
  e->found = NOTHING;
  if (found != NOTHING || e->before || e->helper) return found;
  if (!take_space(e)) return FAILED;
  int32_t c = l->lookahead;
  if (is_alpha(c)) {
    Word w;
    take_word(e, &w);
    return take_operator_word(e, &w);
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

// A regular expression between slashes, at the first: one that begins with `/` or
// `*` would be a comment.
static bool take_regex(Expression *e) {
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

static bool take_pattern(Expression *e) {
  if (!take_space(e)) return false;
  return e->l->lookahead == '/' ? take_regex(e) : take_operand(e);
}

// What follows the first operand.
static bool take_more(Expression *e) {
  enum Found found;
  while ((found = take_operator(e)) != NOTHING) {
    if (found == FAILED) return false;
    e->computes = true;
    e->closed = e->literal = e->name = false;
    if (found == OPERATOR && !take_operand(e)) return false;
    if (found == MATCHING && !take_pattern(e)) return false;
  }
  if (e->l->lookahead != '?' || e->before || e->filtered || e->helper || (e->end == END_COLON && e->depth == 0)) return true;
  e->computes = true;
  advance(e->l);
  return take_expression(e) && take(e, ':') && take_expression(e);
}

static bool take_expression(Expression *e) {
  if (e->nesting == MAX_NESTING) return false;
  e->nesting++;
  bool taken = take_operand(e) && take_more(e);
  e->nesting--;
  return taken;
}

// The names of filters, behind the first `|`.
static bool take_filters(Expression *e) {
  TSLexer *l = e->l;
  for (;; advance(l)) {
    advance_blanks(l);
    if (!is_alpha(l->lookahead)) return false;
    while (is_word(l->lookahead)) advance(l);
    advance_blanks(l);
    if (l->lookahead != '|') return true;
  }
}

// Whether nothing but what must come next follows the expression that is taken.
static bool expression_ends(Expression *e, Scanner *s, const Context *x) {
  TSLexer *l = e->l;
  if (e->filtered && !take_filters(e)) return false;
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
