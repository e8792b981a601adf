import type { Source } from '@gatehouse/client';
import { type ConnectedType, isList, sourceTypes } from '@gatehouse/contract/source-types';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { hasCollections } from '../../components/sources/source-state.tsx';
import { useSaveSource } from '../../queries/source-changes.ts';
import { isForLater } from '../../queries/sources.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { type Draft, draftOf, toCollections } from './draft.ts';
import type { SetUpStep } from './set-up-search.ts';

export type SetUp = ReturnType<typeof useSetUp>;

/** The steps of a set-up, the current one, and what was chosen so far. */
export function useSetUp(source: Source | undefined, type: ConnectedType) {
  const search = useSearch({ from: '/$site/sources/set-up' });
  const [isEdit] = useState(source?.enabled === true);
  const steps = stepsOf(type, isEdit);
  const [step, setStep] = useState<SetUpStep>(() => firstStep(source, steps, search.step));
  const [draft, setDraft] = useState(() => draftOf(source, sourceTypes[type].onlyCollection));
  const [firstRunId, setFirstRunId] = useState<string>();
  const save = useSaveSource();
  const { sources } = useGatehouse();
  const leave = useLeave();
  const move = (by: 1 | -1) => setStep(steps[steps.indexOf(step) + by] ?? step);

  /** Saves the collections with their columns. They are synchronized only once the source is turned on. */
  async function saveCollections(last: Draft): Promise<void> {
    await save(source!.id, { collections: toCollections(last) });
    setDraft({ ...last, isChanged: false });
    if (isEdit) await leave(source!.id);
    else move(1);
  }

  async function enable(): Promise<void> {
    await save(source!.id, { enabled: true });
    const { data: runs } = await sources.runs.list(source!.id).page();
    // A short run may have ended already, and the next one is planned.
    setFirstRunId(runs.find((run) => !run.dryRun && !isForLater(run))?.id);
    move(1);
  }

  return {
    steps,
    step,
    draft,
    firstRunId,
    saveCollections,
    enable,
    isEdit,
    hasPrevious: steps.indexOf(step) > 0,
    goTo: setStep,
    next: () => move(1),
    back: () => move(-1),
    change: (changes: Partial<Draft>) => setDraft((former) => ({ ...former, ...changes, isChanged: true })),
  };
}

/** A list has only one collection. A source that is turned on already is changed, not checked and turned on again. */
function stepsOf(type: ConnectedType, isEdit: boolean): readonly SetUpStep[] {
  const choosing: SetUpStep[] = isList(type) ? ['columns'] : ['collections', 'columns'];
  return isEdit ? choosing : ['connect', ...choosing, 'check', 'start'];
}

function firstStep(
  source: Source | undefined,
  steps: readonly SetUpStep[],
  wanted: SetUpStep | undefined,
): SetUpStep {
  if (!source) return 'connect';
  const choosing = steps.includes('collections') ? 'collections' : 'columns';
  if (wanted === 'connect' && steps.includes(wanted)) return wanted;
  if (!hasCollections(source)) return choosing;
  if (wanted && wanted !== 'start' && steps.includes(wanted)) return wanted;
  return steps.includes('check') ? 'check' : choosing;
}

function useLeave(): (sourceId: string) => Promise<void> {
  const navigate = useNavigate();
  const { slug } = useSite();
  return (sourceId) => navigate({ to: '/$site/sources/$sourceId', params: { site: slug, sourceId } });
}
