import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const size = { width: 1280, height: 800 };
/** They are in every release, twice: in the documents and in their pages. */
const maxBytes = 70_000;

/** Guides have several pictures on one page. */
const maxBytesInGuides = 60_000;

const pictures = globSync('docs/images/*.webp', { cwd: root }).sort();

test('each picture of the tour exists in light and in dark colors, in the stated size', () => {
  expect(pictures.length).toBeGreaterThanOrEqual(12);
  for (const picture of pictures) {
    const other = picture.replace(
      /-(light|dark)\.webp$/,
      (_, scheme) => `-${scheme === 'light' ? 'dark' : 'light'}.webp`,
    );
    expect(pictures).toContain(other);
    const bytes = readFileSync(path.join(root, picture));
    expect([picture, sizeOf(bytes)]).toEqual([picture, size]);
    expect([picture, bytes.length < maxBytes]).toEqual([picture, true]);
  }
});

test('the README shows its picture in the colors of the reader, and says its size', () => {
  const text = readText('README.md');
  const shown = [...text.matchAll(/<picture>(.*?)<\/picture>/gs)].map(([, content = '']) => content);
  expect(shown.length).toBeGreaterThan(0);
  for (const content of shown) {
    const [, dark] = /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/.exec(content)!;
    const [, light] = /<img src="([^"]+)" width="1280" height="800" alt="[^"]{10,}">/.exec(content)!;
    expect(dark).toBe(light!.replace('-light.webp', '-dark.webp'));
    expect(pictures).toEqual(expect.arrayContaining([light, dark]));
  }
});

test('each picture of a guide is small, and shown by a guide', () => {
  const texts = globSync('docs/guides/*.md', { cwd: root }).map((guide) => readText(guide));
  const shown = texts.flatMap((text) =>
    [...text.matchAll(/\]\((pictures\/[^)]+)\)/g)].map(([, name]) => name),
  );
  const existing = globSync('pictures/*', { cwd: path.join(root, 'docs/guides') });
  expect(existing.sort()).toEqual([...new Set(shown)].sort());
  const tooLarge = (name: string) =>
    readFileSync(path.join(root, 'docs/guides', name)).length > maxBytesInGuides;
  expect(existing.filter(tooLarge)).toEqual([]);
});

function readText(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** Of a WebP file in the extended format (RFC 9649, section 2.7). */
function sizeOf(bytes: Buffer): { width: number; height: number } {
  expect(bytes.toString('latin1', 8, 16)).toBe('WEBPVP8X');
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}
