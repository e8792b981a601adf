import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';
import { type Import, newImport, type Result, sendLot } from './import-people.ts';
import type { Person } from './people.ts';

export interface ImportState {
  readonly import: Import;
  readonly results: readonly Result[];
  /** The lot that comes next. */
  readonly next: number;
  readonly running: boolean;
  /** Why it stopped before its end. */
  readonly error: unknown;
}

/** Adds many people, a lot after the other; stops when it is told to, or when a lot cannot be sent. */
export function useImport() {
  const t = useTexts('add');
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const [state, setState] = useState<ImportState | null>(null);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  async function run(begun: ImportState): Promise<void> {
    const running = new AbortController();
    const { signal } = running;
    controller.current = running;
    let { next, results } = begun;
    setState({ ...begun, running: true, error: null });
    try {
      while (next < begun.import.lots.length && !signal.aborted) {
        results = [...results, ...(await sendLot(gatehouse, begun.import, next, signal))];
        next += 1;
        setState({ ...begun, results, next, running: true, error: null });
      }
      setState({ ...begun, results, next, running: false, error: null });
      const count = results.filter(({ status }) => status === 'created').length;
      notifications.show({ message: t('wereAdded', { count }) });
    } catch (error) {
      setState({ ...begun, results, next, running: false, error: signal.aborted ? null : error });
    } finally {
      for (const area of ['members', 'groups', 'overview', 'events'])
        void client.invalidateQueries({ queryKey: [site.id, area] });
    }
  }

  return {
    state,
    start: (people: readonly Person[], groupIds: readonly string[]) =>
      run({ import: newImport(people, groupIds), results: [], next: 0, running: true, error: null }),
    goOn: () => state && run(state),
    stop: () => controller.current?.abort(),
    clear: () => setState(null),
  };
}
