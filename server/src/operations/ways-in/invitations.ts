import type { InvitationReader } from '../../domain/invitations/invitation-view.ts';
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
    handle: (view, { query }) => page(listInvitations(view, query, readerOf(view))),
  },

  createInvitation: {
    queues: 'emails',
    handle: async (context, { body }) => {
      const invitation = await createInvitation(context.change, body, await invitingParts(context));
      return { body: { data: invitation }, location: `${context.apiUrl}/invitations/${invitation.id}` };
    },
  },

  getInvitation: (view, { params }) => data(findInvitation(view, params.invitationId, readerOf(view))),

  updateInvitation: async (context, { params, body }) => {
    const { change, requireMatch } = context;
    const parts = await invitingParts(context);
    return data(updateInvitation(change, params.invitationId, body, parts, requireMatch));
  },

  revokeInvitation: (context, { params }) =>
    noContent(revokeInvitation(context.change, params.invitationId, readerOf(context), context.requireMatch)),

  sendInvitation: {
    queues: 'emails',
    handle: async ({ change, emails }, { params }) => {
      const { invitation } = await sendInvitation(change, params.invitationId, emails);
      return { body: { data: invitation } };
    },
  },

  listInvitationRedemptions: (view, { params, query }) =>
    page(listRedemptions(view, params.invitationId, query)),
} satisfies OperationHandlers;

function readerOf({ permissions, workspaces }: OperationContext): InvitationReader {
  return { permissions, secrets: workspaces.secrets };
}
