import type { Operator } from '@gatehouse/client';
import { Badge, Group, Select, Text, VisuallyHidden } from '@mantine/core';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { IconTrash } from '../../components/icons/icons.ts';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useConfirm } from '../../hooks/use-confirm.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import type { Role } from '../../session/dashboard-api.ts';
import { meQuery } from '../../session/me.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import classes from './operator-table.module.css';
import { roles } from './roles.ts';

interface OperatorTableProps {
  operators: readonly Operator[];
  mayWrite: boolean;
}

export function OperatorTable({ operators, mayWrite }: OperatorTableProps) {
  const t = useTexts('operators');
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th>{t('person')}</th>
          <th>{t('role')}</th>
          <th>{t('lastLogin')}</th>
          {mayWrite && (
            <th>
              <VisuallyHidden>{t('actions')}</VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {operators.map((operator) => (
          <OperatorRow key={operator.id} operator={operator} mayWrite={mayWrite} />
        ))}
      </tbody>
    </table>
  );
}

function OperatorRow({ operator, mayWrite }: { operator: Operator; mayWrite: boolean }) {
  const t = useTexts('operators');
  const { operatorId } = useSite();
  const { changeRole, remove } = useOperatorChanges(operator);
  const { id, email, displayName, role, status, lastLoginAt } = operator;
  const name = displayName ?? email;
  return (
    <tr ref={passFocusOn}>
      <td>
        <Group gap="xs">
          <Text fw={500} className={classes.name!}>
            {name}
          </Text>
          {id === operatorId && <Badge variant="light">{t('you')}</Badge>}
          {status === 'invited' && (
            <Badge variant="light" color="gray" c="dimmed">
              {t('invited')}
            </Badge>
          )}
        </Group>
        {displayName && (
          <Text size="xs" c="dimmed" className={classes.name!}>
            {email}
          </Text>
        )}
      </td>
      <td>
        {mayWrite ? (
          <Select
            aria-label={t('roleOf', { name })}
            className={classes.role!}
            allowDeselect={false}
            value={role}
            onChange={(chosen) => chosen && changeRole(chosen as Role)}
            data={roles.map((value) => ({ value, label: t(value) }))}
          />
        ) : (
          t(role)
        )}
      </td>
      <td>{lastLoginAt ? <TimeText at={lastLoginAt} /> : <Text c="dimmed">{t('never')}</Text>}</td>
      {mayWrite && (
        <td className={classes.action}>
          <IconAction
            icon={IconTrash}
            iconSize={18}
            c="dimmed"
            size="lg"
            onClick={remove}
            label={t('removeTitle', { name })}
          />
        </td>
      )}
    </tr>
  );
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
