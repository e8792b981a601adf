import { type Event, eventTypes } from '@gatehouse/contract';
import type { Command } from 'commander';
import { describeFailure } from '../../app/describe-failure.ts';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { untilSignal } from '../../app/log/until-signal.ts';
import { isUuid } from '../../base/ids.ts';
import { printable } from '../../base/text/printable.ts';
import { systemTimers } from '../../base/timers.ts';
import {
  type FeedCursor,
  type FeedEvent,
  findCursorAfter,
  findEndOfFeed,
} from '../../domain/events/event-feed.ts';
import { EventFeeds, type FeedReader } from '../../runtime/event-feeds.ts';
import { actorOf } from '../api/columns.ts';
import { fieldsText } from '../api/values.ts';
import { addCommand, type CommonOptions, gather, groupOf } from '../shared/add-command.ts';
import { requireSite, withDatabase } from '../shared/store.ts';

interface TailOptions extends CommonOptions {
  readonly site?: string;
  readonly type?: readonly string[];
  readonly after?: string;
}

export function addEventsTailCommand(program: Command): void {
  const events = groupOf(program, 'events', 'follow what happens on a site');
  const examples = [
    'events tail --site club',
    'events tail --type member.created --type member.login --json',
  ];
  addCommand(events, 'tail', 'print the events of a site as they happen, until it is stopped', examples)
    .option('--site <slug>', 'the site (not needed if there is only one)')
    .option('--type <type>', 'only events of this type; may be given several times', gather)
    .option('--after <id>', 'begin after the event with this id instead of now')
    .action(tail);
}

async function tail({ json = false, site: slug, type: types, after }: TailOptions): Promise<void> {
  const unknown = types?.find((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown !== undefined) throw new WrongUsage(`There is no event type "${unknown}". See /docs.`);
  if (after !== undefined && !isUuid(after)) throw new WrongUsage('--after must be the id of an event.');
  const wanted = types && new Set(types);
  const print = (events: readonly FeedEvent[]) => {
    for (const { event } of events) {
      if (!wanted || wanted.has(event.type))
        process.stdout.write(`${json ? JSON.stringify(event) : line(event)}\n`);
    }
  };
  await withDatabase(async (database) => {
    const { id: siteId } = await requireSite(database, slug);
    const cursor = await (after === undefined
      ? findEndOfFeed({ db: database, siteId })
      : findCursorAfter({ db: database, siteId }, after.toLowerCase()));
    const feeds = new EventFeeds({
      database,
      timers: systemTimers,
      onError: (error) => process.stderr.write(`gatehouse: ${describeFailure(error).message}\n`),
    });
    await untilStopped(feeds, siteId, cursor, print);
  });
}

/** Prints what came after a cursor in the feed, and from then on what happens. */
async function untilStopped(
  feeds: EventFeeds,
  siteId: string,
  cursor: FeedCursor,
  print: (events: readonly FeedEvent[]) => void,
): Promise<void> {
  let isStopped = false;
  const lost = Promise.withResolvers<void>();
  const end = () =>
    lost.reject(
      new CommandFailure('events_lost', 'The database has lost events that were printed. Start again.'),
    );
  // It may be lost while no one waits for it yet.
  lost.promise.catch(() => {});
  const reader: FeedReader = { receive: print, end };
  const stopped = untilSignal().then(() => {
    isStopped = true;
  });
  for (let { position } = cursor, isBehind = true; !isStopped; ) {
    if (!isBehind && feeds.join(siteId, position, reader)) break;
    const page = await feeds.readPage(siteId, position);
    if (page.events.length > 0) print(page.events);
    ({ position } = page);
    isBehind = !page.isLast;
  }
  await Promise.race([stopped, lost.promise]).finally(() => feeds.leave(siteId, reader));
}

/** The event in one line: its time, its type, who caused it, and what it is about. */
function line({ occurredAt, type, actor, data }: Event): string {
  return printable(`${occurredAt}  ${type}  ${actorOf(actor)}  ${fieldsText(data)}`);
}
