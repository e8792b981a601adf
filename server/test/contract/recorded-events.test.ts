import { type Operation, type OperationId, operations, type Source } from '@gatehouse/contract';
import type { DashboardOperationId } from '@gatehouse/contract/dashboard';
import type { Command } from 'commander';
import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commandOf } from '../../src/commands/api/operation-names.ts';
import { createProgram } from '../../src/commands/main.ts';
import { commandsOn, temporaryFile } from '../command-line.ts';
import { startListServer } from '../list-server.ts';
import { anOperator, operatorTenantOf } from '../operator.ts';
import { forEachStore, forOneStore } from '../stores.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import {
  aPasskey,
  aSiteOwner,
  everyDashboardOperation,
  readyDashboardRequest,
  sendDashboardRequest,
} from './dashboard-requests.ts';
import { type Dump, dumpSite } from './dump.ts';
import { aGroup, aLoginLink, aMember, aSession, everyItem } from './given.ts';
import { operationsWithKey, readyRequest, sendReady } from './requests.ts';
import { untilEmailsRest } from './resting-emails.ts';

const everyEvent = sql`SELECT id FROM events`;

/**
 * Tables of which no event speaks: what a request needs to be answered once, lists that wait for their run, messages for
 * webhooks, and the feed itself.
 */
const withoutEvents = [
  'events',
  'event_heads',
  'event_groups',
  'idempotency_keys',
  'email_budgets',
  'source_list_parts',
  'source_runs',
  'webhook_deliveries',
];

const savedViewsAreSilent = 'Only the operator sees it, and nothing changes for the site.';

/** What changes rows and has no event. The reason stands beside each. */
const silent: Partial<Record<OperationId | DashboardOperationId, string>> = {
  createOperatorToken:
    'The token lives for minutes and lets the operator do what its role allows: its uses have events.',
  createPasskeyOptions: 'Only the challenge is stored, for minutes.',
  createPasskeyLoginOptions: 'Only the challenge is stored, for minutes.',
  testMailServer: 'The email is in the list of emails, and nothing changes for the site.',
  createSavedView: savedViewsAreSilent,
  updateSavedView: savedViewsAreSilent,
  deleteSavedView: savedViewsAreSilent,
};

type MakeArguments = (site: TestSite, slug: string, server: TestServer) => Promise<readonly string[]>;

/** The arguments of each command that changes a site and is no operation, beside the command itself. */
const changingCommands: Readonly<Record<string, MakeArguments>> = {
  'site create': async () => ['--slug', `s-${crypto.randomUUID()}`, '--title', 'Club'],
  'site suspend': async (_, slug) => [slug],
  'site resume': async (_, slug, { databaseUrl }) => {
    await commandsOn(databaseUrl)(['site', 'suspend', slug]);
    return [slug];
  },
  'operators remove-passkeys': async ({ siteId }, slug, server) => {
    const operator = await anOperator(server, siteId);
    await aPasskey(operator);
    return [operator.email, '--site', slug];
  },
  'members import': async () => [temporaryFile('members.csv', 'email\nada@example.com\n')],
  'sources collections choose': async (site) => [(await aListSource(site)).id],
  'sources collections remove': async (site) => [(await aChosenList(site)).id, 'list'],
};

const otherCommands = [
  'serve',
  'migrate',
  'doctor',
  'health',
  'copy',
  'backup',
  'restore',
  'secret-key',
  'completions',
  'setup-link',
  'site list',
  'members export',
  'events tail',
];

forEachStore((store) => {
  const server = useTestServer(store);

  /** What the store has of the site and of all operators. */
  async function read(siteId: string) {
    const tenant = await operatorTenantOf(server);
    const dumps = [await dumpSite(server.database, siteId), await dumpSite(server.database, tenant.id)];
    return { rows: dumps.map(rowsOf), events: dumps.flatMap(({ events }) => events!) };
  }

  /** Expects that what changes rows records an event, and that what changes nothing records none. */
  async function expectEventsOfChanges(siteId: string, act: () => Promise<unknown>): Promise<void> {
    await untilEmailsRest(server.database, (await operatorTenantOf(server)).id);
    const before = await read(siteId);
    await act();
    const after = await read(siteId);
    const known = new Set(before.events);
    const recorded = after.events.filter((event) => !known.has(event));
    const hasChanged = JSON.stringify(after.rows) !== JSON.stringify(before.rows);
    expect(recorded.length > 0, `changed rows: ${hasChanged}; events: ${recorded.join('\n')}`).toBe(
      hasChanged,
    );
  }

  const recording = operationsWithKey.filter((id) => !(id in silent));

  test.each(recording)('%s records an event if, and only if, it changes something', async (id) => {
    const site = await server.createSite();
    const request = await readyRequest(id, site);
    // The time of the last use of a key is written with its first request.
    await site.get('/site');
    await expectEventsOfChanges(site.siteId, async () => {
      const { status } = await sendReady(site, request);
      expect(status).toBe((operations[id] as Operation).success.status);
    });
  });

  const dashboardOperations = everyDashboardOperation.filter((id) => !(id in silent));

  test.each(dashboardOperations)('at the dashboard, %s does so too', async (id) => {
    const owner = await aSiteOwner(server);
    const request = await readyDashboardRequest(id, owner);
    await expectEventsOfChanges(owner.site.siteId, async () => {
      expect((await sendDashboardRequest(request)).status).toBeLessThan(300);
    });
  });

  describe('logging a member out everywhere', () => {
    const path = (id: string) => `/members/${id}/sessions`;

    test('records an event if it closes only a login link, and none if there is nothing left', async () => {
      const site = await server.createSite();
      const { id } = await aMember(site);
      await aLoginLink(site, id);
      for (let time = 0; time < 2; time += 1)
        await expectEventsOfChanges(site.siteId, async () => {
          expect((await site.delete(path(id))).status).toBe(204);
        });
      const [event, ...others] = await everyItem(site, '/events?type=session.revoked');
      expect(event.data).toEqual({ memberId: id, sessionIds: [], reason: 'revoked' });
      expect(others).toEqual([]);
    });

    test('records an event if it removes only a known browser', async () => {
      const site = await server.createSite();
      const { id } = await aMember(site);
      const session = await aSession(site, id);
      await site.delete(`${path(id)}/${session.id}`);
      await expectEventsOfChanges(site.siteId, async () => {
        expect((await site.delete(path(id))).status).toBe(204);
      });
      expect(await everyItem(site, '/events?type=session.revoked')).toHaveLength(2);
    });
  });
});

// The commands call what the operations call, whose events each store records above.
forOneStore((store) => {
  const server = useTestServer(store);

  describe('on the command line', () => {
    test('each command is known to change a site or not to', async () => {
      const ofOperations = Object.values(operations).map((operation) => commandOf(operation).join(' '));
      const known = [...Object.keys(changingCommands), ...otherCommands, ...ofOperations];
      expect(leavesOf(await createProgram()).sort()).toEqual(known.sort());
    });

    test.each(Object.entries(changingCommands))('%s records an event', async (name, makeArguments) => {
      const site = await server.createSite();
      await aMember(site);
      await aGroup(site);
      const { slug } = (await site.get('/site')).body.data;
      const args = await makeArguments(site, slug, server);
      const events = async () => (await server.database.all<{ id: string }>(everyEvent)).map(({ id }) => id);
      const before = new Set(await events());
      const run = commandsOn(server.databaseUrl);
      // Members and sources are changed through the API of the running service.
      const env = { GATEHOUSE_URL: server.address, GATEHOUSE_KEY: site.key };
      const result = await run([...name.split(' '), ...args], { env });
      expect(result.exitCode, result.stderr).toBe(0);
      expect((await events()).filter((id) => !before.has(id))).not.toEqual([]);
    });
  });
});

/** A source that reads a list on this machine. */
async function aListSource(site: TestSite): Promise<Source> {
  const list = await startListServer('Email\nada@example.com\ngrace@example.com\n');
  onTestFinished(() => list.stop());
  return (await site.post('/sources', { type: 'list', name: 'Members', address: list.address })).body.data;
}

async function aChosenList(site: TestSite): Promise<Source> {
  const { id } = await aListSource(site);
  const collections = [{ key: 'list', columns: { email: 'Email' } }];
  return (await site.patch(`/sources/${id}`, { collections })).body.data;
}

function rowsOf(dump: Dump): Dump {
  return Object.fromEntries(Object.entries(dump).filter(([table]) => !withoutEvents.includes(table)));
}

function leavesOf(command: Command, names: readonly string[] = []): string[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  if (children.length === 0) return [names.join(' ')];
  return children.flatMap((child) => leavesOf(child, [...names, child.name()]));
}
