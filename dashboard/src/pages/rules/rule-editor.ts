import { type AccessRule, GatehouseError } from '@gatehouse/client';
import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useOneAtATime } from '../../parts/one-at-a-time.ts';
import { useStaleQuestion } from '../../parts/stale.ts';
import { isStale } from '../../parts/version.ts';
import { type SavedRules, useSavedRules, useSaveRules } from './rules-query.ts';

export type RuleEditor = ReturnType<typeof useRuleEditor>;

/** The rules as they are being changed, and how they came to be saved or not. */
export function useRuleEditor() {
  const t = useTexts('rules');
  const stale = useStaleQuestion();
  const { data: saved, error: loadingError, refetch } = useSavedRules();
  const [draft, setDraft] = useState<SavedRules | null>(null);
  const [asked, ask] = useState<AccessRule | null>(null);
  const saving = useSaveRules();
  const rules = (draft ?? saved)?.rules;
  const unsaved = draft !== null;

  function change(rules: readonly AccessRule[]): void {
    if (!saving.isPending) saving.reset();
    // What is back as it was needs no saving; what was begun on one version is never saved over another.
    const before = (draft ? draft.etag === saved?.etag : true) ? saved : undefined;
    if (before && !saving.isPending && isSame(before.rules, rules)) setDraft(null);
    else setDraft({ rules, etag: (draft ?? saved)?.etag });
  }

  const save = useOneAtATime(async () => {
    if (!draft) return;
    try {
      const { etag } = await saving.mutateAsync(draft);
      // What was changed since it was sent is still to be saved, over what is saved now.
      setDraft((now) => (now === draft || now === null ? null : { ...now, etag }));
      notifications.show({ message: t('saved') });
    } catch (error) {
      if (isStale(error) && (await stale(t('staleTitle')))) await reload();
    }
  });

  async function reload(): Promise<void> {
    setDraft(null);
    saving.reset();
    await refetch();
  }

  const changed = useMemo(
    () => (draft && saved ? changedPaths(saved.rules, draft.rules) : nowhere),
    [draft, saved],
  );
  const faults = useMemo(() => faultsOf(saving.error, draft?.rules ?? []), [saving.error, draft]);
  return {
    rules,
    unsaved,
    loadingError,
    reload,
    asked,
    ask,
    save,
    saving: saving.isPending,
    failure: saving.error && { error: saving.error, isAtFields: faults.size > 0 },
    discard: () => {
      setDraft(null);
      saving.reset();
    },
    changed,
    faults,
    ruleOf: (path: string) =>
      rules!.find((rule) => rule.path === path) ?? { path, access: 'members' as const },
    remove: (path: string) => change(rules!.filter((rule) => rule.path !== path)),
    isThere: (asked: AccessRule) => rules!.includes(asked),
    pathsBeside: (asked: AccessRule) => rules!.filter((rule) => rule !== asked).map(({ path }) => path),
    apply: (asked: AccessRule, rule: AccessRule) =>
      change([...rules!.filter((each) => each !== asked), rule].sort(byPath)),
  };
}

const nowhere: ReadonlySet<string> = new Set();

const byPath = (one: AccessRule, other: AccessRule) => (one.path < other.path ? -1 : 1);

function isSame(some: readonly AccessRule[], others: readonly AccessRule[]): boolean {
  return changedPaths(some, others).size === 0;
}

function changedPaths(before: readonly AccessRule[], after: readonly AccessRule[]): ReadonlySet<string> {
  const [was, is] = [before, after].map((rules) => new Map(rules.map((rule) => [rule.path, toText(rule)])));
  const paths = [...was!.keys(), ...is!.keys()];
  return new Set(paths.filter((path) => was!.get(path) !== is!.get(path)));
}

function toText(rule: AccessRule): string {
  return rule.access === 'groups' ? [rule.match, ...rule.groupIds.toSorted()].join(' ') : rule.access;
}

/** What the service said of single rules, by their paths. */
function faultsOf(error: unknown, rules: readonly AccessRule[]): ReadonlyMap<string, string> {
  const details = error instanceof GatehouseError ? error.details : [];
  return new Map(
    details.flatMap(({ path, message }) => {
      const rule = rules[Number(/^\/rules\/(\d+)/.exec(path)?.[1] ?? Number.NaN)];
      return rule ? [[rule.path, message] as const] : [];
    }),
  );
}
