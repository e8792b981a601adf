import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { base } from './places.ts';

/** What is wrong with the pages that were built into a folder: links to nowhere, and files of other hosts. */
export function mistakesOfSite(folder: string): string[] {
  const files = new Set(globSync('**/*', { cwd: folder }));
  const pages = [...files].filter((file) => file.endsWith('.html'));
  const texts = new Map(pages.map((page) => [page, readFileSync(path.join(folder, page), 'utf8')]));
  const anchors = new Map([...texts].map(([page, text]) => [page, idsOf(text)]));
  const leadsSomewhere = (page: string, target: string) => {
    const { pathname, hash } = new URL(target, `https://site.invalid${base}${page}`);
    const name = decodeURI(pathname)
      .slice(base.length)
      .replace(/(^|\/)$/, '$1index.html');
    if (!pathname.startsWith(base) || !files.has(name)) return false;
    return hash === '' || anchors.get(name)?.has(decodeURI(hash.slice(1))) === true;
  };
  const mistakes = [...texts].flatMap(([page, text]) => [
    ...linksOf(text)
      .filter((target) => !leadsSomewhere(page, target))
      .map((target) => `${page}: ${target} leads to nowhere`),
    ...loadedOf(text)
      .filter(isElsewhere)
      .map((target) => `${page} loads ${target}`),
  ]);
  return [...new Set(mistakes)];
}

function idsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/<[a-z][^<>]*\sid="([^"]+)"/g)].map(([, id]) => decodeEntities(id!)));
}

/** The links to other pages of the site. */
function linksOf(text: string): string[] {
  return attributesOf(text, 'a|img|link|script').filter(
    (target) => !isElsewhere(target) && !/^(data|mailto):/.test(target),
  );
}

function loadedOf(text: string): string[] {
  return attributesOf(text, 'img|link|script|iframe');
}

function attributesOf(text: string, elements: string): string[] {
  const attribute = new RegExp(`<(?:${elements})\\s[^<>]*?\\b(?:href|src)="([^"]*)"`, 'g');
  return [...text.matchAll(attribute)].map(([, value]) => decodeEntities(value!));
}

function isElsewhere(target: string): boolean {
  return /^(https?:)?\/\//.test(target);
}

function decodeEntities(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
