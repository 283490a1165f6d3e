package script

import (
	"strings"
	"testing"
)

func TestExports(t *testing.T) {
	const all, some = true, false
	for _, tt := range []struct {
		source, names string
		whole         bool
	}{
		{"export function a() {}\nexport async function* b() {}\nexport const c = async () => 1, d = 'no';\nconst e = () => 2; // 🛫", "a b c", all},
		{"const a = () => 1, b = () => 2;\nexport { a, b as other };", "a other", all},
		{"const a = () => 1;\nexport { a as \"make-it\", a as 'and' };", "and make-it", all},
		{"export const handlers = { a() {}, async *b() {}, 'c-d': () => 1, deep: { e() {} }, n: 1 };", "a b c-d", all},
		{"export default { a: () => 1, github: { b() {}, deeper: { c() {} } } };", "a b", all},
		{"const handlers = { a, b: load };\nimport { a, load } from './a.mjs';\nexport { handlers as default };", "a b", some},
		{"import { a, load } from './a.mjs';\nexport const handlers = { a, b: load };", "a b", all},
		{"const h = { a() {} };\nexport default h;", "a", all},
		{"const h = { a() {} };\nh.b = () => 1;\nexport default h;", "a", some},
		{"export const h = { a() {} };\nregister(h);", "a", some},
		{"export const h = { a() {} };\nexport default h;\nexport { h as again };", "a", all},
		{"export default async function list() {}", "list", all},
		{"export default () => 1;", "", all},
		{"export * from './a.mjs';", "", some},
		{"export * as a from './a.mjs';", "", some},
		{"export { a } from './a.mjs';", "a", some},
		{"export const { a, b } = make();", "", some},
		{"export const h = make();\nexport let late = 1;", "h late", some},
		{"export const h = { ...more, [key]: () => 1, a() {} };", "a", some},
		{"export const h = new Handlers();", "h", some},
		{"module.exports = { a() {}, b: async () => 1 };", "a b", all},
		{"exports.a = () => 1;\nmodule.exports.b = function () {};", "a b", all},
		{"module.exports = require('./a');", "", some},
		{"Object.assign(module.exports, { a() {} });", "", some},
		{"const a = a; const h = { b: h };\nexport { a, h };", "a h", some},
		{"export const a = 60 * 1000, b = -a;\nexport const c = a || b;", "c", some},
		{"export const a = 60 * 1000, b = -a;", "", all},
		{"export const broken = {", "", some},
		{strings.Repeat(" ", MaxModuleBytes) + "export const a = () => 1;", "", some},
		{"", "", all},
	} {
		check(t, tt.source, false, tt.names, tt.whole)
		if !strings.Contains(tt.source, "exports") {
			check(t, tt.source, true, tt.names, tt.whole)
		}
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
