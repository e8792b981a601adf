import { kindLength, kindOf, type OtherFileKind } from './file-kinds.ts';

import { WordEvidence } from './word-evidence.ts';

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

/** The encoding of a text, or what a file is instead. */
export type DetectedEncoding =
  | { readonly encoding: TextEncoding; readonly hasMark: boolean }
  | { readonly encoding: null; readonly kind: OtherFileKind };

/** The byte order marks of UTF-16. */
const wideMarks = new Map<string, TextEncoding>([
  [`${0xff} ${0xfe}`, 'utf-16le'],
  [`${0xfe} ${0xff}`, 'utf-16be'],
]);

/** At least one of so many characters of UTF-16 has a zero byte, as those of addresses and separators have. */
const maxCharactersPerZero = 8;

/** Finds out the encoding of a file, read part by part in bounded memory. */
export class EncodingDetector {
  #beginning = new Uint8Array();
  #length = 0;
  /** The number of zero bytes at even and at odd places. */
  readonly #zeros = [0, 0];
  #hasZeroCharacter = false;
  #previousZero = -2;
  readonly #utf8 = new StrictDecoder('utf-8');
  readonly #shiftJis = new StrictDecoder('shift_jis');
  readonly #western = new TextDecoder('windows-1252');
  readonly #evidence = new WordEvidence();

  add(bytes: Uint8Array): void {
    if (this.#beginning.length < kindLength) this.#beginning = joined(this.#beginning, bytes);
    this.#countZeros(bytes);
    this.#length += bytes.length;
    this.#utf8.decode(bytes);
    this.#evidence.addJapanese(this.#shiftJis.decode(bytes));
    this.#evidence.add(this.#western.decode(bytes, { stream: true }));
  }

  /** @param isBeginning whether more follows, so that the last character may not be complete */
  detect(isBeginning = false): DetectedEncoding {
    const [first, second, third] = this.#beginning;
    const kind = kindOf(this.#beginning);
    if (kind !== undefined) return { encoding: null, kind };
    const mark = wideMarks.get(`${first} ${second}`);
    const wide = mark ?? this.#wideEncoding();
    if (wide !== undefined && !this.#hasZeroCharacter) return { encoding: wide, hasMark: mark !== undefined };
    if (this.#zeros.some((count) => count > 0)) return { encoding: null, kind: 'unknown' };
    const hasMark = first === 0xef && second === 0xbb && third === 0xbf;
    if (this.#utf8.isValid(isBeginning)) return { encoding: 'utf-8', hasMark };
    const encoding = this.#evidence.choose(this.#shiftJis.isValid(isBeginning));
    return encoding === 'mixed' ? { encoding: null, kind: 'mixed' } : { encoding, hasMark: false };
  }

  #countZeros(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
      const place = this.#length + at;
      this.#zeros[place % 2]! += 1;
      if (place % 2 === 1 && this.#previousZero === place - 1) this.#hasZeroCharacter = true;
      this.#previousZero = place;
    }
  }

  /** UTF-16 without a byte order mark: nearly all zero bytes are at one side of the characters. */
  #wideEncoding(): TextEncoding | undefined {
    const [even = 0, odd = 0] = this.#zeros;
    if ((even + odd) * maxCharactersPerZero * 2 < this.#length) return undefined;
    if (odd > 4 * even) return 'utf-16le';
    return even > 4 * odd ? 'utf-16be' : undefined;
  }
}

/** Decodes parts until the first one that is not valid. */
class StrictDecoder {
  readonly #decoder: TextDecoder;
  #isValid = true;

  constructor(encoding: TextEncoding) {
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  decode(bytes: Uint8Array): string {
    if (!this.#isValid) return '';
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch {
      this.#isValid = false;
      return '';
    }
  }

  /** @param isBeginning whether the last character may not be complete */
  isValid(isBeginning: boolean): boolean {
    if (!this.#isValid || isBeginning) return this.#isValid;
    try {
      this.#decoder.decode();
      return true;
    } catch {
      return false;
    }
  }
}

function joined(some: Uint8Array, others: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(Math.min(some.length + others.length, kindLength));
  all.set(some);
  all.set(others.subarray(0, kindLength - some.length), some.length);
  return all;
}
