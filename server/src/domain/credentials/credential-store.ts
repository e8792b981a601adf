import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Timestamp } from '../../base/clock.ts';
import { idsOf } from '../../base/ids.ts';
import type { Queries, Transaction } from '../../storage/database.ts';
import type { SiteData, SiteView } from '../../storage/site-view.ts';
import { type ExpiredRow, expiryOf } from '../../storage/sql/expiring-rows.ts';
import { allValues, hasRow } from '../../storage/sql/results.ts';
import { valueList } from '../../storage/sql/value-list.ts';

/** Identifies a credential of a member. */
export interface CredentialKey {
  readonly id: string;
  readonly memberId: string;
}

/** The table of a kind of credential of which a member can have several, and whose hash is in `token_hash`. */
export interface CredentialTable {
  readonly name: string;
  /** For SELECT: each column with the name of its field. */
  readonly columns: Sql;
  /** The condition that a credential has not expired. */
  readonly isValid: (now: Timestamp) => Sql;
}

const key = raw('id, member_id AS "memberId"');

/** The statements that are the same for each kind of credential. */
export class CredentialStore<Credential extends { readonly id: string }> {
  /** A few expired ones, over all sites. */
  readonly findExpired: (db: Queries, now: Timestamp, limit: number) => Promise<ExpiredRow[]>;
  readonly #table: Sql;
  readonly #columns: Sql;
  readonly #isValid: CredentialTable['isValid'];

  constructor({ name, columns, isValid }: CredentialTable) {
    this.#table = raw(name);
    this.#columns = columns;
    this.#isValid = isValid;
    this.findExpired = expiryOf({ table: name, time: 'expires_at' }).find;
  }

  /** The valid ones of a member, newest first. */
  selectOf(
    { db, siteId, now }: SiteView,
    memberId: string,
    after: string | undefined,
    limit: number,
  ): Promise<Credential[]> {
    return db.all(sql`
      SELECT ${this.#columns} FROM ${this.#table}
      WHERE site_id = ${siteId} AND member_id = ${memberId} AND ${this.#isValid(now)}
        ${after === undefined ? empty : sql`AND id < ${after}`}
      ORDER BY id DESC LIMIT ${limit}`);
  }

  /** Whether the member has this one, expired or not. */
  has({ db, siteId }: SiteData, memberId: string, id: string): Promise<boolean> {
    return hasRow(
      db,
      sql`SELECT id FROM ${this.#table} WHERE site_id = ${siteId} AND id = ${id} AND member_id = ${memberId}`,
    );
  }

  /** Which of these hashes are those of valid ones. */
  selectValid({ db, siteId, now }: SiteView, hashes: readonly string[]): Promise<string[]> {
    return allValues(
      db,
      sql`SELECT token_hash FROM ${this.#table}
        WHERE site_id = ${siteId} AND token_hash IN ${valueList(hashes)} AND ${this.#isValid(now)}`,
    );
  }

  /** Returns false when the member has no such one, or it has expired. */
  async delete(
    { db, siteId, now }: SiteView<Transaction>,
    { id, memberId }: CredentialKey,
  ): Promise<boolean> {
    const deleted = await db.run(sql`
      DELETE FROM ${this.#table}
      WHERE site_id = ${siteId} AND id = ${id} AND member_id = ${memberId} AND ${this.#isValid(now)}`);
    return deleted > 0;
  }

  /** Deletes every one of some members, or all but one. */
  deleteOf(
    { db, siteId }: SiteData<Transaction>,
    memberIds: readonly string[],
    exceptId: string | null = null,
  ): Promise<CredentialKey[]> {
    return db.all(sql`
      DELETE FROM ${this.#table} WHERE site_id = ${siteId} AND member_id IN ${valueList(memberIds)}
        ${exceptId === null ? empty : sql`AND id <> ${exceptId}`}
      RETURNING ${key}`);
  }

  /** Deletes the expired ones of a member. */
  deleteExpiredOf({ db, siteId, now }: SiteView<Transaction>, memberId: string): Promise<CredentialKey[]> {
    return db.all(sql`
      DELETE FROM ${this.#table} WHERE site_id = ${siteId} AND member_id = ${memberId} AND expires_at <= ${now}
      RETURNING ${key}`);
  }

  /** Deletes those of the given ones that have expired, and have not been used since they were found. */
  deleteExpired(
    { db, siteId, now }: SiteView<Transaction>,
    rows: readonly ExpiredRow[],
  ): Promise<CredentialKey[]> {
    return db.all(sql`
      DELETE FROM ${this.#table} WHERE site_id = ${siteId} AND id IN ${valueList(idsOf(rows))} AND expires_at <= ${now}
      RETURNING ${key}`);
  }
}
