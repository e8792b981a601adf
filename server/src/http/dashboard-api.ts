import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../base/refusal.ts';
import { findKnownBrowser } from '../credentials/known-browsers.ts';
import { isUnseen } from '../credentials/session.ts';
import { listSessions } from '../credentials/sessions.ts';
import { findVisitor, type Visitor } from '../gate/visitor.ts';
import { selectSitesOfOperator } from '../operators/operator-store.ts';
import type { SeenSession } from '../routing/route.ts';
import type { Admission } from './admission.ts';
import { sendOtherOperator, sendOutcome, sendSignedOut } from './dashboard-answer.ts';
import { sendComplaint } from './error-answer.ts';
import {
  act,
  attempt,
  deviceCookieOf,
  isForeign,
  keepCookie,
  type PageParts,
  pageOptions,
  sessionTokenOf,
} from './page-request.ts';
import { addPasskeyLogin, addPasskeys } from './passkey-routes.ts';
import { addPreviews } from './preview-routes.ts';
import { compileBodyCheck } from './validation.ts';

const shownSessions = 100;
const uuid = { type: 'string', format: 'uuid', maxLength: 36 } as const;
const text = { type: 'string', maxLength: 1_000 } as const;

export interface DashboardApiParts extends PageParts {
  readonly admission: Admission;
  /** Told of a session in use that was not seen for a while. */
  readonly onSeen: (siteId: string, session: SeenSession) => void;
  readonly version: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator who is signed in. Set on what the dashboard asks for beside the API, but the way in. */
    operator: Visitor | null;
  }
  interface FastifyContextConfig {
    /** Answered to operators who are not signed in yet. */
    signedOut?: boolean;
  }
}

/** What only a browser with an operator's session is answered to. It is the dashboard's own, and no part of the contract. */
export function addDashboardApi(api: FastifyInstance, parts: DashboardApiParts): void {
  api.decorateRequest('operator', null);
  api.addHook('onRequest', (request, reply) => admit(parts, request, reply));
  addOperator(api, parts);
  addSites(api, parts);
  addSessions(api, parts);
  addPreviews(api, parts);
  addPasskeys(api, parts);
  addPasskeyLogin(api, parts);
  api.all('/*', pageOptions, async (request, reply) =>
    sendComplaint(request, reply, {
      code: 'not_found',
      message: 'There is nothing at this path. Check the path.',
    }),
  );
}

function addOperator(api: FastifyInstance, parts: DashboardApiParts): void {
  const readName = compileBodyCheck<{ displayName: string | null }>({
    displayName: { type: ['string', 'null'], maxLength: 1_000 },
  });

  api.get('/me', pageOptions, async ({ operator }) => describe(parts, operator!));

  api.patch('/me', pageOptions, async (request, reply) => {
    const { displayName } = readName(request.body);
    const sessionToken = sessionTokenOf(request);
    const input = { sessionToken, displayName: displayName ?? '' };
    const outcome = await attempt(parts, request, 'renameOperator', input);
    if (outcome.kind === 'refused') return sendOutcome(request, reply, outcome);
    const operator = await findOperator(parts, request);
    return operator ? describe(parts, operator) : sendSignedOut(request, reply);
  });
}

function addSites(api: FastifyInstance, parts: DashboardApiParts): void {
  const readSiteId = compileBodyCheck<{ siteId: string }>({ siteId: uuid });
  const readSite = compileBodyCheck<{ slug: string; title: string; domain?: string | null }>(
    { slug: text, title: text, domain: { type: ['string', 'null'], maxLength: 1_000 } },
    ['domain'],
  );

  api.post('/token', pageOptions, async (request, reply) => {
    const { siteId } = readSiteId(request.body);
    const sessionToken = sessionTokenOf(request);
    return sendOutcome(
      request,
      reply,
      await attempt(parts, request, 'createOperatorToken', { sessionToken, siteId }),
    );
  });

  api.post('/sites', pageOptions, async (request, reply) => {
    const site = readSite(request.body);
    const sessionToken = sessionTokenOf(request);
    const outcome = await attempt(parts, request, 'createSiteAsOperator', { sessionToken, site });
    return sendOutcome(request, reply, outcome);
  });
}

function addSessions(api: FastifyInstance, parts: DashboardApiParts): void {
  const readScope = compileBodyCheck<{ everywhere?: boolean }>({ everywhere: { type: 'boolean' } }, [
    'everywhere',
  ]);
  const { database, clock } = parts;

  api.get('/sessions', pageOptions, async (request) => {
    const { memberId, session } = request.operator!;
    const query = { limit: shownSessions };
    const { data } = await listSessions(database, request.site!.id, memberId, query, clock().toISOString());
    return {
      data: data.map(({ id, createdAt, lastSeenAt, userAgent, clientAddress }) => ({
        id,
        createdAt,
        lastSeenAt,
        userAgent,
        clientAddress,
        current: id === session.id,
      })),
    };
  });

  api.delete('/sessions/:id', pageOptions, async (request, reply) => {
    const { id } = request.params as { id: string };
    if (!uuidForm.test(id))
      throw new Refusal('session_not_found', 'You have no session with this id. Check the id.');
    const input = { sessionToken: sessionTokenOf(request), sessionId: id.toLowerCase() };
    await act(parts, request, 'endSession', input);
    if (input.sessionId === request.operator!.session.id)
      keepCookie(reply, 'session', request.site!, null, 0);
    return reply.code(204).send();
  });

  api.post('/sign-out', pageOptions, async (request, reply) => {
    const { everywhere = false } = readScope(request.body);
    const sessionToken = sessionTokenOf(request);
    const deviceCookie = deviceCookieOf(request) ?? null;
    if (everywhere) await act(parts, request, 'endAllSessions', { sessionToken, deviceCookie });
    else await act(parts, request, 'endSession', { sessionToken, sessionId: null });
    keepCookie(reply, 'session', request.site!, null, 0);
    return reply.code(204).send();
  });
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Lets an operator in who is signed in. What a page of another site makes a browser send is none of it. */
async function admit(
  parts: DashboardApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  if (changes && isForeign(request)) {
    throw new Refusal(
      'permission_denied',
      'This request was sent by another site. Use the dashboard itself.',
    );
  }
  // No form can send it, whatever a browser says of where it was sent from.
  if ((request.method === 'POST' || request.method === 'PATCH') && !isJson(request)) {
    throw new Refusal(
      'unsupported_media_type',
      'The body is not marked as JSON. Send JSON with the header Content-Type: application/json.',
    );
  }
  request.operator = (await findOperator(parts, request)) ?? null;
  if (request.operator) {
    if (isMeantForAnother(request, request.operator)) return sendOtherOperator(request, reply);
    await parts.admission.admitOperator(reply, request.operator.memberId);
    return undefined;
  }
  const now = parts.clock().toISOString();
  const browser = await findKnownBrowser(parts.database, request.site!.id, deviceCookieOf(request), now);
  if (browser) await parts.admission.admitKnownBrowser(reply, browser.key);
  else await parts.admission.admitAddress(request, reply);
  return request.routeOptions.config.signedOut ? undefined : sendSignedOut(request, reply);
}

async function findOperator(
  { database, clock, onSeen }: DashboardApiParts,
  request: FastifyRequest,
): Promise<Visitor | undefined> {
  const now = clock().toISOString();
  const realmId = request.site!.id;
  const operator = await findVisitor(database, realmId, sessionTokenOf(request), now);
  if (operator?.status !== 'active') return undefined;
  if (isUnseen(operator.session, now)) onSeen(realmId, operator.session);
  return operator;
}

async function describe({ database, version }: DashboardApiParts, operator: Visitor) {
  const { memberId: id, email, displayName } = operator;
  const sites = await selectSitesOfOperator(database, id);
  return {
    operator: { id, email, displayName },
    sites,
    version,
    mayCreateSites: sites.some(({ role }) => role === 'owner'),
  };
}

/** Whether the page belongs to somebody else, who was signed in in this browser before. */
function isMeantForAnother({ headers }: FastifyRequest, { memberId }: Visitor): boolean {
  const expected = headers['x-gatehouse-operator'];
  return expected !== undefined && expected !== memberId;
}

function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}
