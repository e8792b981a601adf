import type { Pagination } from '../types.ts';
import type { Call } from './call.ts';

/** A page of a list and its position in it. */
export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

/**
 * A list that is fetched page by page while it is read. Nothing is fetched before the first item or page is read, or
 * after a loop has ended. Each loop starts from the beginning.
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

  /** One page: the first page, or the page after the given `after`. */
  page(): Call<Page<Item>> {
    return this.#fetchPage(this.#after);
  }
}
