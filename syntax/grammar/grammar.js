/**
 * @file The grammar of ABL, the Agent Blueprint Language.
 * @license MIT
 *
 * The grammar is total: every text parses without ERROR and MISSING nodes.
 * ABL is a language of lines, so the scanner looks over a line once and says
 * what it is; what fits no form becomes a `scalar` line, and what fits no form
 * inside a signature becomes `invalid`. Half-typed text, the normal state of a
 * file in an editor, then stays local and keeps tree-sitter's reuse intact.
 * Whether a line may stand where it stands is not the grammar's business.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** Elements between commas, each of which may be missing.
 * @param {RuleOrLiteral} rule */
const list = (rule) => seq(optional(rule), repeat(seq(',', optional(rule))));

module.exports = grammar({
  name: 'abl',

  // The order is that of `enum TokenType` in src/scanner.c.
  externals: ($) => [
    // Layout. All are empty: they stand at the end of the line before.
    $._start, // of the file
    $._newline,
    $._indent,
    $._dedent,

    // What opens a line.
    $._header_keyword, // AGENT SUPERVISOR VERSION LANGUAGE: take no block
    $._text_keyword, // GOAL and the like: take a block or text on their line
    $._tools_keyword,
    $._section_keyword,
    $._import_keyword,
    $._add_keyword, // ADD: of a behaviour profile's TOOLS
    $._tool_name,
    $.key,
    $._target, // before `=`
    $._source, // before `->`
    $._dash, // with something behind it on the line; opens a level
    $._bare_dash, // with nothing but a pipe behind it, if anything

    // Values. `_text` comes in pieces: a quote that may or may not open a
    // string starts a new one.
    $.string,
    $.number,
    $.boolean,
    $.null,
    $._text,
    $._path, // of an import
    $._pipe,
    $.block_text,
    $._list_open,
    $._map_open,
    $._item_text,
    $._map_key,

    // Inside a signature.
    $._unclosed, // empty: the closing bracket that is not there
    $._continued, // empty: the arrow stands on the next line
    $.invalid,

    // Lexed by the generated lexer. Named here so that the scanner sees where
    // they may stand.
    $.identifier,
    ')',
    '{',
    '}',
    '[',
    ']',
    '[]',
    '<',
    '>',
    ',',
    ':',
    '=',
    '?',
    '->',
    $._error_sentinel,
  ],

  extras: ($) => [/[\s\uFEFF]/, $.comment],

  supertypes: ($) => [$._value, $._type],

  rules: {
    // ── Document ────────────────────────────────────────────────────────

    source_file: ($) =>
      seq(
        $._start,
        // A file that is indented as a whole.
        optional(seq($._indent, repeat1($._section), $._dedent)),
        repeat($._section),
      ),

    _section: ($) =>
      choice(
        alias($.header_section, $.section),
        alias($.text_section, $.section),
        $.tools_section,
        $.section,
        // Text at column 0 that is no `KEY:` line.
        $.scalar,
      ),

    // What stands indented below a section that takes no block is meant as
    // sections, too.
    header_section: ($) =>
      seq(
        field('keyword', alias($._header_keyword, $.keyword)),
        ':',
        $._rest,
        optional(field('block', alias($.section_block, $.block))),
      ),
    section_block: ($) => seq($._indent, repeat1($._section), $._dedent),

    text_section: ($) =>
      seq(
        field('keyword', alias($._text_keyword, $.keyword)),
        ':',
        choice(
          seq(
            choice($._newline, field('value', $.pipe_block)),
            optional(field('block', $.block)),
          ),
          seq(
            field('value', $._value),
            $._newline,
            optional(field('block', alias($.section_block, $.block))),
          ),
        ),
      ),

    section: ($) =>
      seq(
        field('keyword', alias($._section_keyword, $.keyword)),
        ':',
        $._rest,
        optional(field('block', $.block)),
      ),

    // The platform also takes // and /* */ between sections.
    comment: (_) =>
      token(
        choice(
          seq(choice('#', '//'), /[^\r\n]*/),
          seq('/*', /([^*]|\*+[^*/])*/, /\*+\//),
        ),
      ),

    // ── TOOLS ───────────────────────────────────────────────────────────

    tools_section: ($) =>
      seq(
        field('keyword', alias($._tools_keyword, $.keyword)),
        ':',
        $._rest,
        optional(field('block', alias($.tools_block, $.block))),
      ),

    tools_block: ($) => seq($._indent, repeat1($._declaration), $._dedent),

    _declaration: ($) => choice($.tool, $.import, $.add, $._entry),

    // The declarations that a behaviour profile adds.
    add: ($) =>
      seq(
        field('key', alias($._add_keyword, $.key)),
        ':',
        $._rest,
        optional(field('block', alias($.tools_block, $.block))),
      ),

    import: ($) =>
      seq(
        field('key', alias($._import_keyword, $.key)),
        ':',
        optional(
          choice(
            seq(
              field('path', alias($._path, $.string)),
              optional(choice(field('names', $.list), $.text)),
            ),
            $.text,
          ),
        ),
        $._newline,
        optional(field('block', $.block)),
      ),

    tool: ($) =>
      seq(
        field('name', alias($._tool_name, $.tool_name)),
        field('parameters', $.parameters),
        optional(
          seq(
            optional($._continued),
            '->',
            optional(field('returns', $._type)),
          ),
        ),
        repeat($.invalid),
        $._newline,
        optional(field('block', $.block)),
      ),

    parameters: ($) => seq('(', list($.parameter), choice(')', $._unclosed)),

    parameter: ($) =>
      choice(
        seq(
          field('name', $.identifier),
          optional('?'),
          optional(seq(':', optional(field('type', $._type)))),
          optional(seq('=', optional(field('default', $._item)))),
          repeat($.invalid),
        ),
        repeat1($.invalid),
      ),

    // ── Types ───────────────────────────────────────────────────────────

    _type: ($) =>
      choice(
        alias($.identifier, $.type_identifier),
        $.array_type,
        $.object_type,
        $.generic_type,
      ),

    array_type: ($) => seq(field('element', $._type), '[]'),

    object_type: ($) => seq('{', list($.type_field), choice('}', $._unclosed)),

    type_field: ($) =>
      choice(
        seq(
          field('name', $.identifier),
          optional('?'),
          optional(seq(':', optional(field('type', $._type)))),
          repeat($.invalid),
        ),
        repeat1($.invalid),
      ),

    generic_type: ($) =>
      seq(
        field('name', alias($.identifier, $.type_identifier)),
        '<',
        list($._type_argument),
        choice('>', $._unclosed),
      ),

    _type_argument: ($) =>
      choice(
        seq(choice($._type, $.type_list), repeat($.invalid)),
        repeat1($.invalid),
      ),

    // enum<[a, b]> and union<[T, U]>.
    type_list: ($) => seq('[', list($._type_argument), choice(']', $._unclosed)),

    identifier: (_) => /[A-Za-z_][A-Za-z0-9_]*/,

    // ── Lines: the core of every other section ──────────────────────────

    block: ($) => seq($._indent, repeat1($._entry), $._dedent),

    _entry: ($) =>
      choice($.pair, $.list_item, $.assignment, $.mapping, $.scalar),

    pair: ($) =>
      seq(field('key', $.key), ':', $._rest, optional(field('block', $.block))),

    list_item: ($) =>
      choice(
        seq(alias($._dash, '-'), repeat1($._entry), $._dedent),
        seq(
          alias($._bare_dash, '-'),
          choice(
            seq($._newline, optional(field('block', $.block))),
            alias($.pipe_scalar, $.scalar),
          ),
        ),
      ),
    pipe_scalar: ($) =>
      seq(field('value', $.pipe_block), optional(field('block', $.block))),

    assignment: ($) =>
      seq(
        field('target', alias($._target, $.path)),
        '=',
        $._rest,
        optional(field('block', $.block)),
      ),

    mapping: ($) =>
      seq(
        field('source', alias($._source, $.path)),
        '->',
        $._rest,
        optional(field('block', $.block)),
      ),

    scalar: ($) => seq($._some, optional(field('block', $.block))),

    // ── Values ──────────────────────────────────────────────────────────

    _rest: ($) => choice($._newline, $._some),

    _some: ($) =>
      choice(
        seq(field('value', $._value), $._newline),
        field('value', $.pipe_block),
      ),

    _value: ($) =>
      choice($.string, $.number, $.boolean, $.null, $.text, $.list, $.map),

    text: ($) => prec.right(repeat1($._text)),

    pipe_block: ($) =>
      seq(alias($._pipe, '|'), $._newline, optional($.block_text)),

    list: ($) => seq(alias($._list_open, '['), list($._item), ']'),

    map: ($) =>
      seq(alias($._map_open, '{'), list(choice($.map_pair, $._item)), '}'),

    map_pair: ($) =>
      seq(
        field('key', alias($._map_key, $.key)),
        ':',
        optional(field('value', $._item)),
      ),

    // A value between commas.
    _item: ($) =>
      choice(
        $.string,
        $.number,
        $.boolean,
        $.null,
        alias($.item_text, $.text),
        $.list,
        $.map,
      ),

    item_text: ($) => prec.right(repeat1($._item_text)),
  },
});
