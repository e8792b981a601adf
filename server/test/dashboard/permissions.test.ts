import {
  furtherPermissionsFor,
  type Operation,
  operations,
  type Permission,
  permissions,
  permissionsOf,
} from '@gatehouse/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { changing } from '../change.ts';
import { aMember, aSession, aWebhook } from '../contract/given.ts';
import { aLoginProvider, anInvitation } from '../contract/ways-in.ts';
import { storeJoinRequest } from '../stored-rows.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, untilQuiet, useBrowser } from './dashboard-browser.ts';

const reading = permissions.filter((permission) => permission.endsWith(':read'));

/** A control with the operation that it calls. */
interface Control {
  readonly role: 'button' | 'link' | 'switch';
  readonly name: string;
  readonly operation: Operation;
  readonly body?: object;
}

const {
  blockMember,
  bulkCreateMembers,
  bulkMemberActions,
  createAccessGroup,
  createAccessToken,
  createApiKey,
  createInvitation,
  createLoginProvider,
  createMemberLoginLink,
  createPageCode,
  createWebhook,
  decideJoinRequests,
  deleteLoginProvider,
  deleteWebhook,
  inviteOperator,
  replaceAccessRules,
  revokeInvitation,
  revokeMemberSessions,
  testLoginProvider,
  testWebhook,
  updateInvitation,
  updateLoginProvider,
  updateMember,
} = operations;

const controls: Readonly<Record<string, readonly Control[]>> = {
  '/members': [{ role: 'link', name: 'Add members', operation: bulkCreateMembers }],
  '/members/:member': [
    { role: 'button', name: 'Block', operation: blockMember },
    { role: 'button', name: 'Log out everywhere', operation: revokeMemberSessions },
    { role: 'button', name: 'Create a token', operation: createAccessToken },
    { role: 'button', name: 'Send a login link', operation: createMemberLoginLink },
    { role: 'switch', name: 'Paying', operation: updateMember },
  ],
  '/invitations': [{ role: 'button', name: 'Invite people', operation: createInvitation }],
  '/invitations/:invitation': [
    { role: 'button', name: 'Edit', operation: updateInvitation },
    { role: 'button', name: 'Revoke', operation: revokeInvitation },
  ],
  '/join-requests': [
    {
      role: 'button',
      name: 'Decline Ada Lovelace',
      operation: decideJoinRequests,
      body: { decision: 'decline' },
    },
    {
      role: 'button',
      name: 'Approve Ada Lovelace',
      operation: decideJoinRequests,
      body: { decision: 'approve' },
    },
  ],
  '/groups': [{ role: 'button', name: 'New group', operation: createAccessGroup }],
  '/rules': [{ role: 'button', name: 'Add a rule', operation: replaceAccessRules }],
  '/rules/codes': [{ role: 'button', name: 'New page code', operation: createPageCode }],
  '/keys': [{ role: 'button', name: 'Create API key', operation: createApiKey }],
  '/webhooks': [{ role: 'button', name: 'Create webhook', operation: createWebhook }],
  '/webhooks/:webhook': [
    { role: 'button', name: 'Send a test', operation: testWebhook },
    { role: 'button', name: 'Delete webhook', operation: deleteWebhook },
  ],
  '/settings/login': [{ role: 'link', name: 'Add a provider', operation: createLoginProvider }],
  '/settings/login/:provider': [
    { role: 'button', name: 'Test now', operation: testLoginProvider },
    { role: 'button', name: 'Change', operation: updateLoginProvider },
    { role: 'button', name: 'Delete', operation: deleteLoginProvider },
  ],
  '/operators': [{ role: 'button', name: 'Invite', operation: inviteOperator }],
};

/** What the actions for selected members do. */
const bulkActions: Readonly<Record<string, object>> = {
  'Add to a group': { type: 'add_to_group' },
  'Change the last day': { type: 'set_end_in_group' },
  'Remove from a group': { type: 'remove_from_group' },
  Block: { type: 'block' },
  Unblock: { type: 'unblock' },
  'Send a login link': { type: 'send_login_link' },
  'Mark as paying': { type: 'set_paid' },
  'Mark as not paying': { type: 'set_paid' },
  Delete: { type: 'delete' },
};

function neededFor(operation: Operation, body: object = {}): Permission[] {
  return [...permissionsOf(operation), ...furtherPermissionsFor(operation, body)];
}

describe.skipIf(skipsDashboard())('what operators are shown', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;
  let ids: { member: string; webhook: string; invitation: string; provider: string };

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.get('/site')).body.data.slug;
    const { id } = await aMember(site);
    await aSession(site, id);
    const { id: invitation } = await anInvitation(site);
    await changing(server.database, site.siteId, (change) => storeJoinRequest(change));
    const { id: webhook } = await aWebhook(site);
    const { id: provider } = await aLoginProvider(site);
    ids = { member: id, webhook, invitation, provider };
  });

  /** Gives the operator of the page a role with these permissions. */
  async function grant(page: Page, granted: readonly Permission[]): Promise<void> {
    await page.unrouteAll();
    await page.route('**/dashboard/api/token', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, permissions: granted } } });
    });
  }

  test.each(Object.entries(controls))('%s shows exactly what the operator may do', async (path, ofPage) => {
    const { page } = await browser.open(server, site.siteId);
    const url = path.replace(/:(\w+)/, (_, name: keyof typeof ids) => ids[name]);
    const changing = new Set(
      ofPage
        .flatMap(({ operation, body }) => neededFor(operation, body))
        .filter((name) => !reading.includes(name)),
    );
    const grants = [...changing].flatMap((only) => [
      [...reading, only],
      // What is shown for several permissions is covered by the first.
      ...(changing.size > 1 ? [] : [permissions.filter((permission) => permission !== only)]),
    ]);
    for (const granted of grants) {
      await grant(page, granted);
      await page.goto(`/dashboard/${slug}${url}`);
      await untilQuiet(page);
      for (const { role, name, operation, body } of ofPage) {
        const isShown = (await page.getByRole(role, { name, exact: true }).count()) > 0;
        const mayBeDone = neededFor(operation, body).every((needed) => granted.includes(needed));
        expect([name, isShown], granted.join(' ')).toEqual([name, mayBeDone]);
      }
    }
  });

  test.each(['members:block', 'members:write', 'access-groups:write', 'login-links:send'] as const)(
    'with %s alone exactly the actions for selected members are shown that it allows',
    async (permission) => {
      const { page } = await browser.open(server, site.siteId);
      await grant(page, [...reading, permission]);
      await page.goto(`/dashboard/${slug}/members`);
      await page.getByRole('checkbox', { name: 'Select all matching members' }).check();
      await page.getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Export as CSV' }).waitFor();
      const shown = (await page.getByRole('menuitem').allTextContents()).filter(
        (name) => name !== 'Export as CSV',
      );
      const possible = Object.entries(bulkActions).filter(([, action]) =>
        neededFor(bulkMemberActions, { action }).every((needed) => [...reading, permission].includes(needed)),
      );
      expect(shown.toSorted()).toEqual(possible.map(([name]) => name).toSorted());
    },
  );
});
