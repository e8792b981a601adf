import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { queueEmail } from '../../src/domain/emails/emails.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { changing } from '../change.ts';
import { startMailServer } from '../mail-server.ts';
import { forEachStore } from '../stores.ts';
import { eventually, makeSite, startProcess } from './gatehouse-process.ts';

const emails = 12;
const sentAtOnce = 5;
const content = { fromName: 'Club', subject: 'Log in', text: 'A link', html: '<p>A link' };

forEachStore((store) => {
  test('killed while sending, Gatehouse leaves every email and its lease to the next process', {
    timeout: 90_000,
  }, async () => {
    const databaseUrl = await store.migratedUrl();
    const { siteId } = await makeSite(databaseUrl);
    const database = openDatabase(databaseUrl, { poolSize: 2 });
    const recipients = Array.from({ length: emails }, (_, index) => `member-${index}@example.com`).toSorted();
    await changing(database, siteId, async (change) => {
      const email = { type: 'invitation', memberId: null, loginLinkId: null, content } as const;
      for (const recipient of recipients) await queueEmail(change, { ...email, recipient });
    });
    let arrived = 0;
    const silent = await startMailServer({
      email: () => {
        arrived += 1;
        return new Promise(() => {});
      },
    });
    const smtp = (url: string) => ({ GATEHOUSE_SMTP_URL: url, GATEHOUSE_MAIL_FROM: 'club@example.org' });

    const killed = await startProcess(databaseUrl, smtp(silent.url));
    await eventually(
      'the maximum number of emails is being sent',
      20_000,
      async () => arrived === sentAtOnce,
    );
    expect(await database.all(sql`SELECT job FROM job_leases`)).toEqual([{ job: 'email-delivery' }]);
    await killed.kill();
    const killedAt = new Date().toISOString();
    await silent.stop();
    const claimed = await database.all<{ attempts: number }>(
      sql`SELECT attempts FROM emails WHERE attempts > 0`,
    );
    expect(claimed).toHaveLength(sentAtOnce);
    // As if the two minutes of their claim were over.
    await database.transaction((tx) =>
      tx.run(sql`UPDATE emails SET next_attempt_at = created_at WHERE site_id = ${siteId}`),
    );
    // And the ten seconds of the lease.
    await database.transaction((tx) => tx.run(sql`UPDATE job_leases SET expires_at = ${killedAt}`));

    const server = await startMailServer();
    await startProcess(databaseUrl, smtp(server.url));
    await eventually('every email is sent', 40_000, async () => server.deliveries.length >= emails);
    expect(server.deliveries.flatMap((delivery) => delivery.recipients).sort()).toEqual(recipients);
    const left = () =>
      database.all(sql`SELECT id FROM emails WHERE site_id = ${siteId} AND status <> 'sent'`);
    await expect.poll(left).toEqual([]);
    await server.stop();
    await database.close();
  });
});
