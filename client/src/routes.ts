import type { OperationId, Operations } from '@gatehouse/contract';

/** Where each operation is. The compiler holds every line against the contract. */
export const routes = {
  listMembers: 'GET /members',
  createMember: 'POST /members',
  bulkCreateMembers: 'POST /members/bulk',
  getMember: 'GET /members/{memberId}',
  updateMember: 'PATCH /members/{memberId}',
  deleteMember: 'DELETE /members/{memberId}',
  blockMember: 'POST /members/{memberId}/block',
  unblockMember: 'POST /members/{memberId}/unblock',
  bulkMemberActions: 'POST /members/bulk-actions',
  listAccessGroups: 'GET /access-groups',
  createAccessGroup: 'POST /access-groups',
  getAccessGroup: 'GET /access-groups/{groupId}',
  updateAccessGroup: 'PATCH /access-groups/{groupId}',
  deleteAccessGroup: 'DELETE /access-groups/{groupId}',
  listAccessGroupMembers: 'GET /access-groups/{groupId}/members',
  addAccessGroupMember: 'POST /access-groups/{groupId}/members',
  listMemberships: 'GET /access-groups/{groupId}/memberships',
  getMembership: 'GET /access-groups/{groupId}/members/{memberId}',
  updateMembership: 'PATCH /access-groups/{groupId}/members/{memberId}',
  removeAccessGroupMember: 'DELETE /access-groups/{groupId}/members/{memberId}',
  listMemberSessions: 'GET /members/{memberId}/sessions',
  revokeMemberSessions: 'DELETE /members/{memberId}/sessions',
  revokeMemberSession: 'DELETE /members/{memberId}/sessions/{sessionId}',
  createMemberLoginLink: 'POST /members/{memberId}/login-links',
  verifySession: 'POST /sessions/verify',
  getAccessRules: 'GET /access-rules',
  replaceAccessRules: 'PUT /access-rules',
  checkAccess: 'POST /access-checks',
  getSite: 'GET /site',
  updateSite: 'PATCH /site',
  listApiKeys: 'GET /api-keys',
  createApiKey: 'POST /api-keys',
  rotateApiKey: 'POST /api-keys/{keyId}/rotate',
  revokeApiKey: 'DELETE /api-keys/{keyId}',
  listOperators: 'GET /operators',
  inviteOperator: 'POST /operators',
  updateOperator: 'PATCH /operators/{operatorId}',
  removeOperator: 'DELETE /operators/{operatorId}',
  listMails: 'GET /mails',
  getMail: 'GET /mails/{mailId}',
  getOverview: 'GET /overview',
  listEvents: 'GET /events',
  listEventGroups: 'GET /event-groups',
} as const satisfies { [Id in OperationId]?: `${Operations[Id]['method']} ${Operations[Id]['path']}` };

/** The operations that the client calls: all but the document of the API itself. */
export type CalledOperationId = keyof typeof routes;

/** The POSTs that change nothing: they ask, with a body. */
export const readOnlyPosts: ReadonlySet<CalledOperationId> = new Set(['verifySession', 'checkAccess']);
