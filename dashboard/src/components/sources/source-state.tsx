import type { Source, SourceRun } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { isUnderWay, lastSync } from '../../queries/sources.ts';

export type SourceState =
  | 'unfinished'
  | 'off'
  | 'running'
  | 'waiting'
  | 'failed'
  | 'confirmation_required'
  | 'succeeded';

const colors: Readonly<Record<SourceState, string>> = {
  unfinished: 'yellow',
  off: 'gray',
  running: 'teal',
  waiting: 'gray',
  failed: 'red',
  confirmation_required: 'yellow',
  succeeded: 'teal',
};

/** The state of a source as a colored dot with a word. */
export function SourceStateBadge({ state }: { state: SourceState }) {
  const t = useTexts('sources');
  return (
    <Badge variant="dot" color={colors[state]}>
      {t(`state.${state}`)}
    </Badge>
  );
}

export function stateOfSource(source: Source, runs: readonly SourceRun[]): SourceState {
  if (isUnfinished(source, runs)) return 'unfinished';
  if (runs.some((run) => !run.dryRun && isUnderWay(run))) return 'running';
  if (source.type !== 'program' && !source.enabled) return 'off';
  const state = lastSync(runs)?.status;
  return state === 'failed' || state === 'confirmation_required' || state === 'succeeded' ? state : 'waiting';
}

/** Whether the source was never turned on, so that its set-up is to be continued. */
export function isUnfinished(source: Source, runs: readonly SourceRun[]): boolean {
  if (source.type === 'program' || source.enabled) return false;
  return !lastSync(runs) && source.collections.every(({ groupId }) => groupId === null);
}

/** Whether it was chosen what is synchronized. */
export function hasCollections({ collections }: Source): boolean {
  return collections.some(({ missingSince }) => missingSince === null);
}
