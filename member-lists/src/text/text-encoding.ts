import { EncodingDetector } from './encoding-detector.ts';

/** The encodings of lists: `windows-1252` is what Excel saves on Windows as CSV, `macintosh` (Mac Roman) on a Mac. */
export const textEncodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'macintosh',
  'shift_jis',
] as const;
export type TextEncoding = (typeof textEncodings)[number];

/**
 * Reads a file as text, in its encoding. Null if it is not a text.
 * @param isBeginning whether more follows, so that the last character may not be complete
 */
export function decodeText(bytes: Uint8Array, isBeginning = false): string | null {
  const detector = new EncodingDetector();
  detector.add(bytes);
  const { encoding } = detector.detect(isBeginning);
  return encoding && new TextDecoder(encoding).decode(bytes, { stream: isBeginning });
}

/** Reads a file of any size part by part. A character may begin in one part and end in the next one. */
export async function* decodeParts(
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding: TextEncoding,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const part of parts) yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}
