import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { createIdGenerator, timeOfId } from '../server/src/base/ids.ts';
import { nameKeyOf, searchTextOf } from '../server/src/members/member.ts';
import { mulberry32, personAt } from './data.ts';

/**
 * The bare SQL of creating members: the rows, indexes and events that Gatehouse writes, as prepared statements, made
 * ready before the clock starts. `/bare/bulk` writes 500 members in one transaction, `/bare/single` a hundred members
 * in a transaction each, with one fsync each. Both answer with the milliseconds it took.
 */
export function bareWrites(path: string): { answer(url: string, response: ServerResponse): void } {
  let writer: BareWriter | undefined;
  return {
    answer: (url, response) => {
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

  const newId = createIdGenerator();
  const random = mulberry32(1);
  let made = 500_000_000;

  const prepare = (count: number) => {
    const requestId = randomUUID();
    const actorId = newId();
    return Array.from({ length: count }, () => {
      const id = newId();
      const eventId = newId();
      const at = timeOfId(id);
      const { email, displayName } = personAt(made++, random);
      const data = JSON.stringify({ member: { id, email, displayName, status: 'active', paid: false } });
      const search = [nameKeyOf(displayName), searchTextOf(email, displayName)] as const;
      return {
        member: [siteId, id, email, displayName, ...search, 'active', 0, 0, at, at, at] as const,
        event: (position: number) =>
          [
            ...[siteId, position, eventId, 'member.created', at, 'key', actorId, 'Bench', requestId, id],
            ...[null, data],
          ] as const,
      };
    });
  };
  const write = (rows: ReturnType<typeof prepare>) => {
    begin.run();
    for (const { member } of rows) insertMember.run(...member);
    const { position } = moveHead.get(rows.length, siteId) as { position: number };
    let next = position - rows.length;
    for (const { event } of rows) insertEvent.run(...event(++next));
    commit.run();
  };
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

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
