import path from 'node:path';
import { addressOf, documents, front, readDocument, titleOf } from './documents.ts';

interface Item {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly items: Item[];
}

/** The folders of documents for those who change Gatehouse. */
const maintainersFolders = ['/decisions/', '/architecture/', '/bench/'];

/**
 * The side bar of each folder. Beside the documents of maintainers stand the first group and their own, because the
 * whole bar would be half of most of these pages.
 */
export function sidebars(): Readonly<Record<string, readonly Group[]>> {
  const groups = sidebarGroups();
  const own = groups.filter(({ items }) =>
    items.some(({ link }) => maintainersFolders.some((folder) => link.startsWith(folder))),
  );
  const ofMaintainers = [groups[0]!, ...own];
  return {
    ...Object.fromEntries(maintainersFolders.map((folder) => [folder, ofMaintainers])),
    '/': groups,
  };
}

/** The groups are the sections of docs/README.md, with the pages that each of them names. */
export function sidebarGroups(): Group[] {
  const known = new Set(documents());
  const listed = new Set<string>([front]);
  const sections = readDocument(front).split(/^## /m).slice(1);
  return sections.map((section) => {
    const text = section.split('\n')[0]!;
    const targets = [...section.matchAll(/\]\(([^)#]+\.md)/g)].map(([, target]) =>
      path.join('docs', target!),
    );
    const items = targets
      .filter((document) => known.has(document) && !listed.has(document) && listed.add(document))
      .map((document) => ({ text: titleOf(document), link: addressOf(document) }));
    return { text, items };
  });
}
