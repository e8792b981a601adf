import { listMemberIdentities, removeMemberIdentities } from '../../domain/members/member-identities.ts';
import { data, noContent, type OperationHandlers } from '../operation-handler.ts';

export const identityHandlers = {
  listMemberIdentities: (view, { params }) => data(listMemberIdentities(view, params.memberId)),

  deleteMemberIdentities: ({ change }, { params }) =>
    noContent(removeMemberIdentities(change, params.memberId, null)),

  deleteMemberIdentity: ({ change }, { params: { memberId, identityId } }) =>
    noContent(removeMemberIdentities(change, memberId, identityId)),
} satisfies OperationHandlers;
