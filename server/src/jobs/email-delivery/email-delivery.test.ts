import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { eventually } from '../../../test/faults/gatehouse-process.ts';
import { type MailServer, type MailServerBehavior, startMailServer } from '../../../test/mail-server.ts';
import { day, hour, immediateTimers, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import { newId } from '../../base/ids.ts';
import type { NewEmail } from '../../domain/emails/email.ts';
import { queueEmail } from '../../domain/emails/emails.ts';
import { linkEnd } from '../../domain/login-links/login-link.ts';
import { insertLoginLink, revokeLinksOf, startLinkTime } from '../../domain/login-links/login-links.ts';
import { createSite } from '../../domain/sites/sites.ts';
import type { Database, Transaction } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { migrate } from '../../storage/migrations/migrations.ts';
import { openDatabase } from '../../storage/open.ts';
import type { Job } from '../job.ts';
import type { OnError } from '../job-queue.ts';
import { JobRunner } from '../runner.ts';
import { EmailDelivery, type EmailDeliveryParts } from './email-delivery.ts';
import {
  createSmtpTransport,
  type EmailTransport,
  MailServerUnavailable,
  type OutgoingEmail,
} from './smtp-transport.ts';

const minute = 60_000;
/** The longest pause after a first failure, in milliseconds. */
const maxFirstPause = 6_251;
const secret = 'https://club.example.org/_gatehouse/link/secret';
const content = { fromName: 'Club', subject: 'Log in', text: `Open ${secret}`, html: `<a href="${secret}">` };

interface Stored {
  id: string;
  recipient: string;
  content: string | null;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  last_error: string | null;
  mail_server_reply: string | null;
  sent_at: string | null;
}

/** A log that collects its entries by kind. */
function aLog() {
  const logged = { notSent: [] as object[], failed: [] as object[], errors: [] as object[] };
  const log = {
    notSent: (facts: object) => logged.notSent.push(facts),
    failed: (facts: object) => logged.failed.push(facts),
    errors: (facts: object) => logged.errors.push(facts),
  };
  return { logged, log };
}

/** A mail server in the same process, controlled by the test. */
function aTransport(answer: (email: OutgoingEmail) => Promise<void>) {
  const tried: string[] = [];
  let [atOnce, maximum] = [0, 0];
  const transport: EmailTransport = {
    async send(email) {
      tried.push(email.recipient);
      maximum = Math.max(maximum, ++atOnce);
      await answer(email).finally(() => {
        atOnce -= 1;
      });
    },
    close() {},
  };
  return { ...transport, tried, maximum: () => maximum };
}

/** The same store, which rejects all transactions for a while. */
function unavailableWhile(database: Database, isUnavailable: () => boolean): Database {
  const transaction: Database['transaction'] = (work) =>
    isUnavailable() ? Promise.reject(new StoreUnavailable('gone')) : database.transaction(work);
  return withTransaction(database, transaction);
}

function withTransaction(database: Database, transaction: Database['transaction']): Database {
  return new Proxy(database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name).bind(target)),
  });
}

/** The same store, in which the transactions with some effect stop before they commit. */
function heldBeforeCommit(database: Database, hasEffect: (tx: Transaction) => Promise<boolean>) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (tx) => {
      const result = await work(tx);
      if (await hasEffect(tx)) {
        reach();
        await released;
      }
      return result;
    });
  return { reached, release, held: withTransaction(database, transaction) };
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
    // A sweep finds the emails of every site, so those of earlier tests must go.
    await database.transaction((tx) => tx.run(sql`DELETE FROM emails`));
  });
  afterAll(() => database.close());

  async function aSite(): Promise<string> {
    sites += 1;
    return (await changing(database, newId(), (change) => createSite(change, { slug: `club-${sites}` }))).id;
  }

  function queue(siteId: string, recipient: string, at = new Date(), email: Partial<NewEmail> = {}) {
    const rest = { type: 'login_link', memberId: null, loginLinkId: null, content, ...email } as const;
    return database.transaction((tx) =>
      queueEmail({ db: tx, siteId, now: at.toISOString() }, { recipient, ...rest }),
    );
  }

  async function queueMany(siteId: string, count: number): Promise<string[]> {
    const recipients = Array.from({ length: count }, (_, number) => `member-${number}@example.com`);
    for (const recipient of recipients) await queue(siteId, recipient);
    return recipients.toSorted();
  }

  async function anOpenLink(siteId: string, email: string): Promise<string> {
    const id = newId();
    await changing(database, siteId, (change) =>
      insertLoginLink(change, {
        id,
        email,
        memberId: null,
        tokenHash: id,
        browserHash: id,
        knownBrowserId: null,
        code: null,
        codeHash: id,
        tries: 0,
        next: '/',
        language: 'en',
        origin: null,
        usedSessionId: null,
        status: 'processed',
        createdAt: change.now,
        expiresAt: linkEnd(change.now),
        sessionEndsAt: null,
        joining: null,
      }),
    );
    return id;
  }

  const emailsOf = (siteId: string) =>
    database.all<Stored>(sql`
      SELECT id, recipient, content, status, attempts, next_attempt_at, last_error, mail_server_reply, sent_at
      FROM emails WHERE site_id = ${siteId} ORDER BY created_at, id`);
  const emailOf = async (siteId: string) => (await emailsOf(siteId))[0]!;

  async function aMailServer(behavior?: MailServerBehavior): Promise<MailServer> {
    const server = await startMailServer(behavior);
    cleanUps.push(() => server.stop());
    return server;
  }

  /** A runner with only the email delivery, not started. It is stopped after the test. */
  function aDelivery(parts: Partial<EmailDeliveryParts> = {}) {
    const { logged, log } = aLog();
    const whole = { database, transport: undefined, ...movableTime(), ...parts };
    const delivery = new EmailDelivery({ beforeSend: async () => true, log, ...whole });
    const onError = (_: Job, { message }: Error) => logged.errors.push({ error: message });
    const runner = new JobRunner([delivery], { ...whole, onError: onError as OnError });
    cleanUps.push(() => runner.stop());
    return {
      logged,
      start: () => runner.start(),
      wake: (siteId: string) => runner.wake(delivery.name, siteId),
      idle: () => runner.idle(),
      stop: () => runner.stop(),
    };
  }

  const smtp = ({ url: smtpUrl }: { url: string }) => createSmtpTransport(smtpUrl, 'door@example.org');
  const recipientsOf = (server: MailServer) =>
    server.deliveries.flatMap(({ recipients }) => recipients).sort();

  async function run(delivery: ReturnType<typeof aDelivery>, siteId: string): Promise<void> {
    delivery.wake(siteId);
    await delivery.idle();
  }

  function allSent(siteId: string, milliseconds = 30_000): Promise<unknown> {
    return eventually('every email is sent', milliseconds, async () =>
      (await emailsOf(siteId)).every(({ status }) => status === 'sent'),
    );
  }

  describe('a queued email', () => {
    test('is sent with its text and HTML parts, and its content is then deleted', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      await queue(site, 'ada@example.com');
      await run(aDelivery({ transport: smtp(server) }), site);
      expect(recipientsOf(server)).toEqual(['ada@example.com']);
      expect(server.deliveries[0]!.source).toMatch(/text\/plain[\s\S]*text\/html/);
      expect(await emailOf(site)).toMatchObject({
        status: 'sent',
        attempts: 1,
        content: null,
        next_attempt_at: null,
        sent_at: expect.any(String),
      });
    });

    test('is found at the start when an earlier run has left it', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      await queue(site, 'ada@example.com');
      const delivery = aDelivery({ transport: smtp(server) });
      delivery.start();
      await delivery.idle();
      expect(recipientsOf(server)).toEqual(['ada@example.com']);
    });

    test('is sent once, no matter how often the delivery is woken', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      const recipients = await queueMany(site, 12);
      const delivery = aDelivery({ transport: smtp(server) });
      for (let times = 0; times < 100; times += 1) delivery.wake(site);
      await delivery.idle();
      expect(recipientsOf(server)).toEqual(recipients);
    });

    test('is not sent before it is due', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      await queue(site, 'ada@example.com', new Date(Date.now() + hour));
      await run(aDelivery({ transport: smtp(server) }), site);
      expect(server.deliveries).toEqual([]);
    });
  });

  test('at most five emails over all sites are claimed and sent at the same time', async () => {
    const ids = [await aSite(), await aSite(), await aSite()];
    for (const id of ids) await queueMany(id, 7);
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    const transport = aTransport(() => gate);
    const delivery = aDelivery({ transport });
    for (const id of ids) delivery.wake(id);
    await eventually('five are tried', 10_000, async () => transport.tried.length >= 5);
    const taken = (await Promise.all(ids.map(emailsOf))).flat().filter(({ attempts }) => attempts > 0);
    expect(taken).toHaveLength(5);
    openGate();
    await delivery.idle();
    expect(transport.maximum()).toBe(5);
    expect(transport.tried).toHaveLength(21);
  });

  describe('a mail server that is down', () => {
    test('loses no email: each is sent once when the server is back', async () => {
      const site = await aSite();
      const gone = await startMailServer();
      await gone.stop();
      const recipients = await queueMany(site, 8);
      const time = movableTime();
      const delivery = aDelivery({ transport: smtp(gone), ...time });
      delivery.start();
      await delivery.idle();
      expect((await emailsOf(site)).map(({ status }) => status)).toEqual(recipients.map(() => 'waiting'));
      expect(delivery.logged.errors).toEqual([
        { error: 'The mail server could not be reached (ECONNREFUSED).' },
      ]);
      const back = await aMailServer({ port: gone.port });
      time.advance(maxFirstPause);
      await delivery.idle();
      expect((await emailsOf(site)).map(({ status }) => status)).toEqual(recipients.map(() => 'sent'));
      expect(recipientsOf(back)).toEqual(recipients);
      expect(delivery.logged.failed).toEqual([]);
    });

    test('is tested with one email at a time, for all sites', async () => {
      const ids = [await aSite(), await aSite()];
      for (const id of ids) await queueMany(id, 10);
      const { promise: back, resolve: comeBack } = Promise.withResolvers<void>();
      let isDown = true;
      const transport = aTransport(() =>
        isDown ? Promise.reject(new MailServerUnavailable('The mail server could not be reached.')) : back,
      );
      const time = movableTime();
      const delivery = aDelivery({ transport, ...time });
      const wakeAll = () => {
        for (const id of ids) delivery.wake(id);
      };
      wakeAll();
      await delivery.idle();
      expect(transport.tried).toHaveLength(5);
      wakeAll();
      await delivery.idle();
      expect(transport.tried).toHaveLength(5);
      isDown = false;
      time.advance(maxFirstPause);
      await eventually('one tries again', 20_000, async () => transport.tried.length > 5);
      wakeAll();
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(transport.tried).toHaveLength(6);
      comeBack();
      await delivery.idle();
      for (const id of ids) expect((await emailsOf(id)).every(({ status }) => status === 'sent')).toBe(true);
      expect(delivery.logged.errors).toHaveLength(1);
    });

    test('makes each email fail after a day', async () => {
      const site = await aSite();
      const time = movableTime();
      await queue(site, 'ada@example.com', time.clock());
      time.advance(day);
      const transport = aTransport(() => Promise.reject(new MailServerUnavailable('Unavailable.')));
      const delivery = aDelivery({ transport, ...time });
      await run(delivery, site);
      expect(await emailOf(site)).toMatchObject({
        status: 'failed',
        content: null,
        last_error: 'Unavailable.',
      });
    });
  });

  describe('a mail server that rejects an email', () => {
    test('temporarily gets it later, and other emails in between', async () => {
      const site = await aSite();
      let isGrey = true;
      const server = await aMailServer({
        recipient: (address) =>
          isGrey && address.startsWith('grey') ? { code: 451, text: 'Try later.' } : null,
      });
      await queue(site, 'grey@example.com');
      await queueMany(site, 6);
      const time = movableTime();
      const delivery = aDelivery({ transport: smtp(server), ...time });
      await run(delivery, site);
      expect(server.deliveries).toHaveLength(6);
      expect(await emailOf(site)).toMatchObject({
        status: 'waiting',
        attempts: 1,
        last_error: 'The mail server replied 451.',
        mail_server_reply: '451 Try later.',
      });
      expect((await emailOf(site)).content).toContain(secret);
      await run(delivery, site);
      expect((await emailOf(site)).attempts).toBe(1);
      isGrey = false;
      time.advance(minute);
      await run(delivery, site);
      expect(await emailOf(site)).toMatchObject({
        status: 'sent',
        attempts: 2,
        last_error: null,
        mail_server_reply: null,
      });
      expect(recipientsOf(server).filter((each) => each.startsWith('grey'))).toHaveLength(1);
      expect(delivery.logged).toEqual({ notSent: [], failed: [], errors: [] });
    });

    test('temporarily is retried less and less often, but at least every 19 minutes', async () => {
      const site = await aSite();
      const server = await aMailServer({ recipient: () => ({ code: 450 }) });
      await queue(site, 'ada@example.com');
      const time = movableTime();
      const delivery = aDelivery({ transport: smtp(server), ...time });
      for (let attempt = 1; attempt <= 12; attempt += 1) {
        const before = time.clock().getTime();
        await run(delivery, site);
        const { attempts, next_attempt_at } = await emailOf(site);
        expect(attempts).toBe(attempt);
        const pause = Date.parse(next_attempt_at!) - before;
        const planned = Math.min(5_000 * 2 ** (attempt - 1), 15 * minute);
        expect(pause).toBeGreaterThanOrEqual(planned * 0.74);
        time.advance(planned * 1.25 + 1);
      }
      time.advance(day);
      await run(delivery, site);
      expect(await emailOf(site)).toMatchObject({ status: 'failed', content: null });
    });

    test('permanently is not tried again', async () => {
      const site = await aSite();
      const server = await aMailServer({ recipient: () => ({ code: 550, text: 'No such mailbox.' }) });
      const emailId = await queue(site, 'ada@example.com');
      const delivery = aDelivery({ transport: smtp(server) });
      await run(delivery, site);
      const error = 'The mail server replied 550.';
      expect(await emailOf(site)).toMatchObject({
        status: 'failed',
        attempts: 1,
        content: null,
        last_error: error,
        mail_server_reply: '550 No such mailbox.',
        next_attempt_at: null,
      });
      expect(delivery.logged).toEqual({
        notSent: [],
        failed: [{ siteId: site, emailId, error }],
        errors: [],
      });
    });

    test.each([421, 451, 554])(
      'is not trusted with secrets: the text of its reply %i is not logged, and shown without the email',
      async (code) => {
        const site = await aSite();
        const server = await aMailServer({
          email: (source) => ({ code, text: source.replaceAll(/\s+/g, ' ') }),
        });
        await queue(site, 'ada@example.com');
        const delivery = aDelivery({ transport: smtp(server) });
        await run(delivery, site);
        expect(JSON.stringify(delivery.logged)).not.toContain('_gatehouse');
        const { last_error, mail_server_reply } = await emailOf(site);
        expect(last_error).toBe(`The mail server replied ${code}.`);
        expect(mail_server_reply).toMatch(new RegExp(`^${code} `));
        expect(mail_server_reply!.length).toBeLessThanOrEqual(300);
        const pieces = [content.text, content.html].map((text) =>
          Buffer.from(text).toString('base64').slice(0, 16),
        );
        for (const piece of ['_gatehouse', 'secret', ...pieces])
          expect(mail_server_reply).not.toContain(piece);
      },
    );
  });

  describe('without a mail server', () => {
    test('an email stays readable, and is logged once', async () => {
      const site = await aSite();
      const emailId = await queue(site, 'ada@example.com');
      const delivery = aDelivery();
      await run(delivery, site);
      await run(delivery, site);
      delivery.start();
      await delivery.idle();
      const { subject, text } = content;
      expect(delivery.logged).toEqual({
        notSent: [{ siteId: site, emailId, recipient: 'ada@example.com', subject, text }],
        failed: [],
        errors: [],
      });
      expect(await emailOf(site)).toMatchObject({ status: 'not_sent', content: JSON.stringify(content) });
    });

    test('an email is withdrawn if its link is closed while the email is processed', async () => {
      const site = await aSite();
      const owner = { id: newId(), email: 'ada@example.com' };
      await queue(site, owner.email, undefined, { loginLinkId: await anOpenLink(site, owner.email) });
      const { reached, release, held } = heldBeforeCommit(database, async (tx) => {
        const rows = await tx.all(sql`SELECT id FROM emails WHERE site_id = ${site} AND status = 'not_sent'`);
        return rows.length > 0;
      });
      const delivery = aDelivery({
        database: held,
        beforeSend: (view, { loginLinkId }) =>
          startLinkTime(view, loginLinkId!, linkEnd(new Date().toISOString())),
      });
      delivery.wake(site);
      await reached;
      const closing = changing(database, site, (change) => revokeLinksOf(change, [owner]));
      // It either waits for the delivery, or would be done by now.
      await Promise.race([closing, sleep(500)]);
      release();
      expect(await closing).toBe(1);
      await delivery.idle();
      expect(await emailOf(site)).toMatchObject({ status: 'not_sent', content: null });
    });
  });

  describe('an email that should no longer be sent', () => {
    test('is deleted without being sent, and the emails after it are sent', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      const dead = newId();
      for (let email = 0; email < 12; email += 1)
        await queue(site, `dead-${email}@example.com`, undefined, { loginLinkId: dead });
      const recipients = await queueMany(site, 3);
      const requested: string[] = [];
      const delivery = aDelivery({
        transport: smtp(server),
        beforeSend: async ({ siteId }, { loginLinkId, recipient }) => {
          expect(siteId).toBe(site);
          requested.push(recipient);
          return loginLinkId !== dead;
        },
      });
      await run(delivery, site);
      expect(recipientsOf(server)).toEqual(recipients);
      expect(requested).toHaveLength(15);
      expect((await emailsOf(site)).map(({ recipient }) => recipient).sort()).toEqual(recipients);
    });

    test('is detected in the transaction that claims it', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      await queue(site, 'ada@example.com');
      const delivery = aDelivery({
        transport: smtp(server),
        beforeSend: async ({ db }) => {
          await db.run(sql`UPDATE sites SET title = 'Undone' WHERE id = ${site}`);
          throw new Error('no answer');
        },
      });
      await run(delivery, site);
      expect(delivery.logged.errors).toEqual([{ error: 'no answer' }]);
      expect(await emailOf(site)).toMatchObject({ status: 'waiting', attempts: 0 });
      const row = await database.get<{ title: string }>(sql`SELECT title FROM sites WHERE id = ${site}`);
      expect(row!.title).not.toBe('Undone');
    });
  });

  describe('with several processes', () => {
    test('each of 200 emails is sent by exactly one', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      const recipients = await queueMany(site, 200);
      const another = openDatabase(url, { poolSize: 4 });
      cleanUps.push(() => another.close());
      const runners = [database, another].map((each) =>
        aDelivery({ database: each, transport: smtp(server) }),
      );
      for (const delivery of runners) {
        delivery.start();
        delivery.wake(site);
      }
      await allSent(site);
      await Promise.all(runners.map((delivery) => delivery.idle()));
      expect(recipientsOf(server)).toEqual(recipients);
      expect((await emailsOf(site)).every(({ attempts }) => attempts === 1)).toBe(true);
    });

    test('emails of a process that is gone are sent by the others when its lease ends', async () => {
      const [site, server] = [await aSite(), await aMailServer()];
      const time = movableTime();
      await queue(site, 'ada@example.com', time.clock());
      const { promise: result, reject: fail } = Promise.withResolvers<void>();
      const stuck = aTransport(() => result);
      const gone = aDelivery({ transport: stuck, ...time });
      gone.wake(site);
      await eventually('it is claimed', 10_000, async () => stuck.tried.length > 0);
      const successor = aDelivery({ transport: smtp(server), ...time });
      time.advance(minute);
      await run(successor, site);
      expect(server.deliveries).toEqual([]);
      time.advance(2 * minute);
      await run(successor, site);
      expect(recipientsOf(server)).toEqual(['ada@example.com']);
      // The process was only slow: its result comes too late.
      fail(new MailServerUnavailable('Unavailable.'));
      await gone.idle();
      expect(await emailOf(site)).toMatchObject({ status: 'sent', attempts: 2 });
    });

    test('a slow process does not end the lease of the next', async () => {
      const site = await aSite();
      const time = movableTime();
      await queue(site, 'ada@example.com', time.clock());
      const results = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const transports = results.map(({ promise }) => aTransport(() => promise));
      const runners = transports.map((transport) => aDelivery({ transport, ...time }));
      for (const [number, delivery] of runners.entries()) {
        delivery.wake(site);
        await eventually('it is claimed', 10_000, async () => transports[number]!.tried.length > 0);
        time.advance(3 * minute);
      }
      const leased = await emailOf(site);
      results[0]!.reject(new MailServerUnavailable('Unavailable.'));
      await runners[0]!.idle();
      expect(await emailOf(site)).toEqual(leased);
      results[1]!.resolve();
      await runners[1]!.idle();
      expect(await emailOf(site)).toMatchObject({ status: 'sent' });
    });
  });

  describe('stopping', () => {
    test('finishes emails being sent, and starts no more', async () => {
      const site = await aSite();
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
      const server = await aMailServer({
        email: async () => {
          arrive();
          await gate;
          return null;
        },
      });
      await queueMany(site, 9);
      const delivery = aDelivery({ transport: smtp(server) });
      delivery.wake(site);
      await arrived;
      const stopped = delivery.stop();
      openGate();
      await stopped;
      const states = (await emailsOf(site)).map(({ status }) => status).sort();
      expect(states).toEqual([...Array(5).fill('sent'), ...Array(4).fill('waiting')]);
      delivery.wake(site);
      await delivery.idle();
      expect(server.deliveries).toHaveLength(5);
    });

    test('aborts sends that do not end, and leaves them to the next process', async () => {
      const site = await aSite();
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
      const silent = await aMailServer({
        email: () => {
          arrive();
          return new Promise(() => {});
        },
      });
      await queue(site, 'ada@example.com');
      const time = movableTime();
      const delivery = aDelivery({ transport: smtp(silent), ...time });
      delivery.wake(site);
      await arrived;
      const stopped = delivery.stop();
      time.advance(5_000);
      await stopped;
      const { status, next_attempt_at } = await emailOf(site);
      expect(status).toBe('waiting');
      expect(Date.parse(next_attempt_at!)).toBeLessThanOrEqual(time.clock().getTime());
      expect(delivery.logged).toEqual({ notSent: [], failed: [], errors: [] });
      const server = await aMailServer();
      await run(aDelivery({ transport: smtp(server), ...time }), site);
      expect(recipientsOf(server)).toEqual(['ada@example.com']);
    });
  });

  test('an email sent while the store is briefly unavailable is not sent again', async () => {
    const [site, server] = [await aSite(), await aMailServer()];
    await queue(site, 'ada@example.com');
    let failures = 0;
    const delivery = aDelivery({
      transport: smtp(server),
      timers: immediateTimers,
      database: unavailableWhile(database, () => server.deliveries.length > 0 && failures++ < 2),
    });
    await run(delivery, site);
    expect(failures).toBeGreaterThanOrEqual(2);
    expect(await emailOf(site)).toMatchObject({ status: 'sent', attempts: 1 });
  });
});
