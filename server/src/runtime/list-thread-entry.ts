import { parentPort } from 'node:worker_threads';
import {
  type ListBytes,
  type ListRow,
  type ListTable,
  readTable,
} from '../domain/sources/list/list-table.ts';
import { CollectionUnreadable } from '../domain/sources/workspace.ts';
import type { FromListThread, ToListThread } from './list-thread.ts';
import { faultOf, lowerPriority } from './thread.ts';

// The thread that a `ListThread` starts.

const rowsAtOnce = 500;
/** About as much as is read between two turns of the event loop. */
const charactersAtOnce = 262_144;

lowerPriority('lists');
const port = parentPort!;
const lists = new Map<number, OpenList>();
/** Settled when no whole list is open: two at the same time could need more memory than the thread has. */
let wholeClosed: Promise<void> = Promise.resolve();

port.on('message', (message: ToListThread) => {
  if ('open' in message) void open(message.open, message.list);
  else if ('read' in message) void read(message.read, message.columns);
  else if ('close' in message) close(message.close);
  else port.close();
});

/** A list from its opening to its end. */
class OpenList {
  readonly closed = Promise.withResolvers<void>();
  #table: ListTable | undefined;
  #rows: AsyncIterator<ListRow> | undefined;
  #failure: unknown;

  /** Returns the headings. */
  async open(list: ListBytes): Promise<readonly string[]> {
    this.#table = await readTable(list);
    return this.#table.headings;
  }

  /** The next rows; none at the end. A list that cannot be read further fails after the rows before. */
  async next(columns: readonly number[]): Promise<readonly ListRow[]> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#rows ??= this.#table!.rows(columns)[Symbol.asyncIterator]();
    const rows: ListRow[] = [];
    try {
      for (let length = 0; rows.length < rowsAtOnce && length < charactersAtOnce; ) {
        const { value, done } = await this.#rows.next();
        if (done) break;
        rows.push(value);
        length += value.values.reduce((sum, text) => sum + text.length, 0);
      }
    } catch (error) {
      if (rows.length === 0) throw error;
      this.#failure = error;
    }
    return rows;
  }
}

async function open(number: number, list: ListBytes): Promise<void> {
  const opened = new OpenList();
  lists.set(number, opened);
  if (!list.isBeginning) {
    const before = wholeClosed;
    wholeClosed = before.then(() => opened.closed.promise);
    await before;
  }
  if (!lists.has(number)) return;
  await reply(number, async () => ({ opened: number, headings: await opened.open(list) }));
}

function read(number: number, columns: readonly number[]): Promise<void> {
  return reply(number, async () => ({ rows: (await lists.get(number)?.next(columns)) ?? [], of: number }));
}

function close(number: number): void {
  lists.get(number)?.closed.resolve();
  lists.delete(number);
}

async function reply(number: number, work: () => Promise<FromListThread>): Promise<void> {
  try {
    send(await work());
  } catch (error) {
    if (error instanceof CollectionUnreadable) {
      send({ unreadable: number, code: error.code, message: error.message });
    } else send({ failed: number, fault: faultOf(error) });
  }
}

function send(message: FromListThread): void {
  port.postMessage(message);
}
