import { foldCase } from './fold-case.ts';

/** Why two servers may not read a name in the same way. */
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

// Separators of one server or another, and what Windows keeps out of names or takes for a wildcard.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const forbidden = /[\0-\x1f\x7f/\\;?#*"<>|]/;
// Joiners and variation selectors belong to the spelling of many scripts; behind ASCII they only disguise.
const invisible =
  /(?<![^\0-\x7f])(?:\u200c|\u200d|\ufe0e|\ufe0f)|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const edge = /^\s|[\s.]$/;
const encodedTwice = /%[0-9a-fu]/i;
// `members:$DATA` is a stream of the file `members`, and `c:members` may leave the site's folder.
const stream = /:(?:\$|$)|^[a-z]:/i;
const shortName = /^(?=[^.]{2,8}(?:\.|$))[^.]*~[0-9]+(?:\.[^.]{0,3})?$/;
/** What older code pages of Windows turn into `/`, `\`, `%` or `~`, though Unicode does not. */
const bestFit = /[\u00a5\u02dc\u066a\u20a9\u2044\u2215\u2216\u223c\u29f5\u29f8\u29f9]/;
const syntax = /[/\\.;%:~?#*"<>|$]/;
// The program gets what stands behind its name, and may take that for the path.
const script = /\.(?:php[0-9]?|phtml|f?cgi|aspx?|ashx|jspx?|cfm|dll)$/i;

const ascii = /^[\x20-\x7e]*$/;
const joiners = /\u200c|\u200d|\ufe0e|\ufe0f/g;
// Servers answer `/members` with `members.html`, and some with a packed copy that lies beside it.
export const pageEnding = /\.(?:[xs]?html?|php|aspx?|jsp)(?:\.(?:gz|br|zst))?$/;

/**
 * Why servers may read a decoded name of a path in different ways; undefined where they all read the same.
 * @param isLast whether nothing follows but perhaps a slash
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

/** A server that folds full-width and other compatible characters must not find syntax among them. */
function lookalikeFault(segment: string): SegmentFault | undefined {
  if (bestFit.test(segment)) return 'lookalike';
  const folded = segment.normalize('NFKC');
  if (folded === segment) return undefined;
  for (const character of segment) {
    if (character > '\x7f' && syntax.test(character.normalize('NFKC'))) return 'lookalike';
  }
  return formFault(folded) && 'lookalike';
}

/** The names in a rule's path, from the root down. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/**
 * One form for all the ways to write a name that some server or file system may take for the same: another case,
 * composed accents, full-width letters, a plus sign for a space, joiners.
 */
export function fold(segment: string): string {
  if (ascii.test(segment)) return segment.toLowerCase().replaceAll('+', ' ');
  return foldCase(segment.normalize('NFKC').replace(joiners, '').replaceAll('+', ' '));
}

/** The name of a page without the ending that servers leave out or put to it. */
export function pageName(name: string): string {
  return name.replace(pageEnding, '');
}
