import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { withoutBlocks } from './anchors.ts';
import { root } from './places.ts';

export const front = 'docs/README.md';

/** A link of a document: the part of the text before its target, and the target. */
const link = /(\]\(|^\[[^\]\n]+\]: )([^()\s]+)/gm;

/** For those who change Gatehouse, who read them in the repository. The search does not find them. */
const forMaintainers =
  /^(ARCHITECTURE|CONTRIBUTING|docs\/libraries)\.md$|^(docs\/(architecture|decisions)|bench|contract)\//;

/** The front page, and all documents that it leads to. Paths are relative to the repository. */
export function documents(): string[] {
  const found = new Set([front]);
  for (const document of found) {
    for (const target of linksOf(document)) if (target.endsWith('.md')) found.add(target);
  }
  return [...found];
}

/** The files in the repository that a document links to. */
function linksOf(document: string): string[] {
  return [...withoutBlocks(readDocument(document)).matchAll(link)]
    .map(([, , target]) => targetOf(document, target!))
    .filter((target) => target !== undefined);
}

/** The file in the repository that a link leads to. Undefined for a web address, and for a heading of the document. */
function targetOf(document: string, target: string): string | undefined {
  const name = target.split('#')[0]!;
  if (name === '' || /^[a-z]+:/.test(target)) return undefined;
  const file = path.join(path.dirname(document), decodeURI(name));
  if (!existsSync(path.join(root, file)))
    throw new Error(`${document} links to ${target}, which does not exist`);
  if (!statSync(path.join(root, file)).isDirectory()) return file;
  const contents = path.join(file, 'README.md');
  // A folder without one is listed on the front page.
  return existsSync(path.join(root, contents)) ? contents : front;
}

export function readDocument(document: string): string {
  return readFileSync(path.join(root, document), 'utf8');
}

/** The text of the first heading. */
export function titleOf(document: string): string {
  return /^# (.*)$/m.exec(readDocument(document))![1]!;
}

/** The path of a page below the site, with the name that VitePress reads: `guides/install.md`, `operations/index.md`. */
export function pageOf(document: string): string {
  const name = document.replace(/^docs\//, '').replace(/^[A-Z]+\.md$/, (file) => file.toLowerCase());
  if (document === front) return 'index.md';
  return name.replace(/\/README\.md$/, '/index.md');
}

/** The address of a page or of another file, without the base. */
export function addressOf(file: string): string {
  if (!file.endsWith('.md')) return `/files/${file}`;
  return `/${pageOf(file)
    .replace(/\.md$/, '.html')
    .replace(/(^|\/)index\.html$/, '$1')}`;
}

/** A document as VitePress reads it, and the other files that it links to. */
export function stagedDocument(document: string, base: string): { text: string; files: string[] } {
  const files: string[] = [];
  const text = outsideBlocks(readDocument(document), (prose) =>
    prose.replace(/<!--[\s\S]*?-->\n*/g, '').replace(link, (whole, before: string, target: string) => {
      const file = targetOf(document, target);
      if (file === undefined) return whole;
      if (!file.endsWith('.md')) files.push(file);
      const anchor = target.includes('#') ? `#${target.split('#')[1]}` : '';
      // VitePress itself puts the base before pictures.
      const start = /\.(png|svg|webp)$/.test(file) ? '' : base.slice(0, -1);
      return `${before}${start}${addressOf(file)}${anchor}`;
    }),
  );
  const search = forMaintainers.test(document) ? '---\nsearch: false\n---\n\n' : '';
  return { text: search + text, files };
}

/** Changes the text of a document, but not its blocks of code. */
function outsideBlocks(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}
