import {
  createAccessGroup,
  deleteAccessGroup,
  getAccessGroup,
  listAccessGroups,
  updateAccessGroup,
} from './access-groups.ts';
import { checkAccess, getAccessRules, replaceAccessRules } from './access-rules.ts';
import { bulkCreateMembers } from './bulk-members.ts';
import { listEvents } from './events.ts';
import { createMember, deleteMember, getMember, listMembers, updateMember } from './members.ts';
import {
  addAccessGroupMember,
  getMembership,
  listAccessGroupMembers,
  removeAccessGroupMember,
} from './memberships.ts';
import { getOpenApi } from './openapi-operation.ts';
import type { Operation } from './operation.ts';
import {
  createMemberLoginLink,
  listMemberSessions,
  revokeMemberSession,
  revokeMemberSessions,
  verifySession,
} from './sessions.ts';
import { getSite, updateSite } from './sites.ts';

/** Every operation of the API, by its id. */
export const operations = {
  listMembers,
  createMember,
  bulkCreateMembers,
  getMember,
  updateMember,
  deleteMember,
  listAccessGroups,
  createAccessGroup,
  getAccessGroup,
  updateAccessGroup,
  deleteAccessGroup,
  listAccessGroupMembers,
  addAccessGroupMember,
  getMembership,
  removeAccessGroupMember,
  listMemberSessions,
  revokeMemberSessions,
  revokeMemberSession,
  createMemberLoginLink,
  verifySession,
  getAccessRules,
  replaceAccessRules,
  checkAccess,
  getSite,
  updateSite,
  listEvents,
  getOpenApi,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;

export type OperationId = keyof Operations;
