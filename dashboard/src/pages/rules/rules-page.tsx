import type { AccessRule } from '@gatehouse/client';
import { Button, Grid, Paper } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../parts/access-groups.ts';
import { useCommand } from '../../parts/commands.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { useMay } from '../../session/site.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { type RuleEditor, useRuleEditor } from './rule-editor.ts';
import { toRuleTree } from './rule-tree.ts';
import { RuleTreeView } from './rule-tree-view.tsx';
import { TryAccess } from './try-access.tsx';

/** Who may see which path of the site. Changes are gathered, and saved together. */
export function RulesPage() {
  const t = useTexts('rules');
  const mayWrite = useMay('site:write');
  const mayTry = useMay('members:read');
  const editor = useRuleEditor();
  const { asked, ask, apply } = editor;
  useCommand('new-rule', () => ask(newRule('/')));
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
              <Tree editor={editor} rules={editor.rules} mayWrite={mayWrite} />
            </Paper>
          )}
        </Grid.Col>
        {mayTry && (
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <TryAccess unsaved={editor.unsaved} />
          </Grid.Col>
        )}
      </Grid>
      {asked && editor.rules && (
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
        failure={editor.failure}
        save={editor.save}
        discard={editor.discard}
      />
    </>
  );
}

interface TreeProps {
  editor: RuleEditor;
  rules: readonly AccessRule[];
  mayWrite: boolean;
}

/** Drawn anew only when the rules are other ones: there may be a thousand. */
function Tree({ editor, rules, mayWrite }: TreeProps) {
  const { data: groups } = useAccessGroups();
  const groupNames = useMemo(() => groups && new Map(groups.map(({ id, name }) => [id, name])), [groups]);
  const root = useMemo(() => toRuleTree(rules), [rules]);
  const actions = useMemo(
    () => ({
      edit: (path: string) => editor.ask(editor.ruleOf(path)),
      addBelow: (path: string) => editor.ask(newRule(path)),
      remove: editor.remove,
    }),
    // All that the editor does here goes by the rules that are shown, and by whether they are being saved.
    [rules, editor.saving],
  );
  return (
    <RuleTreeView
      root={root}
      changed={editor.changed}
      faults={editor.faults}
      actions={mayWrite ? actions : undefined}
      groupNames={groupNames}
    />
  );
}

/** A rule to be, somewhere below a path. */
function newRule(path: string): AccessRule {
  return { path: path === '/' ? '/' : `${path}/`, access: 'members' };
}
