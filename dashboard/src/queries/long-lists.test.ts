import { focusManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { refetchedWhileShort } from './long-lists.ts';

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
