import { passkeyRequired } from '../../../domain/passkeys/passkey.ts';
import { listPasskeys } from '../../../domain/passkeys/passkeys.ts';
import {
  beginPasskey,
  type PasskeyStep,
  passkeyNotAccepted,
  readNewPasskey,
} from '../../shared/login/passkey-steps.ts';
import { pageFrame } from '../../shared/pages/page-response.ts';
import { sessionTokenOf } from '../../shared/requests/page-cookies.ts';
import {
  type DashboardContext,
  type DashboardHandlers,
  type OperatorContext,
  runAction,
} from './dashboard-handler.ts';
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
    const owner = { id, email, displayName };
    return { data: await beginPasskey(stepOf(context), sessionTokenOf(request), owner) };
  },

  addPasskey: async (context, { body: { name, response } }) => {
    const sessionToken = sessionTokenOf(context.request);
    const credential = await readNewPasskey(stepOf(context), sessionToken, response);
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

/** A step of WebAuthn in the dashboard. */
export function stepOf(context: DashboardContext): PasskeyStep {
  const { database: db, tenant: site } = context.parts;
  return { act: (action, input) => runAction(context, action, input), db, site };
}
