import type { SiteChanges } from '@gatehouse/contract/dashboard';
import { pause } from '../session/pause.ts';
import { type ChangeBlock, readChanges, StreamRejected } from './change-stream.ts';

/** After this time without news, the page begins anew instead of reading everything that it has missed. */
const maxGapMilliseconds = 5 * 60_000;

/** What the tab with the stream tells the others. */
type Message =
  | { readonly kind: 'moved'; readonly from: string | undefined; readonly block: ChangeBlock }
  | { readonly kind: 'rejected' };
/** A tab that was just opened or shown asks the one with the stream how far it is. */
interface Question {
  readonly kind: 'joined';
}

export interface FollowerParts {
  readonly siteId: string;
  readonly personId: string;
  /** The last event before anything was loaded. */
  readonly after: string | undefined;
  readonly onChanges: (changes: SiteChanges) => void;
  /** What has changed is not known. */
  readonly onGap: () => void;
  /** The session has ended, or the operator has lost the role. Resolves when that was found out, and shown. */
  readonly onRejected: () => Promise<unknown>;
}

/**
 * Follows the changes of a site. The visible tabs of a browser share one stream: the tab that holds the lock reads it
 * and tells the others. Every tab remembers how far it is, and notices when it has missed something.
 */
export class SiteFollower {
  readonly #parts: FollowerParts;
  readonly #name: string;
  #position: string | undefined;
  #heardAt = Date.now();
  #channel: BroadcastChannel | undefined;
  #visible: AbortController | undefined;
  #isReading = false;
  #rejection: Promise<unknown> | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#name = `gatehouse-changes ${parts.personId} ${parts.siteId}`;
    this.#position = parts.after;
  }

  /** Returns the function that stops it. It can be started again, and then continues where it was. */
  start(): () => void {
    // Only pages with https, and those at localhost, have locks. Others each read a stream of their own.
    if (navigator.locks) {
      this.#channel = new BroadcastChannel(this.#name);
      this.#channel.onmessage = ({ data }: MessageEvent<Message | Question>) => this.#receive(data);
    }
    const onVisibility = () => (document.visibilityState === 'visible' ? this.#show() : this.#hide());
    document.addEventListener('visibilitychange', onVisibility);
    onVisibility();
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      this.#hide();
      this.#channel?.close();
      this.#channel = undefined;
    };
  }

  /** Waits for its turn to read the stream. */
  #show(): void {
    if (this.#visible) return;
    this.#visible = new AbortController();
    const { signal } = this.#visible;
    this.#channel?.postMessage({ kind: 'joined' } satisfies Question);
    this.#followUntilHidden(signal).catch(() => {});
  }

  /** While the operator has to log in again here, a tab where someone has done so may read the stream. */
  async #followUntilHidden(signal: AbortSignal): Promise<void> {
    const read = () => this.#readUntilRejected(signal);
    for (let rejections = 0; !signal.aborted; rejections++) {
      const hasRead = navigator.locks
        ? await navigator.locks.request(this.#name, { signal }, read)
        : await read();
      if (signal.aborted) return;
      if (hasRead) rejections = 0;
      await Promise.race([this.#reject(), aborted(signal)]);
      await pause(rejections, signal);
    }
  }

  /** Leaves the stream to a visible tab: browsers may freeze this one, with the lock. */
  #hide(): void {
    this.#visible?.abort();
    this.#visible = undefined;
  }

  /** Reads the stream, as often as it ends, until the operator is rejected. Returns whether anything was read. */
  async #readUntilRejected(signal: AbortSignal): Promise<boolean> {
    let hasReadAny = false;
    this.#isReading = true;
    try {
      for (let failures = 0; !signal.aborted; failures++) {
        const { hasRead, isRejected } = await this.#readOnce(signal);
        hasReadAny ||= hasRead;
        if (isRejected) break;
        if (hasRead) failures = 0;
        await pause(failures, signal);
      }
    } finally {
      this.#isReading = false;
    }
    return hasReadAny;
  }

  /** Reads the stream until it ends. */
  async #readOnce(signal: AbortSignal): Promise<{ hasRead: boolean; isRejected: boolean }> {
    const { siteId, personId } = this.#parts;
    const isRecent = Date.now() - this.#heardAt < maxGapMilliseconds;
    const after = isRecent ? this.#position : undefined;
    let hasRead = false;
    let isRejected = false;
    try {
      await readChanges({ siteId, personId, after, signal }, (block) => {
        hasRead = true;
        if (!signal.aborted) this.#notify({ kind: 'moved', from: this.#position, block });
      });
    } catch (error) {
      if (error instanceof StreamRejected && !signal.aborted) isRejected = this.#isRejection(error.status);
    }
    return { hasRead, isRejected };
  }

  #isRejection(status: number): boolean {
    // The position is too old, or a standby took over without it: what has changed since is not known.
    if (status === 400) this.#position = undefined;
    if (![401, 403, 409].includes(status)) return false;
    this.#channel?.postMessage({ kind: 'rejected' } satisfies Message);
    return true;
  }

  /** Several tabs may notice it: each shows it once. */
  #reject(): Promise<unknown> {
    this.#rejection ??= this.#parts.onRejected().finally(() => {
      this.#rejection = undefined;
    });
    return this.#rejection;
  }

  #notify(message: Message): void {
    this.#channel?.postMessage(message);
    this.#receive(message);
  }

  #receive(message: Message | Question): void {
    if (message.kind === 'moved') this.#move(message.from, message.block);
    else if (message.kind === 'rejected') void this.#reject();
    else if (this.#isReading && this.#position !== undefined) {
      const block = { id: this.#position, changes: undefined };
      this.#channel?.postMessage({ kind: 'moved', from: undefined, block } satisfies Message);
    }
  }

  #move(from: string | undefined, { id, changes }: ChangeBlock): void {
    this.#heardAt = Date.now();
    if (id === this.#position) return;
    const isNext = changes !== undefined && from === this.#position;
    this.#position = id;
    if (isNext) this.#parts.onChanges(changes);
    else this.#parts.onGap();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
