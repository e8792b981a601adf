import type { ListPeopleReading } from '../../connectors/list/list-people.ts';
import { type ListTable, readTable } from '../../connectors/list/list-table.ts';
import type { ListCalls, ListItem } from './list-thread.ts';
import { serveCalls } from './serve-calls.ts';

// The thread that a `ListThread` starts.

const rowsAtOnce = 500;
/** About as much as is read between two turns of the event loop. */
const charactersAtOnce = 262_144;

const lists = new Map<number, OpenList>();
let lastNumber = 0;
/** Settled when no whole list is open: two at the same time could need more memory than the thread has. */
let wholeClosed: Promise<void> = Promise.resolve();

/** A list from its opening to its end. */
class OpenList {
  readonly table: ListTable;
  readonly close: () => void;
  /** Of the reading that is under way. */
  #items: AsyncIterator<ListItem> | undefined;
  #reading: number | undefined;
  #failure: unknown;

  constructor(table: ListTable, close: () => void) {
    this.table = table;
    this.close = close;
  }

  /** The next items of a reading; none at the end. A list that cannot be read further fails after those before. */
  async next(reading: number, people: ListPeopleReading | undefined): Promise<readonly ListItem[]> {
    if (reading !== this.#reading) {
      const items: AsyncIterable<ListItem> = people ? this.table.people(people) : this.table.rows();
      this.#items = items[Symbol.asyncIterator]();
      this.#reading = reading;
      this.#failure = undefined;
    }
    if (this.#failure !== undefined) throw this.#failure;
    const found: ListItem[] = [];
    try {
      for (let length = 0; found.length < rowsAtOnce && length < charactersAtOnce; ) {
        const { value, done } = await this.#items!.next();
        if (done) break;
        found.push(value);
        length += charactersIn(value);
      }
    } catch (error) {
      if (found.length === 0) throw error;
      this.#failure = error;
    }
    return found;
  }
}

function charactersIn(item: ListItem): number {
  const texts =
    'values' in item
      ? item.values
      : [item.email, item.displayName ?? '', item.unclear?.value ?? '', ...(item.groups ?? [])];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

await serveCalls<ListCalls>('lists', () => ({
  calls: {
    async open(bytes, { signal }) {
      const close = bytes.isBeginning ? () => {} : await whenNoWholeListIsOpen(signal);
      try {
        const table = await readTable(bytes);
        lastNumber += 1;
        lists.set(lastNumber, new OpenList(table, close));
        return { list: lastNumber, headings: table.headings };
      } catch (error) {
        close();
        throw error;
      }
    },
    propose: ({ list, answers, site }) => lists.get(list)!.table.propose(answers, site),
    read: ({ list, reading, people }) => lists.get(list)?.next(reading, people) ?? [],
    close(list) {
      lists.get(list)?.close();
      lists.delete(list);
    },
  },
}));

/** Waits for its turn. Returns a function that ends it. A thread that ends waits no longer. */
async function whenNoWholeListIsOpen(signal: AbortSignal): Promise<() => void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const before = wholeClosed;
  wholeClosed = before.then(() => closed);
  const aborted = new Promise<void>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  );
  await Promise.race([before, aborted]);
  return resolve;
}
