import { challengeMinutes } from '../../../domain/passkeys/passkey.ts';
import { findSigningPasskey } from '../../../domain/passkeys/passkeys.ts';
import { loginOptions } from '../../../domain/passkeys/webauthn.ts';
import { generateToken, isToken } from '../../../domain/sessions/token.ts';
import { checkNext } from '../../../domain/sites/next-path.ts';
import { operatorPages } from '../../../domain/sites/page-addresses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { browserOf, setCookie, setSessionCookie } from '../../shared/requests/page-cookies.ts';
import { readCookie } from '../../shared/requests/site-request.ts';
import { type DashboardHandlers, runAction } from './dashboard-handler.ts';
import { passkeyNotAccepted } from './passkeys.ts';

/** Login with a passkey, without an email. */
export const passkeyLoginHandlers: DashboardHandlers<'createPasskeyLoginOptions' | 'logInWithPasskey'> = {
  createPasskeyLoginOptions: async (context) => {
    const { request, reply, parts } = context;
    const known = readCookie(request.raw, 'login', parts.tenant);
    const browserToken = isToken(known) ? known : generateToken();
    const options = await loginOptions(parts.tenant);
    const { challenge } = options;
    await runAction(context, 'saveChallengeFor', { browserToken, purpose: 'log_in', challenge });
    // A browser that waits for an email keeps the token it already has.
    if (browserToken !== known) {
      setCookie(reply, 'login', parts.tenant, browserToken, challengeMinutes * 60);
    }
    return { data: options };
  },

  logInWithPasskey: async (context, { body }) => {
    const { request, reply, parts } = context;
    const { database, tenant } = parts;
    const browserToken = readCookie(request.raw, 'login', tenant);
    const challenge = await runAction(context, 'consumeChallenge', { browserToken, purpose: 'log_in' });
    if (challenge === null) throw passkeyNotAccepted();
    const passkey = await findSigningPasskey(database, tenant, body.response, challenge);
    if (!passkey) throw passkeyNotAccepted();
    const login = await runAction(context, 'logInWithPasskey', {
      passkey,
      browser: browserOf(parts, request, null),
    });
    if (login.outcome !== 'logged_in') throw passkeyNotAccepted();
    setSessionCookie(parts, reply, tenant, login);
    return { data: { next: checkNext(body.next, originOf(tenant)!, operatorPages) } };
  },
};
