// Bundles the extension, its web views, and the tests that run inside VS Code, and
// gathers the licences of what is bundled.
import { build } from 'esbuild';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const common = { bundle: true, minify: true, metafile: true, logLevel: 'warning', target: 'es2022' };
const inside = { ...common, platform: 'node', format: 'cjs', external: ['vscode'] };

const [extension] = await Promise.all([
  build({ ...inside, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' }),
  build({ ...inside, entryPoints: ['test/suite.ts'], outfile: 'dist/test/suite.js' }),
  build({ ...common, platform: 'node', format: 'esm', entryPoints: ['src/exact.ts'], outfile: 'dist/test/exact.mjs' }),
  build({ ...common, entryPoints: ['media/form.ts', 'media/result.ts'], outdir: 'dist', platform: 'browser', format: 'iife' }),
]);
writeFileSync('dist/NOTICES.txt', notices(Object.keys(extension.metafile.inputs)));

function notices(inputs) {
  const packages = new Set(inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean));
  return [...packages].sort().map(notice).join('\n');
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file && existsSync(path.join(folder, file)) ? readFileSync(path.join(folder, file), 'utf8') : license;
  return `${name} ${version}\n\n${text}\n`;
}
