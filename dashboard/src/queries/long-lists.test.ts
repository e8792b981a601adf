import { focusManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { refetchedWhileShort, retryLoading } from './long-lists.ts';

afterEach(() => focusManager.setFocused(undefined));

/** A list with some loaded pages. */
async function aList(pages: number) {
  const client = new QueryClient();
  client.mount();
  let requests = 0;
  const options = {
    ...refetchedWhileShort,
    queryKey: ['list'],
    queryFn: async ({ pageParam }: { pageParam: number }) => {
      requests += 1;
      return pageParam;
    },
    initialPageParam: 0,
    getNextPageParam: (last: number) => last + 1,
  };
  const list = new InfiniteQueryObserver(client, options);
  let leave = list.subscribe(() => {});
  while ((list.getCurrentResult().data?.pages.length ?? 0) < pages) await list.fetchNextPage();
  const settled = () => expect.poll(() => client.isFetching()).toBe(0);
  return {
    client,
    requestsOf: async (run: () => void) => {
      await settled();
      requests = 0;
      run();
      await settled();
      return requests;
    },
    leave: () => leave(),
    comeBack: () => {
      leave = list.subscribe(() => {});
    },
  };
}

function lookAgain(): void {
  focusManager.setFocused(false);
  focusManager.setFocused(true);
}

test('a short list is refetched when the window gets the focus', async () => {
  const { requestsOf } = await aList(3);
  expect(await requestsOf(lookAgain)).toBe(3);
});

test('a long list is not refetched until something is changed', async () => {
  const { client, requestsOf, leave, comeBack } = await aList(4);
  expect(await requestsOf(lookAgain)).toBe(0);
  leave();
  expect(await requestsOf(comeBack)).toBe(0);
  leave();
  void client.invalidateQueries();
  expect(await requestsOf(comeBack)).toBe(4);
});

test('trying again repeats what has failed: the next page, or the loading of all', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let fails = false;
  const loaded: number[] = [];
  const list = new InfiniteQueryObserver(client, {
    queryKey: ['list'],
    queryFn: async ({ pageParam }) => {
      if (fails) throw new Error('Offline.');
      loaded.push(pageParam);
      return pageParam;
    },
    initialPageParam: 0,
    getNextPageParam: (last: number) => (last === 0 ? 1 : undefined),
  });
  list.subscribe(() => {});
  const settled = () => expect.poll(() => client.isFetching()).toBe(0);
  const retry = async () => {
    fails = false;
    loaded.length = 0;
    retryLoading(list.getCurrentResult());
    await settled();
    expect(list.getCurrentResult().error).toBeNull();
    return loaded;
  };
  await settled();
  fails = true;
  await list.refetch();
  expect(await retry()).toEqual([0]);
  fails = true;
  await list.fetchNextPage();
  expect(await retry()).toEqual([1]);
  fails = true;
  await list.refetch();
  expect(await retry()).toEqual([0, 1]);
});
