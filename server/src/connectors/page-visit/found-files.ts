import type { PageFileType } from '@gatehouse/contract';
import { maxPageFiles } from '@gatehouse/contract/limits';
import { maxRequestPathLength } from '@gatehouse/contract/rule-paths';
import type { FileOfPage, OwnPages } from '../../domain/access-rules/page-checks/page-loader.ts';

/** References that are resolved, those to other hosts included: each costs some microseconds. */
const maxReferences = 5_000;

/** The files that a page and its style sheets name, on hosts of the site. */
export class FoundFiles {
  /** False if there may be further files. */
  isComplete = true;
  readonly #pages: OwnPages;
  readonly #byUrl = new Map<string, FileOfPage>();
  #references = 0;

  constructor(pages: OwnPages) {
    this.#pages = pages;
  }

  get all(): FileOfPage[] {
    return [...this.#byUrl.values()];
  }

  /** In the order in which they were found, with those that are found meanwhile. */
  [Symbol.iterator](): Iterator<FileOfPage> {
    return this.#byUrl.values();
  }

  /** Whether a limit was reached, so that reading on is useless. */
  get isFull(): boolean {
    return this.#references >= maxReferences;
  }

  /** @param reference as it is written @param base what it is relative to */
  add(reference: string, base: URL, type: PageFileType): void {
    const written = reference.slice(0, 64).trimStart();
    // Most pages have pictures inside URLs, which are long and load nothing.
    if (/^(?:$|#|(?:data|blob|about|javascript):)/i.test(written)) return;
    if (this.isFull || reference.length > maxRequestPathLength) {
      this.isComplete = false;
      return;
    }
    this.#references += 1;
    const url = URL.parse(reference, base);
    const located = url && this.#pages.locate(url);
    if (!located) return;
    located.hash = '';
    if (this.#byUrl.has(located.href)) return;
    if (this.#byUrl.size < maxPageFiles && located.href.length <= 2 * maxRequestPathLength) {
      this.#byUrl.set(located.href, { url: located, type });
    } else {
      this.isComplete = false;
    }
  }
}
