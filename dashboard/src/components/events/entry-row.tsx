import { useTexts } from '../../languages/texts.tsx';
import type { EventEntry } from './event-entries.ts';
import { EventRow, type PlaceInList, Row } from './event-row.tsx';
import { ManySentence } from './event-sentence.tsx';
import { FoldedEvents } from './folded-events.tsx';

/** A row for an event or a bulk action. */
export function EntryRow({ entry, ...place }: { entry: EventEntry } & PlaceInList) {
  const t = useTexts('events');
  if (!entry.folded) return <EventRow event={entry.event} {...place} />;
  const { event, folded } = entry;
  return (
    <Row
      event={event}
      sentence={<ManySentence event={event} count={folded.count} />}
      button={t('eventsOf', { count: folded.total })}
      {...place}
    >
      <FoldedEvents entry={entry} />
    </Row>
  );
}
