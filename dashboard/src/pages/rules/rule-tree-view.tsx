import type { AccessRule } from '@gatehouse/client';
import { ActionIcon, Badge, Group, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { AccessText, type GroupNames } from './access-text.tsx';
import type { RuleNode } from './rule-tree.ts';
import classes from './rules.module.css';

/** The actions for a path; left out for operators who may only read the rules. */
export interface RuleActions {
  edit: (path: string) => void;
  addBelow: (path: string) => void;
  remove: (path: string) => void;
}

interface RuleTreeViewProps {
  root: RuleNode;
  /** Paths with unsaved changes. */
  changed: ReadonlySet<string>;
  /** Error messages of rejected rules, by path. */
  faults: ReadonlyMap<string, string>;
  actions: RuleActions | undefined;
  groupNames: GroupNames;
}

/** The paths of the site with who has access. A path's own rule looks different from an inherited one. */
export const RuleTreeView = memo(function RuleTreeView({ root, ...rest }: RuleTreeViewProps) {
  const t = useTexts('rules');
  return (
    <ul className={classes.tree} aria-label={t('tree')}>
      <Branch node={root} {...rest} />
    </ul>
  );
});

function Branch({ node, ...rest }: Omit<RuleTreeViewProps, 'root'> & { node: RuleNode }) {
  const { changed, faults, actions, groupNames } = rest;
  const fault = faults.get(node.path);
  return (
    <li ref={passFocusOn}>
      <div className={classes.row} data-faulty={fault !== undefined || undefined}>
        <div className={classes.facts}>
          <span className={node.rule ? classes.name : `${classes.name} ${classes.without}`} title={node.path}>
            {node.name}
          </span>
          {node.rule ? (
            <AccessText rule={node.rule} groupNames={groupNames} />
          ) : (
            <Followed rule={node.above} />
          )}
          {changed.has(node.path) && <Changed />}
          {fault && (
            <Text c="var(--mantine-color-error)" size="xs" w="100%">
              {fault}
            </Text>
          )}
        </div>
        {actions && <Buttons node={node} actions={actions} />}
      </div>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <Branch key={child.path} node={child} {...rest} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The access to a path without its own rule. */
function Followed({ rule }: { rule: AccessRule | undefined }) {
  const t = useTexts('rules');
  return (
    <Text component="span" c="dimmed">
      {rule
        ? t('inherits', { access: t(rule.access), path: rule.path })
        : t('default', { access: t('members') })}
    </Text>
  );
}

function Changed() {
  const t = useTexts('rules');
  return (
    <Badge variant="default" tt="none" size="sm">
      {t('changed')}
    </Badge>
  );
}

function Buttons({ node: { path, rule }, actions }: { node: RuleNode; actions: RuleActions }) {
  const t = useTexts('rules');
  const edit = t(rule ? 'edit' : 'set', { path });
  return (
    <Group className={classes.buttons!} gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={edit}
        title={edit}
        onClick={() => actions.edit(path)}
      >
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('addBelow', { path })}
        title={t('addBelow', { path })}
        onClick={() => actions.addBelow(path)}
      >
        <IconPlus size={16} aria-hidden />
      </ActionIcon>
      {rule && (
        <ActionIcon
          ref={passFocusOn}
          variant="subtle"
          color="gray"
          aria-label={t('remove', { path })}
          title={t('remove', { path })}
          onClick={() => actions.remove(path)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
