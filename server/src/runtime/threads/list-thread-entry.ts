import { parentPort } from 'node:worker_threads';
import type { ListPeopleReading } from '../../connectors/list/list-people.ts';
import { type ListBytes, type ListTable, readTable } from '../../connectors/list/list-table.ts';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import type { FromListThread, ListItem, ToListThread } from './list-thread.ts';
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
  else if ('propose' in message) void propose(message);
  else if ('read' in message) void read(message);
  else if ('close' in message) close(message.close);
  else port.close();
});

/** A list from its opening to its end. */
class OpenList {
  readonly closed = Promise.withResolvers<void>();
  #table: ListTable | undefined;
  /** Of the reading that is under way. */
  #items: AsyncIterator<ListItem> | undefined;
  #reading: number | undefined;
  #failure: unknown;

  /** Returns the headings. */
  async open(list: ListBytes): Promise<readonly string[]> {
    this.#table = await readTable(list);
    return this.#table.headings;
  }

  get table(): ListTable {
    return this.#table!;
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

async function open(number: number, list: ListBytes): Promise<void> {
  const opened = new OpenList();
  lists.set(number, opened);
  if (!list.isBeginning) {
    const before = wholeClosed;
    wholeClosed = before.then(() => opened.closed.promise);
    await before;
  }
  if (!lists.has(number)) return;
  await respond(number, async () => ({ opened: number, headings: await opened.open(list) }));
}

function read({ read: number, reading, people }: Extract<ToListThread, { read: number }>): Promise<void> {
  return respond(number, async () => ({
    items: (await lists.get(number)?.next(reading, people)) ?? [],
    of: number,
  }));
}

async function propose({
  propose: number,
  answers,
  site,
}: Extract<ToListThread, { propose: number }>): Promise<void> {
  const list = lists.get(number);
  if (!list) return;
  await respond(number, async () => ({
    proposed: number,
    proposal: await list.table.propose(answers, site),
  }));
}

function close(number: number): void {
  lists.get(number)?.closed.resolve();
  lists.delete(number);
}

async function respond(number: number, work: () => Promise<FromListThread>): Promise<void> {
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
