import type { JoinRequest } from '@gatehouse/client';
import { useState } from 'react';

const none: ReadonlySet<string> = new Set();

/** The selected ones of the requests that are shown. */
export function useRequestSelection(shown: readonly JoinRequest[]) {
  const [ids, setIds] = useState(none);
  return {
    ids,
    chosen: shown.filter(({ id }) => ids.has(id)),
    toggle: ({ id }: JoinRequest) =>
      setIds(
        (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
      ),
    selectAll: (isChecked: boolean) => setIds(isChecked ? new Set(shown.map(({ id }) => id)) : none),
    clear: () => setIds(none),
  };
}
