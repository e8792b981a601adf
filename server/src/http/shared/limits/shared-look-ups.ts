import { setTimeout } from 'node:timers/promises';

const intervalMilliseconds = 250;
/** Credentials in one statement; those beyond it count as unknown. */
const maxTogether = 5_000;
/** Credentials that are not looked up again for a while, because they existed. */
const maxKnown = 10_000;
const knownMilliseconds = 60_000;

/** Which of some credentials exist and are valid. */
export type FindValid = (credentials: readonly string[]) => Promise<readonly string[]>;

interface Batch {
  readonly credentials: Set<string>;
  readonly valid: Promise<ReadonlySet<string>>;
}

/**
 * Looks credentials up together, with at most four statements a second, however many are sent. For clients over their
 * limit: unknown credentials then cost them next to nothing in the store, and a valid one behind the same address is
 * still recognized, after a quarter of a second at most.
 */
export class SharedLookUps {
  readonly #find: FindValid;
  /** The valid ones, by when they were found. */
  readonly #known = new Map<string, number>();
  #next: Batch | undefined;
  /** Resolves when the next look-up may begin. */
  #pause: Promise<unknown> = Promise.resolve();

  constructor(find: FindValid) {
    this.#find = find;
  }

  /** Whether the credential exists and was valid within the last minute. @throws {StoreUnavailable} */
  async has(credential: string): Promise<boolean> {
    const foundAt = this.#known.get(credential);
    if (foundAt !== undefined && performance.now() - foundAt < knownMilliseconds) return true;
    this.#next ??= this.#begin();
    const { credentials, valid } = this.#next;
    if (credentials.size >= maxTogether) return false;
    credentials.add(credential);
    return (await valid).has(credential);
  }

  #begin(): Batch {
    const credentials = new Set<string>();
    const valid = this.#pause.then(() => {
      this.#next = undefined;
      const found = this.#find([...credentials]);
      // A store that is slow gets no second statement meanwhile.
      this.#pause = Promise.allSettled([found, setTimeout(intervalMilliseconds)]);
      return found.then((list) => this.#cache(list));
    });
    return { credentials, valid };
  }

  #cache(found: readonly string[]): ReadonlySet<string> {
    const now = performance.now();
    for (const credential of found) {
      if (this.#known.size >= maxKnown) this.#known.delete(this.#known.keys().next().value!);
      this.#known.set(credential, now);
    }
    return new Set(found);
  }
}
