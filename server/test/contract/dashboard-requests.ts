import { randomUUID } from 'node:crypto';
import {
  type DashboardOperation,
  type DashboardOperationId,
  dashboardOperations,
} from '@gatehouse/contract/dashboard';
import { Authenticator } from '../authenticator.ts';
import { anOperator, OperatorBrowser, type TestOperator } from '../operator.ts';
import type { TestResponse, TestServer, TestSite } from '../test-server.ts';

/** The origin of the operator's browser at the dashboard of a test server. */
const origin = 'http://localhost:8080';

export const everyDashboardOperation = Object.keys(dashboardOperations) as DashboardOperationId[];

export interface ReadyDashboardRequest {
  readonly method: string;
  /** The path below the dashboard's own API, without a leading slash, with the query. */
  readonly path: string;
  readonly body?: unknown;
  /** The browser that sends it. */
  readonly browser: OperatorBrowser;
}

/** A request for the operation that succeeds; its prerequisites are created first. */
export async function readyDashboardRequest(
  id: DashboardOperationId,
  { server, site, operator }: Circumstances,
): Promise<ReadyDashboardRequest> {
  const { method } = dashboardOperations[id];
  return {
    method,
    path: dashboardPath(id),
    browser: operator.browser,
    ...(await make[id]({ server, site, operator })),
  };
}

export interface Circumstances {
  readonly server: TestServer;
  readonly site: TestSite;
  readonly operator: TestOperator;
}

/** An owner of a new site. */
export async function aSiteOwner(server: TestServer): Promise<Circumstances> {
  const site = await server.createSite();
  return { server, site, operator: await anOperator(server, site.siteId) };
}

export function sendDashboardRequest(
  { browser, method, path, body }: ReadyDashboardRequest,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return browser.request(method, path, body, headers);
}

/** The operation's path with its IDs filled in. */
export function dashboardPath(id: DashboardOperationId, ids: Readonly<Record<string, string>> = {}): string {
  const { path }: DashboardOperation = dashboardOperations[id];
  return path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID());
}

/** A new passkey of the operator. */
export async function aPasskey({
  browser,
}: TestOperator): Promise<{ id: string; authenticator: Authenticator }> {
  const authenticator = new Authenticator(origin);
  const { body: offered } = await browser.request('POST', dashboardPath('createPasskeyOptions'), {});
  const response = authenticator.register(offered.data);
  const added = await browser.request('POST', dashboardPath('addPasskey'), {
    name: 'My laptop',
    response,
  });
  return { id: added.body.data.id, authenticator };
}

export const savedViewsPath = ({ siteId }: TestSite) => `${dashboardPath('listSavedViews')}?siteId=${siteId}`;

/** The id of a new saved view. */
export async function aSavedView(
  site: TestSite,
  { browser }: TestOperator,
  view = { name: 'Ending soon', search: 'ends=30' },
): Promise<string> {
  return (await browser.request('POST', savedViewsPath(site), view)).body.data.id;
}

// One for each operation; the compiler requires an entry for new ones.
const make: Record<
  DashboardOperationId,
  (circumstances: Circumstances) => Promise<Partial<ReadyDashboardRequest>>
> = {
  getMe: async () => ({}),
  updateMe: async () => ({ body: { displayName: 'Grace Hopper' } }),
  createOperatorToken: async ({ site }) => ({ body: { siteId: site.siteId } }),
  createSite: async () => ({
    body: { slug: `s-${randomUUID()}`, title: 'Rowing Club', domain: `${randomUUID()}.example.org` },
  }),
  listOwnSessions: async () => ({}),
  endOwnSession: async ({ operator }) => ({
    path: dashboardPath('endOwnSession', { sessionId: operator.sessionId }),
  }),
  logOut: async () => ({ body: { everywhere: true } }),
  listPasskeys: async ({ operator }) => {
    await aPasskey(operator);
    return {};
  },
  createPasskeyOptions: async ({ operator }) => {
    // So that there is an existing passkey to name.
    await aPasskey(operator);
    return { body: {} };
  },
  addPasskey: async ({ operator }) => {
    const { body } = await operator.browser.request('POST', dashboardPath('createPasskeyOptions'), {});
    return { body: { name: 'My laptop', response: new Authenticator(origin).register(body.data) } };
  },
  deletePasskey: async ({ operator }) => ({
    path: dashboardPath('deletePasskey', { passkeyId: (await aPasskey(operator)).id }),
  }),
  createPasskeyLoginOptions: async ({ server }) => ({ browser: new OperatorBrowser(server), body: {} }),
  logInWithPasskey: async ({ server, operator }) => {
    const { authenticator } = await aPasskey(operator);
    const browser = new OperatorBrowser(server);
    const { body } = await browser.request('POST', dashboardPath('createPasskeyLoginOptions'), {});
    return { browser, body: { response: authenticator.sign(body.data), next: '/dashboard/academy/members' } };
  },
  listSavedViews: async ({ site, operator }) => {
    await aSavedView(site, operator);
    return { path: savedViewsPath(site) };
  },
  createSavedView: async ({ site }) => ({
    path: savedViewsPath(site),
    body: { name: 'Ending soon', search: 'ends=30' },
  }),
  updateSavedView: async ({ site, operator }) => ({
    path: dashboardPath('updateSavedView', { viewId: await aSavedView(site, operator) }),
    body: { name: 'Ending this week', search: 'ends=7' },
  }),
  deleteSavedView: async ({ site, operator }) => ({
    path: dashboardPath('deleteSavedView', { viewId: await aSavedView(site, operator) }),
  }),
  getMailServer: async ({ site }) => ({ path: `${dashboardPath('getMailServer')}?siteId=${site.siteId}` }),
  testMailServer: async ({ site }) => ({ body: { siteId: site.siteId } }),
  previewLoginPage: async ({ site }) => ({ path: previewPath('previewLoginPage', site) }),
  previewLoginEmail: async ({ site }) => ({ path: previewPath('previewLoginEmail', site) }),
};

function previewPath(id: 'previewLoginPage' | 'previewLoginEmail', { siteId }: TestSite): string {
  const query = { title: 'Rowing Club', color: '#B3261E', language: 'de', siteId };
  return `${dashboardPath(id)}?${new URLSearchParams(query)}`;
}
