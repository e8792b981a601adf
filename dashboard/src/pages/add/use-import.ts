import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useGatehouse, useSite } from '../../session/site.ts';
import { type Import, newImport, type Result, sendLot } from './import-people.ts';
import type { Person } from './people.ts';

export interface ImportState {
  readonly import: Import;
  readonly results: readonly Result[];
  /** The lot that comes next. */
  readonly next: number;
  readonly running: boolean;
  /** Whether everybody was sent. */
  readonly isOver: boolean;
  /** Why it stopped before its end. */
  readonly error: unknown;
}

/** Adds many people, a lot after the other; stops when it is told to, or when a lot cannot be sent. */
export function useImport() {
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const [state, show] = useState<ImportState | null>(null);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  async function run(begun: Pick<ImportState, 'import' | 'results' | 'next'>): Promise<void> {
    const running = new AbortController();
    const { signal } = running;
    controller.current = running;
    const { lots } = begun.import;
    let { next, results } = begun;
    const setState = (change: Pick<ImportState, 'running' | 'error'>) =>
      show({ import: begun.import, results, next, isOver: next === lots.length, ...change });
    setState({ running: true, error: null });
    try {
      while (next < lots.length && !signal.aborted) {
        results = [...results, ...(await sendLot(gatehouse, begun.import, next, signal))];
        next += 1;
        setState({ running: true, error: null });
      }
      setState({ running: false, error: null });
    } catch (error) {
      setState({ running: false, error: signal.aborted ? null : error });
    } finally {
      for (const area of ['members', 'groups', 'overview', 'events'])
        void client.invalidateQueries({ queryKey: [site.id, area] });
    }
  }

  return {
    state,
    start: (people: readonly Person[], groupIds: readonly string[], leftOut: number) =>
      run({ import: newImport(people, groupIds, leftOut), results: [], next: 0 }),
    goOn: () => state && run(state),
    stop: () => controller.current?.abort(),
    clear: () => show(null),
  };
}
