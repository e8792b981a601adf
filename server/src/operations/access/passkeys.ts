import {
  deleteMemberPasskey,
  deleteMemberPasskeys,
  listMemberPasskeys,
} from '../../domain/passkeys/member-passkeys.ts';
import { data, noContent, type OperationHandlers } from '../operation-handler.ts';

export const memberPasskeyHandlers = {
  listMemberPasskeys: (view, { params }) => data(listMemberPasskeys(view, params.memberId)),

  deleteMemberPasskeys: {
    queues: 'emails',
    handle: ({ change, emails }, { params }) =>
      noContent(deleteMemberPasskeys(change, params.memberId, emails.composer)),
  },

  deleteMemberPasskey: {
    queues: 'emails',
    handle: ({ change, emails }, { params: { memberId, passkeyId } }) =>
      noContent(deleteMemberPasskey(change, memberId, passkeyId, emails.composer)),
  },
} satisfies OperationHandlers;
