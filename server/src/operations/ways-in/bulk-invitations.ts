import { createInvitations } from '../../domain/invitations/new-invitations.ts';
import type { OperationHandlers } from '../operation-handler.ts';
import { invitingParts } from './inviting.ts';

export const bulkInvitationHandlers = {
  bulkCreateInvitations: {
    changesMany: true,
    queues: 'emails',
    handle: async (context, { body }) => {
      const data = await createInvitations(context.change, body, await invitingParts(context));
      const created = data.filter(({ status }) => status === 'created').length;
      return { body: { data, summary: { total: data.length, created, failed: data.length - created } } };
    },
  },
} satisfies OperationHandlers;
