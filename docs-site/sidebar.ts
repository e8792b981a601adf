import path from 'node:path';
import { addressOf, documents, front, readDocument, titleOf } from './documents.ts';

interface Item {
  readonly text: string;
  readonly link: string;
}

/** The groups of the side bar are the sections of docs/README.md, with the pages that each of them names. */
export function sidebarOf(): { text: string; items: Item[] }[] {
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
