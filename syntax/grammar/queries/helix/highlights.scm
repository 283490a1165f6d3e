; What Helix calls otherwise than the other editors, to stand behind
; ../highlights.scm: later patterns win.
((key) @variable.other.member
  (#not-match? @variable.other.member "^[A-Z][A-Z_ ]+$"))
(map_pair key: (key) @variable.other.member)
(object_pair key: (key) @variable.other.member)
(member_expression property: (identifier) @variable.other.member)
(type_field name: (identifier) @variable.other.member)

(number) @constant.numeric
(boolean) @constant.builtin.boolean
