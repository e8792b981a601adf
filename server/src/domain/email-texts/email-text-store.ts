import sql, { empty } from 'sql-template-tag';
import type { Transaction } from '../../storage/database.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { TableColumns } from '../../storage/sql/columns.ts';
import type { StoredEmailTexts } from './email-text.ts';

const columns = new TableColumns<StoredEmailTexts>('email_texts', {
  language: 'language',
  greeting: 'greeting',
  closing: 'closing',
  welcome: 'welcome',
});

export function selectEmailTexts(view: SiteData): Promise<StoredEmailTexts[]> {
  return columns.find(view, empty);
}

export async function saveEmailTexts(view: SiteData<Transaction>, texts: StoredEmailTexts): Promise<void> {
  await columns.insert(view, [texts], {
    ending: `ON CONFLICT (site_id, language)
      DO UPDATE SET greeting = excluded.greeting, closing = excluded.closing, welcome = excluded.welcome`,
  });
}

export async function deleteEmailTexts(
  { db, siteId }: SiteData<Transaction>,
  language: string,
): Promise<void> {
  await db.run(sql`DELETE FROM email_texts WHERE site_id = ${siteId} AND language = ${language}`);
}
