const maxSeconds = 24 * 60 * 60;

/** The seconds of a header `Retry-After` (RFC 9110, section 10.2.3), at most a day. Undefined if it is not valid. */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), maxSeconds);
}
