import sql, { join, raw } from 'sql-template-tag';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import type { Queries, Transaction } from '../database.ts';
import type { SiteData } from '../site-view.ts';
import { allValues } from './results.ts';

/** The columns of a table with sealed texts. */
export interface SealedColumns {
  readonly table: string;
  /** For which place each column is sealed. */
  readonly places: Readonly<Record<string, (siteId: string, id: string) => string>>;
  /** What a row is called in messages: SQL with a text. */
  readonly name: string;
}

/** The state of the sealed texts of a site. */
export interface SealedState {
  /** The number of rows that have one. */
  readonly stored: number;
  /** How many of them can be opened only with an older key. */
  readonly old: number;
  /** The names of those that cannot be opened. */
  readonly unreadable: readonly string[];
}

/** Renews and inspects sealed texts. */
export interface SealedTexts {
  /** The sites with texts that are sealed with an older key. */
  findOldSites(db: Queries, secrets: SecretBox): Promise<string[]>;
  /**
   * Seals the texts of a site with the current key. Those that cannot be opened stay as they are. Nothing that anyone
   * sees changes, so there is no event.
   */
  renew(view: SiteData<Transaction>, secrets: SecretBox): Promise<void>;
  inspect(view: SiteData, secrets: SecretBox): Promise<SealedState>;
}

export function sealedTextsOf(columns: SealedColumns): SealedTexts {
  return {
    findOldSites: (db, secrets) => findOldSites(db, columns, secrets.olderPrefixes),
    renew: (view, secrets) => renew(view, columns, secrets),
    inspect: async (view, secrets) => {
      const rows = await selectRows(view, columns);
      const unreadable = rows.filter(({ texts }) =>
        texts.some((text) => textIn(text, secrets) === undefined),
      );
      const old = rows.filter(({ texts }) => texts.some(({ sealed }) => !secrets.isCurrent(sealed)));
      return {
        stored: rows.length,
        old: old.filter((row) => !unreadable.includes(row)).length,
        unreadable: unreadable.map(({ name }) => name),
      };
    },
  };
}

async function findOldSites(
  db: Queries,
  { table, places }: SealedColumns,
  prefixes: readonly string[],
): Promise<string[]> {
  if (prefixes.length === 0) return [];
  const forms = prefixes.flatMap((prefix) =>
    Object.keys(places).map((column) => sql`${raw(column)} LIKE ${`${prefix}%`}`),
  );
  return allValues(db, sql`SELECT DISTINCT site_id FROM ${raw(table)} WHERE ${join(forms, ' OR ')}`);
}

async function renew(view: SiteData<Transaction>, columns: SealedColumns, secrets: SecretBox): Promise<void> {
  const { db, siteId } = view;
  const table = raw(columns.table);
  for (const { id, texts } of await selectRows(view, columns)) {
    for (const each of texts) {
      const { column, sealed, place } = each;
      const text = secrets.isCurrent(sealed) ? undefined : textIn(each, secrets);
      if (text === undefined) continue;
      const name = raw(column);
      // One that was changed since it was read stays as it is.
      await db.run(sql`
        UPDATE ${table} SET ${name} = ${secrets.seal(text, place)}
        WHERE site_id = ${siteId} AND id = ${id} AND ${name} = ${sealed}`);
    }
  }
}

interface SealedText {
  readonly column: string;
  readonly sealed: string;
  readonly place: string;
}

interface SealedRow {
  readonly id: string;
  readonly name: string;
  /** At least one. */
  readonly texts: readonly SealedText[];
}

async function selectRows(
  { db, siteId }: SiteData,
  { table, places, name }: SealedColumns,
): Promise<SealedRow[]> {
  const list = raw(Object.keys(places).join(', '));
  const rows = await db.all<Record<string, string | null>>(
    sql`SELECT id, ${raw(name)} AS "nameOfRow", ${list} FROM ${raw(table)} WHERE site_id = ${siteId} ORDER BY id`,
  );
  return rows.flatMap(({ id, nameOfRow, ...sealedTexts }) => {
    const texts = Object.entries(sealedTexts).flatMap(([column, sealed]) =>
      sealed === null ? [] : { column, sealed, place: places[column]!(siteId, id!) },
    );
    return texts.length === 0 ? [] : { id: id!, name: nameOfRow!, texts };
  });
}

/** Undefined if it cannot be opened. */
function textIn({ sealed, place }: SealedText, secrets: SecretBox): string | undefined {
  return secrets.openIfPossible(sealed, place);
}
