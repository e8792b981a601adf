import type { Gatehouse, ListMembers, Member } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { findMembers } from './member-search.ts';

/** Lists the members whose email address includes the text, as the API does. */
function aSite(emails: readonly string[]) {
  const requests: ListMembers[] = [];
  const all = emails.map((email) => ({ id: email, email, displayName: null }) as unknown as Member);
  const list = (filter: ListMembers) => {
    requests.push(filter);
    const { q = '', limit = 20 } = filter;
    const found = all.filter(({ email }) => (filter.email ? email === filter.email : email.includes(q)));
    const page = { data: found.slice(0, limit), pagination: { hasMore: found.length > limit } };
    return {
      page: async () => page,
      pages: async function* () {
        yield page;
      },
    };
  };
  return { gatehouse: { members: { list } } as unknown as Gatehouse, requests };
}

const { signal } = new AbortController();
const others = Array.from({ length: 150 }, (_, index) => `ada.${index}@example.com`);

test.each(['ada', 'ada@example.com'])(
  'of more members than a page has, %s is the first of eight, and is listed once',
  async (text) => {
    const { gatehouse, requests } = aSite([...others, 'grandada@example.com', 'ada@example.com']);
    const found = await findMembers(gatehouse, text, signal);
    expect(found[0]?.email).toBe('ada@example.com');
    expect(new Set(found).size).toBe(text === 'ada' ? 8 : 2);
    expect(found).toHaveLength(text === 'ada' ? 8 : 2);
    expect(requests).toHaveLength(2);
  },
);

test('an email address is found by its domain as it is shown', async () => {
  const { gatehouse } = aSite(['ada@xn--bcher-kva.example']);
  expect(await findMembers(gatehouse, 'ada@bücher.example', signal)).toHaveLength(1);
});

test('a text that few members match, and an empty one, need one request', async () => {
  const { gatehouse, requests } = aSite([...others.slice(0, 20), 'ada@example.com']);
  expect((await findMembers(gatehouse, 'ada', signal))[0]?.email).toBe('ada@example.com');
  expect(requests).toHaveLength(1);
  expect(await findMembers(gatehouse, undefined, signal)).toHaveLength(8);
  expect(requests).toHaveLength(2);
});
