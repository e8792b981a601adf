import { checkNext } from '../../../domain/sites/next-path.ts';
import { operatorPages } from '../../../domain/sites/page-addresses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import {
  beginPasskeyLoginIn,
  passkeyNotAccepted,
  readUsedPasskey,
} from '../../shared/login/passkey-steps.ts';
import { browserOf, setSessionCookie } from '../../shared/requests/page-cookies.ts';
import { readCookie } from '../../shared/requests/site-request.ts';
import { type DashboardHandlers, runAction } from './dashboard-handler.ts';
import { stepOf } from './passkeys.ts';

/** Login with a passkey, without an email. */
export const passkeyLoginHandlers: DashboardHandlers<'createPasskeyLoginOptions' | 'logInWithPasskey'> = {
  createPasskeyLoginOptions: async (context) => ({
    data: await beginPasskeyLoginIn(stepOf(context), context.request, context.reply),
  }),

  logInWithPasskey: async (context, { body }) => {
    const { request, reply, parts } = context;
    const { tenant } = parts;
    const browserToken = readCookie(request.raw, 'login', tenant);
    const passkey = await readUsedPasskey(stepOf(context), browserToken, body.response);
    if (!passkey) throw passkeyNotAccepted();
    const next = checkNext(body.next, originOf(tenant)!, operatorPages);
    const browser = browserOf(parts, request, null);
    const login = await runAction(context, 'logInWithPasskey', { passkey, next, browser });
    if (login.outcome !== 'logged_in') throw passkeyNotAccepted();
    setSessionCookie(parts, reply, tenant, login);
    return { data: { next: login.next } };
  },
};
