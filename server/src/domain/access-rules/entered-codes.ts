import type { EnteredPageCode } from '../page-codes/page-code.ts';
import type { PageCodes } from './decision/access-conditions.ts';

/** The page codes that a visitor has entered, and the one by which a decision allowed access. */
export class EnteredCodes implements PageCodes {
  /** The first one that met a requirement; undefined if none did. */
  used: EnteredPageCode | undefined;
  readonly #codes: readonly EnteredPageCode[];

  constructor(codes: readonly EnteredPageCode[]) {
    this.#codes = codes;
  }

  hasAny(pageCodeIds: readonly string[]): boolean {
    const found = this.#codes.find(({ id }) => pageCodeIds.includes(id));
    this.used ??= found;
    return found !== undefined;
  }
}
