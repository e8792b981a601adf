import type { AccessRule, Change, Event } from '@gatehouse/client';
import { Code, Stack, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { Fragment, type ReactNode } from 'react';
import { endText } from '../../format/ends.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';
import { CodeBlock } from '../code/code-block.tsx';
import { IconCode } from '../icons/icons.ts';
import { ActionButton } from '../layout/action-button.tsx';
import { Fact, Facts } from '../tables/facts.tsx';
import { TimeText } from '../time-text.tsx';
import { fieldText, valueText } from './event-sentence.tsx';
import classes from './events.module.css';
import { GroupReference } from './references.tsx';

type Texts = ReturnType<typeof useTexts<'events'>>;

/** The details of an event: each change with its old and new value, the actor and the IP address. */
export function EventDetails({ event }: { event: Event }) {
  const t = useTexts('events');
  const { actor, ipAddress } = event;
  return (
    <Stack gap="sm" className={classes.details!}>
      <Changes event={event} />
      <Facts size="xs">
        <Fact name={t('detail.time')}>
          <TimeText at={event.occurredAt} as="full" />
        </Fact>
        <Fact name={t('detail.actor')}>
          {[t(`actor.${actor.type}`), actor.name].filter(Boolean).join(' · ')}
        </Fact>
        <Fact name={t('detail.address')}>{ipAddress !== null && <Code>{ipAddress}</Code>}</Fact>
      </Facts>
      <RawData event={event} />
    </Stack>
  );
}

/** The event as JSON, as the API returns it. */
function RawData({ event }: { event: Event }) {
  const t = useTexts('events');
  const [opened, { toggle }] = useDisclosure();
  const data = useId();
  return (
    <div>
      <ActionButton
        variant="subtle"
        icon={IconCode}
        label={t('detail.raw')}
        size="compact-xs"
        color="gray"
        aria-expanded={opened}
        aria-controls={opened ? data : undefined}
        onClick={toggle}
      />
      {opened && <CodeBlock id={data}>{JSON.stringify(event, null, 2)}</CodeBlock>}
    </div>
  );
}

/** Each changed field with its value before and after. For events without changes, their data. */
function Changes({ event }: { event: Event }) {
  const t = useTexts('events');
  const { timeZone } = useSite();
  const lines = linesOf(event, t, timeZone);
  if (lines.length === 0) return null;
  return (
    <ul className={classes.changes}>
      {lines.map(({ what, from, to }) => (
        <li key={what}>
          <Text component="span" fw={500}>
            {t('detail.line', { what: capitalized(what) })}
          </Text>{' '}
          {from !== undefined && (
            <>
              <Text component="span" c="dimmed">
                {from}
              </Text>
              {' → '}
            </>
          )}
          <span>{to}</span>
        </li>
      ))}
    </ul>
  );
}

interface Line {
  readonly what: string;
  /** Undefined if there was no value before. */
  readonly from?: ReactNode;
  readonly to: ReactNode;
}

function linesOf({ type, data }: Event, t: Texts, timeZone: string): Line[] {
  if (!('changes' in data)) return factsOf(type, data, t, timeZone);
  if (type === 'access-rules.updated') {
    const rules = data.changes as { path: string; from: AccessRule | null; to: AccessRule | null }[];
    const text = (rule: AccessRule | null) => valueText(t, 'access', rule?.access ?? null);
    return rules.map(({ path, from, to }) => ({
      what: (from ?? to)?.appliesTo === 'page' ? t('detail.page', { path }) : path,
      from: text(from),
      to: text(to),
    }));
  }
  const changes = (data.changes as Change[]).filter(
    // Events contain no code, secret and note: the sentence says that there is a new one. It is enough for IDs of groups.
    ({ field, from, to }) =>
      !(from === null && to === null) &&
      field !== 'groupMap' &&
      (type !== 'page-code.updated' || (field !== 'code' && field !== 'type')),
  );
  return changes.map(({ field, from, to }) => ({
    what: fieldText(t, field, type),
    from: textOf(t, field, from, timeZone),
    to: textOf(t, field, to, timeZone),
  }));
}

/** The data of an event without changes that has a readable name, such as the fields of a created object. */
function factsOf(type: string, data: object, t: Texts, timeZone: string): Line[] {
  return Object.entries(data).flatMap(([field, value]: [string, unknown]): Line[] => {
    const isKnown = t.has(`field.${field}`);
    if (isKnown && Array.isArray(value))
      return [{ what: fieldText(t, field, type), to: textOf(t, field, value.join(', '), timeZone) }];
    if (isKnown && (typeof value === 'string' || typeof value === 'boolean')) {
      return [{ what: fieldText(t, field, type), to: textOf(t, field, value, timeZone) }];
    }
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? factsOf(type, value, t, timeZone)
      : [];
  });
}

function textOf(t: Texts, field: string, value: Change['to'], timeZone: string): ReactNode {
  if (typeof value === 'string' && ends.has(field)) return endText(value, timeZone);
  if (typeof value === 'string' && value !== '' && field === 'accessGroupIds') return groupsIn(value);
  return valueText(t, field, value);
}

const ends: ReadonlySet<string> = new Set(['expiresAt', 'membershipExpiresAt']);

/** The names of groups in a list of their ids. */
function groupsIn(ids: string): ReactNode {
  return ids.split(', ').map((id, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <GroupReference id={id} />
    </Fragment>
  ));
}

function capitalized(text: string): string {
  const [first = '', ...rest] = text;
  return [first.toLocaleUpperCase(), ...rest].join('');
}
