import { GatehouseError, type GatehouseErrorFacts, type Permission } from '@gatehouse/client';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { checkOnline } from './offline.ts';

export type Role = 'owner' | 'admin' | 'support' | 'viewer';

export interface Me {
  operator: { id: string; email: string; displayName: string | null };
  sites: OperatedSite[];
  /** The version of the service that answers. */
  version: string;
  mayCreateSites: boolean;
}

/** A site, and what the operator is on it. */
export interface OperatedSite {
  id: string;
  slug: string;
  title: string;
  domain: string | null;
  role: Role;
}

export interface SiteToken {
  token: string;
  expiresInSeconds: number;
  role: Role;
  permissions: Permission[];
}

export interface OperatorSession {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  userAgent: string | null;
  clientAddress: string | null;
  current: boolean;
}

export interface Passkey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface NewSite {
  slug: string;
  title: string;
  domain?: string;
}

/** Whose page this is: whoever signs in later in this browser must not go on with it. */
let operatorId: string | undefined;

/** What the operator's own session is good for. Everything about a site goes through the API, with a token. */
export const dashboardApi = {
  me: async () => {
    const me = await call<Me>('GET', 'me');
    operatorId = me.operator.id;
    return me;
  },
  rename: (displayName: string | null) => call<Me>('PATCH', 'me', { displayName }),
  token: (siteId: string) => call<SiteToken>('POST', 'token', { siteId }),
  createSite: (site: NewSite) => call<{ site: OperatedSite }>('POST', 'sites', site),
  sessions: () => call<{ data: OperatorSession[] }>('GET', 'sessions'),
  endSession: (id: string) => call<void>('DELETE', `sessions/${id}`),
  signOut: (everywhere: boolean) => call<void>('POST', 'sign-out', { everywhere }),
  passkeys: () => call<{ data: Passkey[] }>('GET', 'passkeys'),
  passkeyOptions: () => call<PublicKeyCredentialCreationOptionsJSON>('POST', 'passkeys/options', {}),
  addPasskey: (response: RegistrationResponseJSON, name: string) =>
    call<Passkey>('POST', 'passkeys', { response, name }),
  deletePasskey: (id: string) => call<void>('DELETE', `passkeys/${id}`),
};

/** Whether an error says that the operator's session is over. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof GatehouseError && (error.code as string) === 'signed_out';
}

const longestMilliseconds = 30_000;

/** @throws GatehouseError, as calls of the API do */
async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await send(method, path, body);
  if (response.status === 204) return undefined as Answer;
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  const { message, code, requestId } = answer?.error ?? {};
  // The browser asks first where something is not saved.
  if (code === 'other_operator') location.reload();
  throw new GatehouseError(message ?? 'The answer is not one of Gatehouse.', {
    code: code ?? 'unexpected_response',
    status: response.status,
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    details: answer?.error?.details,
  } as GatehouseErrorFacts);
}

async function send(method: string, path: string, body: object | undefined): Promise<Response> {
  checkOnline();
  try {
    return await fetch(`/dashboard/api/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(operatorId && { 'x-gatehouse-operator': operatorId }),
        ...(body && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(longestMilliseconds),
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new GatehouseError('Gatehouse cannot be reached.', { code: 'network_error', cause });
  }
}
