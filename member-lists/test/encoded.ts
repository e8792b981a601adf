import type { TextEncoding } from '../src/text/encoding-detector.ts';

const questionMark = 0x3f;

/** A text in an encoding, without a byte order mark of its own. `?` stands for characters that it does not have. */
export function encode(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding.startsWith('utf-16')) {
    const wide = Buffer.from(text, 'utf16le');
    return encoding === 'utf-16be' ? wide.swap16() : wide;
  }
  const byteOf = bytesOf(encoding);
  return Uint8Array.from(text, (character) => byteOf.get(character) ?? questionMark);
}

function bytesOf(encoding: TextEncoding): Map<string, number> {
  const decoder = new TextDecoder(encoding);
  return new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  );
}
