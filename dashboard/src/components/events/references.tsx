import type { Actor } from '@gatehouse/client';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { usePageCodes } from '../../queries/access/page-codes.ts';
import {
  type KnownMember,
  useGroupById,
  useInvitationById,
  useKeyById,
  useMemberById,
  useOperatorById,
} from '../../queries/by-id.ts';
import { useSources } from '../../queries/sources.ts';
import { useMay } from '../../session/site.ts';
import { invitationName } from '../invitations/invitation-name.ts';
import { LinkText } from '../layout/links.tsx';
import { SourceLink } from '../sources/source-link.tsx';

/** A member in a sentence, by id. */
export function MemberReference({ id }: { id: string }) {
  const t = useTexts('events');
  const member = useMemberById(id);
  if (member === null) return <DeletedName>{t('deletedMember')}</DeletedName>;
  return <MemberLink member={member ?? { id, email: '…', displayName: null }} />;
}

export function MemberLink({ member: { id, email, displayName } }: { member: KnownMember }) {
  return (
    <LinkText
      from="/$site"
      to="/$site/members/$memberId"
      params={{ memberId: id }}
      c="inherit"
      fw={600}
      title={displayAddress(email)}
    >
      {displayName ?? displayAddress(email)}
    </LinkText>
  );
}

/** An access group in a sentence; `name` is its name at the time of the event. */
export function GroupReference({ id, name }: { id: string; name?: string }) {
  const t = useTexts('events');
  const group = useGroupById(id);
  if (group === null)
    return name === undefined ? <DeletedName>{t('deletedGroup')}</DeletedName> : <Name>{name}</Name>;
  return (
    <LinkText from="/$site" to="/$site/groups/$groupId" params={{ groupId: id }} c="inherit" fw={600}>
      {name ?? group?.name ?? '…'}
    </LinkText>
  );
}

/** A source in a sentence; `name` is its name at the time of the event. */
export function SourceReference({ id, name }: { id: string; name?: string }) {
  const t = useTexts('events');
  const sources = useSources().data;
  const source = sources?.find((each) => each.id === id);
  if (source) return <SourceLink source={name === undefined ? source : { id, name }} />;
  if (name !== undefined) return <Name>{name}</Name>;
  return sources ? <DeletedName>{t('deletedSource')}</DeletedName> : <Name>…</Name>;
}

/** A page code in a sentence; `label` is its label at the time of the event. */
export function CodeReference({ id, label }: { id: string; label?: string }) {
  const t = useTexts('events');
  const codes = usePageCodes().data;
  const code = codes?.find((each) => each.id === id);
  if (label === undefined && !code)
    return codes ? <DeletedName>{t('deletedCode')}</DeletedName> : <Name>…</Name>;
  return <Name>{label ?? code?.label}</Name>;
}

/** An invitation in a sentence. Operators who may not see it still tell it apart. */
export function InvitationReference({ id }: { id: string }) {
  const t = useTexts('events');
  const invitation = useInvitationById(id);
  const mayRead = useMay('invitations:read');
  if (invitation === null) return <DeletedName>{t('anInvitation')}</DeletedName>;
  if (!mayRead) return <Name>{id.slice(-4)}</Name>;
  return (
    <LinkText
      from="/$site"
      to="/$site/invitations/$invitationId"
      params={{ invitationId: id }}
      c="inherit"
      fw={600}
    >
      {invitation ? invitationName(t('forEveryone'), invitation) : '…'}
    </LinkText>
  );
}

export function KeyReference({ id }: { id: string }) {
  const t = useTexts('events');
  const key = useKeyById(id);
  // Operators without access to the keys can still tell them apart.
  return <Name>{key?.name ?? t('unknownKey', { id: id.slice(-4) })}</Name>;
}

export function OperatorReference({ id }: { id: string }) {
  const t = useTexts('events');
  const operator = useOperatorById(id);
  if (operator === null) return <DeletedName>{t('formerOperator')}</DeletedName>;
  return <Name>{operator?.displayName ?? operator?.email ?? '…'}</Name>;
}

/** The actor of an event. */
export function ActorReference({ actor: { type, id, name } }: { actor: Actor }) {
  const t = useTexts('events');
  if (type === 'member' && id !== null) {
    return name === null ? (
      <MemberReference id={id} />
    ) : (
      <MemberLink member={{ id, email: name, displayName: name }} />
    );
  }
  if (type === 'source' && id !== null && name !== null) return <SourceReference id={id} name={name} />;
  return <Name>{name ?? (type === 'system' ? 'Gatehouse' : t(`actor.${type}`))}</Name>;
}

export function Name({ children }: { children: ReactNode }) {
  return (
    <Text component="span" inherit fw={600}>
      {children}
    </Text>
  );
}

/** Something that was deleted has no name. */
function DeletedName({ children }: { children: ReactNode }) {
  return (
    <Text component="span" inherit fs="italic" c="dimmed">
      {children}
    </Text>
  );
}
