import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changing } from '../../../../test/change.ts';
import { secretKey } from '../../../../test/secret-key.ts';
import { forEachStore, stopInTheEnd } from '../../../../test/stores.ts';
import type { TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';
import { testWorkspaces } from '../../../../test/workspace-settings.ts';
import { systemClock } from '../../../base/clock.ts';
import { newSecretKey, SecretBox } from '../../../base/encryption/secret-box.ts';
import { newId } from '../../../base/ids.ts';
import { BackgroundJobs } from '../../../jobs/background-jobs.ts';
import { emailComposer } from '../../../pages/emails/email-composer.ts';
import type { Database } from '../../../storage/database.ts';
import { openDatabase } from '../../../storage/open.ts';
import { placeOfSecret } from './source.ts';
import { sourceSecrets } from './source-secrets.ts';
import { createSource } from './sources.ts';

const newer = newSecretKey();
const [oldBox, newBox, bothBox] = [[secretKey], [newer], [newer, secretKey]].map(
  (keys) => new SecretBox(keys),
) as [SecretBox, SecretBox, SecretBox];
const settings = {
  eventRetentionDays: 90,
  purgeIntervalSeconds: 3_600,
  smtpUrl: undefined,
  mailFrom: undefined,
  emailLimits: { mailbox: 0, sender: 0, signUp: 0, signUpMailbox: 0 },
  workspaces: { ...testWorkspaces, secretKeys: [newer, secretKey] },
};
/** Several processes may take some time. */
const slowly = { timeout: 20_000 };

forEachStore((store) => {
  const server = useTestServer(store, {});

  /** A source with this secret. Returns its id. */
  async function aSecret({ siteId }: TestSite, sealed: (place: string) => string): Promise<string> {
    const { id } = await changing(server.database, siteId, (change) =>
      createSource(change, { type: 'program', name: newId() }),
    );
    await write(siteId, id, sealed(placeOfSecret(siteId, id)));
    return id;
  }

  const write = (siteId: string, id: string, secret: string) =>
    server.database.transaction((tx) =>
      tx.run(sql`UPDATE sources SET secret = ${secret} WHERE site_id = ${siteId} AND id = ${id}`),
    );

  async function secretOf({ siteId }: TestSite, id: string): Promise<string> {
    const row = await server.database.get<{ secret: string }>(
      sql`SELECT secret FROM sources WHERE site_id = ${siteId} AND id = ${id}`,
    );
    return row!.secret;
  }

  const renew = ({ siteId }: TestSite, secrets: SecretBox) =>
    server.database.transaction((tx) => sourceSecrets.renew({ db: tx, siteId }, secrets));

  test('secrets that are sealed with the older key are sealed with the new one', async () => {
    const site = await server.createSite();
    const [old, current] = [
      await aSecret(site, (place) => oldBox.seal('hush', place)),
      await aSecret(site, (place) => newBox.seal('hush', place)),
    ];
    const unchanged = await secretOf(site, current);
    const events = (await site.get('/events')).body.data.length;
    expect(await sourceSecrets.inspect({ db: server.database, siteId: site.siteId }, bothBox)).toEqual({
      stored: 2,
      old: 1,
      unreadable: [],
    });
    await renew(site, bothBox);
    expect(newBox.open(await secretOf(site, old), placeOfSecret(site.siteId, old))).toBe('hush');
    expect(await secretOf(site, current)).toBe(unchanged);
    expect(await sourceSecrets.inspect({ db: server.database, siteId: site.siteId }, newBox)).toEqual({
      stored: 2,
      old: 0,
      unreadable: [],
    });
    expect((await site.get('/events')).body.data).toHaveLength(events);
  });

  test('a secret that cannot be opened stays as it is, and does not stop the others', async () => {
    const site = await server.createSite();
    const [lost, copied, old] = [
      await aSecret(site, (place) => new SecretBox([newSecretKey()]).seal('hush', place)),
      await aSecret(site, () => oldBox.seal('hush', 'another place')),
      await aSecret(site, (place) => oldBox.seal('hush', place)),
    ];
    const before = [await secretOf(site, lost), await secretOf(site, copied)];
    await renew(site, bothBox);
    expect([await secretOf(site, lost), await secretOf(site, copied)]).toEqual(before);
    expect(newBox.open(await secretOf(site, old), placeOfSecret(site.siteId, old))).toBe('hush');
    const { unreadable, ...counts } = await sourceSecrets.inspect(
      { db: server.database, siteId: site.siteId },
      bothBox,
    );
    expect(counts).toEqual({ stored: 3, old: 0 });
    expect(unreadable).toHaveLength(2);
  });

  test('a secret that is entered meanwhile is not overwritten', async () => {
    const site = await server.createSite();
    const id = await aSecret(site, (place) => oldBox.seal('before', place));
    const place = placeOfSecret(site.siteId, id);
    const entered = oldBox.seal('entered', place);
    await server.database.transaction(async (tx) => {
      const meanwhile = new Proxy(tx, {
        get(target, name) {
          if (name !== 'run') return Reflect.get(target, name);
          return async (statement: ReturnType<typeof sql>) => {
            await target.run(sql`UPDATE sources SET secret = ${entered} WHERE site_id = ${site.siteId}`);
            return target.run(statement);
          };
        },
      });
      await sourceSecrets.renew({ db: meanwhile, siteId: site.siteId }, bothBox);
    });
    expect(await secretOf(site, id)).toBe(entered);
  });

  test('with two keys, several processes renew all secrets of all sites', async () => {
    const sites = await Promise.all(Array.from({ length: 4 }, () => server.createSite()));
    const all: { site: TestSite; id: string }[] = [];
    for (const site of [...sites, ...sites]) {
      all.push({ site, id: await aSecret(site, (place) => oldBox.seal('hush', place)) });
    }
    const databases: Database[] = [1, 2, 3].map(() => openDatabase(server.databaseUrl, { poolSize: 2 }));
    for (const database of databases) {
      const jobs = new BackgroundJobs(settings, {
        database,
        composer: emailComposer,
        clock: systemClock,
        report: () => {},
      });
      jobs.start();
      stopInTheEnd(async () => {
        await jobs.stop();
        await database.close();
      });
    }
    for (const { site, id } of all) {
      await expect.poll(async () => newBox.isCurrent(await secretOf(site, id)), slowly).toBe(true);
      expect(newBox.open(await secretOf(site, id), placeOfSecret(site.siteId, id))).toBe('hush');
    }
  });
});
