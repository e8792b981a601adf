import collations from './collations.json' with { type: 'json' };

/** How a program finds the page for a requested name: equal texts are the same page. */
export type ReadName = (name: string) => string;

/** As WordPress writes the name of a page before it looks for it. */
export function wordPressName(name: string): string {
  const lower = cut(name.toLowerCase(), 200);
  const written = lower.replaceAll('.', '-').replace(/[^%a-z0-9 _\u0080-\u{10ffff}-]/gu, '');
  return written.replace(/\s+/g, '-').replace(/-+/g, '-').replace(/^-|-$/g, '');
}

/** As the programs that write a hyphen for everything but letters and digits. */
export function slug(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
}

/** The collations of MySQL and MariaDB for all of Unicode, without the beginning of their names. */
export const collationNames = ['general_ci', 'unicode_ci', 'unicode_520_ci', 'uca1400_ai_ci', '0900_ai_ci'];

/** What each collation reads as another text: `text` for each of `members`. */
export function equalIn(collation: string): { text: string; members: string }[] {
  return Object.entries(collations)
    .filter(([names]) => names.split(' ').includes(collation))
    .flatMap(([, groups]) => Object.entries(groups).map(([text, members]) => ({ text, members })));
}

/** As a collation compares names. */
export function comparedBy(collation: string): ReadName {
  const texts = new Map(
    equalIn(collation).flatMap(({ text, members }) => [...members].map((member) => [member, text] as const)),
  );
  // These two have one weight for all characters that need more than two bytes.
  const isShort = collation === 'general_ci' || collation === 'unicode_ci';
  return (name) => {
    const composed = [...name].map((character) => (isShort && character.length > 1 ? '\ufffd' : character));
    return composed
      .map((character) => texts.get(character) ?? character)
      .join('')
      .trimEnd();
  };
}

/** A text up to a number of characters in the encoding of URLs, in which WordPress leaves all of ASCII as it is. */
function cut(text: string, max: number): string {
  let length = 0;
  let kept = '';
  for (const character of text) {
    length += character < '\x80' ? 1 : 3 * Buffer.byteLength(character);
    if (length > max) break;
    kept += character;
  }
  return kept;
}
