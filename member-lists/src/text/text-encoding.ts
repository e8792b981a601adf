import { inTurns } from '../csv/next-turn.ts';
import type { TextEncoding } from './encoding-detector.ts';
import { EncodingDetector } from './encoding-detector.ts';
import type { OtherFileKind } from './file-kinds.ts';

/** Short enough for a few milliseconds of work. */
const partLength = 131_072;

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

/** Reads a whole file as text, or says what it is instead. Other work gets its turn in between. */
export async function decodeInTurns(
  bytes: Uint8Array,
): Promise<{ readonly text: string } | { readonly text: null; readonly kind: OtherFileKind }> {
  const detector = new EncodingDetector();
  for await (const part of inTurns(partsOf(bytes))) detector.add(part);
  const found = detector.detect();
  if (found.encoding === null) return { text: null, kind: found.kind };
  const texts = await Array.fromAsync(decodeParts(inTurns(partsOf(bytes)), found.encoding));
  return { text: texts.join('') };
}

function* partsOf(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += partLength) {
    yield bytes.subarray(start, start + partLength);
  }
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
