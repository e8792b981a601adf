import type { ListMembers, Member, Pagination } from '@gatehouse/client';
import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSiteApi } from '../../../queries/site-api.ts';
import { fullPage } from '../../../session/full-page.ts';
import { type MemberGroups, useMemberGroups } from './member-groups.ts';
import { beginning, type Chain, pageSize, rangeOf, withPage } from './page-chain.ts';

/** How long a page of members that is not visible stays cached. */
const cacheMilliseconds = 15_000;

/** The matching members. Only the pages around the visible rows stay loaded. */
export interface MemberRows {
  /** The number of known rows. If the list continues, it includes one more page. */
  count: number;
  /** The number of matching members; null until the end of the list is known. */
  total: number | null;
  /** If `total` is null: the number of members that are known to match. */
  moreThan: number;
  /** The member at an index; undefined if it is not loaded. */
  at: (index: number) => Member | undefined;
  /** The groups of a member; undefined while they are loading. */
  groupsOf: (memberId: string) => MemberGroups | undefined;
  /** The ids from one member to another in the list, the latter last. */
  range: (from: string | undefined, to: string) => string[];
  /** Reports which rows are visible. */
  show: (first: number, last: number) => void;
  /** Whether these rows still belong to the previous query. */
  isFormer: boolean;
  isPending: boolean;
  error: Error | null;
  retry: () => void;
}

type MemberPage = { data: Member[]; pagination: Pagination };

export function useMemberRows(filter: ListMembers): MemberRows {
  const { gatehouse, keys } = useSiteApi();
  const [{ from, to }, setSpan] = useState({ from: 0, to: 0 });
  const { cursors, total, addPages, range } = useChain(JSON.stringify(filter));
  const pageBehind = (after: string | undefined) => ({
    queryKey: keys.members.page(filter, after),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<MemberPage> =>
      fullPage(gatehouse.members.list({ ...filter, after, limit: pageSize }, { signal }), pageSize),
    gcTime: cacheMilliseconds,
  });

  const first = useQuery({ ...pageBehind(undefined), placeholderData: keepPreviousData });
  const numbers = cursors.map((_, page) => page).slice(Math.max(1, from), to + 1);
  const others = useQueries({
    queries: numbers.map((page) => pageBehind(cursors[page])),
    combine: toPages,
  });
  const isFormer = first.isPlaceholderData;
  const pages = new Map([[0, first.data], ...others.pages.map((page, at) => [numbers[at]!, page] as const)]);
  useEffect(() => {
    if (!isFormer) addPages(pages);
  });
  const shown = Array.from({ length: to - from + 1 }, (_, at) => pages.get(from + at)?.data);
  const groupsOf = useMemberGroups(shown);

  return {
    count: cursors.length === 1 ? (first.data?.data.length ?? 0) : (total ?? cursors.length * pageSize),
    total: isFormer ? null : total,
    moreThan: isFormer ? 0 : (cursors.length - 1) * pageSize,
    groupsOf,
    range,
    at: (index) => pages.get(Math.floor(index / pageSize))?.data[index % pageSize],
    show: (firstRow, lastRow) => {
      const span = { from: Math.floor(firstRow / pageSize), to: Math.floor(lastRow / pageSize) };
      setSpan((known) => (known.from === span.from && known.to === span.to ? known : span));
    },
    isFormer,
    isPending: first.isPending,
    error: first.error ?? others.failed?.error ?? null,
    retry: () => void (first.error ? first : others.failed)?.refetch(),
  };
}

/** The array of pages stays the same while no page changes. */
function toPages(results: UseQueryResult<MemberPage>[]) {
  return { pages: results.map(({ data }) => data), failed: results.find(({ error }) => error) };
}

/** The known pages of the list. They are reset for each query. */
function useChain(question: string) {
  const [{ requested, chain }, setState] = useState({ requested: question, chain: beginning });
  const known = requested === question ? chain : beginning;
  // Of every page that was loaded, so that a range can include rows that are no longer loaded.
  const ids = useRef({ requested: question, pages: [] as string[][] });
  function addPages(pages: ReadonlyMap<number, MemberPage | undefined>): void {
    const next = [...pages].reduce<Chain>(
      (soFar, [index, page]) => (page ? withPage(soFar, index, page) : soFar),
      known,
    );
    if (next !== chain || requested !== question) setState({ requested: question, chain: next });
    if (ids.current.requested !== question) ids.current = { requested: question, pages: [] };
    for (const [index, page] of pages) {
      if (page) ids.current.pages[index] = page.data.map(({ id }) => id);
    }
    ids.current.pages.length = Math.min(ids.current.pages.length, next.cursors.length);
  }
  const range = useCallback(
    (from: string | undefined, to: string) => rangeOf(ids.current.pages, from, to),
    [],
  );
  return { ...known, addPages, range };
}
