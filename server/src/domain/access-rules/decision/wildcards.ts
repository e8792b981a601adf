import type { AccessRule } from '@gatehouse/contract';
import { fold, namesOfPages } from '@gatehouse/contract/rule-paths';

/** The rules of one place. */
export interface Rules {
  page: AccessRule | undefined;
  folder: AccessRule | undefined;
}

interface Wildcard extends Rules {
  /** How names begin, as written in the rules. */
  readonly beginning: string;
  readonly folded: string;
}

/** The names of a folder that end in `*`. A search takes a step for each length of a name, not for each name. */
export class Wildcards {
  readonly #written = new Beginnings();
  readonly #folded = new Beginnings();
  /** Folded names for which a server may return a page that begins as one of the names. */
  readonly #namesOfPages = new Set<string>();

  get isEmpty(): boolean {
    return this.#written.isEmpty;
  }

  /** The rules for all names that begin so. */
  add(beginning: string): Rules {
    const known = this.#written.get(beginning);
    if (known) return known;
    const wildcard = { beginning, folded: fold(beginning), page: undefined, folder: undefined };
    this.#written.add(beginning, wildcard);
    this.#folded.add(wildcard.folded, wildcard);
    for (const name of namesOfPages(wildcard.folded)) this.#namesOfPages.add(name);
    return wildcard;
  }

  /**
   * The rules of the longest name with `*` that a segment matches. It is ambiguous if it matches one only as written or
   * only in its folded form, or if a server may return a page for it that matches one.
   */
  find(segment: string, folded: string, isLast: boolean): Rules | 'ambiguous' | undefined {
    if (isLast && this.#namesOfPages.has(folded)) return 'ambiguous';
    const written = this.#written.of(segment);
    if (written.some((each) => !folded.startsWith(each.folded))) return 'ambiguous';
    if (this.#folded.of(folded).some((each) => !segment.startsWith(each.beginning))) return 'ambiguous';
    return written[0];
  }
}

const none: readonly Wildcard[] = [];

/** Finds what a text begins with. */
class Beginnings {
  readonly #byText = new Map<string, Wildcard>();
  /** The different lengths, the longest first. */
  #lengths: number[] = [];

  get isEmpty(): boolean {
    return this.#byText.size === 0;
  }

  add(text: string, wildcard: Wildcard): void {
    this.#byText.set(text, wildcard);
    this.#lengths = [...new Set([...this.#lengths, text.length])].sort((one, other) => other - one);
  }

  get(text: string): Wildcard | undefined {
    return this.#byText.get(text);
  }

  /** Those that a text begins with, the longest first. */
  of(text: string): readonly Wildcard[] {
    if (this.isEmpty) return none;
    const found: Wildcard[] = [];
    for (const length of this.#lengths) {
      const wildcard = length <= text.length ? this.#byText.get(text.slice(0, length)) : undefined;
      if (wildcard) found.push(wildcard);
    }
    return found;
  }
}
