import type { IncomingMessage } from 'node:http';
import { type AddPasskey, dashboardOperations, type LogInWithPasskey } from '@gatehouse/contract/dashboard';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import { findVisitor, type SessionVisitor } from '../../../domain/access-rules/visitor.ts';
import { offersPasskeys } from '../../../domain/passkeys/passkey.ts';
import { isRecentLoginByEmail, loggedOut } from '../../../domain/sessions/session.ts';
import { checkNext } from '../../../domain/sites/next-path.ts';
import { originOf } from '../../../domain/sites/site.ts';
import type { VisitedSite } from '../../../domain/sites/visited-site.ts';
import { sendError } from '../../shared/errors/error-response.ts';
import { acceptJson } from '../../shared/json/json-parser.ts';
import { compileShapeCheck } from '../../shared/json/validation.ts';
import { addressBucket, bucketFor } from '../../shared/limits/rate-limit.ts';
import {
  beginPasskey,
  beginPasskeyLoginIn,
  type PasskeyStep,
  passkeyNotAccepted,
  readNewPasskey,
  readUsedPasskey,
} from '../../shared/login/passkey-steps.ts';
import { pageHeaders, transportHeaders } from '../../shared/pages/page-frame.ts';
import { pageFrame } from '../../shared/pages/page-response.ts';
import { attempt } from '../../shared/requests/page-action.ts';
import { browserOf, sessionTokenOf, setSessionCookie } from '../../shared/requests/page-cookies.ts';
import { type PageParts, viewOf } from '../../shared/requests/page-parts.ts';
import { isCrossSite, secondsToWait } from '../../shared/requests/page-request.ts';
import { readCookie } from '../../shared/requests/site-request.ts';
import { isFormKey } from '../form-key.ts';

const checkAdded = compileShapeCheck(dashboardOperations.addPasskey);
const checkLogin = compileShapeCheck(dashboardOperations.logInWithPasskey);

export interface PasskeyRequestParts extends PageParts {
  /** The site that a request visits, at the address where it is visited. */
  readonly siteOf: (request: IncomingMessage) => Promise<VisitedSite | undefined>;
}

/**
 * The requests of the scripts for passkeys, in JSON: a plugin with its own parsers and errors. Scripts of other pages of the
 * host can send them too. Those that act as the member need the key of the forms of the account page, which they cannot read.
 */
export async function passkeyRequests(requests: FastifyInstance, parts: PasskeyRequestParts): Promise<void> {
  requests.decorateRequest('site', null);
  acceptJson(requests);
  requests.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  requests.addHook('onRequest', (request, reply) => enter(parts, request, reply));

  addRegistration(requests, parts);
  addLogin(requests, parts);
}

/** @throws {ApiError} `not_found`, `permission_denied`, `rate_limited` */
async function enter(
  parts: PasskeyRequestParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  parts.admission.admitUncounted(reply);
  const site = await parts.siteOf(request.raw);
  if (!site || !offersPasskeys(site)) throw new ApiError('not_found', 'This site has no passkeys.');
  request.site = site;
  reply.headers({
    ...pageHeaders,
    ...transportHeaders(site),
    'content-type': 'application/json; charset=utf-8',
  });
  if (isCrossSite(request)) throw new ApiError('permission_denied', 'The request was sent by another site.');
  const bucket = bucketFor('passkeys', addressBucket(request.ip));
  const wait = await secondsToWait(parts, bucket, parts.settings.loginLimitClient);
  if (wait === 0) return;
  reply.header('retry-after', wait);
  throw new ApiError('rate_limited', 'Too many requests. Try again later, or log in by email.');
}

/** A member adds a passkey, who has just logged in by email. */
function addRegistration(requests: FastifyInstance, parts: PasskeyRequestParts): void {
  requests.post('/options', async (request) => {
    const { memberId: id, email, displayName, session } = await requireOwn(parts, request);
    if (!isRecentLoginByEmail(session, viewOf(parts, request).now)) {
      throw new ApiError('login_not_recent', 'Log in by email again to add a passkey.');
    }
    const owner = { id, email, displayName };
    return { data: await beginPasskey(stepOf(parts, request), sessionTokenOf(request), owner) };
  });

  requests.post('/add', async (request, reply) => {
    await requireOwn(parts, request);
    const { formKey, ...body } = request.body as AddPasskey & { readonly formKey: string };
    checkAdded({ params: {}, query: {}, body });
    const step = stepOf(parts, request);
    const sessionToken = sessionTokenOf(request);
    const credential = await readNewPasskey(step, sessionToken, body.response);
    if (!credential) throw passkeyNotAccepted();
    const added = { sessionToken, name: body.name, credential, language: pageFrame(request).language };
    return reply.code(201).send({ data: await step.act('addOwnPasskey', added) });
  });
}

/** A visitor logs in with a passkey, without an email address. */
function addLogin(requests: FastifyInstance, parts: PasskeyRequestParts): void {
  requests.post('/login-options', async (request, reply) => ({
    data: await beginPasskeyLoginIn(stepOf(parts, request), request, reply),
  }));

  requests.post('/login', { config: { event: 'passkey.refused' } }, async (request, reply) => {
    const site = request.site!;
    checkLogin({ params: {}, query: {}, body: request.body });
    const body = request.body as LogInWithPasskey;
    const step = stepOf(parts, request);
    const passkey = await readUsedPasskey(step, readCookie(request.raw, 'login', site), body.response);
    if (!passkey) throw passkeyNotAccepted();
    const next = checkNext(body.next, originOf(site)!);
    const login = await step.act('logInWithPasskey', {
      passkey,
      next,
      browser: browserOf(parts, request, null),
    });
    if (login.outcome !== 'logged_in') throw passkeyNotAccepted();
    setSessionCookie(parts, reply, site, login);
    return { data: { next: login.next } };
  });
}

/** The member whose page sends a request. @throws {ApiError} `logged_out`, `permission_denied` */
async function requireOwn(parts: PasskeyRequestParts, request: FastifyRequest): Promise<SessionVisitor> {
  const visitor = await findVisitor(viewOf(parts, request), sessionTokenOf(request));
  if (visitor?.status !== 'active') throw loggedOut();
  const { formKey } = (request.body ?? {}) as { readonly formKey?: unknown };
  if (typeof formKey === 'string' && isFormKey(request, formKey)) return visitor;
  throw new ApiError('permission_denied', 'The request does not come from the account page of this session.');
}

/** A step of WebAuthn on the visited site. Its actions throw the errors of the API. */
function stepOf(parts: PasskeyRequestParts, request: FastifyRequest): PasskeyStep {
  const act: PasskeyStep['act'] = async (action, input) => {
    const outcome = await attempt(parts, request, action, input);
    if (outcome.kind === 'success') return outcome.result;
    throw new ApiError(outcome.code, outcome.message, outcome.details);
  };
  return { act, db: parts.database, site: request.site! };
}
