import { DatabaseSync } from 'node:sqlite';
import { permissions } from '@gatehouse/contract/permissions';
import sql from 'sql-template-tag';
import { createIdGenerator, newId, timeOfId } from '../server/src/base/ids.ts';
import { createAccessGroup } from '../server/src/domain/access-groups/access-groups.ts';
import { createApiKey } from '../server/src/domain/api-keys/api-keys.ts';
import { textColumns } from '../server/src/domain/members/member-columns.ts';
import { createSite } from '../server/src/domain/sites/sites.ts';
import type { Database, Transaction, Value } from '../server/src/storage/database.ts';
import { sqlitePath } from '../server/src/storage/database-url.ts';
import { migrate } from '../server/src/storage/migrations/migrations.ts';
import { openDatabase } from '../server/src/storage/open.ts';
import type { SiteData } from '../server/src/storage/site-view.ts';
import { SqliteConnection } from '../server/src/storage/sqlite/sqlite-connection.ts';
import { changing } from '../server/test/change.ts';
import { writeCounts } from './write-counts.ts';

/** A database with one site, and the data that loads need. */
export interface Dataset {
  readonly databaseUrl: string;
  readonly siteId: string;
  readonly key: string;
  readonly keyId: string;
  readonly members: number;
  /** A group with one eighth of the memberships. */
  readonly groupId: string;
  /** The ids of members from all parts of the site. */
  readonly sample: readonly string[];
  /** The last member of page 999 of the default list, with 50 members per page. */
  readonly pageThousand: string | undefined;
}

/** Search words, and how many members match them. */
export const words = {
  /** 5 members of every site. */
  rare: 'quenby',
  /** 2 in 1,000, in all parts of the site. */
  middling: 'ottoline',
  /** 15 in 10,000, all of them among the oldest. */
  oldest: 'perpetua',
  /** 1 in 20. */
  common: 'marisol',
} as const;

const pageSize = 50;
const sampleSize = 5_000;
const rowsInTransaction = 5_000;
export const threeYears = 3 * 365 * 86_400_000;

/** Fills an empty database with one site and this number of members, the same ones in every run. */
export async function fillDatabase(databaseUrl: string, members: number): Promise<Dataset> {
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  try {
    await migrate(database);
    return await fill(database, databaseUrl, members);
  } finally {
    await database.close();
  }
}

async function fill(database: Database, databaseUrl: string, members: number): Promise<Dataset> {
  const { siteId, key, keyId, groupIds } = await changing(database, newId(), async (change) => {
    const site = await createSite(change, { slug: 'bench', title: 'Bench' });
    const { apiKey, secret } = await createApiKey(change, { name: 'Bench', permissions });
    const ids: string[] = [];
    for (const name of groupNames) ids.push((await createAccessGroup(change, { name })).id);
    return { siteId: site.id, key: secret, keyId: apiKey.id, groupIds: ids };
  });

  const start = Date.now() - threeYears;
  let now = start;
  const nextId = createIdGenerator(() => new Date(now));
  const random = mulberry32(members);
  const sample: string[] = [];
  let pageThousand: string | undefined;
  const memberships = new Map<string, number>();
  const writer = writerTo(database, databaseUrl);
  for (let first = 0; first < members; first += rowsInTransaction) {
    const rows: Value[][] = [];
    const added: Value[][] = [];
    for (let index = first; index < Math.min(first + rowsInTransaction, members); index += 1) {
      now = start + Math.floor((index / members) * threeYears);
      const id = nextId();
      rows.push(memberRow(siteId, id, index, members, random));
      for (const groupId of groupsOf(index, groupIds)) {
        added.push([siteId, groupId, id, 'api', timeOfId(id), null]);
        memberships.set(groupId, (memberships.get(groupId) ?? 0) + 1);
      }
      if (index % Math.ceil(members / sampleSize) === 0) sample.push(id);
      if (members - index === 999 * pageSize) pageThousand = id;
    }
    await writer.write([
      { table: 'members', columns: memberColumns, rows },
      { table: 'memberships', columns: membershipColumns, rows: added },
    ]);
  }
  writer.close();
  await database.transaction((tx) => countMemberships({ db: tx, siteId }, memberships));
  await changing(database, siteId, writeCounts);
  if (database.dialect === 'postgres') await database.run(sql`ANALYZE`);
  return {
    databaseUrl,
    siteId,
    key,
    keyId,
    members,
    pageThousand,
    groupId: groupIds[0]!,
    sample: shuffled(sample, random),
  };
}

interface Batch {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Value[][];
}

/** Returns a fast bulk writer: on SQLite it bypasses the server's writer and does not wait for the disk. */
function writerTo(
  database: Database,
  databaseUrl: string,
): { write(batches: Batch[]): Promise<void>; close(): void } {
  if (database.dialect === 'postgres') {
    const write = (batches: Batch[]) =>
      database.transaction(async (tx) => {
        for (const { table, columns, rows } of batches) await tx.insert(table, columns, rows);
      });
    return { write, close: () => {} };
  }
  const connection = new SqliteConnection(new DatabaseSync(sqlitePath(databaseUrl)), () => {});
  connection.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY');
  return {
    write: async (batches) => {
      connection.exec('BEGIN');
      for (const { table, columns, rows } of batches) connection.insert(table, columns, rows);
      connection.exec('COMMIT');
    },
    close: () => connection.close(),
  };
}

async function countMemberships(
  { db, siteId }: SiteData<Transaction>,
  counts: Map<string, number>,
): Promise<void> {
  for (const [groupId, count] of counts) {
    await db.run(
      sql`UPDATE access_groups SET membership_count = ${count} WHERE site_id = ${siteId} AND id = ${groupId}`,
    );
  }
}

const memberColumns = [
  'site_id',
  'id',
  'email',
  ...textColumns.map(({ name }) => name),
  'status',
  'verified',
  'paid',
  'registered_at',
  'last_login_at',
  'created_at',
  'updated_at',
];

const membershipColumns = ['site_id', 'group_id', 'member_id', 'source', 'added_at', 'expires_at'];

function memberRow(
  siteId: string,
  id: string,
  index: number,
  members: number,
  random: () => number,
): Value[] {
  const createdAt = timeOfId(id);
  const { email, displayName } = memberAt(index, random, firstNameAt(index, members));
  const later = () =>
    new Date(Date.parse(createdAt) + Math.floor(random() * 30) * 86_400_000 + 1_000).toISOString();
  return [
    siteId,
    id,
    email,
    ...textColumns.map(({ value }) => value({ email, displayName })),
    index % 100 === 7 ? 'blocked' : 'active',
    index % 10 < 6,
    index % 5 === 0,
    createdAt,
    index % 3 === 0 ? null : later(),
    createdAt,
    index % 4 === 0 ? later() : createdAt,
  ];
}

/** Generates the member with this index, typical of a site for clubs or readers. */
export function memberAt(
  index: number,
  random: () => number,
  special?: string,
): { email: string; displayName: string } {
  const firstName = special ?? pick(firstNames, random);
  const lastName = pick(lastNames, random);
  const domain = pick(domains, random);
  const email = `${firstName}.${lastName}${index}@${domain}`.toLowerCase().replaceAll(/[^a-z0-9.@-]/g, '');
  return { email, displayName: `${firstName} ${lastName}` };
}

function firstNameAt(index: number, members: number): string | undefined {
  if (index % (members / 5) === 3) return 'Quenby';
  if (index < members * 0.0015) return 'Perpetua';
  if (index % 500 === 11) return 'Ottoline';
  if (index % 20 === 13) return 'Marisol';
  return undefined;
}

/** Selects none, one or two of the groups. */
function groupsOf(index: number, groupIds: readonly string[]): string[] {
  const one = groupIds[index % groupIds.length]!;
  const other = groupIds[(index + 1) % groupIds.length]!;
  return [[], [one], [other], [one, other]][Math.floor(index / 7) % 4]!;
}

function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)]!;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** A small random number generator for numbers from 0 to 1 (mulberry32), so that every run has the same data. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const groupNames = [
  'Archive',
  'Board',
  'Coaches',
  'Donors',
  'Early access',
  'Newsletter',
  'Patrons',
  'Press',
];
export const domains = [
  'example.com',
  'mail.example.org',
  'post.example.net',
  'club.example',
  'uni.example.edu',
];
export const firstNames =
  'Ada Amir Anna Björn Carla Chen Clara Daniel Deniz Elena Emil Fatima Felix Grace Hana Hugo Ines Ivan Jana João Julia Kofi Lars Lea Linh Luca Mateo Mia Mila Nadia Noah Olga Omar Paul Priya Rosa Sam Sofía Tariq Tomás Uma Vera Wei Yara Yuki Zoë'.split(
    ' ',
  );
export const lastNames =
  'Abebe Ahmed Andersen Bauer Becker Bianchi Brown Castro Costa Diallo Dubois Eriksson Fernández Fischer Garcia Haddad Hansen Hoffmann Ito Ivanova Jansen Johnson Kaya Kim Klein Kowalski Kumar Larsen Lefèvre Lopez Martin Meyer Moreau Müller Nguyen Novak Okafor Oliveira Park Petrov Rossi Santos Schmidt Silva Singh Smith Tanaka Virtanen Wang Weber Williams Yilmaz'.split(
    ' ',
  );
