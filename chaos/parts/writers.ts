import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { HttpResponse, Send } from './http.ts';
import { Tally } from './load.ts';
import { type CheckedPromise, promise } from './outcome.ts';
import { until } from './world.ts';

const bulkSize = 40;
const pauseMilliseconds = 50;
/** How many requests that were not acknowledged are repeated; each may take as long as the service needs to recover. */
const maxRepeated = 400;

interface Write {
  readonly key: string;
  readonly isBulk: boolean;
  acknowledged: boolean;
}

/**
 * Clients that create members one by one and in bulk, each request with an idempotency key, until they are stopped.
 * They know what was acknowledged, and when writes succeeded again.
 */
export class Writers {
  /** The responses since the start, or since `countAnew`. */
  tally = new Tally();
  readonly #send: Send;
  readonly #groupId: string;
  readonly #writes: Write[] = [];
  readonly #running: Promise<unknown>;
  #isStopped = false;
  /** When the newest acknowledged request was sent. */
  #newestSuccess = 0;

  constructor(send: Send, groupId: string, { singles = 2, bulks = 2 } = {}) {
    this.#send = send;
    this.#groupId = groupId;
    const clients = [...Array<boolean>(singles).fill(false), ...Array<boolean>(bulks).fill(true)];
    this.#running = Promise.all(clients.map((isBulk) => this.#write(isBulk)));
  }

  get acknowledgedMembers(): number {
    return this.#writes
      .filter(({ acknowledged }) => acknowledged)
      .reduce((sum, { isBulk }) => sum + (isBulk ? bulkSize : 1), 0);
  }

  /** Whether a request was acknowledged that had been sent after this time (of `performance.now`). */
  hasSucceededSince(time: number): boolean {
    return this.#newestSuccess > time;
  }

  /** Returns what was counted until now. */
  countAnew(): Tally {
    const { tally } = this;
    this.tally = new Tally();
    return tally;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /**
   * Compares what was acknowledged with what the site has. Repeats the last requests with the keys that they had, both
   * those that were acknowledged and those that were not.
   */
  async check(sql: postgres.Sql, siteId: string): Promise<{ lost: number; promises: CheckedPromise[] }> {
    const before = await storedMembers(sql, siteId);
    const lost = this.#writes.filter(({ key, acknowledged }) => acknowledged && !before.has(key)).length;
    const torn = this.#writes.filter(
      ({ key, isBulk }) => ![0, isBulk ? bulkSize : 1].includes(before.get(key) ?? 0),
    );
    const repeated = await this.#repeat();
    const after = await storedMembers(sql, siteId);
    const wrong = this.#writes.filter(({ key, isBulk }) => {
      const count = after.get(key);
      return count !== undefined && count !== (isBulk ? bulkSize : 1);
    });
    const feed = await readFeed(sql, siteId);
    return {
      lost,
      promises: [
        promise('no acknowledged write is lost', lost === 0, `${lost} of ${this.#acknowledged()} requests`),
        promise('a bulk is stored completely or not at all', torn.length === 0, `${torn.length} in part`),
        promise(
          'repeats with the same key take effect once, without a conflict',
          repeated.bad === 0 && wrong.length === 0,
          `${repeated.total} repeated, ${repeated.bad} with another result, ${wrong.length} stored twice`,
        ),
        promise(
          'the event feed has no gap and no duplicate',
          feed.events === feed.last && feed.created === feed.members,
          `${feed.events} events, the last at ${feed.last}; ${feed.created} for ${feed.members} members`,
        ),
        promise(
          'the counter of the group is exact',
          feed.counter === feed.memberships && feed.memberships === feed.members,
          `${feed.counter}, with ${feed.memberships} memberships of ${feed.members} members`,
        ),
      ],
    };
  }

  #acknowledged(): number {
    return this.#writes.filter(({ acknowledged }) => acknowledged).length;
  }

  async #write(isBulk: boolean): Promise<void> {
    while (!this.#isStopped) {
      const write: Write = { key: randomUUID(), isBulk, acknowledged: false };
      this.#writes.push(write);
      const sentAt = performance.now();
      const response = await this.#sendWrite(write);
      this.tally.add(response);
      write.acknowledged = isSuccess(write, response);
      if (write.acknowledged) this.#newestSuccess = Math.max(this.#newestSuccess, sentAt);
      else await sleep(pauseMilliseconds);
    }
  }

  #sendWrite({ key, isBulk }: Write): Promise<HttpResponse> {
    const headers = { 'idempotency-key': key };
    const accessGroupIds = [this.#groupId];
    if (!isBulk)
      return this.#send('POST', '/members', { headers, body: { email: emailOf(key, 0), accessGroupIds } });
    const members = Array.from({ length: bulkSize }, (_, index) => ({ email: emailOf(key, index) }));
    return this.#send('POST', '/members/bulk', { headers, body: { members, accessGroupIds } });
  }

  async #repeat(): Promise<{ total: number; bad: number }> {
    const failed = this.#writes.filter(({ acknowledged }) => !acknowledged).slice(-maxRepeated);
    const succeeded = this.#writes.filter(({ acknowledged }) => acknowledged).slice(-maxRepeated);
    let bad = 0;
    for (const write of [...failed, ...succeeded]) {
      if (!isSuccess(write, await this.#sendWrite(write))) bad += 1;
    }
    return { total: failed.length + succeeded.length, bad };
  }
}

function isSuccess({ isBulk }: Write, { status, text }: HttpResponse): boolean {
  if (!isBulk) return status === 201;
  return status === 207 && JSON.parse(text).summary.created === bulkSize;
}

function emailOf(key: string, index: number): string {
  return `${key}.${index}@example.com`;
}

/** The number of stored members of each request. */
async function storedMembers(sql: postgres.Sql, siteId: string): Promise<Map<string, number>> {
  const rows = await sql<{ key: string; count: number }[]>`
    SELECT split_part(email, '.', 1) AS key, count(*)::int AS count FROM members
    WHERE site_id = ${siteId} GROUP BY 1`;
  return new Map(rows.map(({ key, count }) => [key, count]));
}

interface Feed {
  readonly events: number;
  readonly last: number;
  readonly created: number;
  readonly members: number;
  readonly memberships: number;
  readonly counter: number;
}

async function readFeed(sql: postgres.Sql, siteId: string): Promise<Feed> {
  const [row] = await sql<Feed[]>`
    SELECT count(*)::int AS events, max(position)::int AS last,
      (count(*) FILTER (WHERE type = 'member.created'))::int AS created,
      (SELECT count(*) FROM members WHERE site_id = ${siteId})::int AS members,
      (SELECT count(*) FROM memberships WHERE site_id = ${siteId})::int AS memberships,
      (SELECT sum(membership_count) FROM access_groups WHERE site_id = ${siteId})::int AS counter
    FROM events WHERE site_id = ${siteId}`;
  return row!;
}

/** Creates an access group for the members that writers create. Returns its ID. */
export async function createGroup(send: Send): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const created = await until('the creation of the group', 30, async () => {
    const response = await send('POST', '/access-groups', { headers, body: { name: 'Chaos' } });
    // On a busy machine, the first connections may take a while.
    return response.status !== 503 && response;
  });
  if (created.status !== 201) throw new Error(`The group was not created: ${created.status} ${created.text}`);
  return JSON.parse(created.text).data.id;
}

export async function findSiteId(sql: postgres.Sql, slug: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`SELECT id FROM sites WHERE slug = ${slug}`;
  return row!.id;
}
