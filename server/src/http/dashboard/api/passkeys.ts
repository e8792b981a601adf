import { ApiError } from '../../../base/api-error.ts';
import { listPasskeys, offerPasskey } from '../../../domain/passkeys/passkeys.ts';
import { verifyRegistration } from '../../../domain/passkeys/webauthn.ts';
import { pageFrame, sessionTokenOf } from '../../shared/page-request.ts';
import { type DashboardHandlers, perform } from './dashboard-handler.ts';

/** The passkeys of the operator who is logged in. */
export const passkeyHandlers: DashboardHandlers<
  'listPasskeys' | 'createPasskeyOptions' | 'addPasskey' | 'deletePasskey'
> = {
  listPasskeys: async ({ parts: { database, tenant }, operator }) => ({
    data: await listPasskeys(database, tenant.id, operator.memberId),
  }),

  createPasskeyOptions: async (context) => {
    const { parts, request, operator } = context;
    const { memberId: id, email, displayName } = operator;
    const options = await offerPasskey(parts.database, parts.tenant, { id, email, displayName });
    const browserToken = sessionTokenOf(request);
    const { challenge } = options;
    await perform(context, 'saveChallengeFor', { browserToken, purpose: 'add', challenge });
    return { data: options };
  },

  addPasskey: async (context, { body: { name, response } }) => {
    const sessionToken = sessionTokenOf(context.request);
    const requested = { browserToken: sessionToken, purpose: 'add' } as const;
    const challenge = await perform(context, 'consumeChallenge', requested);
    if (challenge === null) throw passkeyNotAccepted();
    const credential = await verifyRegistration(context.parts.tenant, response, challenge);
    if (!credential) throw passkeyNotAccepted();
    const { language } = pageFrame(context.request);
    return { data: await perform(context, 'addPasskey', { sessionToken, name, credential, language }) };
  },

  deletePasskey: async (context, { params: { passkeyId } }) => {
    await perform(context, 'deletePasskey', { sessionToken: sessionTokenOf(context.request), passkeyId });
  },
};

/** One error for every failed check, so that an attacker learns nothing by trying. */
export function passkeyNotAccepted(): ApiError {
  return new ApiError('invalid_request', 'This passkey was not accepted. Try again, or log in by email.');
}
