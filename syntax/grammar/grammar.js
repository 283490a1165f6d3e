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

/** What is in an inline map whose values may be expressions.
 * @param {GrammarSymbols<string>} $ */
const expressionMembers = ($) => list(choice(alias($.expression_map_pair, $.map_pair), $._item));

/** A key with what is behind its colon and below it.
 * @param {GrammarSymbols<string>} $ @param {RuleOrLiteral} key @param {RuleOrLiteral} rest */
const keyed = ($, key, rest) =>
  seq(field('key', key), ':', rest, optional(field('block', $.block)));

/** A block of many entries, in groups: the scanner ends its indentation after some, by their names, and begins it
 * anew. After an edit tree-sitter takes over whole groups, but goes over the entries of a `repeat` one by one.
 * @param {GrammarSymbols<string>} $ @param {RuleOrLiteral} entry */
const longBlock = ($, entry) => repeat1(seq($._indent, repeat1(entry), $._dedent));

/** A value with the end of its line.
 * @param {GrammarSymbols<string>} $ */
const some = ($) => choice(seq(field('value', $._value), $._newline), field('value', $.pipe_block));

module.exports = grammar({
  name: 'abl',

  // The order is the same as in `enum TokenType` of src/scanner.c.
  externals: ($) => [
    // Layout. All are empty, at the end of the line before.
    $._start, // of the file
    $._newline,
    $._indent,
    $._dedent,

    // The first token of a line.
    $._header_keyword, // AGENT SUPERVISOR VERSION LANGUAGE: take no block
    $._text_keyword, // GOAL and the like: take a block or text on their line
    $._tools_keyword,
    $._flow_keyword,
    $._condition_keyword,
    $._section_keyword,
    $._import_keyword,
    $._add_keyword, // ADD: of a behaviour profile's TOOLS
    $._tool_name,
    $._tool_key, // of a tool in a block of its own, without a signature
    $.key,
    $._condition_key, // WHEN and the like: take a condition
    $._call_key,
    $._call_word, // of a line `CALL tool WITH: {…}`
    $._set_key, // SET and the like: take names and their expressions
    $._raw_key, // CODE and the like: braces are text in their values
    $._label_key, // BUTTON: takes a label, perhaps with `->` and an id
    $._condition_word, // WHEN, after a dash, without its colon
    $._flow_key, // of a flow, but no step
    $._steps_key, // may have steps below
    $._step_name, // at column 0, below FLOW
    $._rule_keyword, // REQUIRE and the like, after a dash
    $._rule_key, // the same with a colon after it
    $._if_keyword, // after a dash, with a colon after its condition
    $._target, // before `=`
    $._source, // before `->`
    $._label, // a string before `->`
    $._dash, // with something after it on the line; opens a level
    $._bare_dash, // with at most a pipe after it

    // Values. `_text` comes in pieces: a quote that may or may not open a
    // string starts a new one.
    $._string, // without placeholders
    $.number,
    $.boolean,
    $.null,
    $._text,
    $._path, // of an import
    $._pipe,
    $._block_text, // without placeholders
    $._list_open,
    $._map_open,
    $._item_text,
    $._map_key,
    $._call_item, // of `CALL tool WITH {…}` in a list

    // A string and a block with placeholders come in pieces, too.
    $._string_start, // the quote
    $._string_text,
    $._string_end,
    $._block_start, // empty: it begins with a placeholder
    $._block_piece,
    $._block_end, // empty
    $._interpolation, // {{ that is closed on its line
    $._helper, // #if, /if and the like
    $._else, // empty, before `else`
    $._helper_call, // empty, before the call of a helper
    $._template, // empty: what follows is neither helper nor expression
    $._template_text,

    // The kind of a value that may be an expression. All but the last are empty and
    // come before the value: the scanner reads the value once.
    $._expression, // it is one
    $._call, // it is a tool or the call of one
    $._quoted, // it is a string that holds one
    $._assigned, // it is a name, `=` and what is assigned
    $._literal, // it is nothing but a string, number, …
    $._opaque, // it is none of these
    $._hash_text, // text that begins with a `#` after `=`
    $._condition_text, // up to the colon
    $._rule_text, // up to BEFORE
    $._before,
    $._calling,
    $._end, // empty: of an expression
    $._inner_end, // empty: of one in brackets

    // Inside a signature.
    $._unclosed, // empty: a missing closing bracket
    $._continued, // empty: the arrow is on the next line
    $.invalid,

    // The generated lexer lexes these. They are named here so that the scanner knows
    // where they are valid.
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

  // Every reduction allocates a node, even of a hidden rule. These also make the tables smaller.
  inline: ($) => [$._expression_rest, $._condition_rest, $._rest_apart, $._raw_rest, $._label_rest],

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
        alias($.flow_section, $.section),
        // A step of the flow above, with something else at column 0 between them.
        $._column_step,
        $.section,
        // Text at column 0 that is no `KEY:` line.
        $.scalar,
      ),

    // Lines that are indented below a section without a block are sections, too.
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
      choice(
        seq(
          field('keyword', alias($._section_keyword, $.keyword)),
          ':',
          $._rest,
          optional(field('block', $.block)),
        ),
        seq(
          field('keyword', alias($._condition_keyword, $.keyword)),
          ':',
          $._condition_rest,
          optional(field('block', $.block)),
        ),
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

    tools_block: ($) => longBlock($, $._declaration),

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
      choice(
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
        // Its block has the rest of the signature.
        seq(
          field('name', alias($._tool_key, $.tool_name)),
          ':',
          $._newline,
          field('block', $.block),
        ),
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

    // ── FLOW ────────────────────────────────────────────────────────────

    flow_section: ($) =>
      prec.right(
        seq(
          field('keyword', alias($._flow_keyword, $.keyword)),
          ':',
          $._rest,
          optional(field('block', alias($.flow_block, $.block))),
          repeat($._column_step),
        ),
      ),

    _column_step: ($) =>
      choice(alias($.column_step, $.step), alias($.column_pair, $.pair)),
    column_step: ($) =>
      seq(
        field('name', alias($._step_name, $.step_name)),
        ':',
        $._newline,
        field('block', $.block),
      ),
    // Without a block it is no step (yet).
    column_pair: ($) =>
      seq(field('key', alias($._step_name, $.key)), ':', $._newline),

    flow_block: ($) => longBlock($, $._flow_entry),

    _flow_entry: ($) =>
      choice(
        alias($.flow_pair, $.pair),
        $.step,
        $.list_item,
        $.assignment,
        $.mapping,
        $.scalar,
      ),

    // A key without a block is no step (yet).
    flow_pair: ($) =>
      choice(
        seq(field('key', $.key), ':', $._rest),
        keyed($, alias($._flow_key, $.key), $._rest),
        seq(
          field('key', alias($._steps_key, $.key)),
          ':',
          $._rest,
          optional(field('block', alias($.flow_block, $.block))),
        ),
      ),

    step: ($) =>
      seq(
        field('name', alias($.key, $.step_name)),
        ':',
        $._rest,
        field('block', $.block),
      ),

    // ── Lines: the core of every other section ──────────────────────────

    block: ($) => seq($._indent, repeat1($._entry), $._dedent),

    _entry: ($) =>
      choice($.pair, $.list_item, $.assignment, $.mapping, $.scalar),

    pair: ($) =>
      choice(
        keyed($, $.key, choice($._newline, some($))), // most lines: `_rest` without its nodes
        keyed($, alias($._condition_key, $.key), $._condition_rest),
        keyed($, alias($._raw_key, $.key), $._raw_rest),
        keyed($, alias($._label_key, $.key), $._label_rest),
        keyed(
          $,
          alias($._call_key, $.key),
          choice(
            $._rest_apart,
            seq(field('value', alias($.called, $.expression)), $._newline),
          ),
        ),
        seq(
          field('key', alias($._call_key, $.key)),
          ':',
          field('value', alias($.called, $.expression)),
          field('block', alias($.result_block, $.block)),
        ),
        seq(
          field('key', alias($._call_word, $.key)),
          optional(':'),
          field('value', alias($.called_word, $.expression)),
          field('block', alias($.call_line, $.block)),
        ),
        seq(
          field('key', alias($._set_key, $.key)),
          ':',
          choice(
            $._newline,
            seq(
              $._opaque,
              choice(
                seq(field('value', $._set_value), $._newline),
                field('value', $.pipe_block),
              ),
            ),
            seq(
              field('value', alias($.inline_assignment, $.assignment)),
              $._newline,
            ),
          ),
          optional(field('block', alias($.expression_block, $.block))),
        ),
      ),

    // CALL tool WITH: {…}; after a dash its colons may be elsewhere. In the tree WITH is as if on a line below.
    called_word: ($) => alias($._name, $.path),
    call_line: ($) => alias($.call_line_pair, $.pair),
    call_line_pair: ($) =>
      seq(
        field('key', alias($._with, $.key)),
        optional(':'),
        field('value', alias($.expression_map, $.map)),
        $._newline,
      ),
    // The same as an item of an inline list.
    call_item: ($) =>
      seq(
        field('key', alias($._call_item, $.key)),
        optional(':'),
        field('value', alias($.called_word, $.expression)),
        field('block', alias($.call_item_with, $.block)),
      ),
    call_item_with: ($) => alias($.call_item_pair, $.pair),
    call_item_pair: ($) =>
      seq(
        field('key', alias($._with, $.key)),
        optional(':'),
        field('value', alias($.call_item_map, $.map)),
      ),
    call_item_map: ($) => seq('{', expressionMembers($), '}'),
    // CALL: tool(…) AS name, in the tree as if AS were on a line below.
    result_block: ($) =>
      seq(
        alias($.result_pair, $.pair),
        optional(seq($._indent, repeat1($._entry), $._dedent)),
      ),
    result_pair: ($) =>
      seq(
        field('key', alias($._as, $.key)),
        field('value', alias($._name, $.text)),
        $._newline,
      ),
    _as: (_) => token(prec(1, /[Aa][Ss]/)),
    _with: (_) => token(prec(1, /[Ww][Ii][Tt][Hh]/)),

    // Below SET and the like: the keys are the author's names.
    expression_block: ($) =>
      seq(
        $._indent,
        repeat1(
          choice(
            alias($.expression_pair, $.pair),
            $.list_item,
            $.assignment,
            $.mapping,
            $.scalar,
          ),
        ),
        $._dedent,
      ),
    expression_pair: ($) =>
      seq(
        field('key', $.key),
        ':',
        $._expression_rest,
        optional(field('block', $.block)),
      ),

    inline_assignment: ($) =>
      seq(
        $._assigned,
        field('target', alias($._target, $.path)),
        '=',
        optional($._assigned_value),
      ),

    list_item: ($) =>
      choice(
        seq(
          alias($._dash, '-'),
          choice(
            $._entry,
            $.rule,
            $.conditional_item,
            alias($.bare_condition, $.pair),
          ),
          repeat($._entry),
          $._dedent,
        ),
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

    // - REQUIRE condition BEFORE calling tool
    rule: ($) =>
      seq(
        choice(
          field('keyword', alias($._rule_keyword, $.keyword)),
          seq(field('keyword', alias($._rule_key, $.keyword)), ':'),
        ),
        optional(
          seq(
            choice(
              field('condition', $._condition),
              seq($._opaque, field('condition', alias($._rule_text, $.text))),
            ),
            optional(field('before', $.before_clause)),
          ),
        ),
        $._newline,
        optional(field('block', $.block)),
      ),

    before_clause: ($) =>
      seq(
        alias($._before, 'BEFORE'),
        optional(
          choice(
            seq(
              alias($._calling, 'calling'),
              field('tool', alias($._name, $.tool_name)),
            ),
            $.text,
          ),
        ),
      ),

    // - IF condition: action
    conditional_item: ($) =>
      seq(
        field('keyword', alias($._if_keyword, $.keyword)),
        optional(
          choice(
            field('condition', $._condition),
            seq($._opaque, field('condition', alias($._condition_text, $.text))),
          ),
        ),
        ':',
        choice(
          $._newline,
          seq(field('action', $._value), $._newline),
          field('action', $.pipe_block),
        ),
        optional(field('block', $.block)),
      ),

    _condition: ($) =>
      choice($.expression, seq($._literal, $._literals)),

    assignment: ($) =>
      seq(
        field('target', alias($._target, $.path)),
        '=',
        choice(
          $._newline,
          seq($._assigned_value, $._newline),
          seq($._opaque, field('value', $.pipe_block)),
        ),
        optional(field('block', $.block)),
      ),

    _assigned_value: ($) =>
      choice(
        field('value', $.expression),
        seq($._opaque, field('value', $._value)),
        field('value', alias($.hash_text, $.text)),
      ),
    hash_text: ($) =>
      prec.right(seq($._hash_text, repeat(choice($._text, $.interpolation)))),

    mapping: ($) =>
      seq(
        field('source', choice(alias($._source, $.path), $._label_string)),
        '->',
        $._rest,
        optional(field('block', $.block)),
      ),

    scalar: ($) => seq($._some, optional(field('block', $.block))),

    // ── Values ──────────────────────────────────────────────────────────

    _rest: ($) => choice($._newline, $._some),

    _some: some,

    // The rest of a line that may be an expression.
    _expression_rest: ($) =>
      choice($._rest_apart, seq(field('value', $.expression), $._newline)),
    _rest_apart: ($) => choice($._newline, seq($._opaque, $._some)),
    _condition_rest: ($) =>
      choice(
        $._expression_rest,
        seq(field('value', alias($.quoted_expression, $.string)), $._newline),
      ),

    _value: ($) =>
      choice($.string, $.number, $.boolean, $.null, $.text, $.list, $.map),

    string: ($) =>
      choice(
        $._string,
        seq(
          $._string_start,
          repeat1(choice($._string_text, $.interpolation)),
          $._string_end,
        ),
      ),

    text: ($) => prec.right(repeat1(choice($._text, $.interpolation))),

    pipe_block: ($) =>
      seq(alias($._pipe, '|'), $._newline, optional($.block_text)),
    block_text: ($) =>
      choice(
        $._block_text,
        seq(
          choice($._block_piece, $._block_start),
          repeat(choice($._block_piece, $.interpolation)),
          $._block_end,
        ),
      ),

    // Values in which braces are text.
    _raw_rest: ($) =>
      choice(
        $._newline,
        seq(
          field(
            'value',
            choice(
              alias($._string, $.string),
              $.number,
              $.boolean,
              $.null,
              alias($.raw_text, $.text),
              $.list,
              $.map,
            ),
          ),
          $._newline,
        ),
        field('value', alias($.raw_pipe_block, $.pipe_block)),
      ),
    raw_text: ($) => prec.right(repeat1($._text)),
    raw_pipe_block: ($) =>
      seq(
        alias($._pipe, '|'),
        $._newline,
        optional(alias($._block_text, $.block_text)),
      ),

    // {{path}}, {{#if x}}, {{/if}}
    interpolation: ($) =>
      seq(
        alias($._interpolation, '{{'),
        optional(
          choice(
            $._template_value,
            $.block_helper,
            alias($.helper_call, $.call_expression),
          ),
        ),
        '}}',
      ),
    _template_value: ($) =>
      choice(
        alias($.template_expression, $.expression),
        seq($._template, alias($._template_text, $.text)),
      ),
    block_helper: ($) =>
      seq(
        field(
          'keyword',
          choice(
            alias($._helper, $.keyword),
            seq($._else, alias($._else_word, $.keyword)),
          ),
        ),
        optional($._template_value),
      ),

    list: ($) =>
      seq(
        alias($._list_open, '['),
        list(choice($._item, alias($.call_item, $.map_pair))),
        ']',
      ),

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

    item_text: ($) => prec.right(repeat1(choice($._item_text, $.interpolation))),

    // An inline map after SET and the like.
    _set_value: ($) =>
      choice(
        $.string,
        $.number,
        $.boolean,
        $.null,
        $.text,
        $.list,
        alias($.expression_map, $.map),
      ),
    expression_map: ($) =>
      seq(alias($._map_open, '{'), expressionMembers($), '}'),
    ...require('./expressions'),
  },
});
