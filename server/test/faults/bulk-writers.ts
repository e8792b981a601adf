import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import type { TestResponse } from '../test-server.ts';

export type Request = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<TestResponse | undefined>;

export interface BulkRequest {
  readonly name: string;
  /** undefined: no response arrived. */
  status: number | undefined;
}

export const bulkSize = 40;

/** Creates members in bulk with several concurrent clients until it is stopped. */
export class BulkWriters {
  readonly sent: BulkRequest[] = [];
  readonly #request: Request;
  readonly #groupId: string;
  readonly #pauseMilliseconds: number;
  readonly #running: Promise<unknown>;
  #stopped = false;

  /**
   * After a request without success, a writer pauses. All requests are repeated at the end, so pauses also limit how
   * long that takes.
   */
  constructor(request: Request, groupId: string, { writers = 6, pauseMilliseconds = 20 } = {}) {
    this.#request = request;
    this.#groupId = groupId;
    this.#pauseMilliseconds = pauseMilliseconds;
    this.#running = Promise.all(Array.from({ length: writers }, () => this.#write()));
  }

  /** Resolves when all requests in progress have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  answered(status: number): number {
    return this.sent.filter((request) => request.status === status).length;
  }

  /** Sends all requests again with the same keys. */
  async repeatAll(): Promise<void> {
    for (const { name } of this.sent) {
      const answer = await this.#request('POST', '/members/bulk', this.#body(name), {
        'idempotency-key': name,
      });
      expect(answer?.status, 'of a repeated request').toBe(207);
      expect(answer?.body.summary).toEqual({ total: bulkSize, created: bulkSize, failed: 0 });
    }
  }

  async #write(): Promise<void> {
    while (!this.#stopped) {
      const sent: BulkRequest = { name: randomUUID(), status: undefined };
      this.sent.push(sent);
      const headers = { 'idempotency-key': sent.name };
      const answer = await this.#request('POST', '/members/bulk', this.#body(sent.name), headers);
      sent.status = answer?.status;
      if (answer?.status !== 207) await sleep(this.#pauseMilliseconds);
    }
  }

  #body(name: string) {
    const members = Array.from({ length: bulkSize }, (_, index) => ({
      email: `${name}.${index}@example.com`,
    }));
    return { members, accessGroupIds: [this.#groupId] };
  }
}

/** The number of stored members of each request. */
export async function storedMembers(database: Database, siteId: string): Promise<Map<string, number>> {
  const rows = await database.all<{ email: string }>(
    sql`SELECT email FROM members WHERE site_id = ${siteId}`,
  );
  const counts = new Map<string, number>();
  for (const { email } of rows) {
    const name = email.slice(0, email.indexOf('.'));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Acknowledged requests are stored; the others are stored completely or not at all. */
export async function expectWholeRequests(
  database: Database,
  siteId: string,
  sent: readonly BulkRequest[],
): Promise<void> {
  const stored = await storedMembers(database, siteId);
  for (const { name, status } of sent) {
    const count = stored.get(name) ?? 0;
    if (status === 207) expect(count, 'members of a request that was answered').toBe(bulkSize);
    else expect([0, bulkSize], 'members of a request that was not answered').toContain(count);
  }
}

/** Every member is in the group once, and the counter is correct. */
export async function expectExactCounter(database: Database, siteId: string, groupId: string): Promise<void> {
  const row = await database.get<{ counter: number; memberships: number; members: number }>(sql`
    SELECT membership_count AS counter,
      (SELECT count(*) FROM memberships WHERE site_id = ${siteId} AND group_id = ${groupId}) AS memberships,
      (SELECT count(*) FROM members WHERE site_id = ${siteId}) AS members
    FROM access_groups WHERE site_id = ${siteId} AND id = ${groupId}`);
  expect([row!.counter, row!.memberships]).toEqual([row!.members, row!.members]);
}

/** The positions of events have no gaps: each change has recorded its events exactly once. */
export async function expectEveryEvent(database: Database, siteId: string): Promise<void> {
  const row = await database.get<{
    first: number;
    last: number;
    events: number;
    created: number;
    members: number;
  }>(sql`
    SELECT min(position) AS first, max(position) AS last, count(*) AS events,
      (SELECT count(*) FROM events WHERE site_id = ${siteId} AND type = 'member.created') AS created,
      (SELECT count(*) FROM members WHERE site_id = ${siteId}) AS members
    FROM events WHERE site_id = ${siteId}`);
  expect(row!.first).toBe(1);
  expect(row!.last).toBe(row!.events);
  expect(row!.created).toBe(row!.members);
}
