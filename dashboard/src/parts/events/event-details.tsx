import type { AccessRule, Event } from '@gatehouse/client';
import { Code, Stack, Text } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { Fact, Facts } from '../facts.tsx';
import { TimeText } from '../time-text.tsx';
import { fieldText, valueText } from './event-sentence.tsx';
import classes from './events.module.css';

/** Everything that an event says: what changed from what to what, by whom, from where. */
export function EventDetails({ event }: { event: Event }) {
  const t = useTexts('events');
  const { actor, clientAddress, requestId } = event;
  return (
    <Stack gap="sm" className={classes.details!}>
      <Changes event={event} />
      <Facts size="xs">
        <Fact name={t('detail.time')}>
          <TimeText at={event.occurredAt} as="full" />
        </Fact>
        <Fact name={t('detail.actor')}>
          {[t(`actor.${actor.type}`), actor.name].filter(Boolean).join(' · ')}
          {actor.id !== null && <Code ml="xs">{actor.id}</Code>}
        </Fact>
        {clientAddress !== null && (
          <Fact name={t('detail.address')}>
            <Code>{clientAddress}</Code>
          </Fact>
        )}
        {requestId !== null && (
          <Fact name={t('detail.requestId')}>
            <Code>{requestId}</Code>
          </Fact>
        )}
        <Fact name={t('detail.eventId')}>
          <Code>{event.id}</Code>
        </Fact>
      </Facts>
    </Stack>
  );
}

/** Each thing that was changed, with its value before and after; for other events, their data. */
function Changes({ event }: { event: Event }) {
  const t = useTexts('events');
  const changes = changesOf(event, t);
  if (changes.length === 0) {
    return (
      <Code block className={classes.data!}>
        {JSON.stringify(event.data, null, 2)}
      </Code>
    );
  }
  return (
    <ul className={classes.changes}>
      {changes.map(({ what, from, to }) => (
        <li key={what}>
          <Text component="span" fw={500}>
            {what}
          </Text>{' '}
          <Text component="span" c="dimmed">
            {from}
          </Text>
          {' → '}
          <span>{to}</span>
        </li>
      ))}
    </ul>
  );
}

interface ShownChange {
  what: string;
  from: string;
  to: string;
}

function changesOf({ type, data }: Event, t: ReturnType<typeof useTexts<'events'>>): ShownChange[] {
  if (!('changes' in data)) return [];
  if (type === 'access-rules.updated') {
    const rules = data.changes as { path: string; from: AccessRule | null; to: AccessRule | null }[];
    const text = (rule: AccessRule | null) => valueText(t, 'access', rule?.access ?? null);
    return rules.map(({ path, from, to }) => ({ what: path, from: text(from), to: text(to) }));
  }
  const changes = data.changes as {
    field: string;
    from: string | boolean | null;
    to: string | boolean | null;
  }[];
  return changes.map(({ field, from, to }) => ({
    what: fieldText(t, field),
    from: valueText(t, field, from),
    to: valueText(t, field, to),
  }));
}
