import collations from './collations.json' with { type: 'json' };

/** How a program finds the page for a requested name: equal texts are the same page. */
export type ReadName = (name: string) => string;

/** As WordPress writes the name of a page before it looks for it. */
export function wordPressName(name: string): string {
  const lower = cut(withOctets(name).toLowerCase(), 200);
  const written = lower.replaceAll('.', '-').replace(/[^%a-z0-9 _\u0080-\u{10ffff}-]/gu, '');
  return written.replace(/\s+/g, '-').replace(/-+/g, '-').replace(/^-|-$/g, '');
}

/** The form in which it keeps the bytes of other letters for a while, and which visitors can write too. */
function withOctets(name: string): string {
  try {
    return decodeURIComponent(encodeURIComponent(name).replace(/---([0-9a-f]{2})---/gi, '%$1'));
  } catch {
    return name;
  }
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
  let remaining = '';
  for (const character of text) {
    length += character < '\x80' ? 1 : 3 * Buffer.byteLength(character);
    if (length > max) break;
    remaining += character;
  }
  return remaining;
}

const programs: readonly ReadName[] = [wordPressName, slug, ...collationNames.map(comparedBy)];

/** Whether one of these programs shows the page of that name at `/app/pages/<name>`, with everything below it. */
export function isShownAt(target: string, page: string): boolean {
  const [, name] = /^\/app\/pages\/([^/?]+)/.exec(target) ?? [];
  if (name === undefined) return false;
  const requested = decodeURIComponent(name);
  return programs.some((read) => read(requested) === read(page));
}

/** Addresses of the pages `members` and `my-course` in such programs. */
export const otherAddresses: readonly string[] = [
  'members-',
  '-members',
  '--members--',
  'members!',
  '@members',
  'mem!bers',
  'mem%27bers',
  'mem,bers',
  'mem+bers',
  '(members)',
  '.members',
  'members%25',
  'Members',
  'm%C3%A9mbers',
  'me%CC%81mbers',
  'member%C5%9B',
  'member%C5%BF',
  '%EF%BD%8Dembers',
  '%E2%93%9Cembers',
  '%F0%9F%85%BCembers',
  'mem%D9%80bers',
  'm%CD%A4mbers',
  'm%CC%B6embers',
  `members${'-'.repeat(193)}x`,
  `members${'.'.repeat(193)}x`,
  'my--course',
  'my%20course',
  'my.course',
  'my+course',
  'my_course',
  'my.-.course',
  '-my-course-',
  'my-!course',
  'my%E2%80%93course',
  'm%C3%BD-course',
  'my-cours%C3%A8',
  'my-%E2%93%92ourse',
  'my-c%C5%8Durse',
  'MY-COURSE',
].flatMap((name) => [`/app/pages/${name}`, `/app/pages/${name}/minutes/`]);
