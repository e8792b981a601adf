import {
  createAccessGroup,
  deleteAccessGroup,
  getAccessGroup,
  listAccessGroups,
  updateAccessGroup,
} from './access-groups.ts';
import { checkAccess, getAccessRules, replaceAccessRules } from './access-rules.ts';
import { createAccessToken, deleteAccessToken, listAccessTokens } from './access-tokens.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';
import { bulkMemberActions } from './bulk-actions.ts';
import { bulkCreateMembers } from './bulk-members.ts';
import { bulkUpdateMembers } from './bulk-updates.ts';
import { getEmail, listEmails, resendEmail } from './emails.ts';
import { listEventGroups } from './event-groups.ts';
import { streamEvents } from './event-stream.ts';
import { listEvents } from './events.ts';
import { lookUpMembers } from './member-lookup.ts';
import {
  blockMember,
  createMember,
  deleteMember,
  getMember,
  listMembers,
  unblockMember,
  updateMember,
} from './members.ts';
import {
  addAccessGroupMember,
  getMembership,
  listAccessGroupMembers,
  listMemberships,
  removeAccessGroupMember,
  updateMembership,
} from './memberships.ts';
import { getOpenApi } from './openapi-operation.ts';
import type { Operation, StreamOperation } from './operation.ts';
import { inviteOperator, listOperators, removeOperator, updateOperator } from './operators.ts';
import { getOverview } from './overview.ts';
import {
  createMemberLoginLink,
  listMemberSessions,
  revokeMemberSession,
  revokeMemberSessions,
  verifySession,
} from './sessions.ts';
import { listSigningKeys, rotateSigningKeys } from './signing-keys.ts';
import { getSite, updateSite } from './sites.ts';
import {
  listSourceCollections,
  previewSourceCollection,
  uploadCollectionPeople,
} from './source-collections.ts';
import { getSourceRun, listSourceRuns, syncSource } from './source-runs.ts';
import { getSourceWebhook, resetSourceWebhook } from './source-webhooks.ts';
import { createSource, deleteSource, getSource, listSources, updateSource } from './sources.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhookDelivery,
  testWebhook,
} from './webhook-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks.ts';

/** Every operation of the API, by ID. */
export const operations = {
  listMembers,
  createMember,
  bulkCreateMembers,
  bulkUpdateMembers,
  lookUpMembers,
  getMember,
  updateMember,
  deleteMember,
  blockMember,
  unblockMember,
  bulkMemberActions,
  listAccessGroups,
  createAccessGroup,
  getAccessGroup,
  updateAccessGroup,
  deleteAccessGroup,
  listAccessGroupMembers,
  addAccessGroupMember,
  listMemberships,
  getMembership,
  updateMembership,
  removeAccessGroupMember,
  listSources,
  createSource,
  getSource,
  updateSource,
  deleteSource,
  listSourceCollections,
  previewSourceCollection,
  syncSource,
  listSourceRuns,
  getSourceRun,
  getSourceWebhook,
  resetSourceWebhook,
  uploadCollectionPeople,
  listMemberSessions,
  revokeMemberSessions,
  revokeMemberSession,
  listAccessTokens,
  createAccessToken,
  deleteAccessToken,
  createMemberLoginLink,
  verifySession,
  getAccessRules,
  replaceAccessRules,
  checkAccess,
  getSite,
  updateSite,
  listSigningKeys,
  rotateSigningKeys,
  listApiKeys,
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  listOperators,
  inviteOperator,
  updateOperator,
  removeOperator,
  listEmails,
  getEmail,
  resendEmail,
  getOverview,
  listEvents,
  listEventGroups,
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  replayWebhookDelivery,
  getOpenApi,
} as const satisfies Record<string, Operation>;

/** The operations whose responses do not end by themselves. */
export const streamOperations = { streamEvents } as const satisfies Record<string, StreamOperation>;

export type Operations = typeof operations;

export type OperationId = keyof Operations;
