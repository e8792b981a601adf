import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { referenceTables } from '../../src/storage/postgres/citus/distribution-plan.ts';
import { commandsOn } from '../command-line.ts';
import { aDomain, aLoginLink, aMember, aWebhook } from '../contract/given.ts';
import { HostBrowser } from '../host-browser.ts';
import { anOperator } from '../operator.ts';
import { forEachStoreVersion } from '../stores.ts';
import type { TestResponse, TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';

const settings = { trustedProxies: ['127.0.0.1'], loginLimitClient: 0 };

/** On Citus, a lock on one row of a table that every node has makes every other one wait. */
forEachStoreVersion((store) => {
  // SQLite has a single writer.
  describe.skipIf(store.dialect === 'sqlite')('while another site is changed', () => {
    const server = useTestServer(store, { settings });
    let site: TestSite;
    beforeAll(async () => {
      site = await server.createSite();
    });

    /** Runs a statement in a transaction that is open until the test ends. */
    async function hold(statements: string): Promise<void> {
      const client = postgres(server.databaseUrl, { max: 1, onnotice: () => {} });
      onTestFinished(() => client.end());
      await client.unsafe(`BEGIN; ${statements}`);
    }

    /** Locks every row of the tables that every node has, as Citus does with the first one that is changed. */
    const holdSharedRows = () =>
      hold([...referenceTables].map((table) => `SELECT 1 FROM ${table} FOR NO KEY UPDATE`).join(';'));

    const put = (rules: unknown): Promise<TestResponse> =>
      site.request('PUT', '/access-rules', { body: { rules } });

    test('access rules are replaced', async () => {
      await holdSharedRows();
      expect((await put([{ path: '/', access: 'public' }])).status).toBe(200);
    });

    test('a change that only has to know that the key of the caller is valid is made', async () => {
      await aDomain(site);
      const member = await aMember(site);
      await holdSharedRows();
      await aWebhook(site);
      expect((await site.post(`/members/${member.id}/access-tokens`, { name: 'Program' })).status).toBe(201);
      expect(await aLoginLink(site, member.id)).toMatch(/./);
      expect((await site.post('/site/signing-keys', {})).status).toBe(201);
    });

    test('a login reaches another host of the site', async () => {
      const other = await server.createSite();
      const [club, forum] = [`${randomUUID()}.example.com`, `${randomUUID()}.example.org`];
      const hosts = [{ domain: club }, { domain: forum }];
      expect((await other.patch('/site', { hosts })).status).toBe(200);
      const member = await aMember(other);
      const browser = new HostBrowser(server);
      await holdSharedRows();
      await browser.logIn(other, member.id, club);
      await browser.follow(`https://${forum}/_gatehouse/login`);
      expect(await browser.gate(forum, '/')).toBe(204);
    });

    test('a process starts', async () => {
      await anOperator(server, site.siteId, 'owner');
      const serve = () => commandsOn(server.databaseUrl)(['serve', '--port', '0', '--json']);
      // The first one with another URL stores it.
      expect((await serve()).exitCode).toBe(0);
      // Allows reads, and nothing that locks a row.
      await hold(`LOCK TABLE ${[...referenceTables].join(', ')} IN EXCLUSIVE MODE`);
      const { exitCode, stderr } = await serve();
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      // Neither does a start need the node of the operators, as long as there are any.
      await hold('LOCK TABLE members, sessions, event_heads IN ACCESS EXCLUSIVE MODE');
      expect((await serve()).exitCode).toBe(0);
    });

    test('but changes of one site wait for each other', async () => {
      await aDomain(site);
      await hold(`SELECT 1 FROM site_locks WHERE site_id = '${site.siteId}' FOR UPDATE`);
      expect((await put([{ path: '/', access: 'members' }])).status).toBe(503);
      expect((await (await server.createSite()).patch('/site', { title: 'Other' })).status).toBe(200);
    });
  });
});
