import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { day, hour, movableClock } from '../../test/contract/use-server.ts';
import { eventually } from '../../test/faults/gatehouse-process.ts';
import { type MailServer, type MailServerBehaviour, startMailServer } from '../../test/mail-server.ts';
import { forEachStore } from '../../test/stores.ts';
import { systemCause } from '../base/cause.ts';
import { newId } from '../base/ids.ts';
import { createSite } from '../sites/sites.ts';
import type { Database } from '../storage/database.ts';
import { StoreUnavailable } from '../storage/errors.ts';
import { migrate } from '../storage/migrations.ts';
import { openDatabase } from '../storage/open.ts';
import type { NewMail } from './mail.ts';
import { queueMail } from './mails.ts';
import { Outbox, type OutboxParts } from './outbox.ts';
import { createSmtpTransport, MailServerAway, type MailTransport, type OutgoingMail } from './transport.ts';

const minute = 60_000;
const secret = 'https://club.example.org/_gatehouse/link/secret';
const content = { fromName: 'Club', subject: 'Log in', text: `Open ${secret}`, html: `<a href="${secret}">` };

interface Stored {
  id: string;
  recipient: string;
  content: string | null;
  state: string;
  attempts: number;
  next_attempt_at: string | null;
  last_error: string | null;
  sent_at: string | null;
}

/** What a log was told, by what it was told of. */
function aLog() {
  const told = { kept: [] as object[], failed: [] as object[], trouble: [] as object[] };
  const log = {
    kept: (facts: object) => told.kept.push(facts),
    failed: (facts: object) => told.failed.push(facts),
    trouble: (facts: object) => told.trouble.push(facts),
  };
  return { told, log };
}

/** A mail server in the same process, which a test holds in its hand. */
function aTransport(answer: (mail: OutgoingMail) => Promise<void>) {
  const tried: string[] = [];
  let [atOnce, most] = [0, 0];
  const transport: MailTransport = {
    async send(mail) {
      tried.push(mail.recipient);
      most = Math.max(most, ++atOnce);
      await answer(mail).finally(() => {
        atOnce -= 1;
      });
    },
    close() {},
  };
  return { ...transport, tried, most: () => most };
}

/** The same store, to which no transaction gets through for a while. */
function unavailableWhile(database: Database, isAway: () => boolean): Database {
  const transaction: Database['transaction'] = (work) =>
    isAway() ? Promise.reject(new StoreUnavailable('gone')) : database.transaction(work);
  return new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name).bind(target)),
  });
}

forEachStore((store) => {
  let database: Database;
  let url: string;
  let sites = 0;
  const cleanUps: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    url = await store.freshUrl();
    database = openDatabase(url, { poolSize: 4 });
    await migrate(database);
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });
  afterAll(() => database.close());

  async function aSite(): Promise<string> {
    sites += 1;
    return (
      await database.transaction((tx) =>
        createSite(tx, { slug: `club-${sites}` }, systemCause(new Date().toISOString())),
      )
    ).id;
  }

  function queue(siteId: string, recipient: string, at = new Date(), mail: Partial<NewMail> = {}) {
    const rest = { kind: 'login_link', memberId: null, loginLinkId: null, content, ...mail } as const;
    return database.transaction((tx) => queueMail(tx, siteId, { recipient, ...rest }, at.toISOString()));
  }

  async function queueMany(siteId: string, count: number): Promise<string[]> {
    const recipients = Array.from({ length: count }, (_, number) => `member-${number}@example.com`);
    for (const recipient of recipients) await queue(siteId, recipient);
    return recipients.toSorted();
  }

  const mailsOf = (siteId: string) =>
    database.all<Stored>(sql`
      SELECT id, recipient, content, state, attempts, next_attempt_at, last_error, sent_at
      FROM mails WHERE site_id = ${siteId} ORDER BY created_at, id`);
  const mailOf = async (siteId: string) => (await mailsOf(siteId))[0]!;

  async function aMailServer(behaviour?: MailServerBehaviour): Promise<MailServer> {
    const server = await startMailServer(behaviour);
    cleanUps.push(() => server.stop());
    return server;
  }

  /** An outbox of these sites, not started. It is stopped after the test. */
  function anOutbox(siteIds: readonly string[], parts: Partial<OutboxParts> = {}) {
    const { told, log } = aLog();
    const outbox = new Outbox({
      database,
      clock: () => new Date(),
      transport: undefined,
      beforeSend: async () => true,
      listSiteIds: async () => siteIds,
      log,
      ...parts,
    });
    cleanUps.push(() => outbox.stop());
    return Object.assign(outbox, { told });
  }

  const smtp = ({ url: smtpUrl }: { url: string }) => createSmtpTransport(smtpUrl, 'door@example.org');
  const recipientsOf = (server: MailServer) =>
    server.deliveries.flatMap(({ recipients }) => recipients).sort();

  async function run(outbox: Outbox, siteId: string): Promise<void> {
    outbox.wake(siteId);
    await outbox.idle();
  }

  function allSent(siteId: string, milliseconds = 30_000): Promise<unknown> {
    return eventually('every mail is sent', milliseconds, async () =>
      (await mailsOf(siteId)).every(({ state }) => state === 'sent'),
    );
  }

  describe('a mail that waits', () => {
    test('is delivered with both its parts, and then says nothing any more', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      await queue(site, 'ada@example.com');
      await run(anOutbox([site], { transport: smtp(server) }), site);
      expect(recipientsOf(server)).toEqual(['ada@example.com']);
      expect(server.deliveries[0]!.source).toMatch(/text\/plain[\s\S]*text\/html/);
      expect(await mailOf(site)).toMatchObject({
        state: 'sent',
        attempts: 1,
        content: null,
        next_attempt_at: null,
        sent_at: expect.any(String),
      });
    });

    test('is found at the start, when an earlier run has left it', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      await queue(site, 'ada@example.com');
      const outbox = anOutbox([site], { transport: smtp(server) });
      outbox.start();
      await outbox.idle();
      expect(recipientsOf(server)).toEqual(['ada@example.com']);
    });

    test('is sent once however often the outbox is woken', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      const recipients = await queueMany(site, 12);
      const outbox = anOutbox([site], { transport: smtp(server) });
      for (let times = 0; times < 100; times += 1) outbox.wake(site);
      await outbox.idle();
      expect(recipientsOf(server)).toEqual(recipients);
    });

    test('is not sent before its time', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      await queue(site, 'ada@example.com', new Date(Date.now() + hour));
      await run(anOutbox([site], { transport: smtp(server) }), site);
      expect(server.deliveries).toEqual([]);
    });
  });

  test('no more than five mails are on their way at once, over all sites, and none is taken before', async () => {
    const ids = [await aSite(), await aSite(), await aSite()];
    for (const id of ids) await queueMany(id, 7);
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    const transport = aTransport(() => gate);
    const outbox = anOutbox(ids, { transport });
    for (const id of ids) outbox.wake(id);
    await eventually('five are tried', 10_000, async () => transport.tried.length >= 5);
    const taken = (await Promise.all(ids.map(mailsOf))).flat().filter(({ attempts }) => attempts > 0);
    expect(taken).toHaveLength(5);
    openGate();
    await outbox.idle();
    expect(transport.most()).toBe(5);
    expect(transport.tried).toHaveLength(21);
  });

  describe('a mail server that is down', () => {
    test('loses nothing: each mail is delivered once when it comes back', async () => {
      const site = await aSite();
      const gone = await startMailServer();
      await gone.stop();
      const recipients = await queueMany(site, 8);
      const outbox = anOutbox([site], { transport: smtp(gone) });
      outbox.start();
      await outbox.idle();
      expect((await mailsOf(site)).map(({ state }) => state)).toEqual(recipients.map(() => 'waiting'));
      expect(outbox.told.trouble).toEqual([
        { error: 'The mail server could not be reached (ECONNREFUSED).' },
      ]);
      const back = await aMailServer({ port: gone.port });
      await allSent(site);
      expect(recipientsOf(back)).toEqual(recipients);
      expect(outbox.told.failed).toEqual([]);
    });

    test('is asked by one mail at a time whether it is back, for all sites', async () => {
      const ids = [await aSite(), await aSite()];
      for (const id of ids) await queueMany(id, 10);
      const { promise: back, resolve: comeBack } = Promise.withResolvers<void>();
      let isDown = true;
      const transport = aTransport(() =>
        isDown ? Promise.reject(new MailServerAway('The mail server could not be reached.')) : back,
      );
      const outbox = anOutbox(ids, { transport });
      const wakeAll = () => {
        for (const id of ids) outbox.wake(id);
      };
      wakeAll();
      await outbox.idle();
      expect(transport.tried).toHaveLength(5);
      wakeAll();
      await outbox.idle();
      expect(transport.tried).toHaveLength(5);
      isDown = false;
      await eventually('one tries again', 20_000, async () => transport.tried.length > 5);
      wakeAll();
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(transport.tried).toHaveLength(6);
      comeBack();
      for (const id of ids) await allSent(id);
      expect(outbox.told.trouble).toHaveLength(1);
    });

    test('is given up on after a day, mail by mail', async () => {
      const site = await aSite();
      const clock = movableClock();
      await queue(site, 'ada@example.com');
      clock.advance(day);
      const transport = aTransport(() => Promise.reject(new MailServerAway('Away.')));
      const outbox = anOutbox([site], { transport, clock });
      await run(outbox, site);
      expect(await mailOf(site)).toMatchObject({ state: 'failed', content: null, last_error: 'Away.' });
    });
  });

  describe('a mail server that does not want a mail', () => {
    test('now, gets it later, and others meanwhile', async () => {
      const site = await aSite();
      const clock = movableClock();
      let isGrey = true;
      const server = await aMailServer({
        recipient: (address) => (isGrey && address.startsWith('grey') ? { code: 451 } : null),
      });
      await queue(site, 'grey@example.com');
      await queueMany(site, 6);
      const outbox = anOutbox([site], { transport: smtp(server), clock });
      await run(outbox, site);
      expect(server.deliveries).toHaveLength(6);
      expect(await mailOf(site)).toMatchObject({
        state: 'waiting',
        attempts: 1,
        last_error: 'The mail server answered 451.',
      });
      expect((await mailOf(site)).content).toContain(secret);
      await run(outbox, site);
      expect((await mailOf(site)).attempts).toBe(1);
      isGrey = false;
      clock.advance(minute);
      await run(outbox, site);
      expect(await mailOf(site)).toMatchObject({ state: 'sent', attempts: 2, last_error: null });
      expect(recipientsOf(server).filter((each) => each.startsWith('grey'))).toHaveLength(1);
      expect(outbox.told).toEqual({ kept: [], failed: [], trouble: [] });
    });

    test('now, is asked less and less often, and at least every 19 minutes', async () => {
      const site = await aSite();
      const clock = movableClock();
      const server = await aMailServer({ recipient: () => ({ code: 450 }) });
      await queue(site, 'ada@example.com');
      const outbox = anOutbox([site], { transport: smtp(server), clock });
      for (let attempt = 1; attempt <= 12; attempt += 1) {
        const before = clock().getTime();
        await run(outbox, site);
        const { attempts, next_attempt_at } = await mailOf(site);
        expect(attempts).toBe(attempt);
        const pause = Date.parse(next_attempt_at!) - before;
        const usual = Math.min(5_000 * 2 ** (attempt - 1), 15 * minute);
        expect(pause).toBeGreaterThanOrEqual(usual * 0.74);
        clock.advance(usual * 1.25 + 1);
      }
      clock.advance(day);
      await run(outbox, site);
      expect(await mailOf(site)).toMatchObject({ state: 'failed', content: null });
    });

    test('ever, is not asked again', async () => {
      const site = await aSite();
      const server = await aMailServer({ recipient: () => ({ code: 550, text: 'No such mailbox.' }) });
      const mailId = await queue(site, 'ada@example.com');
      const outbox = anOutbox([site], { transport: smtp(server) });
      await run(outbox, site);
      const error = 'The mail server answered 550.';
      expect(await mailOf(site)).toMatchObject({
        state: 'failed',
        attempts: 1,
        content: null,
        last_error: error,
        next_attempt_at: null,
      });
      expect(outbox.told).toEqual({ kept: [], failed: [{ siteId: site, mailId, error }], trouble: [] });
    });

    test.each([421, 451, 554])(
      'is not believed to keep secrets: what it says with %i is logged nowhere',
      async (code) => {
        const site = await aSite();
        const server = await aMailServer({
          mail: (source) => ({ code, text: source.replaceAll(/\s+/g, ' ') }),
        });
        await queue(site, 'ada@example.com');
        const outbox = anOutbox([site], { transport: smtp(server) });
        await run(outbox, site);
        expect(JSON.stringify(outbox.told)).not.toContain('_gatehouse');
        expect((await mailOf(site)).last_error).toBe(`The mail server answered ${code}.`);
      },
    );
  });

  describe('without a mail server', () => {
    test('a mail is kept to be read, and told to the log once', async () => {
      const site = await aSite();
      const mailId = await queue(site, 'ada@example.com');
      const outbox = anOutbox([site]);
      await run(outbox, site);
      await run(outbox, site);
      outbox.start();
      await outbox.idle();
      const { subject, text } = content;
      expect(outbox.told).toEqual({
        kept: [{ siteId: site, mailId, recipient: 'ada@example.com', subject, text }],
        failed: [],
        trouble: [],
      });
      expect(await mailOf(site)).toMatchObject({ state: 'kept', content: JSON.stringify(content) });
    });
  });

  describe('a mail that is not worth sending any more', () => {
    test('is deleted and not sent, and those behind it are', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      const dead = newId();
      for (let mail = 0; mail < 12; mail += 1)
        await queue(site, `dead-${mail}@example.com`, undefined, { loginLinkId: dead });
      const recipients = await queueMany(site, 3);
      const asked: string[] = [];
      const outbox = anOutbox([site], {
        transport: smtp(server),
        beforeSend: async (_tx, siteId, { loginLinkId, recipient }) => {
          expect(siteId).toBe(site);
          asked.push(recipient);
          return loginLinkId !== dead;
        },
      });
      await run(outbox, site);
      expect(recipientsOf(server)).toEqual(recipients);
      expect(asked).toHaveLength(15);
      expect((await mailsOf(site)).map(({ recipient }) => recipient).sort()).toEqual(recipients);
    });

    test('is decided in the transaction that takes it', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      await queue(site, 'ada@example.com');
      const outbox = anOutbox([site], {
        transport: smtp(server),
        beforeSend: async (tx) => {
          await tx.run(sql`UPDATE sites SET title = 'Undone' WHERE id = ${site}`);
          throw new Error('no answer');
        },
      });
      await run(outbox, site);
      expect(outbox.told.trouble).toEqual([{ error: 'no answer' }]);
      expect(await mailOf(site)).toMatchObject({ state: 'waiting', attempts: 0 });
      const row = await database.get<{ title: string }>(sql`SELECT title FROM sites WHERE id = ${site}`);
      expect(row!.title).not.toBe('Undone');
    });
  });

  describe('of several processes', () => {
    test('one sends a mail, over 200 of them', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      const recipients = await queueMany(site, 200);
      const another = openDatabase(url, { poolSize: 4 });
      cleanUps.push(() => another.close());
      const outboxes = [database, another].map((each) =>
        anOutbox([site], { database: each, transport: smtp(server) }),
      );
      for (const outbox of outboxes) outbox.start();
      await allSent(site);
      await Promise.all(outboxes.map((outbox) => outbox.idle()));
      expect(recipientsOf(server)).toEqual(recipients);
      expect((await mailsOf(site)).every(({ attempts }) => attempts === 1)).toBe(true);
    });

    test('one that is gone leaves its mails to the others, once its lease is over', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      const clock = movableClock();
      await queue(site, 'ada@example.com');
      const { promise: fate, reject: fail } = Promise.withResolvers<void>();
      const stuck = aTransport(() => fate);
      const gone = anOutbox([site], { transport: stuck, clock });
      gone.wake(site);
      await eventually('it is taken', 10_000, async () => stuck.tried.length > 0);
      const heir = anOutbox([site], { transport: smtp(server), clock });
      clock.advance(minute);
      await run(heir, site);
      expect(server.deliveries).toEqual([]);
      clock.advance(2 * minute);
      await run(heir, site);
      expect(recipientsOf(server)).toEqual(['ada@example.com']);
      // It was not gone, only slow: what it says comes too late.
      fail(new MailServerAway('Away.'));
      await gone.idle();
      expect(await mailOf(site)).toMatchObject({ state: 'sent', attempts: 2 });
    });

    test('a slow one does not end the lease of the next', async () => {
      const site = await aSite();
      const clock = movableClock();
      await queue(site, 'ada@example.com');
      const fates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const transports = fates.map(({ promise }) => aTransport(() => promise));
      const outboxes = transports.map((transport) => anOutbox([site], { transport, clock }));
      for (const [number, outbox] of outboxes.entries()) {
        outbox.wake(site);
        await eventually('it is taken', 10_000, async () => transports[number]!.tried.length > 0);
        clock.advance(3 * minute);
      }
      const leased = await mailOf(site);
      fates[0]!.reject(new MailServerAway('Away.'));
      await outboxes[0]!.idle();
      expect(await mailOf(site)).toEqual(leased);
      fates[1]!.resolve();
      await outboxes[1]!.idle();
      expect(await mailOf(site)).toMatchObject({ state: 'sent' });
    });
  });

  describe('stopping', () => {
    test('ends what is being sent, and begins nothing new', async () => {
      const site = await aSite();
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
      const server = await aMailServer({
        mail: async () => {
          arrive();
          await gate;
          return null;
        },
      });
      await queueMany(site, 9);
      const outbox = anOutbox([site], { transport: smtp(server) });
      outbox.wake(site);
      await arrived;
      const stopped = outbox.stop();
      openGate();
      await stopped;
      const states = (await mailsOf(site)).map(({ state }) => state).sort();
      expect(states).toEqual([...Array(5).fill('sent'), ...Array(4).fill('waiting')]);
      outbox.wake(site);
      await outbox.idle();
      expect(server.deliveries).toHaveLength(5);
    });

    test('breaks off what does not end, and leaves it to whoever comes next', async () => {
      const site = await aSite();
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      const silent = await aMailServer({
        mail: () => {
          arrive();
          return new Promise(() => {});
        },
      });
      await queue(site, 'ada@example.com');
      const outbox = anOutbox([site], { transport: smtp(silent) });
      outbox.wake(site);
      await arrived;
      await outbox.stop();
      const { state, next_attempt_at } = await mailOf(site);
      expect(state).toBe('waiting');
      expect(Date.parse(next_attempt_at!)).toBeLessThanOrEqual(Date.now());
      expect(outbox.told).toEqual({ kept: [], failed: [], trouble: [] });
      const server = await aMailServer();
      await run(anOutbox([site], { transport: smtp(server) }), site);
      expect(recipientsOf(server)).toEqual(['ada@example.com']);
    });
  });

  test('a mail that is sent while the store is away for a moment is not sent again', async () => {
    const [site, server] = [await aSite(), await aMailServer()];
    await queue(site, 'ada@example.com');
    let failures = 0;
    const outbox = anOutbox([site], {
      transport: smtp(server),
      database: unavailableWhile(database, () => server.deliveries.length > 0 && failures++ < 2),
    });
    await run(outbox, site);
    expect(failures).toBeGreaterThanOrEqual(2);
    expect(await mailOf(site)).toMatchObject({ state: 'sent', attempts: 1 });
  });
});
