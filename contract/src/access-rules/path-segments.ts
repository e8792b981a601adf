/** Why two servers may read a path segment differently. */
export type SegmentFault =
  | 'empty'
  | 'character'
  | 'invisible'
  | 'edge'
  | 'encoded'
  | 'stream'
  | 'short_name'
  | 'lookalike'
  | 'script';

const plainSegment = /^(?:\.?[\w+@,=!&'()[\]{}$-])+$/;

// Separators of some servers, and characters that Windows forbids in names or reads as wildcards.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const forbidden = /[\0-\x1f\x7f/\\;?#*"<>|]/;
// Joiners and variation selectors are needed to spell many scripts; after ASCII they only disguise a name.
const invisible =
  /(?<![^\0-\x7f])(?:\u200c|\u200d|\ufe0e|\ufe0f)|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const edge = /^\s|[\s.]$/;
const encodedTwice = /%[0-9a-fu]/i;
// `members:$DATA` is a stream of the file `members`, and `c:members` may leave the folder of the site.
const stream = /:(?:\$|$)|^[a-z]:/i;
const shortName = /^(?=[^.]{2,8}(?:\.|$))[^.]*~[0-9]+(?:\.[^.]{0,3})?$/;
/** What older Windows code pages convert some characters to, although Unicode does not. */
const bestFits: ReadonlyMap<string, string> = new Map([
  ...[...'\u2044\u2215\u29f8'].map((character) => [character, '/'] as const),
  ...[...'\u00a5\u20a9\u2216\u29f5\u29f9'].map((character) => [character, '\\'] as const),
  ...[...'\u02dc\u223c'].map((character) => [character, '~'] as const),
  ['\u066a', '%'],
]);
const bestFit = new RegExp(`[${[...bestFits.keys()].join('')}]`);
const syntax = /[/\\.;%:~?#*"<>|$]/;
// The program receives the text after its name and may read that as the path.
const script =
  /\.(?:php[0-9s]?|phtml?|pht|phar|f?cgi|wsgi|pl|py|rb|lua|aspx?|as[hm]x|axd|svc|jspx?|cf[cm]|cfml|dll)$/i;

/** Most names. */
const foldedAlready = /^[a-z0-9._-]*$/;
const ascii = /^[\x20-\x7e]*$/;
const joiners = /\u200c|\u200d|\ufe0e|\ufe0f/g;
// Servers serve `members.html` for `/members`, and some serve a compressed copy of it.
export const pageEnding = /\.(?:[xs]?html?|php|aspx?|jsp)(?:\.(?:gz|br|zst))?$/;

/**
 * Why servers may read a decoded path segment in different ways; undefined if all of them read it in the same way.
 * @param isLast whether nothing but an optional slash follows
 */
export function segmentFault(segment: string, isLast: boolean): SegmentFault | undefined {
  if (!isLast && script.test(segment)) return 'script';
  if (plainSegment.test(segment)) return undefined;
  if (segment === '') return 'empty';
  if (forbidden.test(segment)) return 'character';
  if (invisible.test(segment)) return 'invisible';
  return formFault(segment) ?? lookalikeFault(segment);
}

function formFault(segment: string): SegmentFault | undefined {
  if (edge.test(segment)) return 'edge';
  if (encodedTwice.test(segment)) return 'encoded';
  if (stream.test(segment)) return 'stream';
  if (shortName.test(segment)) return 'short_name';
  return undefined;
}

/** A server that folds full-width and other compatibility characters must not read them as syntax. */
function lookalikeFault(segment: string): SegmentFault | undefined {
  if (bestFit.test(segment)) return 'lookalike';
  const folded = segment.normalize('NFKC');
  if (folded === segment) return undefined;
  for (const character of segment) {
    if (character > '\x7f' && syntax.test(character.normalize('NFKC'))) return 'lookalike';
  }
  return formFault(folded) && 'lookalike';
}

/** The signs that some server reads in a character beyond ASCII as syntax of paths; empty if there are none. */
export function signsIn(character: string): string {
  const signs = bestFits.get(character) ?? character.normalize('NFKC');
  return [...signs].filter((sign) => syntax.test(sign)).join('');
}

/** The segments of the path of a rule, from the root down. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/**
 * The common form of all spellings of a segment that some server or file system treats as the same: other case,
 * composed accents, full-width letters, a plus sign for a space, joiners.
 */
export function fold(segment: string): string {
  if (foldedAlready.test(segment)) return segment;
  if (ascii.test(segment)) return segment.toLowerCase().replaceAll('+', ' ');
  return foldCase(segment.normalize('NFKC').replace(joiners, '').replaceAll('+', ' '));
}

const pageEndings = ['html', 'htm'].flatMap((ending) => [ending, `x${ending}`, `s${ending}`]);
const allPageEndings = [...pageEndings, 'php', 'asp', 'aspx', 'jsp'].flatMap((ending) =>
  ['', '.gz', '.br', '.zst'].map((packed) => `.${ending}${packed}`),
);

/** The folded names for which a server may return a page whose name begins with a longer folded text. */
export function namesOfPages(beginning: string): string[] {
  const names = [...beginning.matchAll(/\./g)].map(({ index }) => beginning.slice(0, index));
  return names.filter((name) => {
    const rest = beginning.slice(name.length);
    return allPageEndings.some((ending) => ending.startsWith(rest));
  });
}

/**
 * Whether a folded name is that of the page that servers return for its folder. Undefined if it depends on the server
 * and its languages.
 */
export function isIndexPage(name: string): boolean | undefined {
  if (pageName(name) === 'index') return true;
  return unusualIndex.test(name) ? undefined : false;
}

/** `default.aspx` of IIS, `index.txt` of Caddy, `index.en.html` of Apache, `index.cgi`. */
const unusualIndex = /^(?:index\.|(?:default|iisstart)(?:\.|$))/;

/** The name of a page without the ending that servers omit or append. */
export function pageName(name: string): string {
  return name.replace(pageEnding, '');
}

/**
 * Folds case for searching and sorting: texts that differ only in case (`É` and `é`, `ß`, `ẞ` and `SS`) or in the
 * composition of accents fold to the same text. A part of a text folds to a part of the folded text; therefore the
 * final `ς` of a word becomes `σ`.
 */
export function foldCase(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}
