import { longestRequestPath } from '@gatehouse/contract';
import { segmentFault } from '@gatehouse/contract/rule-paths';

/** The names from the root down, decoded; none of them for `/` itself. A trailing slash leaves no trace. */
export type RequestPath = readonly string[];

// The common case in one look. No alternative of it overlaps another, so it takes time in proportion to the length.
const plainTarget = /^\/(?:[\w+@,=!-]+\/)*(?:(?:\.?[\w+@,=!-])+)?(?:\?[\x21\x22\x24-\x7e]*)?$/;
const writableTarget = /^\/[\x21\x22\x24-\x7e]*$/; // visible ASCII without `#`, which no browser sends

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
