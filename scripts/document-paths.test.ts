import { type Dirent, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const entries = globSync('**/*', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist', 'data'],
  withFileTypes: true,
});
const files = entries.filter((entry) => entry.isFile()).map(pathOf);
const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(pathOf));

/** Where the paths of a document may begin. */
const packages = files
  .filter((file) => path.basename(file) === 'package.json')
  .map((file) => path.dirname(file));
const everywhere = ['.', ...packages, ...packages.map((folder) => `${folder}/src`)];

/** What a document names is not in the repository: it is built, made by users, or a package. */
const elsewhere =
  /^(dist\/|server\/dist$|data\/|data$|gatehouse\.json$|gatehouse-.*\.cdx\.json$|course\.ts$|\w+\.js$)/;

const documents = files.filter((file) => file.endsWith('.md'));
const aboutCode = documents.filter((file) =>
  /^(ARCHITECTURE|CONTRIBUTING|README|SECURITY|docs\/(libraries|(decisions|security|operations)\/[^/]+))\.md$/.test(
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
  const named: string[] = [];
  const find = (name: string) => {
    const bases = [path.dirname(document), ...everywhere, ...named];
    return [...pathsFrom(bases, name), ...(name.includes('/') ? [] : filesBelow(named, name))];
  };
  const names = namesIn(section);
  for (const name of names) named.push(...find(name).filter((each) => folders.has(each)));
  return names.filter((name) => find(name).length === 0);
}

/** What looks like a path of the repository, as a pattern: `<concept>`, `…` and `*` stand for any name. */
function namesIn(section: string): string[] {
  const quoted = [...section.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!.replace(/^\.\//, ''));
  return quoted
    .filter((text) => /^([\w./*…-]|<[^>]*>)+$/.test(text) && !/^[\d./]/.test(text))
    .filter((text) => /\/|\.(ts|tsx|mjs|md|json|sql)$/.test(text) && !elsewhere.test(text));
}

function pathsFrom(bases: readonly string[], name: string): string[] {
  const pattern = patternOf(name.replace(/\/$/, ''));
  const all = name.endsWith('/') ? [...folders] : [...files, ...folders];
  return bases.flatMap((base) => {
    const start = base === '.' ? '' : `${base}/`;
    return all.filter((each) => each.startsWith(start) && pattern.test(each.slice(start.length)));
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
  if (!files.includes(target) && !folders.has(target)) return false;
  return heading === undefined || !target.endsWith('.md') || headingsOf(target).includes(heading);
}

function linksOf(text: string): string[] {
  const inline = [...text.matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g)];
  const named = [...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
  return [...inline, ...named].map(([, link]) => link!);
}

/** The addresses of the headings, as GitHub makes them. */
function headingsOf(document: string): string[] {
  const titles = [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!);
  return titles.map((title) =>
    title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The text without blocks of code. */
function textOf(document: string): string {
  return readFileSync(path.join(root, document), 'utf8').replace(/^ *```[\s\S]*?^ *```$/gm, '');
}

function pathOf(entry: Dirent): string {
  return path.relative(root, path.join(entry.parentPath, entry.name));
}
