// Values that may be expressions: their kinds, and the tokens inside.
//
// Part of scanner.c; only scanner.c includes it.

#include "recognizer.h"

static Expression expression(const Scanner *s, TSLexer *l, enum End end) {
  return (Expression){.s = s, .l = l, .end = end};
}

// Returns the kind of a quoted value: a string with an expression, a string without
// one, or the first operand of an expression.
static enum TokenType quoted_kind(Scanner *s, TSLexer *l, const Context *x) {
  Expression inside = expression(s, l, END_QUOTE);
  inside.quote = l->lookahead;
  advance(l);
  bool holds = match_expression(&inside) && inside.condition && l->lookahead == inside.quote;
  if (!advance_string(l, inside.quote)) return OPAQUE;
  Expression around = expression(s, l, END_LINE);
  around.closed = around.literal = true;
  bool taken = !is_letter(l->lookahead) && match_rest(&around) && expression_ends(&around, s, x);
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

// Returns whether a tool or the call of a tool is here; AS and a name may follow. On a
// line below its key only a call can be told from other lines.
static bool at_called(Scanner *s, TSLexer *l, const Context *x, bool below) {
  Expression e = expression(s, l, END_LINE);
  Word word = {.length = 0};
  if (!is_alpha(l->lookahead) || !match_operand(&e) || e.literal || (below && !e.computes) || !match_space(&e)) return false;
  if (!e.spaced || !is_alpha(l->lookahead)) return expression_ends(&e, s, x);
  match_word(&e, &word);
  if (!word_is(&word, "AS") || !is_blank(l->lookahead)) return false;
  advance_blanks(l);
  if (!is_alpha(l->lookahead)) return false;
  while (is_word(l->lookahead) || l->lookahead == '.') advance(l);
  e.closed = false;
  e.spaced = is_blank(l->lookahead);
  advance_blanks(l);
  return expression_ends(&e, s, x);
}

// Returns the kind of a value, at its first character.
static enum TokenType value_kind(Scanner *s, TSLexer *l, const bool *valid, const Context *x) {
  Expression e = expression(s, l, x->item ? END_ITEM : END_LINE);
  if (valid[ASSIGNED]) return at_assignment(l) ? ASSIGNED : OPAQUE;
  if (valid[CALL]) return at_called(s, l, x, false) ? CALL : OPAQUE;
  if (valid[QUOTED] && is_quote(l->lookahead)) return quoted_kind(s, l, x);
  bool taken = match_expression(&e) && (e.computes || !e.literal) && expression_ends(&e, s, x);
  return taken ? EXPRESSION : OPAQUE;
}

// Emits an empty token that says the kind of the value that follows.
static bool scan_start(Scanner *s, TSLexer *l, const bool *valid, const Context *x) {
  l->mark_end(l);
  s->brackets = 0;
  enum TokenType kind = value_kind(s, l, valid, x);
  s->comment = false;
  return emit(l, kind);
}

// Returns whether BEFORE calling or BEFORE returning is here, or the AS of a call.
// Advances over words.
static bool at_before(TSLexer *l, bool as) {
  static const char *const words[] = {"CALLING", "RETURNING"};
  Word word = {.length = 0};
  for (; is_word(l->lookahead); advance(l)) word_add(&word, l->lookahead);
  if (as && word_is(&word, "AS")) return true;
  if (!word_is(&word, "BEFORE")) return false;
  advance_blanks(l);
  for (word.length = 0; is_word(l->lookahead); advance(l)) word_add(&word, l->lookahead);
  return word_is(&word, words[0]) || word_is(&word, words[1]);
}

// Advances over a condition that is no expression, up to the colon of an IF, or to
// BEFORE or the line's end. With `mark` it marks the condition's end. Returns whether
// it found the colon or BEFORE.
static bool advance_condition(TSLexer *l, bool colon, bool mark) {
  unsigned depth = 0;
  bool spaced = true, closed = false, lettered = false;
  for (bool first = true; !at_end(l); first = false) {
    int32_t c = l->lookahead;
    if (!colon && spaced && !first && upper(c) == 'B') {
      if (at_before(l, false)) return true;
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

// Scans a condition after the keyword of a rule or of an IF.
static bool scan_condition(Scanner *s, TSLexer *l, const bool *valid) {
  static const Context line = {TEXT, false, true};
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l)) return valid[NEWLINE] && end_line(s, l, skip_comments(l));
  l->mark_end(l);
  int32_t c = l->lookahead;
  if (c == '#' || (c == ':' && valid[COLON])) {
    advance(l);
    return !at_gap(l) && emit(l, OPAQUE);
  }
  Expression e = expression(s, l, valid[COLON] ? END_COLON : END_BEFORE);
  bool taken = match_expression(&e) && expression_ends(&e, s, &line);
  return emit(l, !taken ? OPAQUE : e.computes || !e.literal ? EXPRESSION : LITERAL);
}

// Scans BEFORE after a condition, or the word after BEFORE.
static bool scan_before(Scanner *s, TSLexer *l, const bool *valid) {
  static const Context line = {TEXT, false, true};
  bool spaced = is_blank(l->lookahead);
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l)) return end_line(s, l, skip_comments(l));
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

// Scans after {{, or after a helper in a placeholder.
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
  bool taken = match_expression(&e) && expression_ends(&e, NULL, NULL);
  if (e.otherwise && !e.computes && valid[ELSE]) return emit(l, ELSE);
  if (e.helper) return emit(l, taken && valid[HELPER_CALL] ? HELPER_CALL : TEMPLATE);
  return emit(l, taken ? EXPRESSION : TEMPLATE);
}

// Scans the text up to }} that is neither a helper nor an expression.
static bool scan_template_text(TSLexer *l) {
  while (!at_end(l)) {
    int32_t c = l->lookahead;
    advance(l);
    if (c == '}' && l->lookahead == '}') break;
    if (!is_blank(c)) l->mark_end(l);
  }
  return emit(l, TEMPLATE_TEXT);
}

// Emits an empty token at the end of an expression.
static bool scan_end(TSLexer *l, const bool *valid) {
  if (valid[INNER_END]) {
    skip_comments(l);
  } else {
    advance_blanks(l);
  }
  int32_t c = l->lookahead;
  bool ends = at_end(l) || c == '#' || c == ',' || (c == ':' && !valid[COLON]) || c == '"' || c == '\'' || is_close(c) || at_before(l, true);
  return ends && emit(l, valid[INNER_END] ? INNER_END : END);
}

// Scans after a key, between the pieces of a value, or after a value.
static bool scan_rest(Scanner *s, TSLexer *l, const bool *valid) {
  static const Context line = {TEXT, false, true};
  bool goes_on = valid[TEXT] && !valid[STRING] && !valid[LIST_OPEN] && !valid[PATH];
  bool spaced = is_blank(l->lookahead);
  while (is_blank(l->lookahead)) skip(l);
  if (at_end(l)) {
    uint32_t column = skip_comments(l);
    if (valid[CALL] && column > top(s) && at_called(s, l, &line, true)) return emit(l, CALL);
    return valid[NEWLINE] && end_line(s, l, column);
  }
  if (l->lookahead == '#' && valid[HASH_TEXT] && spaced) {
    advance(l);
    if (at_gap(l)) return false;
    l->mark_end(l);
    return emit(l, HASH_TEXT);
  }
  if (l->lookahead == '#' && spaced && s->quote == 0 && (s->comment || !goes_on)) return false;
  if (valid[OPAQUE]) return scan_start(s, l, valid, &line);
  if (!valid[TEXT] && !valid[PIPE] && !valid[MAP_OPEN]) return false;
  if (!goes_on) return scan_value(s, l, valid, &line);
  Word word = {.length = 0};
  return scan_text(s, l, valid, &line, &word, 0);
}
