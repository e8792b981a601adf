import { ApiError } from '../../../base/api-error.ts';
import { passkeyRequired } from '../../../domain/passkeys/passkey.ts';
import { listPasskeys, offerPasskey } from '../../../domain/passkeys/passkeys.ts';
import { verifyRegistration } from '../../../domain/passkeys/webauthn.ts';
import { pageFrame } from '../../shared/pages/page-response.ts';
import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import { type DashboardHandlers, type OperatorContext, runAction } from './dashboard-handler.ts';
import { lacksPasskey } from './operator-admission.ts';

/** The passkeys of the operator who is logged in. */
export const passkeyHandlers: DashboardHandlers<
  'listPasskeys' | 'createPasskeyOptions' | 'addPasskey' | 'deletePasskey'
> = {
  listPasskeys: async ({ parts: { database, tenant }, operator }) => ({
    data: await listPasskeys({ db: database, siteId: tenant.id }, operator.memberId),
  }),

  createPasskeyOptions: async (context) => {
    const { parts, request, operator } = context;
    if (lacksPasskey(parts, operator) && (await hasPasskey(context))) throw passkeyRequired();
    const { memberId: id, email, displayName } = operator;
    const options = await offerPasskey(parts.database, parts.tenant, { id, email, displayName });
    const browserToken = sessionTokenOf(request);
    const { challenge } = options;
    await runAction(context, 'saveChallengeFor', { browserToken, purpose: 'add', challenge });
    return { data: options };
  },

  addPasskey: async (context, { body: { name, response } }) => {
    const sessionToken = sessionTokenOf(context.request);
    const requested = { browserToken: sessionToken, purpose: 'add' } as const;
    const challenge = await runAction(context, 'consumeChallenge', requested);
    if (challenge === null) throw passkeyNotAccepted();
    const credential = await verifyRegistration(context.parts.tenant, response, challenge);
    if (!credential) throw passkeyNotAccepted();
    const { language } = pageFrame(context.request);
    const onlyFirst = lacksPasskey(context.parts, context.operator);
    const added = { sessionToken, name, credential, language, onlyFirst };
    return { data: await runAction(context, 'addPasskey', added) };
  },

  deletePasskey: async (context, { params: { passkeyId } }) => {
    await runAction(context, 'deletePasskey', { sessionToken: sessionTokenOf(context.request), passkeyId });
  },
};

async function hasPasskey({ parts: { database, tenant }, operator }: OperatorContext): Promise<boolean> {
  return (await listPasskeys({ db: database, siteId: tenant.id }, operator.memberId)).length > 0;
}

/** One error for every failed check, so that an attacker learns nothing by trying. */
export function passkeyNotAccepted(): ApiError {
  return new ApiError('invalid_request', 'This passkey was not accepted. Try again, or log in by email.');
}
