import sql, { type Sql } from 'sql-template-tag';
import type { Queries } from '../../storage/database.ts';
import {
  type CursorPosition,
  keyColumn,
  type ListRequest,
  type Stretch,
  stretchesOf,
} from './member-order.ts';

const firstStep = 200;

/** SQLite only: examines the members of a site in an order, one after the other, until it has found enough matches. */
export class MemberWalk {
  /** The numbers of the matching members, at most as many as were requested. */
  readonly matches: number[] = [];
  readonly #db: Queries;
  readonly #request: ListRequest;
  readonly #condition: Sql;
  /** What is left of the order. */
  #stretches: Stretch[];
  #position: CursorPosition | undefined;
  #step = firstStep;

  /** @param condition what a member must fulfil to match */
  constructor(db: Queries, request: ListRequest, condition: Sql) {
    this.#db = db;
    this.#request = request;
    this.#condition = condition;
    this.#position = request.after;
    this.#stretches = stretchesOf(request.order, request.after);
  }

  /** Whether there are no members after those that were examined. */
  get isAtEnd(): boolean {
    return this.#stretches.length === 0;
  }

  get isFinished(): boolean {
    return this.isAtEnd || this.matches.length === this.#request.limit;
  }

  /** The id of the last member of the last complete step. */
  get examinedTo(): string | undefined {
    return this.#position?.id;
  }

  /** Examines about so many more members. Then no match is after `examinedTo`, unless the walk is finished. */
  async examine(count: number): Promise<void> {
    for (let left = count; left > 0 && !this.isFinished; this.#step *= 2) {
      const size = Math.min(this.#step, left);
      this.matches.push(...(await this.#matchesWithin(size)));
      // The last members of a stretch do not count: the position is known again after the next step.
      if (!this.isFinished && (await this.#advance(size))) left -= size;
    }
  }

  /** The first matches among the next members. SQLite reads them in their order, and no more than are needed. */
  async #matchesWithin(size: number): Promise<number[]> {
    const { condition, orderBy } = this.#stretches[0]!;
    const { siteId, limit } = this.#request;
    const rows = await this.#db.all<{ number: number }>(sql`
      SELECT number FROM (SELECT * FROM members WHERE site_id = ${siteId} AND ${condition} ${orderBy} LIMIT ${size})
      WHERE ${this.#condition} LIMIT ${limit - this.matches.length}`);
    return rows.map(({ number }) => number);
  }

  /** Returns false at the end of a stretch. */
  async #advance(size: number): Promise<boolean> {
    const { condition, orderBy } = this.#stretches[0]!;
    const { siteId, order } = this.#request;
    const last = await this.#db.get<CursorPosition>(sql`
      SELECT id, ${keyColumn(order)} AS key FROM members
      WHERE site_id = ${siteId} AND ${condition} ${orderBy} LIMIT 1 OFFSET ${size - 1}`);
    if (!last) {
      this.#stretches.shift();
      return false;
    }
    this.#position = last;
    this.#stretches = stretchesOf(order, last);
    return true;
  }
}
