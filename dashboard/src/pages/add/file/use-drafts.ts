import {
  type ListReading,
  type MemberDraft,
  type MemberList,
  mergedDrafts,
  type SiteOfList,
} from '@gatehouse/member-lists';
import { startTransition, useEffect, useState } from 'react';

const noDrafts: readonly MemberDraft[] = [];

interface Drafts {
  readonly drafts: readonly MemberDraft[];
  /** Whether the rows are being read again, by another reading than that of the drafts. */
  readonly isReading: boolean;
}

/**
 * The members in the rows of a list. A long list is read in turns, so that the page reacts meanwhile and shows the
 * rows of before.
 */
export function useDrafts(list: MemberList, reading: ListReading, { groupNames }: SiteOfList): Drafts {
  const [last, setLast] = useState<{ reading: ListReading | null; drafts: readonly MemberDraft[] }>({
    reading: null,
    drafts: noDrafts,
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    mergedDrafts(list, reading, { now: new Date(), groupNames }, signal).then(
      (read) => {
        // The preview of a long list is rendered in turns, too.
        if (!signal.aborted) startTransition(() => setLast({ reading, drafts: read }));
      },
      (error) => {
        if (!signal.aborted) throw error;
      },
    );
    return () => controller.abort();
  }, [list, reading, groupNames]);
  if (reading.columns.email === null) return { drafts: noDrafts, isReading: false };
  return { drafts: last.drafts, isReading: last.reading !== reading };
}
