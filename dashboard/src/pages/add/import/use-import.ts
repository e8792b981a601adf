import {
  type GroupsOfList,
  Importer,
  inTurns,
  type MemberDraft,
  type Outcome,
  toBatches,
} from '@gatehouse/member-lists';
import { useEffect, useRef, useState } from 'react';
import { useSiteApi } from '../../../queries/site-api.ts';

/** The result of a row. */
export interface Result {
  readonly draft: MemberDraft;
  readonly outcome: Outcome;
}

export interface ImportState {
  readonly total: number;
  readonly results: readonly Result[];
  readonly running: boolean;
  /** Whether all rows were sent. */
  readonly isOver: boolean;
  /** Why it stopped early. */
  readonly error: unknown;
  /** The request id of all requests, by which the new members are found. */
  readonly requestId: string;
  /** The ids of the groups to which all members are added. */
  readonly groupsOfAll: readonly string[];
}

/** What is imported besides the rows. */
export interface ImportOptions {
  readonly groups: GroupsOfList;
  /** Whether names of members who exist, and whether they are paying, follow the list. */
  readonly updates: boolean;
}

/** An import that can be continued where it stopped: a batch that is sent twice takes effect once. */
interface Import {
  readonly batches: readonly (readonly MemberDraft[])[];
  readonly importer: Importer;
  readonly requestId: string;
  readonly groupsOfAll: readonly string[];
  /** The completed batches. */
  done: number;
  results: readonly Result[];
}

/** Imports many members in sequential batches. Stops on request, or when a batch cannot be sent. */
export function useImport() {
  const { gatehouse, keys, client } = useSiteApi();
  const [state, show] = useState<ImportState | null>(null);
  const current = useRef<Import>(undefined);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  async function run(): Promise<void> {
    const running = new AbortController();
    const { signal } = running;
    controller.current = running;
    const whole = current.current!;
    const { batches, importer, requestId, groupsOfAll } = whole;
    const total = batches.reduce((sum, batch) => sum + batch.length, 0);
    const setState = (change: Pick<ImportState, 'running' | 'error'>) =>
      show({
        total,
        results: whole.results,
        isOver: whole.done === batches.length,
        requestId,
        groupsOfAll,
        ...change,
      });
    setState({ running: true, error: null });
    try {
      while (whole.done < batches.length && !signal.aborted) {
        const batch = batches[whole.done]!;
        const outcomes = await importer.send(batch, whole.done + 1, signal);
        const results = batch.map((draft, place) => ({ draft, outcome: outcomes[place]! }));
        whole.results = [...whole.results, ...results];
        whole.done += 1;
        setState({ running: true, error: null });
      }
      setState({ running: false, error: null });
    } catch (error) {
      setState({ running: false, error: signal.aborted ? null : error });
    } finally {
      for (const queryKey of keys.affectedByMembers) void client.invalidateQueries({ queryKey });
    }
  }

  async function start(drafts: readonly MemberDraft[], options: ImportOptions): Promise<void> {
    const batches = await Array.fromAsync(toBatches(inTurns(drafts)));
    const [requestId, now] = [crypto.randomUUID(), () => new Date()];
    const importer = new Importer(gatehouse, { ...options, run: crypto.randomUUID(), requestId, now });
    const groupsOfAll = options.groups.forAll;
    current.current = { batches, importer, requestId, groupsOfAll, done: 0, results: [] };
    await run();
  }

  return {
    state,
    start,
    resume: () => void run(),
    stop: () => controller.current?.abort(),
    clear: () => show(null),
  };
}
