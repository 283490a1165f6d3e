/**
 * @file Expressions and conditions: the rules of grammar.js below them. The
 * scanner lets nothing through that these do not take: src/recognizer.h reads
 * the same language.
 * @license MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** Elements between commas, none of which is missing.
 * @param {RuleOrLiteral} rule */
const commas = (rule) => seq(rule, repeat(seq(',', rule)));

/** A word in any casing.
 * @param {string} word */
const anyCase = (word) =>
  word.replace(/[a-z]/g, (c) => `[${c}${c.toUpperCase()}]`);

/** Words that compare, in any casing, each perhaps behind a `not`. */
const comparing = ['in', 'contains', 'startswith', 'endswith']
  .map(anyCase)
  .join('|');

// The precedence of operators, the lowest first.
const tightness = {
  conditional: 1,
  implies: 2,
  or: 3,
  and: 4,
  comparison: 5,
  sum: 6,
  product: 7,
  unary: 8,
  presence: 9,
  call: 10,
  name: 11,
};

module.exports = {
  expression_map_pair: ($) =>
    seq(
      field('key', alias($._map_key, $.key)),
      ':',
      optional(
        choice(
          field('value', $.expression),
          seq($._opaque, field('value', $._item)),
        ),
      ),
    ),

  // - WHEN condition
  bare_condition: ($) =>
    seq(
      field('key', alias($._condition_word, $.key)),
      $._condition_rest,
      optional(field('block', $.block)),
    ),

  // "Label" -> id, as the value of BUTTON.
  _label_rest: ($) =>
    choice($._rest, field('value', alias($.label_mapping, $.mapping))),
  label_mapping: ($) => seq(field('source', $._label_string), '->', $._rest),
  _label_string: ($) => choice(alias($._label, $.string), $.string),

  expression: ($) => seq($._expression, $._expr, $._end),
  called: ($) => seq($._call, $._expr, $._end),
  bare_expression: ($) => seq($._expr, $._end),

  // A token of the scanner ends an expression, so the parser need not know the ways
  // in which expressions end. That keeps its tables small.
  _inner: ($) => seq($._expr, $._inner_end),

  quoted_expression: ($) =>
    seq(
      $._quoted,
      choice(
        seq('"', alias($.bare_expression, $.expression), '"'),
        seq("'", alias($.bare_expression, $.expression), "'"),
      ),
    ),

  // In a placeholder: {{x | upper}}, {{add @index 1}}.
  template_expression: ($) =>
    seq($._expression, choice($._expr, $.filter_expression), $._end),
  filter_expression: ($) =>
    seq(
      field('operand', choice($._expr, $.filter_expression)),
      field('operator', alias('|', $.operator)),
      field('function', alias($._name, $.identifier)),
    ),
  helper_call: ($) =>
    seq(
      $._helper_call,
      field('function', alias($._helper_word, $.path)),
      field('arguments', alias($.helper_arguments, $.arguments)),
    ),
  helper_arguments: ($) =>
    repeat1(choice($._literals, alias($._path_name, $.path))),

  _expr: ($) =>
    choice(
      $._literals,
      $._term,
      $.list_expression,
      $.object_expression,
      $.unary_expression,
      $.is_expression,
      $.binary_expression,
      $.conditional_expression,
    ),

  // The expressions that a member, an index or a call may follow.
  _term: ($) =>
    choice(
      alias($._path_name, $.path),
      alias($._presence_name, $.path),
      $.call_expression,
      $.member_expression,
      $.index_expression,
      $.parenthesized_expression,
    ),

  _literals: ($) =>
    choice(
      alias($._string_literal, $.string),
      alias($._number_literal, $.number),
      alias($._boolean_literal, $.boolean),
      alias($._null_literal, $.null),
    ),

  conditional_expression: ($) =>
    prec.right(
      tightness.conditional,
      seq(
        field('condition', $._expr),
        '?',
        field('consequence', $._inner),
        ':',
        field('alternative', $._expr),
      ),
    ),

  binary_expression: ($) => {
    /** @param {number} t @param {RuleOrLiteral} o @param {Function} way */
    const binary = (t, o, way = prec.left) =>
      way(
        t,
        seq(
          field('left', $._expr),
          // @ts-ignore
          field('operator', alias(o, $.operator)),
          field('right', $._expr),
        ),
      );
    return choice(
      binary(tightness.implies, $._implies, prec.right),
      binary(tightness.or, $._or),
      binary(tightness.and, $._and),
      binary(tightness.comparison, $._compare),
      binary(tightness.comparison, $._matches),
      prec.left(
        tightness.comparison,
        seq(
          field('left', $._expr),
          field('operator', alias($._matches, $.operator)),
          field('right', $.regex),
        ),
      ),
      binary(tightness.sum, $._plus),
      binary(tightness.sum, $._minus),
      binary(tightness.product, $._times),
    );
  },

  // `EXISTS` and `EMPTY` are names if no operand follows.
  unary_expression: ($) =>
    prec(
      tightness.unary,
      seq(
        field(
          'operator',
          choice(
            alias($._not, $.operator),
            alias($._minus, $.operator),
            alias($._presence, $.operator),
          ),
        ),
        field('operand', $._expr),
      ),
    ),

  is_expression: ($) =>
    prec(
      tightness.presence,
      seq(field('operand', $._expr), field('operator', alias($._is, $.operator))),
    ),

  call_expression: ($) =>
    prec(
      tightness.call,
      seq(field('function', $._term), field('arguments', $.arguments)),
    ),
  arguments: ($) =>
    seq(
      alias(token.immediate('('), '('),
      optional(commas(choice($._inner, $.named_argument))),
      ')',
    ),
  named_argument: ($) =>
    seq(
      field('name', alias(choice($._path_name, $._presence), $.identifier)),
      choice('=', ':'),
      field('value', $._inner),
    ),

  member_expression: ($) =>
    prec(
      tightness.call,
      seq(
        field('object', $._term),
        token.immediate('.'),
        field('property', alias($._member, $.identifier)),
      ),
    ),
  index_expression: ($) =>
    prec(
      tightness.call,
      seq(
        field('object', $._term),
        alias(token.immediate('['), '['),
        field('index', $._inner),
        ']',
      ),
    ),

  parenthesized_expression: ($) => seq('(', $._inner, ')'),
  list_expression: ($) => seq('[', optional(commas($._inner)), ']'),
  object_expression: ($) => seq('{', optional(commas($.object_pair)), '}'),
  object_pair: ($) =>
    seq(
      field(
        'key',
        alias(choice($._string_literal, $._name), $.key),
      ),
      ':',
      field('value', $._inner),
    ),

  // Tokens. A word that is an operator is a name in the place of an operand.
  _implies: (_) => token(new RegExp(anyCase('implies'))),
  _or: (_) => token(new RegExp(`${anyCase('or')}|\\|\\|`)),
  _and: (_) => token(new RegExp(`${anyCase('and')}|&&`)),
  _compare: (_) =>
    token(
      new RegExp(
        `==|!=|[<>]=?|(${anyCase('not')}[ \\t]+)?(${comparing})`,
      ),
    ),
  _matches: (_) =>
    token(new RegExp(`(${anyCase('not')}[ \\t]+)?${anyCase('matches')}`)),
  _presence: (_) =>
    token(new RegExp(`${anyCase('exists')}|${anyCase('empty')}`)),
  _presence_name: ($) => prec(tightness.name, $._presence),
  // A `/` in a class of characters does not end it. One that begins with `/` or
  // `*` would be a comment.
  regex: (_) =>
    token(
      seq(
        '/',
        choice(/[^\/*\\\[\r\n]/, /\\[^\r\n]/, /\[([^\]\\\r\n]|\\[^\r\n])*\]/),
        repeat(
          choice(/[^\/\\\[\r\n]/, /\\[^\r\n]/, /\[([^\]\\\r\n]|\\[^\r\n])*\]/),
        ),
        /\/[a-z]*/,
      ),
    ),
  _plus: (_) => '+',
  _minus: (_) => '-',
  _times: (_) => /[*\/%]/,
  _not: (_) => token(new RegExp(`!|${anyCase('not')}`)),
  _is: (_) =>
    token(
      new RegExp(
        `${anyCase('is')}([ \\t]+${anyCase('not')})?[ \\t]+${anyCase('set')}|${anyCase('is')}_[A-Za-z0-9_]+`,
      ),
    ),
  _else_word: (_) => token(prec(1, new RegExp(anyCase('else')))),
  _helper_word: (_) => token(prec(1, 'add')),
  _string_literal: (_) =>
    /"([^"\\\r\n]|\\[^\r\n])*"|'([^'\\\r\n]|\\[^\r\n])*'/,
  _number_literal: (_) => /-?[0-9]+(\.[0-9]+)?/,
  _boolean_literal: (_) =>
    token(new RegExp(['true', 'false', 'always'].map(anyCase).join('|'))),
  _null_literal: (_) =>
    token(new RegExp(`${anyCase('null')}|${anyCase('undefined')}`)),
  _path_name: (_) =>
    /[A-Za-z_@][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*|\[[0-9]+\])*/,
  _name: (_) => /[A-Za-z_][A-Za-z0-9_.]*/,
  _member: (_) => token.immediate(/[A-Za-z_][A-Za-z0-9_]*/),
};
