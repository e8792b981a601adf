import type { JoinRequest } from '@gatehouse/client';
import { Code, Group, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { invitationName } from '../../components/invitations/invitation-name.ts';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { ListRow } from '../../components/layout/list.tsx';
import { Initials } from '../../components/people/initials.tsx';
import { type State, StateText } from '../../components/state/state-text.tsx';
import { Tag } from '../../components/state/tag.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useInvitationById } from '../../queries/by-id.ts';
import { Message } from './message.tsx';

/** A request that was decided or has expired. */
export function RequestRow({ request }: { request: JoinRequest }) {
  return (
    <ListRow isTall trailing={<RequestState request={request} />}>
      <RequestFacts request={request} />
    </ListRow>
  );
}

/** Who asks, what they wrote, and from where they came. Anyone can write anything here. */
export function RequestFacts({ request }: { request: JoinRequest }) {
  const t = useTexts('joinRequests');
  const { displayName, email, message, memberId } = request;
  const name = displayName ?? displayAddress(email);
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Initials name={name} id={memberId ?? request.id} />
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          {memberId === null ? (
            <Text fw={500} dir="auto">
              {name}
            </Text>
          ) : (
            <LinkText
              from="/$site"
              to="/$site/members/$memberId"
              params={{ memberId }}
              c="inherit"
              fw={500}
              dir="auto"
            >
              {name}
            </LinkText>
          )}
          {displayName !== null && <Hint>{displayAddress(email)}</Hint>}
          {memberId !== null && request.status === 'pending' && <Tag>{t('member')}</Tag>}
        </Group>
        {message !== null && <Message text={message} />}
        <Origin request={request} />
      </Stack>
    </Group>
  );
}

function Origin({ request: { createdAt, path, invitationId } }: { request: JoinRequest }) {
  const t = useTexts('joinRequests');
  const facts: ReactNode[] = [<TimeText key="time" at={createdAt} />];
  if (path !== null) facts.push(t.rich('from', { path: <Code>{path}</Code> }));
  if (invitationId !== null) facts.push(<InvitationFact key="invitation" id={invitationId} />);
  return (
    <Hint size="xs">
      {facts.map((fact, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {fact}
        </Fragment>
      ))}
    </Hint>
  );
}

function InvitationFact({ id }: { id: string }) {
  const t = useTexts('joinRequests');
  const invitation = useInvitationById(id);
  if (!invitation) return t('invited');
  return t.rich('invitedBy', {
    invitation: (
      <LinkText from="/$site" to="/$site/invitations/$invitationId" params={{ invitationId: id }} c="inherit">
        {invitationName(t('forEveryone'), invitation)}
      </LinkText>
    ),
  });
}

const states: Readonly<Record<string, State>> = { approved: 'good', declined: 'bad', expired: 'neutral' };

/** What was decided, by whom and when. */
function RequestState({ request: { status, decidedAt, decidedBy } }: { request: JoinRequest }) {
  const t = useTexts('joinRequests');
  const name = `state.${status}`;
  return (
    <Stack gap={2} maw="14rem">
      <StateText state={states[status] ?? 'neutral'}>{t.has(name) ? t(name) : status}</StateText>
      {decidedAt !== null && (
        <Hint size="xs">
          {decidedBy?.name ? t.rich('by', { name: <bdi>{decidedBy.name}</bdi> }) : null}{' '}
          <TimeText at={decidedAt} />
        </Hint>
      )}
    </Stack>
  );
}
