import type { ListMembers, Member, Pagination } from '@gatehouse/client';
import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useGatehouse, useSite } from '../../session/site.ts';
import { beginning, type Chain, learn, pageSize } from './page-chain.ts';

/** How long a page that is out of sight is kept. */
const keptMilliseconds = 15_000;

/** The members that match, of whom only those near the ones in sight are kept. */
export interface MemberRows {
  /** As far as is known; where the list goes on, a page more. */
  count: number;
  /** How many match; null before the end of the list was seen. */
  total: number | null;
  /** Where `total` is null, how many were seen before the end of what is known. */
  moreThan: number;
  /** Those that are here at the moment. */
  members: readonly Member[];
  /** One by its place in the list; undefined while it is not here. */
  at: (index: number) => Member | undefined;
  /** Says which rows are in sight. */
  show: (first: number, last: number) => void;
  /** Whether these are still those of the question before. */
  isFormer: boolean;
  isPending: boolean;
  error: Error | null;
  retry: () => void;
}

type MemberPage = { data: Member[]; pagination: Pagination };

export function useMemberRows(filter: ListMembers): MemberRows {
  const site = useSite();
  const gatehouse = useGatehouse();
  const [{ from, to }, setSpan] = useState({ from: 0, to: 0 });
  const { cursors, total, take } = useChain(JSON.stringify(filter));
  const pageBehind = (after: string | undefined) => ({
    queryKey: [site.id, 'members', 'list', filter, after ?? null],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<MemberPage> =>
      gatehouse.members.list({ ...filter, after, limit: pageSize }, { signal }).page(),
    gcTime: keptMilliseconds,
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
    if (!isFormer) take(pages);
  });
  const members = useMemo(
    () => [first.data, ...others.pages].flatMap((page) => page?.data ?? []),
    [first.data, others.pages],
  );

  return {
    count: cursors.length === 1 ? (first.data?.data.length ?? 0) : (total ?? cursors.length * pageSize),
    total: isFormer ? null : total,
    moreThan: isFormer ? 0 : (cursors.length - 1) * pageSize,
    members,
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

/** The pages stay the same array while nothing in them changes. */
function toPages(results: UseQueryResult<MemberPage>[]) {
  return { pages: results.map(({ data }) => data), failed: results.find(({ error }) => error) };
}

/** What is known of the list, which begins anew with each question. */
function useChain(question: string) {
  const [{ asked, chain }, setState] = useState({ asked: question, chain: beginning });
  const known = asked === question ? chain : beginning;
  function take(pages: ReadonlyMap<number, MemberPage | undefined>): void {
    const next = [...pages].reduce<Chain>(
      (soFar, [index, page]) => (page ? learn(soFar, index, page) : soFar),
      known,
    );
    if (next !== chain || asked !== question) setState({ asked: question, chain: next });
  }
  return { ...known, take };
}
