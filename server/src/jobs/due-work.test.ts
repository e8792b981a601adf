import type { SourceRun } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { changing } from '../../test/change.ts';
import { movableTime } from '../../test/movable-time.ts';
import { forEachStore } from '../../test/stores.ts';
import { newId } from '../base/ids.ts';
import type { Metric } from '../base/metrics/metric.ts';
import { queueEmail } from '../domain/emails/emails.ts';
import { createSite } from '../domain/sites/sites.ts';
import { claimRun } from '../domain/sources/runs/run-lease.ts';
import { requestRun } from '../domain/sources/runs/runs.ts';
import { createSource, findStoredSource } from '../domain/sources/source/sources.ts';
import { openDatabase } from '../storage/open.ts';
import { DueWork, findDueWork } from './due-work.ts';

const content = { fromName: 'Club', subject: 'Log in', text: 'A link', html: '<p>A link' };

/** The values of each metric, by the job where it has one. */
const valuesOf = (metrics: readonly Metric[]) =>
  Object.fromEntries(
    metrics.flatMap(({ name, values }) => values.map(({ labels, value }) => [labels.job ?? name, value])),
  );

forEachStore((store) => {
  async function aStore() {
    const database = openDatabase(await store.migratedUrl(), { poolSize: 2 });
    let isOpen = true;
    const close = async () => {
      if (isOpen) await database.close();
      isOpen = false;
    };
    onTestFinished(close);
    return { database, close };
  }

  test('the oldest work that is due and the emails that wait are found over all sites', async () => {
    const { database } = await aStore();
    const { clock, advance } = movableTime();
    const now = () => clock().toISOString();
    const nothing = {
      gatehouse_emails_waiting: 0,
      'email-delivery': 0,
      'login-requests': 0,
      'source-sync': 0,
    };
    expect(valuesOf(await findDueWork(database, now()))).toEqual(nothing);
    for (const slug of ['first', 'second']) {
      const { id: siteId } = await changing(database, newId(), (change) => createSite(change, { slug }));
      const email = { type: 'login_link', memberId: null, loginLinkId: null, content } as const;
      await database.transaction((tx) =>
        queueEmail({ db: tx, siteId, now: now() }, { recipient: 'ada@example.com', ...email }),
      );
      advance(60_000);
    }
    expect(valuesOf(await findDueWork(database, now()))).toEqual({
      ...nothing,
      gatehouse_emails_waiting: 2,
      'email-delivery': 120,
    });
    // Emails that are being sent are not due.
    const later = new Date(clock().getTime() + 60_000).toISOString();
    await database.transaction((tx) => tx.run(sql`UPDATE emails SET next_attempt_at = ${later}`));
    expect(valuesOf(await findDueWork(database, now()))).toEqual({ ...nothing, gatehouse_emails_waiting: 2 });
  });

  test('a requested run is due since its request, and not while its source is being synchronized', async () => {
    const { database } = await aStore();
    const { id: siteId } = await changing(database, newId(), (change) =>
      createSite(change, { slug: 'club' }),
    );
    const source = await changing(database, siteId, (change) =>
      createSource(change, { type: 'program', name: 'Office' }),
    );
    const request = () =>
      changing(database, siteId, async (change) => {
        const stored = await findStoredSource({ db: change.db, siteId }, source.id);
        return requestRun(change, stored, { trigger: 'request' });
      });
    const after = (run: SourceRun, seconds: number) =>
      new Date(Date.parse(run.createdAt) + seconds * 1_000).toISOString();
    const ageAt = async (now: string) => valuesOf(await findDueWork(database, now))['source-sync'];

    const first = await request();
    expect(await ageAt(after(first, 5))).toBe(5);
    const claimedAt = after(first, 10);
    expect(
      await database.transaction((tx) => claimRun({ db: tx, siteId, now: claimedAt }, newId())),
    ).toBeDefined();
    const second = await request();
    expect(await ageAt(after(first, 60))).toBe(0);
    // The process is gone, and its lease has ended.
    expect(await ageAt(after(second, 75))).toBe(75);
  });

  test('a store that does not answer is reported, and no old numbers', async () => {
    const { database, close } = await aStore();
    const dueWork = new DueWork(database, () => new Date());
    expect(valuesOf(await dueWork.metrics())).toMatchObject({ gatehouse_store_up: 1, 'email-delivery': 0 });
    await close();
    const other = new DueWork(database, () => new Date());
    expect(valuesOf(await other.metrics())).toEqual({ gatehouse_store_up: 0 });
  });
});
