import { StoreUnavailable } from '../../storage/errors.ts';

/** For this time a result holds, so that many requests cause few writes. */
const validMilliseconds = 1_000;
/** Without a result by then, changes wait too long. Balancers do not wait longer either. */
const waitMilliseconds = 3_000;

/** Checks for everyone who wants to know whether changes can be stored: one check at a time. */
export class WriteCheck {
  readonly #check: () => Promise<void>;
  #result: Promise<void> = Promise.resolve();
  #validUntil = Number.NEGATIVE_INFINITY;

  /** @param check makes an empty change. @throws when it cannot be stored */
  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  /** @throws {StoreUnavailable} or the error of the check */
  async run(): Promise<void> {
    if (performance.now() > this.#validUntil) this.#start();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new StoreUnavailable(`No change was stored within ${waitMilliseconds} ms.`)),
      waitMilliseconds,
    );
    await Promise.race([this.#result, late.promise]).finally(() => clearTimeout(timer));
  }

  #start(): void {
    this.#validUntil = Number.POSITIVE_INFINITY;
    this.#result = this.#check().finally(() => {
      this.#validUntil = performance.now() + validMilliseconds;
    });
    // It may end after everyone has stopped waiting.
    this.#result.catch(() => {});
  }
}
