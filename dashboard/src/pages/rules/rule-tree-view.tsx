import type { AccessRule } from '@gatehouse/client';
import { isWildcard, placeKey, type RulePlace } from '@gatehouse/contract/rule-paths';
import { Button, Text } from '@mantine/core';
import { type ComponentProps, memo } from 'react';
import { AccessText } from '../../components/access/access-text.tsx';
import { RuleMarks } from '../../components/access/rule-marks.tsx';
import type { RuleNames } from '../../components/access/rule-names.ts';
import { IconPencil, IconPlus, IconTrash } from '../../components/icons/icons.ts';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { Tag } from '../../components/state/tag.tsx';
import { Tree, TreeItem, TreeName, TreeRow } from '../../components/tree/tree.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import type { RuleNode } from './rule-tree.ts';

/** The actions for a place; left out for operators who may only read the rules. */
export interface RuleActions {
  edit: (place: RulePlace) => void;
  addBelow: (path: string) => void;
  remove: (place: RulePlace) => void;
}

interface RuleTreeViewProps {
  root: RuleNode;
  /** Places with unsaved changes, by `placeKey`. */
  changed: ReadonlySet<string>;
  /** Error messages of rejected rules, by `placeKey`. */
  faults: ReadonlyMap<string, string>;
  actions: RuleActions | undefined;
  /** Tests the access to a place; left out for operators who may not. */
  test: ((place: RulePlace) => void) | undefined;
  names: RuleNames;
}

/** The paths of the site with who has access. A path's own rule looks different from an inherited one. */
export const RuleTreeView = memo(function RuleTreeView({ root, ...rest }: RuleTreeViewProps) {
  const t = useTexts('rules');
  return (
    <Tree label={t('tree')}>
      <Branch node={root} {...rest} />
    </Tree>
  );
});

type RowsProps = Omit<RuleTreeViewProps, 'root'>;

function Branch({ node, ...rest }: RowsProps & { node: RuleNode }) {
  const { page, atHosts, children } = node;
  const rows = (
    <>
      <FolderRow node={node} {...rest} />
      {[...(page ? [page] : []), ...atHosts].map((rule) => (
        <OwnRow key={placeKey(rule)} rule={rule} {...rest} />
      ))}
    </>
  );
  return (
    <TreeItem rows={rows}>
      {children.length > 0 && children.map((child) => <Branch key={child.path} node={child} {...rest} />)}
    </TreeItem>
  );
}

/** The path with its rule for everything below it, or the rule that it follows. */
function FolderRow({ node, changed, faults, actions, test, names }: RowsProps & { node: RuleNode }) {
  const { path, name, rule, page, atHosts, above } = node;
  // The removed rule of a page or of a host has no row of its own.
  const rows = new Set([...(page ? [page] : []), ...atHosts].map(placeKey));
  const isChanged = [...changed].some(
    (key) => key === path || (key.startsWith(`${path}?`) && !rows.has(key)),
  );
  return (
    <TreeRow
      fault={faults.get(path)}
      actions={test && <TestButton path={path} test={() => test({ path })} />}
      lateActions={actions && <FolderButtons node={node} actions={actions} />}
    >
      <TreeName name={name} title={path} quiet={!rule && rows.size === 0} />
      {rule ? <RuleText rule={rule} names={names} /> : <Followed rule={above} />}
      {isChanged && <ChangedMark />}
    </TreeRow>
  );
}

/** A rule for only the page of a path, or for some hosts. */
function OwnRow({ rule, changed, faults, actions, test, names }: RowsProps & { rule: AccessRule }) {
  const t = useTexts('access');
  const key = placeKey(rule);
  return (
    <TreeRow
      ref={passFocusOn}
      fault={faults.get(key)}
      isFurther
      actions={test && <TestButton path={nameOf(rule)} test={() => test(rule)} />}
      lateActions={actions && <OwnButtons rule={rule} actions={actions} />}
    >
      {[...(rule.appliesTo === 'page' ? [t('page')] : []), ...(rule.hosts ?? [])].map((text) => (
        <Tag key={text}>{text}</Tag>
      ))}
      <RuleText rule={rule} names={names} />
      {changed.has(key) && <ChangedMark />}
    </TreeRow>
  );
}

function RuleText({ rule, names }: { rule: AccessRule; names: RuleNames }) {
  return (
    <>
      <AccessText rule={rule} names={names} />
      <RuleMarks rule={rule} />
    </>
  );
}

function ChangedMark() {
  const t = useTexts('rules');
  return <Tag>{t('changed')}</Tag>;
}

/** The access to a path without its own rule. */
function Followed({ rule }: { rule: AccessRule | undefined }) {
  const t = useTexts('rules');
  const access = useTexts('access');
  return (
    <Text component="span" c="dimmed">
      {rule
        ? t('inherits', { access: access(rule.access), path: rule.path })
        : t('default', { access: access('members') })}
    </Text>
  );
}

function FolderButtons({ node: { path, rule }, actions }: { node: RuleNode; actions: RuleActions }) {
  const t = useTexts('rules');
  return (
    <>
      {!isWildcard(path) && (
        <RowButton icon={IconPlus} label={t('addBelow', { path })} onClick={() => actions.addBelow(path)} />
      )}
      {rule && (
        <RowButton
          ref={passFocusOn}
          icon={IconTrash}
          label={t('remove', { path })}
          onClick={() => actions.remove(rule)}
        />
      )}
      <RowButton
        icon={IconPencil}
        label={t(rule ? 'edit' : 'set', { path })}
        onClick={() => actions.edit({ path })}
      />
    </>
  );
}

function OwnButtons({ rule, actions }: { rule: AccessRule; actions: RuleActions }) {
  const t = useTexts('rules');
  const of = { path: nameOf(rule) };
  const isPage = rule.appliesTo === 'page';
  return (
    <>
      <RowButton
        icon={IconTrash}
        label={t(isPage ? 'removePage' : 'remove', of)}
        onClick={() => actions.remove(rule)}
      />
      <RowButton
        icon={IconPencil}
        label={t(isPage ? 'editPage' : 'edit', of)}
        onClick={() => actions.edit(rule)}
      />
    </>
  );
}

/** The path of a rule, with its hosts. */
function nameOf({ path, hosts }: AccessRule): string {
  return hosts ? `${path} (${hosts.join(', ')})` : path;
}

function RowButton(props: ComponentProps<typeof IconAction>) {
  return <IconAction title={props.label} {...props} />;
}

function TestButton({ path, test }: { path: string; test: () => void }) {
  const t = useTexts('rules');
  return (
    <Button
      variant="subtle"
      color="gray"
      c="dimmed"
      fw={400}
      size="compact-sm"
      aria-label={t('testPath', { path })}
      onClick={test}
    >
      {t('test')}
    </Button>
  );
}
