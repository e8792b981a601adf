import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { createIdGenerator, timeOfId } from '../server/src/base/ids.ts';
import { nameKeyOf, searchTextOf } from '../server/src/domain/members/member-columns.ts';
import { memberAt, mulberry32 } from './data.ts';

/**
 * The bare SQL of creating members: the rows, indexes and events that Gatehouse writes, as statements prepared before
 * the time is measured. `/bare/bulk` writes 500 members in one transaction, `/bare/single` a hundred members in
 * separate transactions with one fsync each. Both respond with the time in milliseconds.
 */
export function bareWrites(path: string): { respond(url: string, response: ServerResponse): void } {
  let writer: BareWriter | undefined;
  return {
    respond: (url, response) => {
      writer ??= openWriter(path);
      const milliseconds = url === '/bare/bulk' ? writer.bulk(500) : writer.singles(100);
      response.end(JSON.stringify({ milliseconds }));
    },
  };
}

interface BareWriter {
  bulk(members: number): number;
  singles(members: number): number;
}

function openWriter(path: string): BareWriter {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
  database.exec('PRAGMA cache_size = -16384');
  const { id: siteId } = database.prepare('SELECT id FROM sites').get() as { id: string };
  const prepare = rowMaker(siteId);
  const write = rowWriter(database, siteId);
  return {
    bulk: (members) => {
      const rows = prepare(members);
      return timed(() => write(rows));
    },
    singles: (members) => {
      const rows = prepare(members);
      return timed(() => {
        for (const row of rows) write([row]);
      });
    },
  };
}

/** The values of a member's row, and of its event once its position is known. */
interface PreparedRows {
  readonly member: readonly SQLInputValue[];
  readonly event: (position: number) => readonly SQLInputValue[];
}

function rowMaker(siteId: string): (count: number) => PreparedRows[] {
  const newId = createIdGenerator();
  const random = mulberry32(1);
  let made = 500_000_000;
  return (count) => {
    const requestId = randomUUID();
    const actorId = newId();
    return Array.from({ length: count }, () => {
      const id = newId();
      const eventId = newId();
      const at = timeOfId(id);
      const { email, displayName } = memberAt(made++, random);
      const data = JSON.stringify({ member: { id, email, displayName, status: 'active', paid: false } });
      const search = [nameKeyOf(displayName), searchTextOf({ email, displayName })] as const;
      return {
        member: [siteId, id, email, displayName, ...search, 'active', 0, 0, at, at, at],
        event: (position) => [
          siteId,
          position,
          eventId,
          'member.created',
          at,
          'key',
          actorId,
          'Bench',
          requestId,
          id,
          null,
          data,
        ],
      };
    });
  };
}

/** Writes rows in one transaction. */
function rowWriter(database: DatabaseSync, siteId: string): (rows: readonly PreparedRows[]) => void {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const insertMember = database.prepare(`
    INSERT INTO members (site_id, id, email, display_name, name_key, search_text, status, verified, paid,
      registered_at, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (site_id, email) DO NOTHING`);
  const moveHead = database.prepare(
    'UPDATE event_heads SET position = position + ? WHERE site_id = ? RETURNING position',
  );
  const insertEvent = database.prepare(`
    INSERT INTO events (site_id, position, id, type, occurred_at, actor_type, actor_id, actor_name, request_id,
      member_id, group_id, data)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const indexTexts = database.prepare(
    'INSERT INTO members_text (rowid, search_text) SELECT key, search_text FROM members_text_queue',
  );
  const emptyQueue = database.prepare('DELETE FROM members_text_queue');
  return (rows) => {
    begin.run();
    for (const { member } of rows) insertMember.run(...member);
    const { position } = moveHead.get(rows.length, siteId) as { position: number };
    let next = position - rows.length;
    for (const { event } of rows) insertEvent.run(...event(++next));
    indexTexts.run();
    emptyQueue.run();
    commit.run();
  };
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
