import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { dashboard, isBuilt } from '../../scripts/builds.mjs';

/** What a browser loads before it shows the first page of a site. */
const maxBytes = 250_000;
/** The font, which is already compressed. */
const maxFontBytes = 50_000;
const languages = ['en', 'de', 'fr', 'es', 'ja'];

const repository = path.resolve(import.meta.dirname, '../..');
/** The pages of the dashboard, as `npm test` has built them. */
const pages = path.join(repository, 'dashboard/dist');
let manifest: Manifest;

beforeAll(() => {
  if (!isBuilt(repository, dashboard)) throw new Error('Build the dashboard first: npm test does.');
  manifest = JSON.parse(readFileSync(path.join(pages, '.vite/manifest.json'), 'utf8'));
});

test.each(languages)(
  'the first load takes no more than 250 kB, compressed, in the language %s',
  (language) => {
    const texts = ['shell', 'common', 'overview'].map((area) => `src/languages/${language}/${area}.json`);
    const files = filesOf('index.html', 'src/pages/overview/overview-page.tsx', ...texts);
    const bytes = ['index.html', ...files].map(
      (file) => gzipSync(readFileSync(path.join(pages, file))).length,
    );
    expect(bytes.reduce((one, other) => one + other)).toBeLessThan(maxBytes);
  },
);

test('the font is preloaded, in one file of at most 50 kB, without the characters that few texts need', () => {
  const html = readFileSync(path.join(pages, 'index.html'), 'utf8');
  const preloaded = [...html.matchAll(/<link rel="preload" as="font"[^>]* href="\/dashboard\/([^"]+)"/g)];
  expect(preloaded).toHaveLength(1);
  const [[, font]] = preloaded as [RegExpMatchArray];
  expect(readFileSync(path.join(pages, font!)).length).toBeLessThan(maxFontBytes);

  const css = filesOf('index.html').filter((file) => file.endsWith('.css'));
  const styles = css.map((file) => readFileSync(path.join(pages, file), 'utf8')).join('');
  const faces = styles.match(/@font-face\s*\{[^}]*\}/g)!;
  expect(faces.length).toBeGreaterThan(1);
  expect(faces.filter((face) => face.includes(path.basename(font!)))).toHaveLength(1);
  for (const face of faces) expect(face).toMatch(/src:\s*url\(\/dashboard\/assets\/.*unicode-range:/s);
});

test('every page is a separate file that is loaded on demand', () => {
  const entry = filesOf('index.html');
  const ofPages = Object.keys(manifest).filter((name) => name.endsWith('-page.tsx'));
  expect(ofPages.length).toBeGreaterThan(10);
  for (const name of ofPages) {
    expect(manifest[name]).toMatchObject({ isDynamicEntry: true });
    expect(entry).not.toContain(manifest[name]!.file);
  }
});

test('the page has no inline code, and the placeholder of the nonce once, for style elements', () => {
  const html = readFileSync(path.join(pages, 'index.html'), 'utf8');
  const elements = html.match(/<(?:script|style|link rel="(?:stylesheet|modulepreload)")[^>]*>/g)!;
  expect(elements.length).toBeGreaterThan(1);
  for (const element of elements) expect(element).toMatch(/ (?:src|href)="\/dashboard\/assets\/[\w.-]+"/);
  // A script with a nonce that is new at each load is compiled again.
  expect(html.match(/<[^>]*nonce[^>]*>/g)).toEqual(['<meta name="style-nonce" nonce="__NONCE__" />']);
});

/** The files of these parts of the build, with their static imports. */
function filesOf(...names: string[]): string[] {
  const found = new Set<string>();
  const files = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const { file, css = [], imports = [] } = manifest[name]!;
    for (const each of [file, ...css]) files.add(each);
    imports.forEach(visit);
  };
  names.forEach(visit);
  return [...files];
}
