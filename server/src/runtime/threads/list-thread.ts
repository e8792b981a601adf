import type { Worker } from 'node:worker_threads';
import type { ListAnswers, ProposedReading, SiteOfList } from '@gatehouse/member-lists';
import { threadEntry } from '../../base/installation.ts';
import { type Cancel, sleep, type Timers } from '../../base/timers.ts';
import type { ListedPerson, ListPeopleReading } from '../../connectors/list/list-people.ts';
import type { ListBytes, ListRow, ListTable } from '../../connectors/list/list-table.ts';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import { errorOf, startWorker, type ThreadFault } from './thread.ts';

const defaultEntry = threadEntry('runtime/threads/list-thread-entry');
/** An installation without lists should not pay for the memory of the thread. */
const maxIdleMilliseconds = 60_000;
const endMilliseconds = 1_000;
/** The text of one list of 50 MiB in UTF-16, and its rows. Only one whole list is open at a time. */
const maxHeapMebibytes = 256;

export type ToListThread =
  | { readonly open: number; readonly list: ListBytes }
  | { readonly propose: number; readonly answers: ListAnswers; readonly site: SiteOfList }
  /** The next items of the reading with this number: rows, or people if it says how. */
  | { readonly read: number; readonly reading: number; readonly people: ListPeopleReading | undefined }
  | { readonly close: number }
  | { readonly end: true };
export type FromListThread =
  | { readonly opened: number; readonly headings: readonly string[] }
  | { readonly proposed: number; readonly proposal: ProposedReading }
  /** None at the end of the list. */
  | { readonly items: readonly ListItem[]; readonly of: number }
  | { readonly unreadable: number; readonly code: CollectionUnreadable['code']; readonly message: string }
  | { readonly failed: number; readonly fault: ThreadFault };

/** A row, or the person in it. */
export type ListItem = ListRow | ListedPerson;

/**
 * Reads lists in a separate thread, so that a large or hostile one neither delays requests and changes nor takes more
 * memory than the thread may have. The thread starts with the first list, and ends when there was none for a minute.
 */
export class ListThread {
  readonly #timers: Timers;
  readonly #entry: URL;
  #worker: ListWorker | undefined;
  #cancelEnd: Cancel | undefined;

  constructor(timers: Timers, entry = defaultEntry) {
    this.#timers = timers;
    this.#entry = entry;
  }

  /** As `ReadTable`. The bytes are passed on to the thread. @throws {CollectionUnreadable} */
  async readTable(list: ListBytes): Promise<ListTable> {
    this.#cancelEnd?.();
    if (!this.#worker?.isAlive) this.#worker = new ListWorker(this.#entry);
    const worker = this.#worker;
    const number = worker.add();
    const close = () => {
      worker.close(number);
      if (worker === this.#worker && worker.isIdle) this.#endLater();
    };
    try {
      const headings = await worker.open(number, list);
      return {
        headings,
        rows: () => worker.items<ListRow>(number),
        propose: (answers, site) => worker.propose(number, answers, site),
        people: (reading) => worker.items<ListedPerson>(number, reading),
        close,
      };
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    this.#cancelEnd?.();
    await this.#worker?.end(this.#timers);
  }

  #endLater(): void {
    this.#cancelEnd?.();
    this.#cancelEnd = this.#timers.after(maxIdleMilliseconds, () => {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.end(this.#timers);
    });
  }
}

/** One thread, from its start to its end. */
class ListWorker {
  isAlive = true;
  readonly #worker: Worker;
  readonly #open = new Set<number>();
  readonly #pending = new Map<number, PromiseWithResolvers<FromListThread>>();
  readonly #exited: Promise<void>;
  #lastNumber = 0;
  #lastReading = 0;

  constructor(entry: URL) {
    this.#worker = startWorker(entry, undefined, { maxOldGenerationSizeMb: maxHeapMebibytes });
    this.#worker.on('message', (message: FromListThread) => this.#settle(message));
    this.#worker.on('error', (error) => this.#failAll(needsTooMuchMemory(error) ? tooLarge() : error));
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#failAll(new Error('The thread that reads lists has ended.'));
        resolve();
      });
    });
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  add(): number {
    this.#lastNumber += 1;
    this.#open.add(this.#lastNumber);
    return this.#lastNumber;
  }

  async open(number: number, list: ListBytes): Promise<readonly string[]> {
    const buffers = list.parts.map(({ buffer }) => buffer as ArrayBuffer);
    const response = await this.#call(number, { open: number, list }, buffers);
    return 'opened' in response ? response.headings : [];
  }

  async propose(number: number, answers: ListAnswers, site: SiteOfList): Promise<ProposedReading> {
    const response = await this.#call(number, { propose: number, answers, site });
    if (!('proposed' in response)) throw new Error('The thread that reads lists has sent something else.');
    return response.proposal;
  }

  /** The rows of a list; with `people`, the people in them. */
  async *items<Item extends ListItem>(
    number: number,
    people?: ListPeopleReading,
  ): AsyncGenerator<Item, void, undefined> {
    this.#lastReading += 1;
    const reading = this.#lastReading;
    for (let isFirst = true; ; isFirst = false) {
      // Afterwards the thread knows it.
      const response = await this.#call(number, {
        read: number,
        reading,
        people: isFirst ? people : undefined,
      });
      if (!('items' in response) || response.items.length === 0) return;
      // What was requested: people if it says how, and otherwise rows.
      yield* response.items as readonly Item[];
    }
  }

  close(number: number): void {
    this.#open.delete(number);
    this.#pending.delete(number);
    this.#send({ close: number });
  }

  async end(timers: Timers): Promise<void> {
    this.#send({ end: true });
    await Promise.race([this.#exited, sleep(timers, endMilliseconds)]);
    await this.#worker.terminate();
  }

  #call(number: number, message: ToListThread, transferred: ArrayBuffer[] = []): Promise<FromListThread> {
    if (!this.isAlive) throw new Error('The thread that reads lists has ended.');
    const pending = Promise.withResolvers<FromListThread>();
    this.#pending.set(number, pending);
    this.#send(message, transferred);
    return pending.promise;
  }

  #send(message: ToListThread, transferred: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transferred);
  }

  #settle(message: FromListThread): void {
    const number = numberOf(message);
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    if ('unreadable' in message) pending?.reject(new CollectionUnreadable(message.code, message.message));
    else if ('failed' in message) pending?.reject(errorOf(message.fault));
    else pending?.resolve(message);
  }

  #failAll(error: unknown): void {
    this.isAlive = false;
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}

function numberOf(message: FromListThread): number {
  if ('opened' in message) return message.opened;
  if ('items' in message) return message.of;
  if ('proposed' in message) return message.proposed;
  return 'failed' in message ? message.failed : message.unreadable;
}

function needsTooMuchMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooLarge(): CollectionUnreadable {
  return new CollectionUnreadable(
    'too_large',
    'The list needs too much memory to be read. Remove columns and rows that are not needed, or split it into several ' +
      'lists.',
  );
}
