import { type ClientErrorCode, GatehouseError, type GatehouseErrorFacts } from '@gatehouse/client';
import type { Input, Output } from '@gatehouse/contract';
import type {
  AddPasskey,
  CreateSavedView,
  CreateSite,
  DashboardErrorBody,
  DashboardErrorCode,
  DashboardOperationId,
  DashboardOperations,
  dashboardStreamOperations,
  LogInWithPasskey,
  UpdateSavedView,
} from '@gatehouse/contract/dashboard';
import { dashboardApiPrefix, dashboardRoutes } from '@gatehouse/contract/dashboard-routes';
import { attendance } from './attendance.ts';
import { checkOnline } from './offline.ts';

export type { OperatorRole as Role } from '@gatehouse/contract';
export type {
  CreateSite as NewSite,
  Me,
  OperatedSite,
  OperatorSession,
  OperatorToken,
  Passkey,
  SavedView,
} from '@gatehouse/contract/dashboard';

type Id = DashboardOperationId;
type AnyOperations = DashboardOperations & typeof dashboardStreamOperations;

/** The input of an operation: parameters, query and body, as far as it has them. */
type Parts<K extends keyof AnyOperations> = PartsOf<Input<AnyOperations[K]>>;
type PartsOf<Taken extends AnyInput> = Named<'params', Taken> &
  Named<'query', Taken> &
  (Taken['body'] extends undefined ? { body?: never } : { body: Taken['body'] });
type Named<Part extends 'params' | 'query', Taken extends AnyInput> = keyof Taken[Part] extends never
  ? { [Name in Part]?: never }
  : { [Name in Part]: Taken[Part] };
type AnyInput = { readonly params: object; readonly query: object; readonly body: unknown };

/** The operator of this page. Another operator who logs in later in this browser must not continue with it. */
let personId: string | undefined;

/** The API of the operator's own session. Everything about a site uses the public API, with a token. */
export const dashboardApi = {
  me: async () => {
    const { data } = await call('getMe', {});
    personId = data.operator.id;
    return data;
  },
  rename: (displayName: string | null) => dataOf(call('updateMe', { body: { displayName } })),
  token: (siteId: string) => dataOf(call('createOperatorToken', { body: { siteId } })),
  createSite: (site: CreateSite) => dataOf(call('createSite', { body: site })),
  sessions: () => call('listOwnSessions', {}),
  endSession: (sessionId: string) => call('endOwnSession', { params: { sessionId } }),
  logOut: (everywhere: boolean) => call('logOut', { body: { everywhere } }),
  passkeys: () => call('listPasskeys', {}),
  passkeyOptions: () => dataOf(call('createPasskeyOptions', { body: {} })),
  addPasskey: (response: AddPasskey['response'], name: string) =>
    dataOf(call('addPasskey', { body: { response, name } })),
  passkeyLoginOptions: () => dataOf(call('createPasskeyLoginOptions', { body: {} })),
  logInWithPasskey: (response: LogInWithPasskey['response']) =>
    dataOf(call('logInWithPasskey', { body: { response } })),
  deletePasskey: (passkeyId: string) => call('deletePasskey', { params: { passkeyId } }),
  savedViews: (siteId: string) => dataOf(call('listSavedViews', { query: { siteId } })),
  saveView: (siteId: string, view: CreateSavedView) =>
    dataOf(call('createSavedView', { query: { siteId }, body: view })),
  updateSavedView: (viewId: string, changes: UpdateSavedView) =>
    dataOf(call('updateSavedView', { params: { viewId }, body: changes })),
  deleteSavedView: (viewId: string) => call('deleteSavedView', { params: { viewId } }),
  mailServer: (siteId: string) => dataOf(call('getMailServer', { query: { siteId } })),
  sendTestEmail: (siteId: string) => dataOf(call('testMailServer', { body: { siteId } })),
};

/** Whether an error means that the operator's session has ended. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof GatehouseError && isCode(error.code, 'logged_out');
}

/** Whether an error means that the operator has to log in again for this change. */
export function isLoginNotRecent(error: unknown): boolean {
  return error instanceof GatehouseError && error.code === 'login_not_recent';
}

/** The URL of an operation, for responses that are shown as a page, and for streams. */
export function addressOf<K extends keyof AnyOperations>(id: K, parts: Parts<K>): string {
  const { params = {}, query = {} } = parts as AnyParts;
  const path = dashboardRoutes[id]
    .split(' ')[1]!
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const given = new URLSearchParams(query).toString();
  return dashboardApiPrefix + path + (given && `?${given}`);
}

/** Whether a page of the dashboard API can be shown. */
export async function isFound(address: string): Promise<boolean> {
  return (await send('GET', address, undefined)).ok;
}

const maxMilliseconds = 30_000;

interface AnyParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** @throws {GatehouseError} as calls of the public API do */
async function call<K extends Id>(id: K, parts: Parts<K>): Promise<Output<DashboardOperations[K]>> {
  const [method] = dashboardRoutes[id].split(' ');
  const { body } = parts as AnyParts;
  const response = await send(method!, addressOf(id, parts), body);
  if (response.status === 204) return undefined as Output<DashboardOperations[K]>;
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  throw toError(response, answer);
}

async function dataOf<Data>(answer: Promise<{ data: Data }>): Promise<Data> {
  return (await answer).data;
}

function toError(
  { status, headers }: Response,
  answer: Partial<DashboardErrorBody> | undefined,
): GatehouseError {
  const { message, code, requestId, details } = answer?.error ?? {};
  // If there are unsaved changes, the browser asks first.
  if (code !== undefined && isCode(code, 'other_operator')) location.reload();
  return new GatehouseError(message ?? 'The response is not a reply of Gatehouse.', {
    code: code ?? 'unexpected_response',
    status,
    requestId: requestId ?? headers.get('x-request-id') ?? undefined,
    details,
  } as GatehouseErrorFacts);
}

/** The client of the public API knows only its own error codes. */
function isCode(code: DashboardErrorCode | ClientErrorCode, wanted: DashboardErrorCode): boolean {
  return code === wanted;
}

async function send(method: string, address: string, body: object | undefined): Promise<Response> {
  checkOnline();
  try {
    return await fetch(address, {
      method,
      headers: {
        accept: 'application/json',
        ...(personId && { 'x-gatehouse-operator': personId }),
        ...attendance(),
        ...(body && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(maxMilliseconds),
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new GatehouseError('Gatehouse cannot be reached.', { code: 'network_error', cause });
  }
}
