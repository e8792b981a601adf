import type { AccessRule } from '@gatehouse/client';
import { Button, Grid, Paper } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { SaveBar } from '../../components/layout/save-bar.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { useMay } from '../../session/site.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { type RuleEditor, useRuleEditor } from './rule-editor.ts';
import { toRuleTree } from './rule-tree.ts';
import { RuleTreeView } from './rule-tree-view.tsx';
import { TryAccess } from './try-access.tsx';

/** Who has access to which path of the site. Changes are collected and saved together. */
export function RulesPage() {
  const t = useTexts('rules');
  const mayWrite = useMay('site:write');
  const mayTry = useMay('members:read');
  const editor = useRuleEditor();
  const { editing, edit, apply } = editor;
  usePageCommand('new-rule', () => edit(newRule('/')));
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayWrite && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => edit(newRule('/'))}>
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
      {editor.rules && (
        <RuleDialog
          rule={editing}
          title={editing && editor.isThere(editing) ? t('edit', { path: editing.path }) : t('add')}
          otherPaths={editing ? editor.pathsBeside(editing) : []}
          apply={(rule) => apply(editing!, rule)}
          close={() => edit(null)}
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

/** Rendered again only when the rules change, because there may be a thousand. */
function Tree({ editor, rules, mayWrite }: TreeProps) {
  const { data: groups } = useAccessGroups();
  const groupNames = useMemo(() => groups && new Map(groups.map(({ id, name }) => [id, name])), [groups]);
  const root = useMemo(() => toRuleTree(rules), [rules]);
  const actions = useMemo(
    () => ({
      edit: (path: string) => editor.edit(editor.ruleOf(path)),
      addBelow: (path: string) => editor.edit(newRule(path)),
      remove: editor.remove,
    }),
    // The actions depend only on the displayed rules and on whether they are being saved.
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

/** A new rule below a path. */
function newRule(path: string): AccessRule {
  return { path: path === '/' ? '/' : `${path}/`, access: 'members' };
}
