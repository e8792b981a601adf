import type { ApiKey } from '@gatehouse/client';
import { Badge, Code, Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import { EndText } from '../../components/end-text.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { isUsable, keyState } from './key-state.ts';
import classes from './keys.module.css';
import { areDefault } from './permissions.ts';

interface KeyRowProps {
  apiKey: ApiKey;
  rotate: (key: ApiKey) => void;
  revoke: (key: ApiKey) => void;
}

export function KeyRow({ apiKey, rotate, revoke }: KeyRowProps) {
  const t = useTexts('keys');
  const mayWrite = useMay('api-keys:write');
  const mayFollow = useMay('events:read');
  const state = keyState(apiKey, Date.now());
  const { name } = apiKey;
  return (
    <li className={classes.row} ref={passFocusOn}>
      <div className={classes.facts}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <Code>…{apiKey.last4}</Code>
          {state !== 'in_force' && (
            <Badge variant="light" color={state === 'replaced' ? 'teal' : 'gray'} tt="none">
              {t(`state.${state}`)}
            </Badge>
          )}
        </Group>
        <KeyFacts apiKey={apiKey} />
        <Permissions apiKey={apiKey} />
      </div>
      <Group gap="xs">
        {mayFollow && <Activity apiKey={apiKey} />}
        {mayWrite && state === 'in_force' && (
          <ActionButton
            label={t('rotate')}
            ref={passFocusOn}
            size="xs"
            aria-label={`${t('rotate')}: ${name}`}
            onClick={() => rotate(apiKey)}
          />
        )}
        {mayWrite && isUsable(state) && (
          <ActionButton
            label={t('revoke')}
            ref={passFocusOn}
            size="xs"
            aria-label={`${t('revoke')}: ${name}`}
            onClick={() => revoke(apiKey)}
          />
        )}
      </Group>
    </li>
  );
}

function KeyFacts({ apiKey: { createdAt, expiresAt, revokedAt, rateLimit } }: { apiKey: ApiKey }) {
  const t = useTexts('keys');
  const isPast = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const facts = [
    t.rich('created', { time: <TimeText at={createdAt} /> }),
    revokedAt !== null
      ? t.rich('revoked', { time: <TimeText at={revokedAt} /> })
      : expiresAt !== null && t.rich(isPast ? 'expired' : 'expires', { time: <EndText at={expiresAt} /> }),
    rateLimit !== null && (rateLimit === 0 ? t('unlimited') : t('limited', { count: rateLimit })),
  ].filter((fact) => fact !== false);
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

function Permissions({ apiKey: { permissions } }: { apiKey: ApiKey }) {
  const t = useTexts('keys');
  return (
    <Text size="xs" c="dimmed" title={permissions.join(', ')}>
      {areDefault(permissions) ? t('default') : permissions.join(', ')}
    </Text>
  );
}

function Activity({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const t = useTexts('keys');
  return (
    <LinkText
      from="/$site"
      to="/$site/events"
      search={{ actorId: id }}
      size="sm"
      aria-label={`${t('activity')}: ${name}`}
    >
      {t('activity')}
    </LinkText>
  );
}
