// Bundles the extension, its web views, and the tests that run inside VS Code, and
// lists the packages in what is installed.
import { build } from 'esbuild';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const common = { bundle: true, minify: true, metafile: true, logLevel: 'warning', target: 'es2022' };
const inside = { ...common, platform: 'node', format: 'cjs', external: ['vscode'] };

const [extension, pages] = await Promise.all([
  build({ ...inside, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' }),
  build({ ...common, entryPoints: ['media/case.ts', 'media/form.ts', 'media/plot.ts', 'media/result.ts'], outdir: 'dist', platform: 'browser', format: 'iife' }),
  build({ ...inside, entryPoints: ['test/suite.ts'], outfile: 'dist/test/suite.js' }),
  build({ ...common, platform: 'node', format: 'esm', entryPoints: ['src/agentschema.ts', 'src/bytes.ts', 'src/csv.ts', 'src/ending.ts', 'src/exact.ts', 'src/failure.ts', 'src/path.ts', 'src/previewtext.ts', 'src/runbefore.ts', 'src/sanitize.ts', 'src/secretarguments.ts', 'src/shorten.ts', 'src/units.ts'], outdir: 'dist/test', outExtension: { '.js': '.mjs' } }),
]);
const inputs = [extension, pages].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const packages = new Set(inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean));
writeFileSync('dist/packages.txt', [...packages].sort().map((folder) => `${path.resolve(folder)}\n`).join(''));
