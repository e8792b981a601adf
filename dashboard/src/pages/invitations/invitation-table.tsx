import type { Invitation } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { EndText } from '../../components/end-text.tsx';
import { InvitationGroups } from '../../components/invitations/invitation-groups.tsx';
import { invitationHint, invitationName } from '../../components/invitations/invitation-name.ts';
import { LinkText } from '../../components/layout/links.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { InvitationState } from './invitation-state.tsx';

const shownGroups = 2;

/** Invitations, each with its groups, uses, end and status. */
export function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  const t = useTexts('invitations');
  const columns: DataColumn[] = [
    { name: 'invitation', title: t('invitation') },
    { name: 'status', title: t('status'), width: 112 },
    { name: 'groups', title: t('groups'), width: 256, from: 'md' },
    { name: 'uses', title: t('uses'), width: 96, align: 'end' },
    { name: 'ends', title: t('ends'), width: 232 },
  ];
  return (
    <DataTable label={t('title')} columns={columns}>
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} />
      ))}
    </DataTable>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const t = useTexts('invitations');
  const navigate = useNavigate({ from: '/$site/invitations' });
  const { id, accessGroupIds, expiresAt, status } = invitation;
  const page = { to: '/$site/invitations/$invitationId', params: { invitationId: id } } as const;
  const name = invitationName(t('everyone'), invitation);
  const hint = invitationHint(t('everyone'), invitation);
  return (
    <DataRow onOpen={() => void navigate(page)}>
      <DataCell title={[name, hint].filter(Boolean).join(' · ')}>
        <LinkText from="/$site" {...page} c="inherit" fw={500}>
          {name}
        </LinkText>
        {hint !== undefined && (
          <Text component="span" c="dimmed" ms="xs">
            {hint}
          </Text>
        )}
      </DataCell>
      <DataCell>
        <InvitationState status={status} />
      </DataCell>
      <DataCell>
        <InvitationGroups ids={accessGroupIds} shown={shownGroups} />
      </DataCell>
      <DataCell align="end">{usesText(t, invitation)}</DataCell>
      <DataCell quiet>
        <EndText at={expiresAt} />
      </DataCell>
    </DataRow>
  );
}

/** How often an invitation was used: "3 of 30". */
export function usesText(
  t: ReturnType<typeof useTexts<'invitations'>>,
  { usedCount, maxUses }: Pick<Invitation, 'usedCount' | 'maxUses'>,
): string {
  return maxUses === null
    ? t('usedCount', { count: usedCount })
    : t('usesOf', { used: usedCount, max: maxUses });
}
