import type { Invitation } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { EndText } from '../../components/end-text.tsx';
import { GroupBadges } from '../../components/invitations/invitation-groups.tsx';
import { invitationHint, invitationName } from '../../components/invitations/invitation-name.ts';
import { LinkText } from '../../components/layout/links.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { InvitationState } from './invitation-state.tsx';
import classes from './invitations.module.css';

const shownGroups = 2;

/** Invitations, each with its groups, uses, end and status. */
export function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  const t = useTexts('invitations');
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th>{t('invitation')}</th>
          <th className={classes.groups}>{t('groups')}</th>
          <th className={classes.uses}>{t('uses')}</th>
          <th className={classes.ends}>{t('ends')}</th>
          <th className={classes.state}>{t('status')}</th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </tbody>
    </table>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const t = useTexts('invitations');
  const { id, accessGroupIds, expiresAt, status } = invitation;
  const hint = invitationHint(t('everyone'), invitation);
  return (
    <tr>
      <td>
        <LinkText
          from="/$site"
          to="/$site/invitations/$invitationId"
          params={{ invitationId: id }}
          c="inherit"
          fw={500}
          truncate
          display="block"
          className={classes.name}
        >
          {invitationName(t('everyone'), invitation)}
        </LinkText>
        {hint !== undefined && (
          <Text size="xs" c="dimmed" truncate>
            {hint}
          </Text>
        )}
      </td>
      <td className={classes.groups}>
        <GroupBadges ids={accessGroupIds} max={shownGroups} />
      </td>
      <td className={classes.uses}>{usesText(t, invitation)}</td>
      <td className={classes.ends}>
        <EndText at={expiresAt} />
      </td>
      <td className={classes.state}>
        <InvitationState status={status} />
      </td>
    </tr>
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
