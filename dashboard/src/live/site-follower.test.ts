import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SiteFollower } from './site-follower.ts';

let stops: (() => void)[];
let shown: EventTarget & { visibilityState: string };
/** The streams that were requested, in order, with what ends them. */
let streams: { after: string | null; send: (text: string) => void; signal: AbortSignal }[];
let statuses: number[];

beforeEach(() => {
  stops = [];
  streams = [];
  statuses = [];
  shown = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', shown);
  vi.stubGlobal('navigator', { locks: new Locks() });
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('location', new URL('https://gatehouse.example/dashboard'));
  vi.stubGlobal('fetch', async (address: string, { signal }: { signal: AbortSignal }) => {
    const status = statuses.shift() ?? 200;
    if (status !== 200) return new Response(null, { status });
    let send!: (text: string) => void;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    const after = new URL(address, 'https://gatehouse.example').searchParams.get('after');
    streams.push({ after, send, signal });
    return new Response(body);
  });
});
afterEach(() => {
  for (const stop of stops) stop();
  Channel.open.clear();
  vi.unstubAllGlobals();
});

/** The locks of a browser, of which this needs only one name. */
class Locks {
  #last: Promise<unknown> = Promise.resolve();

  request(_name: string, _options: object, run: () => Promise<unknown>): Promise<unknown> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => {});
    return result;
  }
}

class Channel {
  static readonly open = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | undefined;

  constructor() {
    Channel.open.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channel.open) if (other !== this) other.onmessage?.({ data });
  }

  close(): void {
    Channel.open.delete(this);
  }
}

function aTab(onRejected: () => Promise<unknown> = async () => {}) {
  const parts = { onChanges: vi.fn(), onGap: vi.fn(), onRejected: vi.fn(onRejected) };
  const follower = new SiteFollower({ siteId: 'site-1', personId: 'ada', after: 'e0', ...parts });
  const stop = follower.start();
  stops.push(stop);
  return { ...parts, stop };
}

const changes = { types: ['member.created'], memberIds: ['member-1'] };
const block = (id: string) => `id: ${id}\ndata: ${JSON.stringify(changes)}\n\n`;
const haveStarted = (count: number) => expect.poll(() => streams.length).toBe(count);

test('one tab reads the stream and tells the other, which goes on where that one was', async () => {
  const [first, second] = [aTab(), aTab()];
  await haveStarted(1);
  streams[0]!.send(block('e1'));
  await expect.poll(() => second.onChanges.mock.calls).toEqual([[changes]]);
  expect(first.onChanges.mock.calls).toEqual([[changes]]);
  first.stop();
  await haveStarted(2);
  expect(streams[1]!.after).toBe('e1');
  expect([first.onGap, second.onGap].map(({ mock }) => mock.calls)).toEqual([[], []]);
});

test('a tab that waits for a login leaves the stream to one where somebody has logged in', async () => {
  statuses = [401];
  const waits = aTab(() => new Promise(() => {}));
  const loggedIn = aTab();
  await haveStarted(1);
  streams[0]!.send(block('e1'));
  await expect.poll(() => loggedIn.onChanges.mock.calls).toEqual([[changes]]);
  expect(waits.onRejected).toHaveBeenCalledTimes(1);
});

test('a tab that waited for a login and was hidden reads the stream when it is shown again', async () => {
  statuses = [401];
  const { onRejected } = aTab(() => new Promise(() => {}));
  await expect.poll(() => onRejected.mock.calls.length).toBe(1);
  for (const state of ['hidden', 'visible']) {
    shown.visibilityState = state;
    shown.dispatchEvent(new Event('visibilitychange'));
  }
  await haveStarted(1);
});

test('several tabs that are rejected each say so once', async () => {
  statuses = [401, 401];
  const tabs = [aTab(() => new Promise(() => {})), aTab(() => new Promise(() => {}))];
  await expect.poll(() => statuses).toEqual([]);
  await expect.poll(() => tabs.map(({ onRejected }) => onRejected.mock.calls.length)).toEqual([1, 1]);
});

test('without locks each tab reads a stream of its own, and no tab tells another', async () => {
  vi.stubGlobal('navigator', {});
  const [first, second] = [aTab(), aTab()];
  await haveStarted(2);
  streams[0]!.send(block('e1') + block('e2'));
  await expect.poll(() => first.onChanges.mock.calls.length).toBe(2);
  expect(second.onChanges).not.toHaveBeenCalled();
  streams[1]!.send(block('e1') + block('e2'));
  await expect.poll(() => second.onChanges.mock.calls.length).toBe(2);
  expect(first.onChanges).toHaveBeenCalledTimes(2);
  expect([first.onGap, second.onGap].map(({ mock }) => mock.calls)).toEqual([[], []]);
});
