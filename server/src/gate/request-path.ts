import { longestRequestPath } from '@gatehouse/contract';

/** The names from the root down, decoded; none of them for `/` itself. A trailing slash leaves no trace. */
export type RequestPath = readonly string[];

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

// The common case in one look. No alternative of it overlaps another, so it takes time in proportion to the length.
const plainTarget = /^\/(?:[\w+@,=!-]+\/)*(?:(?:\.?[\w+@,=!-])+)?(?:\?[\x21\x22\x24-\x7e]*)?$/;
const writableTarget = /^\/[\x21\x22\x24-\x7e]*$/; // visible ASCII without `#`, which no browser sends
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

/**
 * Reads the target of a request, as the proxy received it, as every proxy and server would read it. Undefined where
 * any two of them may read it differently, or where it is no path at all.
 */
export function readRequestPath(target: string): RequestPath | undefined {
  if (target.length > longestRequestPath) return undefined;
  if (plainTarget.test(target)) return split(withoutQuery(target));
  if (!writableTarget.test(target)) return undefined;
  const segments = split(withoutQuery(target));
  for (const [index, raw] of segments.entries()) {
    const segment = raw.includes('%') ? decode(raw) : raw;
    if (segment === undefined) return undefined;
    if (segmentFault(segment, index === segments.length - 1)) return undefined;
    segments[index] = segment;
  }
  return segments;
}

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

function withoutQuery(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

function split(path: string): string[] {
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

/** Strict: undefined for a broken escape, and for bytes that are no UTF-8 in its shortest form. */
function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
