import type { Invitation } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';

const colors: Readonly<Record<Invitation['status'], string>> = {
  active: 'teal',
  used_up: 'blue',
  expired: 'gray',
  revoked: 'red',
};

/** The status of an invitation as a colored dot with a word. */
export function InvitationState({ status }: { status: Invitation['status'] }) {
  const t = useTexts('invitations');
  const name = `state.${status}`;
  return (
    <Badge variant="dot" color={colors[status] ?? 'gray'}>
      {t.has(name) ? t(name) : status}
    </Badge>
  );
}
