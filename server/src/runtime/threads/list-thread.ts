import type { ListAnswers, ProposedReading, SiteOfList } from '@gatehouse/member-lists';
import { threadEntry } from '../../base/installation.ts';
import type { Timers } from '../../base/timers.ts';
import type { ListedPerson, ListPeopleReading } from '../../connectors/list/list-people.ts';
import type { ListBytes, ListRow, ListTable } from '../../connectors/list/list-table.ts';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import type { ThreadClient } from './thread-client.ts';
import { ThreadOnDemand } from './thread-on-demand.ts';

const defaultEntry = threadEntry('runtime/threads/list-thread-entry');
/** The text of one list of 50 MiB in UTF-16, and its rows. Only one whole list is open at a time. */
const maxHeapMebibytes = 256;

/** A row, or the person in it. */
export type ListItem = ListRow | ListedPerson;

/** The calls of the thread. Open lists have numbers. */
export interface ListCalls {
  open(list: ListBytes): { readonly list: number; readonly headings: readonly string[] };
  propose(of: {
    readonly list: number;
    readonly answers: ListAnswers;
    readonly site: SiteOfList;
  }): ProposedReading;
  /** The next items of the reading with this number: rows, or people if it says how. None at the end of the list. */
  read(of: {
    readonly list: number;
    readonly reading: number;
    readonly people: ListPeopleReading | undefined;
  }): readonly ListItem[];
  close(list: number): void;
}

/**
 * Reads lists in a separate thread, so that a large or hostile one neither delays requests and changes nor takes more
 * memory than the thread may have.
 */
export class ListThread {
  readonly #thread: ThreadOnDemand<ListCalls>;
  #lastReading = 0;

  constructor(timers: Timers, entry = defaultEntry) {
    const description = 'The thread that reads lists';
    this.#thread = new ThreadOnDemand({ entry, description, maxHeapMebibytes }, timers);
  }

  /** As `ReadTable`. The bytes are passed on to the thread. @throws {CollectionUnreadable} */
  async readTable(bytes: ListBytes): Promise<ListTable> {
    const { client, release } = this.#thread.use();
    const transferred = bytes.parts.map(({ buffer }) => buffer as ArrayBuffer);
    try {
      const { list, headings } = await client.call('open', bytes, { transferred });
      return {
        headings,
        rows: () => this.#items<ListRow>(client, list),
        propose: (answers, site) => client.call('propose', { list, answers, site }).catch(explain),
        people: (reading) => this.#items<ListedPerson>(client, list, reading),
        close: () => {
          // In a thread that has ended, it is closed.
          client.call('close', list).catch(() => {});
          release();
        },
      };
    } catch (error) {
      release();
      return explain(error);
    }
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** The rows of a list; with `people`, the people in them. */
  async *#items<Item extends ListItem>(
    client: ThreadClient<ListCalls>,
    list: number,
    people?: ListPeopleReading,
  ): AsyncGenerator<Item, void, undefined> {
    this.#lastReading += 1;
    const reading = this.#lastReading;
    for (let isFirst = true; ; isFirst = false) {
      // After the first time, the thread knows how.
      const request = { list, reading, people: isFirst ? people : undefined };
      const items = await client.call('read', request).catch(explain);
      if (items.length === 0) return;
      // What was requested: people if it says how, and otherwise rows.
      yield* items as readonly Item[];
    }
  }
}

function explain(error: unknown): never {
  if ((error as { code?: string }).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
  throw new CollectionUnreadable(
    'too_large',
    'The list needs too much memory to be read. Remove columns and rows that are not needed, or split it into several ' +
      'lists.',
  );
}
