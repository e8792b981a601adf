import type { AccessRule } from '@gatehouse/contract';
import { Beginnings, fold } from '@gatehouse/contract/rule-paths';

/** The rules of one place. */
export interface Rules {
  page: AccessRule | undefined;
  folder: AccessRule | undefined;
}

interface Wildcard extends Rules {
  /** How names begin, as written in the rules. */
  readonly beginning: string;
  readonly folded: string;
  /** The rules for the names that begin so, those of shorter beginnings included; undefined before the first search. */
  withShorter: Rules | undefined;
}

/** The names of a folder that end in `*`. A search takes a step for each length of a name, not for each name. */
export class Wildcards {
  readonly #written = new Beginnings<Wildcard>();
  readonly #folded = new Beginnings<Wildcard>();
  /** Whether all names are written in their folded form. */
  #areFolded = true;

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
      page: undefined,
      folder: undefined,
      withShorter: undefined,
    };
    this.#written.add(beginning, wildcard);
    this.#folded.add(wildcard.folded, wildcard);
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

  /** What begins with a beginning also begins with every shorter one of it. */
  #withShorter({ beginning }: Wildcard): Rules {
    const all = this.#written.of(beginning);
    return { page: all.find(({ page }) => page)?.page, folder: all.find(({ folder }) => folder)?.folder };
  }
}

export const noRules: Rules = { page: undefined, folder: undefined };
