import type { PageObjectResponse } from '@notionhq/client';
import { type Clock, millisecondsPerDay } from '../../base/clock.ts';
import {
  type Content,
  contentOf,
  joinTexts,
  type ListedUser,
  maxTextLength,
  type NotionValue,
  toListedUser,
} from './notion-content.ts';
import type { NotionRequests, PropertyItems } from './notion-requests.ts';

/** A query returns at most this many people or pieces of text of a value, without saying that there are more. */
const maxItemsInQuery = 25;
/** Notion rounds the time of an edit down to the minute, so a page may change again within it. */
const settledAfterMilliseconds = 2 * 60_000;
/** In all stored values. More are read again each time, because the token is read with its source. */
const maxStoredCharacters = 4_000_000;

/** A value as it was read, and when. A text that does not depend on when it is written again. */
interface StoredValue {
  readonly page: string;
  readonly property: string;
  /** The last edit of the page. */
  readonly edited: string;
  readonly read: string;
  readonly content: Content;
}

/**
 * Reads values of which a query returns only a part, each with requests of its own. They are stored in the token of
 * the reading, and read again when the page was edited, or after a day, because the address of a person may change
 * without an edit.
 */
export class LongValues {
  readonly #requests: NotionRequests;
  readonly #clock: Clock;
  readonly #known: ReadonlyMap<string, StoredValue>;
  readonly #used: StoredValue[] = [];
  #usedCharacters = 0;

  constructor(requests: NotionRequests, clock: Clock, token: string | null) {
    this.#requests = requests;
    this.#clock = clock;
    this.#known = new Map(storedValues(token).map((value) => [keyOf(value), value]));
  }

  /** The token for the next reading, the same if nothing has changed. */
  get token(): string {
    const inOrder = this.#used.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    return JSON.stringify({ long: inOrder });
  }

  /** The whole content of a value of a page. @throws {CollectionGone} if the page is gone */
  async contentOf(page: PageObjectResponse, value: NotionValue & { readonly id: string }): Promise<Content> {
    if (!mayBeLonger(value)) return contentOf(value);
    const place = { page: page.id, property: value.id, edited: page.last_edited_time };
    const known = this.#known.get(keyOf(place));
    if (known && known.edited === place.edited && this.#ageOf(known) < millisecondsPerDay) {
      this.#store(known);
      return known.content;
    }
    const read = this.#clock().toISOString();
    const content = await this.#readContent(page.id, value);
    const isSettled = Date.parse(read) - Date.parse(place.edited) >= settledAfterMilliseconds;
    if (isSettled && isComplete(content)) this.#store({ ...place, read, content });
    return content;
  }

  #store(value: StoredValue): void {
    const characters = JSON.stringify(value).length;
    if (this.#usedCharacters + characters > maxStoredCharacters) return;
    this.#usedCharacters += characters;
    this.#used.push(value);
  }

  async #readContent(pageId: string, { id, type }: NotionValue & { readonly id: string }): Promise<Content> {
    const people: ListedUser[] = [];
    let text = '';
    for (let cursor: string | undefined; ; ) {
      const items: PropertyItems = await this.#requests.pageProperty(pageId, id, cursor);
      for (const item of items.results) {
        if (item.type === 'people') people.push(toListedUser(item.people));
        else if (item.type === 'title') text += joinTexts([item.title]);
        else if (item.type === 'rich_text') text += joinTexts([item.rich_text]);
      }
      if (!items.has_more || items.next_cursor === null || text.length > maxTextLength) break;
      cursor = items.next_cursor;
    }
    return type === 'people' ? { kind: 'people', people } : { kind: 'text', text };
  }

  #ageOf({ read }: StoredValue): number {
    return Math.abs(this.#clock().getTime() - Date.parse(read));
  }
}

function mayBeLonger(value: NotionValue): boolean {
  if (value.type === 'people') return value.people.length >= maxItemsInQuery;
  if (value.type === 'title') return value.title.length >= maxItemsInQuery;
  return value.type === 'rich_text' && value.rich_text.length >= maxItemsInQuery;
}

/** Someone without an address may get one without an edit, when the integration is allowed to see it. */
function isComplete(content: Content): boolean {
  return (
    content.kind !== 'people' ||
    content.people.every(({ kind, email }) => kind !== 'person' || email !== null)
  );
}

function keyOf({ page, property }: Pick<StoredValue, 'page' | 'property'>): string {
  return `${page} ${property}`;
}

/** Another version may have written the token in another form. */
function storedValues(token: string | null): readonly StoredValue[] {
  try {
    const stored: { long?: StoredValue[] } | null = JSON.parse(token ?? 'null');
    return Array.isArray(stored?.long) ? stored.long : [];
  } catch {
    return [];
  }
}
