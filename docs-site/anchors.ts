/** The anchor of a heading, as GitHub makes it from the text. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The anchors of all headings of a document in Markdown. A second heading with the same text has `-1` after its name. */
export function anchorsOf(markdown: string): string[] {
  const counts = new Map<string, number>();
  const titles = [...withoutBlocks(markdown).matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!);
  return titles.map((title) => {
    const anchor = anchorOf(title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** The text without blocks of code. */
export function withoutBlocks(markdown: string): string {
  return markdown.replace(/^ *```[\s\S]*?^ *```$/gm, '');
}
