import { ApiError } from '../../base/api-error.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const invitationHandlers = {
  listInvitations: notYet,
  createInvitation: notYet,
  getInvitation: notYet,
  updateInvitation: notYet,
  revokeInvitation: notYet,
  sendInvitation: notYet,
  listInvitationRedemptions: notYet,
} satisfies OperationHandlers;

async function notYet(): Promise<never> {
  throw new ApiError('internal_error', 'This operation is not available yet.');
}
