import type { Event } from '@gatehouse/client';
import { ActionIcon, Group, Text, ThemeIcon } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { useTexts } from '../../languages/texts.tsx';
import { TimeText } from '../time-text.tsx';
import { EventDetails } from './event-details.tsx';
import { eventIcon } from './event-icons.ts';
import { EventSentence } from './event-sentence.tsx';
import classes from './events.module.css';

interface EventRowProps {
  event: Event;
  /** In a list of which only a part is there: which row it is, of how many. */
  place?: { index: number; count: number };
  measure?: (row: HTMLLIElement | null) => void;
}

/** One event in a list: what happened, by whom and from where; the rest is folded away. */
export function EventRow({ event, place, measure }: EventRowProps) {
  const t = useTexts('events');
  const [opened, { toggle }] = useDisclosure();
  const details = useId();
  const Icon = eventIcon(event.type);
  return (
    <li
      className={classes.row}
      ref={measure}
      data-index={place?.index}
      aria-posinset={place && place.index + 1}
      aria-setsize={place?.count}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" color="gray" radius="xl" size={30} aria-hidden>
          <Icon size={16} stroke={1.6} />
        </ThemeIcon>
        <div className={classes.said}>
          <Text component="div" style={{ overflowWrap: 'anywhere' }}>
            <EventSentence event={event} />
          </Text>
          <Text size="xs" c="dimmed" component="div">
            <TimeText at={event.occurredAt} />
            {` · ${[t(`actor.${event.actor.type}`), event.clientAddress].filter(Boolean).join(' · ')}`}
          </Text>
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('details')}
          aria-expanded={opened}
          aria-controls={opened ? details : undefined}
          onClick={toggle}
        >
          <IconChevronDown className={classes.chevron!} size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {opened && (
        <div id={details}>
          <EventDetails event={event} />
        </div>
      )}
    </li>
  );
}
