import { notifications } from '@mantine/notifications';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { hideFailure, showFailure } from '../components/feedback/error-notification.tsx';
import { showUndo } from '../components/feedback/undo-notification.tsx';
import { beginUndoable } from '../components/feedback/undoable-actions.ts';
import { useTexts } from '../languages/texts.tsx';
import { type Question, useConfirm } from './use-confirm.tsx';

interface Change {
  /** What has to be confirmed before. */
  question?: Question;
  /** What happened, in a few words: "Ada Lovelace was blocked". */
  done: string;
  send: () => Promise<unknown>;
  /** Undoes the action. Leave it out if it cannot be undone. */
  undo?: () => Promise<unknown>;
  /**
   * Optimistic updates: the cached data under these keys is replaced before the server responds, and restored on
   * failure.
   */
  optimistic?: readonly Replacement[];
  /** Query key prefixes. Queries with these prefixes are invalidated after the change and fetched again. */
  invalidates: readonly QueryKey[];
  /** Returns whether a failure is shown elsewhere. Otherwise it is shown in a notification. */
  isHandled?: (error: unknown) => boolean;
}

/** For `optimistic`: changes the data of every query whose key has this prefix. */
export interface Replacement {
  queryKey: QueryKey;
  // biome-ignore lint/suspicious/noExplicitAny: a query's data is typed where the query is.
  replace: (data: any) => unknown;
}

/**
 * Shows a change immediately and offers to undo it. Never rejects: on failure, it restores the previous data and
 * shows the error. Resolves to whether the change was confirmed and succeeded.
 */
export function useUndoable(): (change: Change) => Promise<boolean> {
  const t = useTexts('common');
  const client = useQueryClient();
  const confirm = useConfirm();

  async function run(what: Change): Promise<boolean> {
    const { question, done, send, undo, optimistic = [], invalidates, isHandled } = what;
    if (question && !(await confirm(question))) return false;
    await Promise.all(optimistic.map(({ queryKey }) => client.cancelQueries({ queryKey })));
    const before = optimistic.flatMap(({ queryKey }) => client.getQueriesData({ queryKey }));
    for (const { queryKey, replace } of optimistic) {
      client.setQueriesData({ queryKey }, (data: unknown) => (data === undefined ? data : replace(data)));
    }
    const end = undo && beginUndoable();
    try {
      await send();
      hideFailure();
      if (undo) showUndo({ done, undo: () => void run({ done: t('undone'), send: undo, invalidates }) });
      else notifications.show({ message: done });
      end?.(true);
      return true;
    } catch (error) {
      end?.(false);
      for (const [queryKey, data] of before) client.setQueryData(queryKey, data);
      if (!isHandled?.(error)) showFailure(error);
      return false;
    } finally {
      await Promise.all(invalidates.map((queryKey) => client.invalidateQueries({ queryKey })));
    }
  }

  return run;
}
