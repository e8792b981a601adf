import type { Call } from './call.ts';
import type { Pagination } from './types.ts';

/** A part of a list, and where it stands in it. */
export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

/**
 * A list that is fetched while it is read, page by page. Nothing is fetched before the first item or page is asked for,
 * and nothing more once a loop is left. Each loop starts anew.
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #fetchPage: (after: string | undefined) => Call<Page<Item>>;
  readonly #after: string | undefined;

  /** @internal */
  constructor(after: string | undefined, fetchPage: (after: string | undefined) => Call<Page<Item>>) {
    this.#after = after;
    this.#fetchPage = fetchPage;
  }

  /** Every item of every page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Every page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let after = this.#after;
    do {
      const page = await this.#fetchPage(after);
      yield page;
      after = page.pagination.nextCursor ?? undefined;
    } while (after !== undefined);
  }

  /** One page: the first, or the one that comes behind the `after` that was given. */
  page(): Call<Page<Item>> {
    return this.#fetchPage(this.#after);
  }
}
