import { memoized } from '../../../../base/caches/memoized.ts';
import { baseLetters, replaceLetters } from './base-letters.ts';
import similar from './similar-letters.json' with { type: 'json' };

/**
 * How programs may read a name: as a collation of a database compares it, or as a program writes the name of the page
 * that it looks up. There is a reading for each way, in the same order for all names; only one if all are the same, and
 * three if all alphabets are. Two names may be one page if they have the same reading in one of the ways.
 */
export type NameReadings = readonly string[];

/** Letters that programs read in different ways. */
interface Alphabet {
  readonly letters: ReadonlyMap<string, string>;
  /** Whether all characters beyond U+FFFF are the same. */
  readonly isShort: boolean;
  /** Whether it reads letters as collations do. */
  readonly isCollation: boolean;
}

/** What collations read as other letters although Unicode does not relate them: `scripts/collations`. */
const similarLetters = lettersOf(similar.letters);
const letterMarks = lettersOf(similar.marks);
/** As German and Scandinavian collations and transliterations write them. */
const writtenOut = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', þ: 'th', đ: 'dj', '€': 'e' };
/** As newer collations read them, against Unicode and older ones. */
const reordered = {
  '\u0675': '\u0621\u0627',
  '\u0676': '\u0621\u0648',
  '\u0677': '\u0621\u06c7',
  '\ufbdd': '\u0621\u06c7',
  '\u0678': '\u0621\u064a',
  '\ufdfa': '\u0635\u0644\u0649 \u0627\u0644\u0644\u0647',
};

const general = new Map([['ß', 's']]);
const unicode = new Map([['ß', 'ss'], ...letterMarks]);
const alphabets: readonly Alphabet[] = [
  { letters: general, isShort: false, isCollation: false }, // programs that drop accents
  { letters: general, isShort: true, isCollation: true }, // general_ci
  { letters: unicode, isShort: true, isCollation: true }, // unicode_ci
  { letters: unicode, isShort: false, isCollation: true }, // unicode_520_ci, uca1400_ai_ci, 0900_ai_ci
  {
    letters: new Map([...unicode, ...Object.entries(writtenOut), ...Object.entries(reordered)]),
    isShort: false,
    isCollation: true,
  },
];

/** The number of ways: each alphabet with each treatment of signs. */
export const wayCount = 3 * alphabets.length;

/** Most names. */
const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const plainBeginning = /^[a-z0-9]+(?:-[a-z0-9]+)*-?$/;
const asciiName = /^[\x20-\x7e]*$/;
const asciiSeparators = /[^a-z0-9]+/g;
const asciiRemovable = /[^a-z0-9 _.+-]/g;
const asciiRemovableWithPlus = /[^a-z0-9 _.-]/g;
const separators = /[^\p{L}\p{N}\ufffd]+/gu;
/** What some programs remove, and others replace by a hyphen. */
const removable = /[^\p{L}\p{N}\p{Z}\p{Pd}\p{Pc}\ufffd.+]/gu;
/** The plus sign is a blank for some programs, and removed by others. */
const removableWithPlus = /[^\p{L}\p{N}\p{Z}\p{Pd}\p{Pc}\ufffd.]/gu;
const beyond = /[\u{10000}-\u{10ffff}]/gu;

/** The readings of a whole name. */
export function readingsOf(name: string): NameReadings {
  if (plainName.test(name)) return [name];
  return name.length > maxCachedLength ? readWhole(name) : readAgain(name);
}

/** All alphabets have the same letters, so only the treatment of other characters makes a difference. */
function readAscii(name: string): NameReadings {
  const letters = name.toLowerCase();
  const read = (text: string) => text.replace(asciiSeparators, '-').replace(/^-|-$/g, '') || '-';
  return [letters, letters.replace(asciiRemovable, ''), letters.replace(asciiRemovableWithPlus, '')].map(
    read,
  );
}

function readWhole(name: string): NameReadings {
  if (asciiName.test(name)) return readAscii(name);
  return alphabets.flatMap((alphabet) => {
    const letters = readLetters(name, alphabet);
    return withoutSigns(letters).map((text) => hyphenated(text).replace(/-$/, '') || unnamed(letters));
  });
}

const maxCachedLength = 200;
/** Takes about 15 µs for a name that is not ASCII, and a site has the same names again and again. */
const readAgain = memoized(readWhole, 1_000);

/** The readings of the beginning of a name; an empty one says nothing about the name. */
export function readingsOfBeginning(beginning: string): NameReadings {
  if (plainBeginning.test(beginning)) return [beginning];
  return alphabets.flatMap((alphabet) => {
    const letters = readLetters(beginning, alphabet);
    return withoutSigns(letters).map(hyphenated);
  });
}

/** The letters with all signs, and without those that programs remove. */
function withoutSigns(letters: string): string[] {
  return [letters, letters.replace(removable, ''), letters.replace(removableWithPlus, '')];
}

/** The reading in one of the ways. */
export function readingAt(readings: NameReadings, way: number): string {
  return readings[way % readings.length]!;
}

function readLetters(name: string, { letters, isShort, isCollation }: Alphabet): string {
  const composed = name.normalize('NFC').toLowerCase();
  // The replacement character counts as a letter only where it stands for others.
  const known = isShort ? composed.replace(beyond, '\ufffd') : composed.replaceAll('\ufffd', "'");
  const base = baseLetters(replaceLetters(known, letters));
  return isCollation ? replaceLetters(base, similarLetters) : base;
}

function hyphenated(letters: string): string {
  return letters.replace(separators, '-').replace(/^-/, '');
}

/** A name of signs alone. Those of ASCII are dropped; other signs, such as symbols, are compared. */
function unnamed(letters: string): string {
  return letters.replace(/[\x20-\x7e]+/g, '-').replace(/^-|-$/g, '') || '-';
}

function lettersOf(groups: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([text, letters]) =>
      [...letters].map((letter) => [letter, text] as const),
    ),
  );
}
