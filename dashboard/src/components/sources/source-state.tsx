import type { Source, SourceRun } from '@gatehouse/client';
import { useTexts } from '../../languages/texts.tsx';
import { isUnderWay, lastSync } from '../../queries/sources.ts';
import { type State, StateText } from '../state/state-text.tsx';

export type SourceState =
  | 'unfinished'
  | 'off'
  | 'running'
  | 'waiting'
  | 'failed'
  | 'confirmation_required'
  | 'succeeded';

const states: Readonly<Record<SourceState, State>> = {
  unfinished: 'attention',
  off: 'neutral',
  running: 'good',
  waiting: 'neutral',
  failed: 'bad',
  confirmation_required: 'attention',
  succeeded: 'good',
};

/** The state of a source in a word or two. */
export function SourceStateText({ state }: { state: SourceState }) {
  const t = useTexts('sources');
  return <StateText state={states[state]}>{t(`state.${state}`)}</StateText>;
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
