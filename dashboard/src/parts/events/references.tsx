import type { Actor } from '@gatehouse/client';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import { shownAddress } from '../address.ts';
import { type KnownMember, useGroupById, useKeyById, useMemberById, useOperatorById } from './names.ts';

/** A member in a sentence, by the id that the event has. */
export function MemberReference({ id }: { id: string }) {
  const t = useTexts('events');
  const member = useMemberById(id);
  if (member === null) return <Gone>{t('deletedMember')}</Gone>;
  return <MemberLink member={member ?? { id, email: '…', displayName: null }} />;
}

export function MemberLink({ member: { id, email, displayName } }: { member: KnownMember }) {
  const { slug } = useSite();
  return (
    <Anchor
      renderRoot={(props) => (
        <Link to="/$site/members/$memberId" params={{ site: slug, memberId: id }} {...props} />
      )}
      c="inherit"
      fw={600}
      title={shownAddress(email)}
    >
      {displayName ?? shownAddress(email)}
    </Anchor>
  );
}

/** An access group in a sentence; `name` is the one that it had then. */
export function GroupReference({ id, name }: { id: string; name?: string }) {
  const t = useTexts('events');
  const { slug } = useSite();
  const group = useGroupById(id);
  if (group === null) return name === undefined ? <Gone>{t('deletedGroup')}</Gone> : <Name>{name}</Name>;
  return (
    <Anchor
      renderRoot={(props) => (
        <Link to="/$site/groups/$groupId" params={{ site: slug, groupId: id }} {...props} />
      )}
      c="inherit"
      fw={600}
    >
      {name ?? group?.name ?? '…'}
    </Anchor>
  );
}

export function KeyReference({ id }: { id: string }) {
  const t = useTexts('events');
  const key = useKeyById(id);
  // Those who may not see the keys still tell one from the other.
  return <Name>{key?.name ?? t('unknownKey', { id: id.slice(-4) })}</Name>;
}

export function OperatorReference({ id }: { id: string }) {
  const t = useTexts('events');
  const operator = useOperatorById(id);
  if (operator === null) return <Gone>{t('formerOperator')}</Gone>;
  return <Name>{operator?.displayName ?? operator?.email ?? '…'}</Name>;
}

/** Who or what made something happen. */
export function ActorReference({ actor: { type, id, name } }: { actor: Actor }) {
  const t = useTexts('events');
  if (type === 'member' && id !== null) {
    return name === null ? (
      <MemberReference id={id} />
    ) : (
      <MemberLink member={{ id, email: name, displayName: name }} />
    );
  }
  return <Name>{name ?? (type === 'system' ? 'Gatehouse' : t(`actor.${type}`))}</Name>;
}

export function Name({ children }: { children: ReactNode }) {
  return (
    <Text component="span" inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

/** What is no longer there has no name. */
function Gone({ children }: { children: ReactNode }) {
  return (
    <Text component="span" inherit fs="italic" c="dimmed">
      {children}
    </Text>
  );
}
