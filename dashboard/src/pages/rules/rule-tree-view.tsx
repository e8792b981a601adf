import type { AccessRule } from '@gatehouse/client';
import { isWildcard, placeKey, type RulePlace } from '@gatehouse/contract/rule-paths';
import { Badge, Group, Text } from '@mantine/core';
import { type ComponentProps, memo, type ReactNode, type Ref } from 'react';
import { AccessText } from '../../components/access/access-text.tsx';
import type { RuleNames } from '../../components/access/rule-names.ts';
import { IconPencil, IconPlus, IconTrash } from '../../components/icons/icons.ts';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import type { RuleNode } from './rule-tree.ts';
import classes from './rules.module.css';

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
  names: RuleNames;
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
  return (
    <li ref={passFocusOn}>
      <FolderRow node={node} {...rest} />
      {[...(node.page ? [node.page] : []), ...node.atHosts].map((rule) => (
        <OwnRow key={placeKey(rule)} rule={rule} {...rest} />
      ))}
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

type RowsProps = Omit<RuleTreeViewProps, 'root'>;

/** The path with its rule for everything below it, or the rule that it follows. */
function FolderRow({ node, changed, faults, actions, names }: RowsProps & { node: RuleNode }) {
  const { path, name, rule, page, atHosts, above } = node;
  // The removed rule of a page or of a host has no row of its own.
  const rows = new Set([...(page ? [page] : []), ...atHosts].map(placeKey));
  const isChanged = [...changed].some(
    (key) => key === path || (key.startsWith(`${path}?`) && !rows.has(key)),
  );
  return (
    <Row
      fault={faults.get(path)}
      buttons={actions && <FolderButtons node={node} actions={actions} />}
      isChanged={isChanged}
    >
      <span
        className={rule || rows.size > 0 ? classes.name : `${classes.name} ${classes.without}`}
        title={path}
      >
        {name}
      </span>
      {rule ? <AccessText rule={rule} names={names} /> : <Followed rule={above} />}
    </Row>
  );
}

/** A rule for only the page of a path, or for some hosts. */
function OwnRow({ rule, changed, faults, actions, names }: RowsProps & { rule: AccessRule }) {
  const t = useTexts('access');
  const key = placeKey(rule);
  return (
    <Row
      ref={passFocusOn}
      fault={faults.get(key)}
      buttons={actions && <OwnButtons rule={rule} actions={actions} />}
      isChanged={changed.has(key)}
    >
      {[...(rule.appliesTo === 'page' ? [t('page')] : []), ...(rule.hosts ?? [])].map((text) => (
        <Badge key={text} variant="outline" color="gray" tt="none" className={classes.page!}>
          {text}
        </Badge>
      ))}
      <AccessText rule={rule} names={names} />
    </Row>
  );
}

interface RowProps {
  ref?: Ref<HTMLDivElement>;
  fault: string | undefined;
  isChanged: boolean;
  buttons: ReactNode;
  children: ReactNode;
}

function Row({ ref, fault, isChanged, buttons, children }: RowProps) {
  const t = useTexts('rules');
  return (
    <div ref={ref} className={classes.row} data-faulty={fault !== undefined || undefined}>
      <div className={classes.facts}>
        {children}
        {isChanged && (
          <Badge variant="default" tt="none" size="sm">
            {t('changed')}
          </Badge>
        )}
        {fault && (
          <Text c="var(--mantine-color-error)" size="xs" w="100%">
            {fault}
          </Text>
        )}
      </div>
      {buttons}
    </div>
  );
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
    <Group className={classes.buttons!} gap={2} wrap="nowrap">
      <RowButton
        icon={IconPencil}
        label={t(rule ? 'edit' : 'set', { path })}
        onClick={() => actions.edit({ path })}
      />
      {!isWildcard(path) && (
        <RowButton icon={IconPlus} label={t('addBelow', { path })} onClick={() => actions.addBelow(path)} />
      )}
      {rule && (
        <RowButton
          ref={passFocusOn}
          className={classes.remove}
          icon={IconTrash}
          label={t('remove', { path })}
          onClick={() => actions.remove(rule)}
        />
      )}
    </Group>
  );
}

function OwnButtons({ rule, actions }: { rule: AccessRule; actions: RuleActions }) {
  const t = useTexts('rules');
  const { path, hosts } = rule;
  const of = hosts ? { path: `${path} (${hosts.join(', ')})` } : { path };
  const isPage = rule.appliesTo === 'page';
  return (
    <Group className={classes.buttons!} gap={2} wrap="nowrap">
      <RowButton
        icon={IconPencil}
        label={t(isPage ? 'editPage' : 'edit', of)}
        onClick={() => actions.edit(rule)}
      />
      <RowButton
        className={classes.remove}
        icon={IconTrash}
        label={t(isPage ? 'removePage' : 'remove', of)}
        onClick={() => actions.remove(rule)}
      />
    </Group>
  );
}

function RowButton(props: ComponentProps<typeof IconAction>) {
  return <IconAction title={props.label} {...props} />;
}
