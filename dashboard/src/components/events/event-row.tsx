import type { Event } from '@gatehouse/client';
import { ActionIcon } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { IconChevronDown } from '../icons/icons.ts';
import { TimeText } from '../time-text.tsx';
import { EventDetails } from './event-details.tsx';
import { eventIcon } from './event-icons.ts';
import { EventSentence } from './event-sentence.tsx';
import classes from './events.module.css';

/** The place of a row in a virtualized list. */
export interface PlaceInList {
  /** The position of the row and the number of rows. */
  place?: { index: number; count: number };
  measure?: (row: HTMLLIElement | null) => void;
}

/** A row for one event: what happened, by whom and from where. The details are collapsed. */
export function EventRow({ event, ...place }: { event: Event } & PlaceInList) {
  const t = useTexts('events');
  return (
    <Row event={event} sentence={<EventSentence event={event} />} button={t('details')} {...place}>
      <EventDetails event={event} />
    </Row>
  );
}

interface RowProps extends PlaceInList {
  event: Event;
  sentence: ReactNode;
  /** The label of the button that shows the details. */
  button: string;
  /** The details. */
  children: ReactNode;
}

/** A row whose details are collapsed. */
export function Row({ event, sentence, button, place, measure, children }: RowProps) {
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
      <div className={classes.line} data-opened={opened || undefined}>
        <Icon className={classes.icon} size={16} stroke={1.6} aria-hidden />
        <div className={classes.said}>{sentence}</div>
        <div className={classes.when}>
          <span className={classes.actor}>
            {[t(`actor.${event.actor.type}`), event.ipAddress].filter(Boolean).join(' · ')}
          </span>
          <TimeText at={event.occurredAt} />
        </div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={button}
          title={button}
          aria-expanded={opened}
          aria-controls={opened ? details : undefined}
          onClick={toggle}
        >
          <IconChevronDown className={classes.chevron!} size={16} aria-hidden />
        </ActionIcon>
      </div>
      {opened && <div id={details}>{children}</div>}
    </li>
  );
}
