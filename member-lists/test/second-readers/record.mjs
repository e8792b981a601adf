// Records what the tools with which Ghost moves members read in our files of Substack and Beehiiv:
//   node member-lists/test/second-readers/record.mjs
// They are not installed with the tests: they need an image library with native code, and a package that is not published.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const tools = ['@tryghost/mg-substack-members-csv@0.14.6', '@tryghost/mg-beehiiv-members@0.11.6'];
const files = path.resolve(import.meta.dirname, '../exports');
const csvParse = import.meta.resolve('csv-parse/sync');
/** What the tools import, as far as they use it here. */
const helpers = {
  '@tryghost/mg-fs-utils': `
    import { readFileSync } from 'node:fs';
    import { parse } from '${csvParse}';
    export default { csv: { parseCSV: async (file) => parse(readFileSync(file, 'utf8'), { columns: true }) } };`,
  '@tryghost/errors': 'export default {};',
  '@tryghost/string': 'export const slugify = (text) => text;',
};

const folder = mkdtempSync(path.join(tmpdir(), 'second-readers-'));
try {
  const [substack, beehiiv] = await install();
  const labels = { compLabel: '', giftLabel: '', paidLabel: '', freeLabel: '' };
  const readSubstack = (name, subscribers) =>
    substack({
      options: {
        ...labels,
        pathToFile: csv(name),
        subs: subscribers && csv(subscribers),
        comp: '10:free',
        gift: '10:free',
      },
    });
  const recorded = {
    'substack-list': members(await readSubstack('substack-list'), false),
    'substack-signups-2020': members(
      await readSubstack('substack-signups-2020', 'substack-payers-2020'),
      true,
    ),
    beehiiv: members(await beehiiv({ csvPath: csv('beehiiv') }), true),
    'beehiiv-2023': members(await beehiiv({ csvPath: csv('beehiiv-2023') }), true),
  };
  writeFileSync(path.join(import.meta.dirname, 'recorded.json'), `${JSON.stringify(recorded, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

function csv(name) {
  return path.join(files, `${name}.csv`);
}

/** Both tools, without installing what they depend on. */
async function install() {
  for (const [name, source] of Object.entries(helpers)) {
    const target = path.join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    writeFileSync(path.join(target, 'package.json'), '{ "type": "module", "main": "index.js" }');
    writeFileSync(path.join(target, 'index.js'), source);
  }
  return Promise.all(
    tools.map(async (tool) => {
      const name = tool.slice(0, tool.lastIndexOf('@'));
      const target = path.join(folder, 'node_modules', name);
      mkdirSync(target, { recursive: true });
      const archive = execFileSync('npm', ['pack', '--silent', tool], {
        cwd: folder,
        encoding: 'utf8',
      }).trim();
      execFileSync('tar', ['xzf', archive, '--strip-components=1', '-C', target], { cwd: folder });
      const entry = name.endsWith('beehiiv-members') ? 'build/index.js' : 'index.js';
      return (await import(pathToFileURL(path.join(target, entry)))).default;
    }),
  );
}

/** What both tools say about members. Without the second file of Substack, one does not know who has paid. */
function members(byType, knowsPaid) {
  return Object.entries(byType)
    .filter(([type]) => type !== 'skip')
    .flatMap(([type, each]) => each.map((member) => ({ type, member })))
    .map(({ type, member: { email, name, created_at: createdAt, expiry } }) => ({
      email,
      name: name ?? null,
      createdAt: createdAt.toISOString(),
      paid: knowsPaid ? type !== 'free' : null,
      expiry: expiry?.toISOString() ?? null,
    }));
}
