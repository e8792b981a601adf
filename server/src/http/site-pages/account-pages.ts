import { maxAccessTokens } from '@gatehouse/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../../base/ids.ts';
import { findVisitor } from '../../domain/access-rules/visitor.ts';
import { findNewestAccessToken, listAccessTokens } from '../../domain/access-tokens/access-tokens.ts';
import { findAddressChange } from '../../domain/address-changes/address-changes.ts';
import { findGroupsOfMembers } from '../../domain/memberships/memberships.ts';
import { isRecentLoginByEmail } from '../../domain/sessions/session.ts';
import { listSessions } from '../../domain/sessions/sessions.ts';
import { memberPages } from '../../domain/sites/page-addresses.ts';
import { findSite } from '../../domain/sites/sites.ts';
import { linkingResults } from '../../pages/login-providers/identities-section.ts';
import { type AccountResult, accountPage, tokenDays } from '../../pages/pages.ts';
import type { CallResponse } from '../../runtime/call.ts';
import { sendLoggedOut } from '../shared/login/log-out.ts';
import { allowRequests, pageFrame, sendPage } from '../shared/pages/page-response.ts';
import { attempt } from '../shared/requests/page-action.ts';
import { deviceCookieOf, sessionTokenOf } from '../shared/requests/page-cookies.ts';
import { viewOf } from '../shared/requests/page-parts.ts';
import { type Fields, one, onlyAsPage } from '../shared/requests/page-request.ts';
import { addAddressPages, addTakeBackPage } from './address-pages.ts';
import { formKeyOf, ownFormOf } from './form-key.ts';
import { addIdentityForms, findLinkedAccounts } from './login-providers/identity-forms.ts';
import type { LoginProviderParts } from './login-providers/login-provider-parts.ts';
import { findAccountPasskeys } from './passkeys/account-passkeys.ts';

const { prefix } = memberPages;
const maxShownSessions = 100;

/** The page on which members see and change their own data. */
export function addAccount(pages: FastifyInstance, parts: LoginProviderParts): void {
  const ownForm = ownFormOf(parts);
  pages.get('/account', onlyAsPage, async (request, reply) => {
    const fields = request.query as Fields;
    const saved = savedNotes.get(one(fields.saved) ?? '');
    const linking = linkingResults.find((result) => result === one(fields.linking));
    return showAccount(parts, request, reply, { saved, linking });
  });

  pages.post('/account', ownForm, async (request, reply) => {
    const entered = one((request.body as Fields | undefined)?.displayName) ?? '';
    const sessionToken = sessionTokenOf(request);
    const input = { sessionToken, displayName: entered };
    const renamed = await attempt(parts, request, 'renameMember', input, ['logged_out', 'invalid_request']);
    if (renamed.kind === 'success') return reply.redirect(`${prefix}/account?saved=yes`, 303);
    const view = { problem: 'invalid_name', enteredName: entered.slice(0, 1_000) } as const;
    return renamed.code === 'logged_out' ? toLogin(reply) : showAccount(parts, request, reply, view, 400);
  });

  pages.post('/account/sessions/end', ownForm, async (request, reply) => {
    const sessionId = one((request.body as Fields | undefined)?.id) ?? '';
    const input = {
      sessionToken: sessionTokenOf(request),
      furtherHost: null,
      sessionId: isUuid(sessionId) ? sessionId.toLowerCase() : null,
    };
    if (input.sessionId !== null) {
      await attempt(parts, request, 'endSession', input, ['logged_out', 'session_not_found']);
    }
    return reply.redirect(`${prefix}/account`, 303);
  });

  addOwnTokens(pages, parts);

  addAddressPages(pages, parts, (request, reply, addressProblem) =>
    showAccount(parts, request, reply, { addressProblem }, 400),
  );

  addTakeBackPage(pages, parts);

  addIdentityForms(pages, parts);

  pages.post('/logout-everywhere', ownForm, async (request, reply) => {
    const input = {
      sessionToken: sessionTokenOf(request),
      deviceCookie: deviceCookieOf(request) ?? null,
    };
    await attempt(parts, request, 'endAllSessions', input, ['logged_out']);
    return sendLoggedOut(request, reply);
  });
}

/** What forms that were sent say in the address of the page. */
const savedNotes: ReadonlyMap<string, AccountResult['saved']> = new Map([
  ['yes', 'name'],
  ['passkey', 'passkey'],
  ['passkey-removed', 'passkey_removed'],
  ['passkeys-removed', 'passkeys_removed'],
  ['identity-removed', 'identity_removed'],
]);

/** The access tokens that a member creates. */
function addOwnTokens(pages: FastifyInstance, parts: LoginProviderParts): void {
  const ownForm = ownFormOf(parts);
  pages.post('/account/access-tokens', ownForm, async (request, reply) => {
    const { name, pathPrefix, days, newest, shownAt } = (request.body as Fields | undefined) ?? {};
    const chosen = tokenDays.find((each) => each === one(days));
    const input = {
      sessionToken: sessionTokenOf(request),
      // An unknown choice of a browser must not become a token without end.
      name: chosen === undefined ? '' : (one(name) ?? ''),
      pathPrefix: one(pathPrefix) || '/',
      days: chosen ? Number(chosen) : null,
      form: { shownAt: one(shownAt) ?? '', newestId: one(newest) || null },
    };
    const created = await attempt(parts, request, 'createAccessToken', input, [...tokenErrors, 'logged_out']);
    if (created.kind !== 'success' && created.code === 'logged_out') return toLogin(reply);
    const secret = created.kind === 'success' ? created.result : null;
    const view = secret === null ? { tokenProblem: problemOf(created) } : { newToken: secret };
    return showAccount(parts, request, reply, view, secret === null ? 400 : 200);
  });

  pages.post('/account/access-tokens/delete', ownForm, async (request, reply) => {
    const tokenId = one((request.body as Fields | undefined)?.id) ?? '';
    const input = { sessionToken: sessionTokenOf(request), tokenId: tokenId.toLowerCase() };
    if (isUuid(tokenId)) {
      await attempt(parts, request, 'deleteAccessToken', input, ['logged_out', 'access_token_not_found']);
    }
    return reply.redirect(`${prefix}/account`, 303);
  });
}

function toLogin(reply: FastifyReply): FastifyReply {
  return reply.redirect(`${prefix}/login?next=${prefix}/account`, 303);
}

async function showAccount(
  parts: LoginProviderParts,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: AccountResult,
  status = 200,
): Promise<FastifyReply> {
  const view = viewOf(parts, request);
  const visitor = await findVisitor(view, sessionTokenOf(request));
  if (visitor?.status !== 'active') return toLogin(reply);
  const { memberId, email, displayName } = visitor;
  const { data } = await listSessions(view, memberId, { limit: maxShownSessions });
  const sessions = data.map((session) => ({ ...session, current: session.id === visitor.session.id }));
  const tokens = await listAccessTokens(view, memberId, { limit: maxAccessTokens });
  const { membersCreateTokens, timeZone } = await findSite(view);
  const waiting = await findAddressChange(view, visitor.session.id);
  const passkeys = await findAccountPasskeys(view, request, visitor);
  const linkedAccounts = await findLinkedAccounts(parts, request, visitor);
  if (passkeys.adding === 'possible') allowRequests(reply);
  const page = accountPage(pageFrame(request), {
    member: { email, displayName },
    address: {
      pendingEmail: waiting?.email ?? null,
      canChange: isRecentLoginByEmail(visitor.session, view.now),
      hasPasskeys: passkeys.list.length > 0,
      hasIdentities: (linkedAccounts?.accounts.length ?? 0) > 0,
    },
    groups: await findGroupsOfMembers(view, [memberId]),
    passkeys,
    linkedAccounts,
    sessions,
    tokens: tokens.data,
    timeZone,
    createsTokens: membersCreateTokens,
    formKey: formKeyOf(request),
    newestTokenId: await findNewestAccessToken(view, memberId),
    now: view.now,
    ...shown,
  });
  return sendPage(reply, page, status);
}

const tokenErrors = ['permission_denied', 'invalid_request', 'too_many_access_tokens'] as const;

/** Why there is no new token. */
function problemOf(created: CallResponse): NonNullable<AccountResult['tokenProblem']> {
  if (created.kind === 'success') return 'sent_before';
  return created.code === 'too_many_access_tokens' ? 'too_many' : 'invalid';
}
