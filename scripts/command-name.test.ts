import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const notOurs = /^(node_modules|dist|data|coverage|\.git|\.set-up-running)$/;
const text = /\.(tsx?|m?js|json|md|html|css|sql|yaml|conf|caddyfile)$|^[\w-]+$/i;

const commands =
  'serve|site|api-keys|members?|operators?|access-(?:groups|rules)|invitations|join-requests|page-codes|webhooks|events|sources?|scope|doctor|backup|restore|migrate|secret-key|key';
/** Commands that would run another program with that name, or none. In a container there is only one, and a package has it. */
const wrong = [
  /\bnpx\s+(-\S+\s+)*gatehouse\b/,
  new RegExp(`(?<![\\w./@-]|\\bexec \\S+ |\\bsudo )gatehouse (?=(${commands})\\b|<command>|\\$\\{)`),
  /\bnpm (install|i|add) (-\S+ )*@gatehouse\//,
  /\b(pnpm|yarn|bun) add (-\S+ )*@gatehouse\//,
];

/** Shells complete the name of the program without its folder; a guide has a function of the shell with that name. */
const exceptions = [
  'server/src/commands/completions/completions.test.ts',
  'docs/operations/tarball.md',
  path.relative(root, import.meta.filename),
];

test('the command line is always called ./gatehouse, and nothing is installed from a registry', () => {
  const found = [...filesBelow('')].flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        wrong.some((form) => form.test(line)) ? [`${file}:${index + 1}: ${line}`] : [],
      ),
  );
  expect(found).toEqual([]);
});

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (notOurs.test(entry.name) || exceptions.includes(file)) continue;
    if (entry.isDirectory()) yield* filesBelow(file);
    else if (entry.isFile() && text.test(entry.name)) yield file;
  }
}
