import { grants } from '@gatehouse/contract/permissions';
import type { SecretBox } from '../../base/encryption/secret-box.ts';
import {
  findInvitation,
  listInvitations,
  listRedemptions,
  revokeInvitation,
  sendInvitation,
  updateInvitation,
} from '../../domain/invitations/invitations.ts';
import { createInvitation } from '../../domain/invitations/new-invitations.ts';
import {
  data,
  noContent,
  type OperationContext,
  type OperationHandlers,
  page,
} from '../operation-handler.ts';
import { invitingParts } from './inviting.ts';

export const invitationHandlers = {
  listInvitations: {
    // An email address finds its invitations at once.
    readsMany: ({ query }) => query.status !== undefined,
    handle: (view, { query }) => page(listInvitations(view, query, urlReader(view))),
  },

  createInvitation: {
    queues: 'emails',
    handle: async (context, { body }) => {
      const invitation = await createInvitation(context.change, body, await invitingParts(context));
      return { body: { data: invitation }, location: `${context.apiUrl}/invitations/${invitation.id}` };
    },
  },

  getInvitation: (view, { params }) => data(findInvitation(view, params.invitationId, urlReader(view))),

  updateInvitation: async (context, { params, body }) => {
    const { change, requireMatch } = context;
    const parts = await invitingParts(context);
    return data(updateInvitation(change, params.invitationId, body, parts, requireMatch));
  },

  revokeInvitation: (context, { params }) =>
    noContent(
      revokeInvitation(context.change, params.invitationId, urlReader(context), context.requireMatch),
    ),

  sendInvitation: {
    queues: 'emails',
    handle: async ({ change, workspaces, emails }, { params }) => {
      const parts = { secrets: workspaces.secrets, emails };
      const { invitation } = await sendInvitation(change, params.invitationId, parts);
      return { body: { data: invitation } };
    },
  },

  listInvitationRedemptions: (view, { params, query }) =>
    page(listRedemptions(view, params.invitationId, query)),
} satisfies OperationHandlers;

/** With a link people become members, so that it is shown only to those who could make one. */
function urlReader({ permissions, workspaces }: OperationContext): SecretBox | null {
  return grants(permissions, 'invitations:write') ? workspaces.secrets : null;
}
