import { maxRequestPathLength, segmentFault } from '@gatehouse/contract/rule-paths';

/**
 * The decoded names of a path, from the root down; empty for `/`. A trailing slash makes no difference, except after a
 * script.
 */
export type RequestPath = readonly string[];

// Recognizes the common case immediately. Its alternatives do not overlap, so matching takes linear time.
const plainTarget = /^\/(?:[\w+@,=!-]+\/)*(?:(?:\.?[\w+@,=!-])+)?(?:\?[\x21\x22\x24-\x7e]*)?$/;
const writableTarget = /^\/[\x21\x22\x24-\x7e]*$/; // visible ASCII without `#`, which browsers never send

/**
 * Parses the target of a request, as the proxy received it, the way every proxy and server would. Undefined when two
 * of them may interpret it differently, or when it is not a path.
 */
export function readRequestPath(target: string): RequestPath | undefined {
  if (target.length > maxRequestPathLength) return undefined;
  if (plainTarget.test(target)) return split(withoutQuery(target));
  if (!writableTarget.test(target)) return undefined;
  const path = withoutQuery(target);
  const segments = split(path);
  // A slash after a script is passed to the script, as everything else behind it is.
  const last = path.endsWith('/') ? undefined : segments.length - 1;
  for (const [index, raw] of segments.entries()) {
    const segment = decodeName(raw);
    if (segment === undefined) return undefined;
    if (segmentFault(segment, index === last)) return undefined;
    segments[index] = segment;
  }
  return segments;
}

/**
 * The names of a path that consists only of letters, digits and a few signs, which every program reads in the same way.
 * Undefined for any other path, even if `readRequestPath` can read it.
 */
export function readPlainPath(target: string): RequestPath | undefined {
  return target.length <= maxRequestPathLength && plainTarget.test(target)
    ? split(withoutQuery(target))
    : undefined;
}

/**
 * The names of a path as they are written, with an empty one behind a slash at the end. Undefined if a proxy may read
 * another path.
 */
export function writtenNames(target: string): readonly string[] | undefined {
  if (target.length > maxRequestPathLength || !writableTarget.test(target)) return undefined;
  return withoutQuery(target).slice(1).split('/');
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

/** Strict: undefined for an invalid escape, and for bytes that are not valid UTF-8 in its shortest form. */
export function decodeName(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
