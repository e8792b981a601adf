import { notifications } from '@mantine/notifications';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../languages/texts.tsx';
import { hideFailure, showFailure } from './failure.tsx';
import { showUndo } from './undo-note.tsx';

interface Change {
  /** What has happened, in a few words: "Ada Lovelace is blocked". */
  done: string;
  send: () => Promise<unknown>;
  /** Sends what takes it back; leave it out for what cannot be taken back. */
  undo?: () => Promise<unknown>;
  /** Shows the change before the service has answered: what stands under these keys is replaced, and put back if it fails. */
  optimistic?: readonly Replacement[];
  /** The beginnings of the query keys that the change concerns; they are fetched anew. */
  concerns: readonly QueryKey[];
  /** Answers whether a failure is told elsewhere; it is shown in a note otherwise. */
  isTold?: (error: unknown) => boolean;
}

/** For `optimistic`: the data of every query whose key begins so, and what becomes of it. */
export interface Replacement {
  queryKey: QueryKey;
  // biome-ignore lint/suspicious/noExplicitAny: a query's data is typed where the query is.
  replace: (data: any) => unknown;
}

/**
 * Does a change at once for the eye, and offers to undo it. Rejects never: a failure is shown, with what stood there
 * before. Answers whether it was done.
 */
export function useUndoable(): (change: Change) => Promise<boolean> {
  const t = useTexts('parts');
  const client = useQueryClient();

  async function run({ done, send, undo, optimistic = [], concerns, isTold }: Change): Promise<boolean> {
    await Promise.all(optimistic.map(({ queryKey }) => client.cancelQueries({ queryKey })));
    const before = optimistic.flatMap(({ queryKey }) => client.getQueriesData({ queryKey }));
    for (const { queryKey, replace } of optimistic) {
      client.setQueriesData({ queryKey }, (data: unknown) => (data === undefined ? data : replace(data)));
    }
    try {
      await send();
      hideFailure();
      if (undo) showUndo({ done, undo: () => void run({ done: t('undone'), send: undo, concerns }) });
      else notifications.show({ message: done });
      return true;
    } catch (error) {
      for (const [queryKey, data] of before) client.setQueryData(queryKey, data);
      if (!isTold?.(error)) showFailure(error);
      return false;
    } finally {
      await Promise.all(concerns.map((queryKey) => client.invalidateQueries({ queryKey })));
    }
  }

  return run;
}
