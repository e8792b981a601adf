import type { Routes } from '../routing/route.ts';
import { bulkCreateMembers } from './bulk-create.ts';
import { createMember, deleteMember, findMember, listMembers, updateMember } from './members.ts';
import {
  addMemberToGroup,
  findMembership,
  listGroupMembers,
  listMemberships,
  removeMemberFromGroup,
  updateMembership,
} from './memberships.ts';

export const memberRoutes: Routes<
  | 'listMembers'
  | 'createMember'
  | 'bulkCreateMembers'
  | 'getMember'
  | 'updateMember'
  | 'deleteMember'
  | 'blockMember'
  | 'unblockMember'
> = {
  listMembers: async ({ db, siteId, cause }, { query }) => {
    const { paid, verified, ...rest } = query;
    const filter = {
      ...rest,
      ...(paid === undefined ? {} : { paid: paid === 'true' }),
      ...(verified === undefined ? {} : { verified: verified === 'true' }),
    };
    return { body: await listMembers(db, siteId, filter, cause.at) };
  },

  createMember: async ({ db, siteId, cause, apiUrl }, { body }) => {
    const member = await createMember(db, siteId, body, cause);
    return { body: { data: member }, location: `${apiUrl}/members/${member.id}` };
  },

  bulkCreateMembers: async ({ db, siteId, cause }, { body }) => ({
    body: await bulkCreateMembers(db, siteId, body.members, body.accessGroupIds ?? [], cause),
  }),

  getMember: async ({ db, siteId, cause }, { params }) => ({
    body: { data: await findMember(db, siteId, params.memberId, cause.at) },
  }),

  updateMember: async ({ db, siteId, cause, requireMatch }, { params, body }) => ({
    body: { data: await updateMember(db, siteId, params.memberId, body, cause, requireMatch) },
  }),

  deleteMember: async ({ db, siteId, cause, requireMatch }, { params }) => {
    await deleteMember(db, siteId, params.memberId, cause, requireMatch);
    return { body: undefined };
  },

  blockMember: async ({ db, siteId, cause, requireMatch }, { params }) => ({
    body: {
      data: await updateMember(db, siteId, params.memberId, { status: 'blocked' }, cause, requireMatch),
    },
  }),

  unblockMember: async ({ db, siteId, cause, requireMatch }, { params }) => ({
    body: {
      data: await updateMember(db, siteId, params.memberId, { status: 'active' }, cause, requireMatch),
    },
  }),
};

export const membershipRoutes: Routes<
  | 'listAccessGroupMembers'
  | 'addAccessGroupMember'
  | 'listMemberships'
  | 'getMembership'
  | 'updateMembership'
  | 'removeAccessGroupMember'
> = {
  listAccessGroupMembers: async ({ db, siteId, cause }, { params, query }) => ({
    body: await listGroupMembers(db, siteId, params.groupId, query, cause.at),
  }),

  addAccessGroupMember: async ({ db, siteId, cause, apiUrl }, { params: { groupId }, body }) => ({
    body: { data: await addMemberToGroup(db, siteId, groupId, body, cause) },
    location: `${apiUrl}/access-groups/${groupId}/members/${body.memberId}`,
  }),

  listMemberships: async ({ db, siteId, cause }, { params, query }) => ({
    body: await listMemberships(db, siteId, params.groupId, query, cause.at),
  }),

  getMembership: async ({ db, siteId, cause }, { params: { groupId, memberId } }) => ({
    body: { data: await findMembership(db, siteId, groupId, memberId, cause.at) },
  }),

  updateMembership: async ({ db, siteId, cause, requireMatch }, { params: { groupId, memberId }, body }) => ({
    body: { data: await updateMembership(db, siteId, groupId, memberId, body, cause, requireMatch) },
  }),

  removeAccessGroupMember: async ({ db, siteId, cause, requireMatch }, { params: { groupId, memberId } }) => {
    await removeMemberFromGroup(db, siteId, groupId, memberId, cause, requireMatch);
    return { body: undefined };
  },
};
