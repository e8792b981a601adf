import type { Gatehouse, ListMembers, Member } from '@gatehouse/client';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { maxPageSize, maxQueryLength } from '@gatehouse/contract/limits';
import { siteKeys } from '../keys.ts';
import { useSearch } from '../search.ts';
import { bestMatchesFirst } from './best-matches.ts';

const maxMembers = 8;

/** The members that a text names best, or the newest without one. While they are loading, the previous results. */
export function useMemberSearch(
  siteId: string | undefined,
  gatehouse: Gatehouse | undefined,
  typed: string,
  enabled = true,
) {
  const { found, isFormer } = useSearch(
    siteKeys(siteId).members.search,
    async (text, signal) => ({ data: await findMembers(gatehouse!, text, signal) }),
    typed,
    enabled && gatehouse !== undefined,
  );
  return { members: found, isFormer };
}

/** The API lists by time: of many matches, the member who is meant could be on a later page. */
export async function findMembers(
  gatehouse: Pick<Gatehouse, 'members'>,
  text: string | undefined,
  signal: AbortSignal,
): Promise<Member[]> {
  if (text === undefined)
    return (await gatehouse.members.list({ limit: maxMembers }, { signal }).page()).data;
  const { data, hasMore } = await firstMatches(gatehouse, text, signal);
  const filter = emailFilter(text, hasMore);
  const named = filter ? (await gatehouse.members.list(filter, { signal }).page()).data : [];
  const others = data.filter(({ id }) => named.every((member) => member.id !== id));
  return bestMatchesFirst([...others, ...named], text).slice(0, maxMembers);
}

/** One page, unless it has too few: in a large site, the API returns what it has found after a while. */
async function firstMatches(gatehouse: Pick<Gatehouse, 'members'>, q: string, signal: AbortSignal) {
  const data: Member[] = [];
  for await (const page of gatehouse.members.list({ q, limit: maxPageSize }, { signal }).pages()) {
    data.push(...page.data);
    if (data.length >= maxMembers) return { data, hasMore: page.pagination.hasMore };
  }
  return { data, hasMore: false };
}

/** Finds whose email address is the text, also with its domain in Unicode, or ends with the text before the `@`. */
function emailFilter(text: string, hasMore: boolean): ListMembers | undefined {
  const email = normalizeEmail(text);
  if (email !== null) return { email };
  const mayBeMissing = hasMore && text.length < maxQueryLength && !/[\s@]/.test(text);
  return mayBeMissing ? { q: `${text}@`, limit: maxPageSize } : undefined;
}
