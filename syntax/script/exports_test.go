package script

import (
	"strings"
	"testing"
)

func TestExports(t *testing.T) {
	const all, some = true, false
	for name, tt := range map[string]struct {
		source, names string
		whole         bool
	}{
		"functions and constants":            {"export function a() {}\nexport async function* b() {}\nexport const c = async () => 1, d = 'no';\nconst e = () => 2; // 🛫", "a b c", all},
		"a list":                             {"const a = () => 1, b = () => 2;\nexport { a, b as other };", "a other", all},
		"a list under other names":           {"const a = () => 1;\nexport { a as \"make-it\", a as 'and' };", "and make-it", all},
		"an object":                          {"export const handlers = { a() {}, async *b() {}, 'c-d': () => 1, deep: { e() {} }, n: 1 };", "a b c-d", all},
		"a default object":                   {"export default { a: () => 1, github: { b() {}, deeper: { c() {} } } };", "a b", all},
		"a default object of imported names": {"const handlers = { a, b: load };\nimport { a, load } from './a.mjs';\nexport { handlers as default };", "a b", some},
		"an object of imported names":        {"import { a, load } from './a.mjs';\nexport const handlers = { a, b: load };", "a b", all},
		"a constant as default":              {"const h = { a() {} };\nexport default h;", "a", all},
		"a constant changed before":          {"const h = { a() {} };\nh.b = () => 1;\nexport default h;", "a", some},
		"a constant handed on":               {"export const h = { a() {} };\nregister(h);", "a", some},
		"a constant under two names":         {"export const h = { a() {} };\nexport default h;\nexport { h as again };", "a", all},
		"a default function":                 {"export default async function list() {}", "list", all},
		"a default arrow":                    {"export default () => 1;", "", all},
		"everything of another module":       {"export * from './a.mjs';", "", some},
		"everything under a name":            {"export * as a from './a.mjs';", "", some},
		"a name of another module":           {"export { a } from './a.mjs';", "a", some},
		"a pattern":                          {"export const { a, b } = make();", "", some},
		"a call's result":                    {"export const h = make();\nexport let late = 1;", "h late", some},
		"a spread":                           {"export const h = { ...more, [key]: () => 1, a() {} };", "a", some},
		"an instance":                        {"export const h = new Handlers();", "h", some},
		"module.exports":                     {"module.exports = { a() {}, b: async () => 1 };", "a b", all},
		"exports of CommonJS":                {"exports.a = () => 1;\nmodule.exports.b = function () {};", "a b", all},
		"module.exports of another module":   {"module.exports = require('./a');", "", some},
		"module.exports changed by a call":   {"Object.assign(module.exports, { a() {} });", "", some},
		"constants that are themselves":      {"const a = a; const h = { b: h };\nexport { a, h };", "a h", some},
		"numbers and an unknown one":         {"export const a = 60 * 1000, b = -a;\nexport const c = a || b;", "c", some},
		"numbers":                            {"export const a = 60 * 1000, b = -a;", "", all},
		"broken":                             {"export const broken = {", "", some},
		"too large":                          {strings.Repeat(" ", MaxModuleBytes) + "export const a = () => 1;", "", some},
		"nothing":                            {"", "", all},
	} {
		t.Run(name, func(t *testing.T) {
			check(t, tt.source, false, tt.names, tt.whole)
			if !strings.Contains(tt.source, "exports") {
				check(t, tt.source, true, tt.names, tt.whole)
			}
		})
	}
	check(t, "import type { T } from './t';\nexport const h = { a: async (x: T): Promise<T> => x, b<X>(this: T) {} } as const satisfies H;\nexport interface I {}", true, "a b", all)
	check(t, "export namespace N { export const a = () => 1 }", true, "N", some)
	check(t, "export const a = "+strings.Repeat("(", 1000)+"1"+strings.Repeat(")", 1000), true, "", some)
}

func check(t *testing.T, source string, typescript bool, names string, whole bool) {
	t.Helper()
	got, all := Exports(source, typescript)
	if all != whole || whole && strings.Join(got, " ") != names {
		t.Errorf("%s (TypeScript %v)\nexports %q, all %v; want %q, all %v", source, typescript, got, all, names, whole)
	}
}
