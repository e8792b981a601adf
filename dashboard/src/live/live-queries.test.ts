import { GatehouseError } from '@gatehouse/client';
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { siteKeys } from '../queries/keys.ts';
import { LiveQueries } from './live-queries.ts';

const keys = siteKeys('site-1');

const changes = { types: ['member.created' as const], memberIds: ['member-1'] };

let page: EventTarget & { scrollY: number };
let shown: EventTarget & { visibilityState: string };
let client: QueryClient;
let live: LiveQueries;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { scrollY: 0 });
  shown = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', shown);
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  live = new LiveQueries(client, 'site-1');
  stop = live.start();
});
afterEach(() => {
  stop();
  client.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

/** A query that is shown, and how often it was fetched. */
async function isShown(queryKey: readonly unknown[], answer = async () => 'data') {
  const queryFn = vi.fn(answer);
  new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  await pass(0);
  queryFn.mockClear();
  return queryFn;
}

test('many changes are one request, and the next ones another in a while', async () => {
  const overview = await isShown(keys.overview);
  const settings = await isShown(keys.settings);
  for (let number = 0; number < 100; number += 1) live.add(changes);
  await pass(1);
  expect(overview).toHaveBeenCalledTimes(1);
  for (let number = 0; number < 10; number += 1) {
    live.add(changes);
    await pass(0.1);
  }
  expect(overview).toHaveBeenCalledTimes(1);
  await pass(2);
  expect(overview).toHaveBeenCalledTimes(2);
  await pass(60);
  expect(overview).toHaveBeenCalledTimes(2);
  expect(settings).not.toHaveBeenCalled();
});

test('nothing is fetched while the operator is doing something', async () => {
  const overview = await isShown(keys.overview);
  live.add(changes);
  for (let number = 0; number < 40; number += 1) {
    page.dispatchEvent(new Event(number % 2 ? 'pointermove' : 'keydown'));
    await pass(0.25);
  }
  expect(overview).not.toHaveBeenCalled();
  await pass(1);
  expect(overview).toHaveBeenCalledTimes(1);
});

test('a hidden page fetches nothing until it is shown', async () => {
  const overview = await isShown(keys.overview);
  shown.visibilityState = 'hidden';
  live.add(changes);
  await pass(60);
  expect(overview).not.toHaveBeenCalled();
  shown.visibilityState = 'visible';
  shown.dispatchEvent(new Event('visibilitychange'));
  await pass(1);
  expect(overview).toHaveBeenCalledTimes(1);
});

test('a list waits for a reader who has scrolled down, and then begins with its first page', async () => {
  const overview = await isShown(keys.overview);
  const queryFn = vi.fn(async ({ pageParam }: { pageParam: unknown }) => pageParam);
  const list = new InfiniteQueryObserver(client, {
    queryKey: keys.events.list({}),
    queryFn,
    initialPageParam: 0,
    getNextPageParam: (last) => Number(last) + 1,
  });
  list.subscribe(() => {});
  await pass(0);
  for (let number = 0; number < 4; number += 1) await list.fetchNextPage();
  queryFn.mockClear();

  page.scrollY = 2_000;
  live.add(changes);
  await pass(10);
  expect(overview).toHaveBeenCalledTimes(1);
  expect(queryFn).not.toHaveBeenCalled();
  expect(list.getCurrentResult().data?.pages).toHaveLength(5);

  page.scrollY = 0;
  page.dispatchEvent(new Event('scroll'));
  await pass(5);
  expect(queryFn).toHaveBeenCalledTimes(1);
  expect(list.getCurrentResult().data?.pages).toHaveLength(1);
});

test('a change during the first loading of a page is not missed', async () => {
  const answers: ((data: string) => void)[] = [];
  const queryFn = vi.fn(() => new Promise<string>((resolve) => void answers.push(resolve)));
  const observer = new QueryObserver(client, { queryKey: keys.overview, queryFn });
  observer.subscribe(() => {});
  await pass(0);
  live.add(changes);
  await pass(3);
  answers[0]!('before the change');
  await pass(20);
  expect(queryFn).toHaveBeenCalledTimes(2);
  answers[1]!('after the change');
  await pass(0);
  expect(observer.getCurrentResult().data).toBe('after the change');
});

test('what changed after the pages were left is fetched when they are opened again', async () => {
  const queryFn = await isShown(keys.overview);
  live.add(changes);
  stop();
  expect(client.getQueryState(keys.overview)?.isInvalidated).toBe(true);
  expect(queryFn).not.toHaveBeenCalled();
});

test('what could not be fetched is fetched again after a pause, without holding up other changes', async () => {
  const failures = [
    new TypeError('Offline.'),
    new GatehouseError('Busy.', { code: 'rate_limited', status: 429 }),
  ];
  const overview = await isShown(keys.overview, async () => {
    const failure = client.getQueryData(keys.overview) && failures.shift();
    if (failure) throw failure;
    return 'data';
  });
  const settings = await isShown(keys.settings);
  live.add(changes);
  await pass(1);
  expect(overview).toHaveBeenCalledTimes(1);
  live.add({ types: ['site.updated'], memberIds: [] });
  await pass(5);
  expect([overview.mock.calls.length, settings.mock.calls.length]).toEqual([1, 1]);
  await pass(6);
  expect(overview).toHaveBeenCalledTimes(2);
  await pass(9);
  expect(overview).toHaveBeenCalledTimes(2);
  await pass(3);
  expect(overview).toHaveBeenCalledTimes(3);
  await pass(60);
  expect(overview).toHaveBeenCalledTimes(3);
});

test('what was deleted is not fetched again and again', async () => {
  const member = await isShown(keys.members.one('member-1'), async () => {
    if (!client.getQueryData(keys.members.one('member-1'))) return 'data';
    throw new GatehouseError('Deleted.', { code: 'member_not_found', status: 404 });
  });
  live.add(changes);
  await pass(60);
  expect(member).toHaveBeenCalledTimes(1);
});

test('an answer from before the change stays stale, although its page was left, or the site', async () => {
  const answers: ((data: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
  const isStale = () => client.getQueryState(keys.overview)?.isInvalidated;
  client.prefetchQuery({ queryKey: keys.overview, queryFn });
  await pass(0);
  live.add(changes);
  await pass(3);
  answers[0]!('before the change');
  await pass(0);
  expect([client.getQueryData(keys.overview), isStale()]).toEqual(['before the change', true]);

  client.prefetchQuery({ queryKey: keys.overview, queryFn });
  await pass(0);
  live.add(changes);
  stop();
  answers[1]!('before that change');
  await pass(0);
  expect([client.getQueryData(keys.overview), isStale()]).toEqual(['before that change', true]);
});
