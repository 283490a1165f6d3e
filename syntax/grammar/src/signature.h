// The content of brackets: lists, maps and signatures.
//
// Part of scanner.c; only scanner.c includes it.

// Scans an item of a list that begins with a C: it may be `CALL tool WITH {…}`.
static bool scan_call_item(Scanner *s, TSLexer *l, const bool *valid, const Context *x) {
  Word word = {.length = 0};
  s->brackets = s->quote = 0;
  unsigned tail = advance_word(l, &word);
  if (word.lower || !word_is(&word, "CALL")) return scan_text(s, l, valid, x, &word, tail);
  if (l->lookahead == ':') advance(l);
  advance_blanks(l);
  bool called = is_alpha(l->lookahead) && advance_with(s, l, x, false);
  s->comment = false;
  return emit(l, called ? CALL_ITEM : ITEM_TEXT);
}

static bool scan_item(Scanner *s, TSLexer *l, const bool *valid, bool signature) {
  const Context item = {ITEM_TEXT, true, signature || s->wrapped};
  int32_t c = l->lookahead;
  if (l->eof(l) || !valid[ITEM_TEXT]) return false;
  if (!valid[LIST_OPEN]) { // the text continues
    if (s->brackets == 0 && s->quote == 0 && (c == ',' || is_close(c))) return false;
    Word word = {.length = 0};
    return scan_text(s, l, valid, &item, &word, 0);
  }
  if (c == ',' || is_close(c)) return false;
  s->comment = false;
  if (valid[MAP_KEY] && (is_alpha(c) || c == '"' || c == '\'')) {
    Word word = {.length = 0};
    bool quoted = !is_alpha(c);
    if (quoted && scan_string(s, l, false) != CLOSED_STRING) return emit(l, ITEM_TEXT);
    unsigned tail = quoted ? CLOSED : advance_word(l, &word);
    bool apart = at_gap(l);
    if (is_blank(l->lookahead)) tail |= SPACED;
    advance_blanks(l);
    if (l->lookahead == ':') return emit(l, MAP_KEY);
    if (value_ends(s, l, &item, tail)) return emit(l, quoted ? STRING : word_kind(&word, valid, ITEM_TEXT));
    return apart ? emit(l, ITEM_TEXT) : scan_text(s, l, valid, &item, NULL, tail);
  }
  if (valid[CALL_ITEM] && c == 'C') return scan_call_item(s, l, valid, &item);
  return scan_value(s, l, valid, &item);
}

static bool scan_list(Scanner *s, TSLexer *l, const bool *valid) {
  bool broke = false, spaced = is_blank(l->lookahead);
  bool goes_on = valid[ITEM_TEXT] && !valid[LIST_OPEN];
  skip_space(l, true, &broke);
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

// Scans text inside a signature that has no known form, up to where the signature may
// continue. Its first character is consumed.
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
    uint32_t column = skip_comments(l);
    if (valid[CONTINUED] && column > top(s) && l->lookahead == '-') {
      advance(l);
      if (l->lookahead == '>') return emit(l, CONTINUED);
    }
    return end_line(s, l, column);
  }
  if (at_end(l)) {
    uint32_t column = skip_space(l, true, &broke);
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
