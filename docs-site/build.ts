// Builds docs-site/dist/site: the documents that docs/README.md leads to, as a site with a side bar and a search. The
// packages for that are not those of Gatehouse: they are installed here, when the site is built.

import { execFileSync } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { withLock } from '../scripts/set-up.mjs';
import { mistakesOfSite } from './check-site.ts';
import { documents, pageOf, stagedDocument } from './documents.ts';
import { base, builtFolder, draftFolder, root, stagedFolder } from './places.ts';

const folder = import.meta.dirname;
const note = `${builtFolder}.sources`;

const pages = documents().map((document) => ({ page: pageOf(document), ...stagedDocument(document, base) }));

/** What the site contains as it is, by the path on the site. The typeface is that of the dashboard. */
const copies: Readonly<Record<string, string>> = {
  'icon.svg': 'dashboard/src/app/icon.svg',
  'fonts/inter.woff2': 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  ...Object.fromEntries(pages.flatMap(({ files }) => files).map((file) => [`files/${file}`, file])),
};

// Two builds at the same time, such as that of a release, would use the same folders.
await withLock(async () => {
  const sources = hashSources();
  if (existsSync(note) && readFileSync(note, 'utf8') === sources) {
    console.log('The documentation is built already.');
    return;
  }
  installPackages();
  stageDocuments();
  runVitePress();
  moveScriptsOut();
  const mistakes = mistakesOfSite(draftFolder);
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  rmSync(builtFolder, { recursive: true, force: true });
  renameSync(draftFolder, builtFolder);
  writeFileSync(note, sources);
  console.log(
    `Built ${pages.length} pages in ${path.relative(root, builtFolder)}: every link leads to one of them.`,
  );
});

function hashSources(): string {
  const own = globSync('{*.ts,package-lock.json,.vitepress/**/*.*}', { cwd: folder }).sort();
  const files = [...own.map((file) => path.join('docs-site', file)), ...Object.values(copies)];
  const content = createHash('sha256').update(JSON.stringify(pages));
  for (const file of files) content.update(file).update(readFileSync(path.join(root, file)));
  return content.digest('hex');
}

/** Installs the locked packages, if they are not those that are installed. */
function installPackages(): void {
  const locked = hash('sha256', readFileSync(path.join(folder, 'package-lock.json')));
  const installed = path.join(folder, 'node_modules/.installed');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === locked) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(installed, locked);
}

/** Writes the documents with the names and the links that they have on the site, and copies what they link to. */
function stageDocuments(): void {
  rmSync(stagedFolder, { recursive: true, force: true });
  for (const { page, text } of pages) {
    const file = path.join(stagedFolder, page);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const [name, file] of Object.entries(copies)) {
    cpSync(path.join(root, file), path.join(stagedFolder, 'public', name));
  }
}

/** What it prints is shown only if it fails. */
function runVitePress(): void {
  execFileSync(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build', '.'], {
    cwd: folder,
    stdio: 'pipe',
  });
}

/** The policy of the service allows only scripts that are files. */
function moveScriptsOut(): void {
  for (const page of globSync('**/*.html', { cwd: draftFolder })) {
    const file = path.join(draftFolder, page);
    const moved = readFileSync(file, 'utf8').replace(
      /<script id="([\w-]+)">(.*?)<\/script>/g,
      (_, name: string, script: string) => {
        const asset = `assets/${name}.${hash('sha256', script).slice(0, 8)}.js`;
        writeFileSync(path.join(draftFolder, asset), script);
        return `<script src="${base}${asset}"></script>`;
      },
    );
    writeFileSync(file, moved);
  }
}
