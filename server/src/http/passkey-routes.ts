import type { FastifyInstance } from 'fastify';
import { Refusal } from '../base/refusal.ts';
import { generateToken, isToken } from '../credentials/token.ts';
import { checkNext } from '../login/next-path.ts';
import { challengeMinutes } from '../operators/passkey.ts';
import { selectPasskey, selectPasskeys } from '../operators/passkey-store.ts';
import { listPasskeys } from '../operators/passkeys.ts';
import { loginOptions, registrationOptions, verifyLogin, verifyRegistration } from '../operators/webauthn.ts';
import { realmOf } from '../sites/realm.ts';
import { originOf } from '../sites/site.ts';
import { sendOutcome, sendSignedOut } from './dashboard-answer.ts';
import {
  act,
  attempt,
  browserOf,
  keepCookie,
  keepSession,
  type PageParts,
  pageOptions,
  sessionTokenOf,
} from './page-request.ts';
import { readCookie } from './site-request.ts';
import { compileBodyCheck } from './validation.ts';

const signedOut = { config: { uncounted: true, signedOut: true } };
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const longestCredentialId = 1_400;
const response = {
  type: 'object',
  properties: { id: { type: 'string', maxLength: longestCredentialId, pattern: '^[A-Za-z0-9_-]+$' } },
  required: ['id'],
};

/** The passkeys of the operator who is signed in. */
export function addPasskeys(api: FastifyInstance, parts: PageParts): void {
  const { database } = parts;
  const readPasskey = compileBodyCheck<{ response: { id: string }; name: string }>({
    response,
    name: { type: 'string', maxLength: 1_000 },
  });

  api.get('/passkeys', pageOptions, async ({ site, operator }) => ({
    data: await listPasskeys(database, site!.id, operator!.memberId),
  }));

  api.post('/passkeys/options', pageOptions, async (request) => {
    const { memberId: id, email, displayName } = request.operator!;
    const realm = request.site!;
    const known = await selectPasskeys(database, realm.id, id);
    const options = await registrationOptions(realm, { id, email, displayName }, known);
    const browserToken = sessionTokenOf(request);
    const { challenge } = options;
    await act(parts, request, 'keepChallenge', { browserToken, purpose: 'add', challenge });
    return options;
  });

  api.post('/passkeys', pageOptions, async (request, reply) => {
    const body = readPasskey(request.body);
    const sessionToken = sessionTokenOf(request);
    const ask = { browserToken: sessionToken, purpose: 'add' } as const;
    const challenge = await act(parts, request, 'consumeChallenge', ask);
    const credential =
      challenge === null ? undefined : await verifyRegistration(request.site!, body.response, challenge);
    if (!credential) throw notAccepted();
    const input = { sessionToken, name: body.name, credential };
    return sendOutcome(request, reply, await attempt(parts, request, 'addPasskey', input));
  });

  api.delete('/passkeys/:id', pageOptions, async (request, reply) => {
    const passkeyId = (request.params as { id: string }).id.toLowerCase();
    if (!uuidForm.test(passkeyId))
      throw new Refusal('not_found', 'You have no passkey with this id. Check the id.');
    const input = { sessionToken: sessionTokenOf(request), passkeyId };
    const outcome = await attempt(parts, request, 'deletePasskey', input);
    if (outcome.kind === 'refused') return sendOutcome(request, reply, outcome);
    if (outcome.payload === '"signed_out"') return sendSignedOut(request, reply);
    return reply.code(204).send();
  });
}

/** The way in with a passkey, without a mail. */
export function addPasskeyLogin(api: FastifyInstance, parts: PageParts): void {
  const readNothing = compileBodyCheck<object>({});
  const readLogin = compileBodyCheck<{ response: { id: string }; next?: string }>(
    { response, next: { type: 'string', maxLength: 2_000 } },
    ['next'],
  );

  api.post('/passkey-login/options', signedOut, async (request, reply) => {
    readNothing(request.body);
    const realm = request.site!;
    const known = readCookie(request.raw, 'login', realm);
    const browserToken = isToken(known) ? known : generateToken();
    const options = await loginOptions(realm);
    const { challenge } = options;
    await act(parts, request, 'keepChallenge', { browserToken, purpose: 'log_in', challenge });
    // A browser that waits for a mail stays known by what it was given then.
    if (browserToken !== known) keepCookie(reply, 'login', realm, browserToken, challengeMinutes * 60);
    return options;
  });

  api.post('/passkey-login', signedOut, async (request, reply) => {
    const body = readLogin(request.body);
    const realm = request.site!;
    const browserToken = readCookie(request.raw, 'login', realm);
    const challenge = await act(parts, request, 'consumeChallenge', { browserToken, purpose: 'log_in' });
    if (challenge === null) throw notAccepted();
    const passkey = await selectPasskey(parts.database, realm.id, body.response.id);
    const counter = passkey && (await verifyLogin(realm, body.response, challenge, passkey));
    if (!passkey || counter === undefined) throw notAccepted();
    const used = { id: passkey.id, operatorId: passkey.member_id, counter };
    const login = await act(parts, request, 'logInWithPasskey', {
      passkey: used,
      browser: browserOf(request),
    });
    if (login.outcome !== 'in') throw notAccepted();
    keepSession(reply, realm, login);
    return { next: checkNext(body.next, originOf(realm)!, realmOf(realm)) };
  });
}

/** One answer to whatever does not hold, so that nothing is learnt by trying. */
function notAccepted(): Refusal {
  return new Refusal('invalid_request', 'This passkey was not accepted. Try again, or log in by email.');
}
