import type { JoinRequest } from '@gatehouse/client';
import { Badge, Code, Group, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { invitationName } from '../../components/invitations/invitation-name.ts';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useInvitationById } from '../../queries/by-id.ts';
import classes from './join-requests.module.css';
import { Message } from './message.tsx';

/** A request that was decided or has expired. */
export function RequestRow({ request }: { request: JoinRequest }) {
  return (
    <li className={classes.row}>
      <RequestFacts request={request} />
      <RequestState request={request} />
    </li>
  );
}

/** Who asks, what they wrote, and from where they came. Anyone can write anything here. */
export function RequestFacts({ request }: { request: JoinRequest }) {
  const t = useTexts('joinRequests');
  const { displayName, email, message, memberId } = request;
  const name = displayName ?? displayAddress(email);
  return (
    <div className={classes.facts}>
      <Group gap="xs">
        {memberId === null ? (
          <Text fw={500} className={classes.name!} dir="auto">
            {name}
          </Text>
        ) : (
          <LinkText
            from="/$site"
            to="/$site/members/$memberId"
            params={{ memberId }}
            c="inherit"
            fw={500}
            className={classes.name!}
            dir="auto"
          >
            {name}
          </LinkText>
        )}
        {displayName !== null && <Hint className={classes.name!}>{displayAddress(email)}</Hint>}
        {memberId !== null && request.status === 'pending' && <Badge variant="light">{t('member')}</Badge>}
      </Group>
      {message !== null && <Message text={message} />}
      <Origin request={request} />
    </div>
  );
}

function Origin({ request: { createdAt, path, invitationId } }: { request: JoinRequest }) {
  const t = useTexts('joinRequests');
  const facts: ReactNode[] = [<TimeText key="time" at={createdAt} />];
  if (path !== null) facts.push(t.rich('from', { path: <Code className={classes.path!}>{path}</Code> }));
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

const colors: Readonly<Record<string, string>> = { approved: 'teal', declined: 'red', expired: 'gray' };

/** What was decided, by whom and when. */
function RequestState({ request: { status, decidedAt, decidedBy } }: { request: JoinRequest }) {
  const t = useTexts('joinRequests');
  const name = `state.${status}`;
  return (
    <div className={classes.decision}>
      <Badge variant="dot" color={colors[status] ?? 'gray'}>
        {t.has(name) ? t(name) : status}
      </Badge>
      {decidedAt !== null && (
        <Hint size="xs">
          {decidedBy?.name ? t.rich('by', { name: <bdi>{decidedBy.name}</bdi> }) : null}{' '}
          <TimeText at={decidedAt} />
        </Hint>
      )}
    </div>
  );
}
