import type { MemberPasskey } from '@gatehouse/contract';
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@gatehouse/contract/dashboard';
import { systemContext } from '../src/base/change-context.ts';
import { type Clock, systemClock } from '../src/base/clock.ts';
import type { Change } from '../src/domain/events/change.ts';
import type { Login } from '../src/domain/logins/login.ts';
import { memberSessions } from '../src/domain/sessions/session.ts';
import { generateToken } from '../src/domain/sessions/token.ts';
import { findSiteByHost } from '../src/domain/sites/visited-hosts.ts';
import {
  type Act,
  beginPasskey,
  beginPasskeyLogin,
  type PasskeyStep,
  readNewPasskey,
  readUsedPasskey,
} from '../src/http/shared/login/passkey-steps.ts';
import { passkeyActions } from '../src/operations/access/passkey-actions.ts';
import { separateNeeds } from '../src/operations/operation-handler.ts';
import { emailComposer } from '../src/pages/emails/email-composer.ts';
import type { Authenticator } from './authenticator.ts';
import { changing } from './change.ts';
import type { TestServer, TestSite } from './test-server.ts';

// What the pages of a site do with passkeys, without the pages: the same steps and actions.

/** The steps at the primary host of a site. */
export async function passkeyStepAt(
  { database: db }: TestServer,
  site: TestSite,
  clock: Clock = systemClock,
): Promise<PasskeyStep> {
  const act = (async (action: keyof typeof passkeyActions, input: never) => {
    const { handle } = separateNeeds(passkeyActions[action] as unknown as Handle);
    const context = systemContext(clock().toISOString());
    return changing(db, site.siteId, (change) => handle(change, input, emailComposer), context);
  }) as Act;
  return { act, db, site: (await findSiteByHost(db, (await site.domain())!))! };
}

type Handle = (change: Change, input: never, composer: typeof emailComposer) => Promise<unknown>;

/** Adds the passkey of an authenticator in a session; undefined if it is not accepted. */
export async function addMemberPasskey(
  step: PasskeyStep,
  session: { readonly token: string; readonly memberId: string },
  authenticator: Authenticator,
  seen: (options: PasskeyCreationOptions) => PasskeyCreationOptions = (options) => options,
): Promise<MemberPasskey | undefined> {
  const owner = { id: session.memberId, email: 'ada@example.com', displayName: null };
  const options = await beginPasskey(step, session.token, owner);
  const credential = await readNewPasskey(step, session.token, authenticator.register(seen(options)));
  const name = 'My phone';
  return (
    credential && step.act('addOwnPasskey', { sessionToken: session.token, name, credential, language: 'en' })
  );
}

/** Logs in with the passkey of an authenticator; undefined if it is not accepted. */
export async function logInWithMemberPasskey(
  step: PasskeyStep,
  authenticator: Authenticator,
  seen: (options: PasskeyRequestOptions) => PasskeyRequestOptions = (options) => options,
): Promise<Login | undefined> {
  const browserToken = generateToken();
  const options = await beginPasskeyLogin(step, browserToken);
  const passkey = await readUsedPasskey(step, browserToken, authenticator.sign(seen(options)));
  return passkey && step.act('logInWithPasskey', { passkey, next: '/course', browser: aBrowser });
}

export const aBrowser = {
  userAgent: null,
  ipAddress: null,
  lifetime: memberSessions,
  language: 'en',
  loginToken: null,
  sessionToken: null,
  deviceCookie: null,
  form: null,
};
