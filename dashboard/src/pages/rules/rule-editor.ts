import { type AccessRule, GatehouseError } from '@gatehouse/client';
import { comparePlaces, type ProgramPlace, placeKey, type RulePlace } from '@gatehouse/contract/rule-paths';
import { notifications } from '@mantine/notifications';
import { type Dispatch, type SetStateAction, useMemo, useState } from 'react';
import { useConflictQuestion } from '../../hooks/use-conflict-question.ts';
import { useSingleFlight } from '../../hooks/use-single-flight.ts';
import { useTexts } from '../../languages/texts.tsx';
import { type RulesVersion, useSavedRules, useSaveRules } from '../../queries/access/access-rules.ts';
import { isConflict } from '../../queries/version.ts';
import { changedPlaces } from './rule-changes.ts';

export type RuleEditor = ReturnType<typeof useRuleEditor>;

/** The rules during editing, and the state of saving them. */
export function useRuleEditor() {
  const saved = useSavedRules();
  const saving = useSaveRules();
  const [draft, setDraft] = useState<RulesVersion | null>(null);
  const [editing, edit] = useState<AccessRule | null>(null);
  const rules = (draft ?? saved.data)?.data;

  function discard(): void {
    setDraft(null);
    saving.reset();
  }

  async function reload(): Promise<void> {
    discard();
    await saved.refetch();
  }

  function change(rules: readonly AccessRule[]): void {
    if (!saving.isPending) saving.reset();
    // Without differences there is nothing to save. Edits that started on one version must never overwrite another
    // one.
    const isCurrent = draft === null || draft.etag === saved.data?.etag;
    const before = isCurrent ? saved.data : undefined;
    if (before && !saving.isPending && isSame(before.data, rules)) setDraft(null);
    else setDraft({ data: rules, etag: (draft ?? saved.data)?.etag });
  }

  const changed = useMemo(
    () => (draft && saved.data ? changedPlaces(saved.data.data, draft.data) : nowhere),
    [draft, saved.data],
  );
  const faults = useMemo(() => faultsOf(saving.error, draft?.data ?? []), [saving.error, draft]);
  return {
    rules,
    loadingError: saved.error,
    reload,
    /** The rule in the dialog; null if it is closed. */
    editing,
    edit,
    unsaved: draft !== null,
    save: useSave(draft, setDraft, saving, reload),
    saving: saving.isPending,
    failure: saving.error && { error: saving.error, isAtFields: faults.size > 0 },
    discard,
    changed,
    faults,
    ruleOf: (place: RulePlace): AccessRule =>
      rules!.find((rule) => placeKey(rule) === placeKey(place)) ?? { ...place, access: 'members' },
    remove: (place: RulePlace) => change(rules!.filter((rule) => placeKey(rule) !== placeKey(place))),
    add: (added: readonly AccessRule[]) => change([...rules!, ...added].sort(comparePlaces)),
    isThere: (edited: AccessRule) => rules!.includes(edited),
    placesBeside: (edited: AccessRule): readonly ProgramPlace[] => rules!.filter((rule) => rule !== edited),
    apply: (edited: AccessRule, rule: AccessRule) =>
      change([...rules!.filter((each) => each !== edited), rule].sort(comparePlaces)),
  };
}

/** Saves the draft. If another operator has saved in the meantime, asks whether to load that version. */
function useSave(
  draft: RulesVersion | null,
  setDraft: Dispatch<SetStateAction<RulesVersion | null>>,
  saving: ReturnType<typeof useSaveRules>,
  reload: () => Promise<void>,
): () => Promise<void> {
  const t = useTexts('rules');
  const confirmOnConflict = useConflictQuestion();
  return useSingleFlight(async () => {
    if (!draft) return;
    try {
      const { etag } = await saving.mutateAsync(draft);
      // Changes made during saving remain unsaved, based on the version that was just saved.
      setDraft((now) => (now === draft || now === null ? null : { ...now, etag }));
      notifications.show({ message: t('saved') });
    } catch (error) {
      if (isConflict(error) && (await confirmOnConflict(t('staleTitle')))) await reload();
    }
  });
}

const nowhere: ReadonlySet<string> = new Set();

/** The order of the service. */
function isSame(some: readonly AccessRule[], others: readonly AccessRule[]): boolean {
  return changedPlaces(some, others).size === 0;
}

/** The error messages for single rules, by place. */
function faultsOf(error: unknown, rules: readonly AccessRule[]): ReadonlyMap<string, string> {
  const details = error instanceof GatehouseError ? error.details : [];
  return new Map(
    details.flatMap(({ path, message }) => {
      const rule = rules[Number(/^\/rules\/(\d+)/.exec(path)?.[1] ?? Number.NaN)];
      return rule ? [[placeKey(rule), message] as const] : [];
    }),
  );
}
