import type { AccessRule } from '@gatehouse/client';
import { namedPart, placeKey, type RulePlace } from '@gatehouse/contract/rule-paths';
import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useRuleNames } from '../../components/access/rule-names.ts';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { SaveBar } from '../../components/forms/save-bar.tsx';
import { IconKey, IconPlus } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { Beside } from '../../components/page/beside.tsx';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { useAccessTest } from './access-test/access-test.ts';
import { TestSection } from './access-test/test-section.tsx';
import { RuleDialog } from './dialog/rule-dialog.tsx';
import { PublicRootNote, usePathsBelowPublicRoot } from './public-root.tsx';
import { type RuleEditor, useRuleEditor } from './rule-editor.ts';
import { toRuleTree } from './rule-tree.ts';
import { RuleTreeView } from './rule-tree-view.tsx';

/** Who has access to which path of the site. Changes are collected and saved together. */
export function RulesPage() {
  const t = useTexts('rules');
  const mayWrite = useMay('site:write');
  const mayTest = useMay('members:read');
  const editor = useRuleEditor();
  const test = useAccessTest();
  const { editing, edit, apply } = editor;
  const belowPublicRoot = usePathsBelowPublicRoot(editor.rules);
  const addRule = () => edit(newRule('/'));
  usePageCommand('new-rule', addRule);
  const editTitle = ({ path, appliesTo }: AccessRule) =>
    t(appliesTo === 'page' ? 'editPage' : 'edit', { path });
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={<Actions addRule={mayWrite ? addRule : undefined} />}
      />
      <Beside
        aside={mayTest && <TestSection test={test} editor={editor} belowPublicRoot={belowPublicRoot} />}
      >
        {editor.loadingError && <ErrorNote error={editor.loadingError} retry={editor.reload} />}
        {!editor.rules && !editor.loadingError && <RowsSkeleton />}
        {editor.rules && (
          <Stack>
            <PublicRootNote paths={belowPublicRoot} />
            <RuleTree
              editor={editor}
              rules={editor.rules}
              mayWrite={mayWrite}
              test={mayTest ? test.open : undefined}
            />
          </Stack>
        )}
      </Beside>
      {editor.rules && (
        <RuleDialog
          rule={editing}
          title={editing && editor.isThere(editing) ? editTitle(editing) : t('add')}
          others={editing ? editor.placesBeside(editing) : []}
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

interface ActionsProps {
  /** Left out for an operator who may not change rules. */
  addRule?: (() => void) | undefined;
}

function Actions({ addRule }: ActionsProps) {
  const t = useTexts('rules');
  return (
    <>
      <LinkButton
        variant="default"
        from="/$site"
        to="/$site/rules/codes"
        leftSection={<IconKey size={16} aria-hidden />}
      >
        {t('codes')}
      </LinkButton>
      {addRule && <ActionButton variant="filled" icon={IconPlus} label={t('add')} onClick={addRule} />}
    </>
  );
}

interface RuleTreeProps {
  editor: RuleEditor;
  rules: readonly AccessRule[];
  mayWrite: boolean;
  test: ((path: string, host: string | null) => void) | undefined;
}

/** Rendered again only when the rules change, because there may be a thousand. */
function RuleTree({ editor, rules, mayWrite, test }: RuleTreeProps) {
  usePageCommand('edit-rule', (place) => {
    const rule = rules.find((each) => placeKey(each) === place);
    if (rule && mayWrite) editor.edit(rule);
  });
  const names = useRuleNames();
  const root = useMemo(() => toRuleTree(rules), [rules]);
  const actions = useMemo(
    () => ({
      edit: (place: RulePlace) => editor.edit(editor.ruleOf(place)),
      addBelow: (path: string) => editor.edit(newRule(path)),
      remove: editor.remove,
    }),
    // The actions depend only on the displayed rules and on whether they are being saved.
    [rules, editor.saving],
  );
  const testPlace = useMemo(
    () => test && (({ path, hosts }: RulePlace) => test(namedPart(path), hosts?.[0] ?? null)),
    [test === undefined],
  );
  return (
    <RuleTreeView
      root={root}
      changed={editor.changed}
      faults={editor.faults}
      actions={mayWrite ? actions : undefined}
      test={testPlace}
      names={names}
    />
  );
}

/** A new rule below a path. */
function newRule(path: string): AccessRule {
  return { path: path === '/' ? '/' : `${path}/`, access: 'members' };
}
