import type { AccessRule } from '@gatehouse/contract';
import { Beginnings, fold } from '@gatehouse/contract/rule-paths';
import {
  type NameReadings,
  readingAt,
  readingsOf,
  readingsOfBeginning,
  wayCount,
} from './names/name-readings.ts';
import { withNamedOctets } from './names/named-octets.ts';

/** The rules of one place. */
export interface Rules {
  page: AccessRule | undefined;
  folder: AccessRule | undefined;
}

interface Wildcard extends Rules {
  /** How names begin, as written in the rules. */
  readonly beginning: string;
  readonly folded: string;
  readonly readings: NameReadings;
  /** The rules for the names that begin so, those of shorter beginnings included; undefined before the first search. */
  withShorter: Rules | undefined;
}

/** The names of a folder that end in `*`. A search takes a step for each length of a name, not for each name. */
export class Wildcards {
  readonly #written = new Beginnings<Wildcard>();
  readonly #folded = new Beginnings<Wildcard>();
  /** In each of the ways of reading; undefined before the first search. */
  #read: readonly Beginnings<readonly Wildcard[]>[] | undefined;
  /** Whether all names are written in their folded form. */
  #areFolded = true;
  /** Whether all names are read in the same way by all programs. */
  #arePlain = true;

  get isEmpty(): boolean {
    return this.#written.isEmpty;
  }

  /** The rules for all names that begin so. */
  add(beginning: string): Rules {
    const known = this.#written.get(beginning);
    if (known) return known;
    const wildcard = {
      beginning,
      folded: fold(beginning),
      readings: readingsOfBeginning(beginning),
      page: undefined,
      folder: undefined,
      withShorter: undefined,
    };
    this.#written.add(beginning, wildcard);
    this.#folded.add(wildcard.folded, wildcard);
    this.#arePlain &&= wildcard.readings.length === 1;
    this.#areFolded &&= wildcard.folded === beginning;
    return wildcard;
  }

  /**
   * The rules of the longest names with `*` that a segment matches, one for pages and one for folders. It is ambiguous if
   * the segment matches one only as written or only in its folded form.
   */
  find(segment: string, folded: string): Rules | 'ambiguous' {
    if (this.isEmpty) return noRules;
    // Otherwise there is only one form.
    if (!this.#areFolded || segment !== folded) {
      const written = this.#written.of(segment);
      if (written.some((each) => !folded.startsWith(each.folded))) return 'ambiguous';
      if (this.#folded.of(folded).some((each) => !segment.startsWith(each.beginning))) return 'ambiguous';
    }
    const wildcard = this.#written.firstOf(segment);
    if (!wildcard) return noRules;
    wildcard.withShorter ??= this.#withShorter(wildcard);
    return wildcard.withShorter;
  }

  /**
   * Whether some program may read a segment as a name that matches other rules than the segment does as written: one
   * that matches less, or a longer name with `*`.
   */
  mayMatchOthers(segment: string): boolean {
    if (this.isEmpty) return false;
    const written = this.#written.of(segment);
    return withNamedOctets(segment).some((name) => this.#mayRead(readingsOf(name), written));
  }

  /** @param written the names with `*` that the segment matches as written */
  #mayRead(readings: NameReadings, written: readonly Wildcard[]): boolean {
    if (readings.length === 1 && this.#arePlain) return false;
    return this.#indexes().some((index, way) => {
      const name = readingAt(readings, way);
      const lengthOf = (wildcard: Wildcard) => readingAt(wildcard.readings, way).length;
      if (written.some((each) => !name.startsWith(readingAt(each.readings, way)))) return true;
      const others = index.of(name).flat();
      return reaches.some((reach) => {
        const own = written.find((each) => each[reach]);
        return others.some((other) => other[reach] && (!own || lengthOf(other) > lengthOf(own)));
      });
    });
  }

  #indexes(): readonly Beginnings<readonly Wildcard[]>[] {
    if (this.#read) return this.#read;
    const all = this.#written.values();
    this.#read = Array.from({ length: wayCount }, (_, way) => {
      const index = new Beginnings<readonly Wildcard[]>();
      for (const wildcard of all) {
        const reading = readingAt(wildcard.readings, way);
        // An empty one would be the beginning of every name.
        if (reading !== '') index.add(reading, [...(index.get(reading) ?? []), wildcard]);
      }
      return index;
    });
    return this.#read;
  }

  /** What begins with a beginning also begins with every shorter one of it. */
  #withShorter({ beginning }: Wildcard): Rules {
    const all = this.#written.of(beginning);
    return { page: all.find(({ page }) => page)?.page, folder: all.find(({ folder }) => folder)?.folder };
  }
}

const reaches = ['page', 'folder'] as const;

export const noRules: Rules = { page: undefined, folder: undefined };
