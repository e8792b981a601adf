import type { Operator } from '@gatehouse/client';
import { Select, Text } from '@mantine/core';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { IconTrash } from '../../components/icons/icons.ts';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { Person } from '../../components/people/person.tsx';
import { StateText } from '../../components/state/state-text.tsx';
import { Tag } from '../../components/state/tag.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { LabeledTime } from '../../components/tables/labeled-time.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useConfirm } from '../../hooks/use-confirm.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import type { Role } from '../../session/dashboard-api.ts';
import { meQuery } from '../../session/me.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { roles } from './roles.ts';

interface OperatorTableProps {
  operators: readonly Operator[];
  mayWrite: boolean;
}

/** The people who manage the site, each with a role, which owners change in the row. */
export function OperatorTable({ operators, mayWrite }: OperatorTableProps) {
  const t = useTexts('operators');
  const columns: DataColumn[] = [
    { name: 'person', title: t('person') },
    { name: 'role', title: t('role'), width: 136 },
    { name: 'lastLogin', title: t('lastLogin'), width: 128 },
    { name: 'passkeys', title: t('passkeys'), width: 160 },
    ...(mayWrite ? [{ name: 'actions', title: t('actions'), width: 44, isUntitled: true }] : []),
  ];
  return (
    <DataTable label={t('title')} columns={columns}>
      {operators.map((operator) => (
        <OperatorRow key={operator.id} operator={operator} mayWrite={mayWrite} />
      ))}
    </DataTable>
  );
}

function OperatorRow({ operator, mayWrite }: { operator: Operator; mayWrite: boolean }) {
  const t = useTexts('operators');
  const { changeRole, remove } = useOperatorChanges(operator);
  const { email, displayName, role } = operator;
  const name = displayName ?? email;
  return (
    <DataRow ref={passFocusOn}>
      <OperatorName operator={operator} />
      <DataCell>
        {mayWrite ? (
          <Select
            aria-label={t('roleOf', { name })}
            size="xs"
            allowDeselect={false}
            value={role}
            onChange={(chosen) => chosen && changeRole(chosen as Role)}
            data={roles.map((value) => ({ value, label: t(value) }))}
          />
        ) : (
          t(role)
        )}
      </DataCell>
      <DataCell quiet>
        <LastLogin operator={operator} />
      </DataCell>
      <DataCell quiet>
        <Passkeys operator={operator} />
      </DataCell>
      {mayWrite && (
        <DataCell holds="actions">
          <IconAction icon={IconTrash} onClick={remove} label={t('removeTitle', { name })} />
        </DataCell>
      )}
    </DataRow>
  );
}

function OperatorName({ operator: { id, email, displayName, status } }: { operator: Operator }) {
  const t = useTexts('operators');
  const { operatorId } = useSite();
  return (
    <DataCell>
      <Person id={id} name={displayName ?? email} {...(displayName && { address: email })}>
        {id === operatorId && <Tag>{t('you')}</Tag>}
        {status === 'invited' && <StateText state="neutral">{t('invited')}</StateText>}
      </Person>
    </DataCell>
  );
}

function LastLogin({ operator: { lastLoginAt } }: { operator: Operator }) {
  const t = useTexts('operators');
  if (lastLoginAt) return <LabeledTime at={lastLoginAt} text={(time) => t.rich('loggedIn', { time })} />;
  // On a phone, where columns have no headings, the word alone would say nothing.
  return (
    <Text component="span" inherit visibleFrom="sm">
      {t('never')}
    </Text>
  );
}

/** How many passkeys an operator has: without one, email is the only way to log in. */
function Passkeys({ operator: { passkeys, status } }: { operator: Operator }) {
  const t = useTexts('operators');
  // Only those who manage operators learn it.
  if (passkeys === null) return null;
  if (passkeys > 0) return t('passkeyCount', { count: passkeys });
  // Those who were invited have not logged in yet.
  return status === 'active' && <StateText state="attention">{t('noPasskey')}</StateText>;
}

/** Changes for other operators take effect immediately. Changes to one's own role ask for confirmation. */
function useOperatorChanges({ id, email, displayName, role }: Operator) {
  const t = useTexts('operators');
  const site = useSite();
  const gatehouse = useGatehouse();
  const confirm = useConfirm();
  const change = useUndoable();
  const queryKey = useSiteKeys().operators;
  const name = displayName ?? email;
  const isMe = id === site.operatorId;

  async function changeRole(chosen: Role): Promise<void> {
    if (chosen === role) return;
    const question = { title: t('ownRoleTitle'), children: t('ownRoleText'), confirm: t('ownRoleConfirm') };
    if (isMe && !(await confirm(question))) return;
    const done = await change({
      done: t('roleChanged', { name, role: t(chosen) }),
      send: () => gatehouse.operators.update(id, { role: chosen }),
      // Operators who gave up the permission cannot undo it.
      ...(!isMe && { undo: () => gatehouse.operators.update(id, { role }) }),
      optimistic: [
        {
          queryKey,
          replace: (operators: Operator[]) =>
            operators.map((each) => (each.id === id ? { ...each, role: chosen } : each)),
        },
      ],
      invalidates: isMe ? [queryKey, meQuery.queryKey] : [queryKey],
    });
    if (done && isMe) location.reload();
  }

  async function remove(): Promise<void> {
    const sure = await confirm({
      title: t('removeTitle', { name }),
      children: t(isMe ? 'removeSelfText' : 'removeText', { site: site.title }),
      confirm: t('remove'),
    });
    if (!sure) return;
    // Without a role, the operator cannot use this page. If it was the last role, the session has ended too.
    if (isMe) {
      await gatehouse.operators.remove(id).then(() => location.assign('/dashboard/'), showFailure);
      return;
    }
    await change({
      done: t('removed', { name }),
      send: async () => {
        await gatehouse.operators.remove(id);
        if (isMe) await leave();
      },
      invalidates: [queryKey],
    });
  }

  return { changeRole, remove };
}

/**
 * Opens another site of the operator, or else the login page, and sends no further requests for the site that was
 * left.
 */
function leave(): Promise<never> {
  location.assign('/dashboard/');
  return new Promise(() => {});
}
