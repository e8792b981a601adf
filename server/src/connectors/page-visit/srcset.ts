/** The URLs of an attribute `srcset` (HTML Standard, section 4.8.4.3.10). */
export function* readSrcset(text: string): Generator<string, void, undefined> {
  const url = /[\s,]*([^\s]+)/y;
  for (let match = url.exec(text); match; match = url.exec(text)) {
    const written = match[1]!;
    yield withoutCommas(written);
    if (!written.endsWith(',')) url.lastIndex = endOfDescriptors(text, url.lastIndex);
  }
}

/** Behind the comma that ends the width or density of an image; one in parentheses does not. */
function endOfDescriptors(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth = 0;
    else if (text[at] === ',' && depth === 0) return at + 1;
  }
  return text.length;
}

function withoutCommas(text: string): string {
  let end = text.length;
  while (text[end - 1] === ',') end -= 1;
  return text.slice(0, end);
}
