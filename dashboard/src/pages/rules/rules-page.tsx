import { type AccessRule, GatehouseError } from '@gatehouse/client';
import { Button, Grid, Paper } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { isStale, useStaleQuestion } from '../../parts/stale.ts';
import { useMay } from '../../session/site.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { toRuleTree } from './rule-tree.ts';
import { RuleTreeView } from './rule-tree-view.tsx';
import { type SavedRules, useSavedRules, useSaveRules } from './rules-query.ts';
import { TryAccess } from './try-access.tsx';

/** Who may see which path of the site. Changes are gathered, and saved together. */
export function RulesPage() {
  const t = useTexts('rules');
  const mayWrite = useMay('site:write');
  const mayTry = useMay('members:read');
  const editor = useRuleEditor();
  const { asked, ask, apply, remove } = editor;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayWrite && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask(newRule('/'))}>
              {t('add')}
            </Button>
          )
        }
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          {editor.loadingError && <ErrorNote error={editor.loadingError} retry={editor.reload} />}
          {!editor.rules && !editor.loadingError && <RowsSkeleton />}
          {editor.rules && (
            <Paper withBorder radius="lg" p="sm">
              <RuleTreeView
                root={toRuleTree(editor.rules)}
                changed={editor.changed}
                faults={editor.faults}
                actions={
                  mayWrite
                    ? {
                        edit: (path) => ask(editor.ruleOf(path)),
                        addBelow: (path) => ask(newRule(path)),
                        remove,
                      }
                    : undefined
                }
              />
            </Paper>
          )}
        </Grid.Col>
        {mayTry && (
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <TryAccess unsaved={editor.unsaved} />
          </Grid.Col>
        )}
      </Grid>
      {asked && (
        <RuleDialog
          rule={asked}
          title={editor.isThere(asked) ? t('edit', { path: asked.path }) : t('add')}
          taken={editor.pathsBeside(asked)}
          apply={(rule) => apply(asked, rule)}
          close={() => ask(null)}
        />
      )}
      <SaveBar
        unsaved={editor.unsaved}
        saving={editor.saving}
        error={editor.error}
        save={editor.save}
        discard={editor.discard}
      />
    </>
  );
}

/** The rules as they are being changed, and how they came to be saved or not. */
function useRuleEditor() {
  const t = useTexts('rules');
  const stale = useStaleQuestion();
  const { data: saved, error: loadingError, refetch } = useSavedRules();
  const [draft, setDraft] = useState<SavedRules | null>(null);
  const [asked, ask] = useState<AccessRule | null>(null);
  const saving = useSaveRules(() => {
    setDraft(null);
    notifications.show({ message: t('saved') });
  });
  const rules = (draft ?? saved)?.rules;
  const unsaved = draft !== null;

  function change(rules: readonly AccessRule[]): void {
    saving.reset();
    // What is back as it was needs no saving; what was begun on one version is never saved over another.
    const before = (draft ? draft.etag === saved?.etag : true) ? saved : undefined;
    if (before && isSame(before.rules, rules)) setDraft(null);
    else setDraft({ rules, etag: (draft ?? saved)?.etag });
  }

  async function save(): Promise<void> {
    if (!draft) return;
    await saving.mutateAsync(draft).catch(async (error) => {
      if (isStale(error) && (await stale(t('staleTitle')))) await reload();
    });
  }

  async function reload(): Promise<void> {
    setDraft(null);
    saving.reset();
    await refetch();
  }

  return {
    rules,
    unsaved,
    loadingError,
    reload,
    asked,
    ask,
    save,
    saving: saving.isPending,
    error: saving.error,
    discard: () => {
      setDraft(null);
      saving.reset();
    },
    changed: draft && saved ? changedPaths(saved.rules, draft.rules) : nowhere,
    faults: faultsOf(saving.error, draft?.rules ?? []),
    isThere: (asked: AccessRule) => rules!.includes(asked),
    ruleOf: (path: string) =>
      rules!.find((rule) => rule.path === path) ?? { path, access: 'members' as const },
    pathsBeside: (asked: AccessRule) => rules!.filter((rule) => rule !== asked).map(({ path }) => path),
    apply: (asked: AccessRule, rule: AccessRule) =>
      change([...rules!.filter((each) => each !== asked), rule].sort(byPath)),
    remove: (path: string) => change(rules!.filter((rule) => rule.path !== path)),
  };
}

const nowhere: ReadonlySet<string> = new Set();

/** A rule to be, somewhere below a path. */
function newRule(path: string): AccessRule {
  return { path: path === '/' ? '/' : `${path}/`, access: 'members' };
}

const byPath = (one: AccessRule, other: AccessRule) => (one.path < other.path ? -1 : 1);

function isSame(some: readonly AccessRule[], others: readonly AccessRule[]): boolean {
  return changedPaths(some, others).size === 0;
}

function changedPaths(before: readonly AccessRule[], after: readonly AccessRule[]): ReadonlySet<string> {
  const [was, is] = [before, after].map((rules) => new Map(rules.map((rule) => [rule.path, toText(rule)])));
  const paths = [...was!.keys(), ...is!.keys()];
  return new Set(paths.filter((path) => was!.get(path) !== is!.get(path)));
}

function toText({ access, groupIds = [], match }: AccessRule): string {
  return [access, match, ...[...groupIds].sort()].join(' ');
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
