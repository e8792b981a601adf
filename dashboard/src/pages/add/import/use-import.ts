import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useGatehouse, useSite } from '../../../session/site.ts';
import type { Person } from '../people.ts';
import { ExistingMembers } from './existing-members.ts';
import { type Import, newImport, type Result, sendLot } from './import-people.ts';

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

type Begun = Pick<ImportState, 'import' | 'results' | 'next'>;

/** Adds many people, a lot after the other; stops when it is told to, or when a lot cannot be sent. */
export function useImport() {
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const [state, show] = useState<ImportState | null>(null);
  const controller = useRef<AbortController>(undefined);
  const existing = useRef<ExistingMembers>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  async function run(begun: Begun): Promise<void> {
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
        const more = await sendLot(gatehouse, begun.import, next, existing.current!, signal);
        results = [...results, ...more];
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

  function start(people: readonly Person[], groupIdsOf: (person: Person) => readonly string[]) {
    const begun = newImport(people, groupIdsOf);
    existing.current = new ExistingMembers(gatehouse, people.length);
    return run({ import: begun, results: begun.unusable, next: 0 });
  }

  return {
    state,
    start,
    goOn: () => state && run(state),
    stop: () => controller.current?.abort(),
    clear: () => show(null),
  };
}
