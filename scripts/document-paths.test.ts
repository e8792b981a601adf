import { type Dirent, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, withoutBlocks } from '../docs-site/anchors.ts';

const root = path.resolve(import.meta.dirname, '..');
const entries = globSync('**/*', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist', 'data'],
  withFileTypes: true,
});
const files = entries.filter((entry) => entry.isFile()).map(pathOf);
const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(pathOf));
const paths = new Set([...files, ...folders]);

/** Where the paths of a document may begin. */
const packages = files
  .filter((file) => path.basename(file) === 'package.json')
  .map((file) => path.dirname(file));
const everywhere = ['.', ...packages, ...packages.map((folder) => `${folder}/src`)];

/** What a document names is not in the repository: it is built, made by users or at a release, or a package. */
const elsewhere =
  /^(dist\/|server\/dist$|docs-site\/dist\/|data\/|data$|gatehouse\.json$|gatehouse-.*\.cdx\.json$|course\.ts$|openapi\.released\.json$|\w+\.js$)/;

/** The words of the code. */
const words = new Set(
  files
    .filter((file) => /\.(ts|tsx|mjs|json|sql)$/.test(file) && file !== 'scripts/document-paths.test.ts')
    .flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(/\w+/g) ?? []),
);

/** What Node and browsers have, and the code does not use. */
const ofPlatforms = new Set(['AsyncLocalStorage', 'SharedWorker']);

const documents = files.filter((file) => file.endsWith('.md'));
const aboutCode = documents.filter((file) =>
  /^(ARCHITECTURE|CONTRIBUTING|README|SECURITY|docs\/(libraries|(architecture|decisions|security|operations)\/[^/]+))\.md$/.test(
    file,
  ),
);

test.each(documents)('every link of %s leads to a file and a heading that exist', (document) => {
  const links = linksOf(textOf(document)).filter((link) => !/^[a-z]+:/.test(link));
  expect(links.filter((link) => !leadsSomewhere(link, document))).toEqual([]);
});

test.each(aboutCode)('every file and folder that %s names exists', (document) => {
  const sections = textOf(document).split(/^(?=#)/m);
  expect(sections.flatMap((section) => missingIn(section, document))).toEqual([]);
});

const forMaintainers = aboutCode.filter((file) => /^[AC]|docs\/(architecture|decisions|security)/.test(file));

test.each(forMaintainers)('every identifier that %s names exists', (document) => {
  const names = quotedIn(textOf(document)).map((text) => text.replace(/\(\)$/, ''));
  const identifiers = names.filter((name) => /^([a-z]+|[A-Z][a-z]+)[A-Z]\w*$/.test(name));
  expect(identifiers.filter((name) => !ofPlatforms.has(name) && !words.has(name))).toEqual([]);
});

test('docs/README.md leads to every page of docs, over at most two other pages', () => {
  const reached = new Set(['docs/README.md']);
  for (let step = 0; step < 3; step++) {
    for (const page of [...reached].flatMap(pagesLinkedFrom)) reached.add(page);
  }
  expect(documents.filter((document) => document.startsWith('docs/') && !reached.has(document))).toEqual([]);
});

test('README.md is a front page of at most 120 lines', () => {
  expect(readFileSync(path.join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(121);
});

test('ARCHITECTURE.md has a row for each concept of the domain', () => {
  const rows = textOf('ARCHITECTURE.md').split('| Folder in `domain/` |')[1]!.split('\n\n')[0]!;
  const listed = [...rows.matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name);
  const concepts = [...folders]
    .filter((folder) => path.dirname(folder) === 'server/src/domain')
    .map((folder) => path.basename(folder));
  expect(listed.toSorted()).toEqual(concepts.toSorted());
});

/** The names that lead nowhere. A name may begin at a folder that the section names, too. */
function missingIn(section: string, document: string): string[] {
  const named = new Set<string>();
  const find = (name: string) => {
    const bases = [path.dirname(document), ...everywhere, ...named];
    return [...pathsFrom(bases, name), ...(name.includes('/') ? [] : filesBelow([...named], name))];
  };
  const names = namesIn(section);
  for (const folder of names.flatMap(find).filter((each) => folders.has(each))) named.add(folder);
  return names.filter((name) => find(name).length === 0);
}

/** What looks like a path of the repository, as a pattern: `<concept>`, `…` and `*` stand for any name. */
function namesIn(section: string): string[] {
  return quotedIn(section)
    .map((text) => text.replace(/^\.\//, ''))
    .filter((text) => /^([\w./*…-]|<[^>]*>)+$/.test(text) && !/^[\d./]/.test(text))
    .filter((text) => /\/|\.(ts|tsx|mjs|md|json|sql)$/.test(text) && !elsewhere.test(text));
}

function quotedIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, quoted]) => quoted!);
}

function pathsFrom(bases: readonly string[], name: string): string[] {
  const known = name.endsWith('/') ? folders : paths;
  const plain = name.replace(/\/$/, '');
  if (!/[<…*]/.test(plain))
    return bases.map((base) => path.join(base, plain)).filter((each) => known.has(each));
  return bases.flatMap((base) => {
    const pattern = patternOf(path.join(base, plain));
    return [...known].filter((each) => pattern.test(each));
  });
}

/** The files with a name at any depth of the folders, or the only one of that name. */
function filesBelow(bases: readonly string[], name: string): string[] {
  const pattern = patternOf(name);
  const called = files.filter((file) => pattern.test(path.basename(file)));
  return called.length === 1
    ? called
    : called.filter((file) => bases.some((base) => file.startsWith(`${base}/`)));
}

function patternOf(name: string): RegExp {
  const escaped = name.split(/<[^>]*>|…|\*/).map((text) => text.replace(/[.]/g, '\\.'));
  return new RegExp(`^${escaped.join('[^/]*')}$`);
}

function leadsSomewhere(link: string, document: string): boolean {
  const [name = '', heading] = link.split('#');
  const target =
    name === '' ? document : path.join(path.dirname(document), decodeURI(name)).replace(/\/$/, '');
  if (!paths.has(target)) return false;
  if (heading === undefined || !target.endsWith('.md')) return true;
  return anchorsOf(readFileSync(path.join(root, target), 'utf8')).includes(heading);
}

function pagesLinkedFrom(document: string): string[] {
  return linksOf(textOf(document))
    .filter((link) => !/^\w+:/.test(link))
    .map((link) => path.join(path.dirname(document), link.split('#')[0]!))
    .filter((page) => documents.includes(page));
}

function linksOf(text: string): string[] {
  const inline = [...text.matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g)];
  const named = [...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return [...inline, ...named].map(([, link]) => link!);
}

/** The text without blocks of code. */
function textOf(document: string): string {
  return withoutBlocks(readFileSync(path.join(root, document), 'utf8'));
}

function pathOf(entry: Dirent): string {
  return path.relative(root, path.join(entry.parentPath, entry.name));
}
