import {
  createAccessGroup,
  deleteAccessGroup,
  getAccessGroup,
  listAccessGroups,
  updateAccessGroup,
} from './access-groups/access-groups.ts';
import {
  addAccessGroupMember,
  getMembership,
  listAccessGroupMembers,
  listMemberships,
  removeAccessGroupMember,
  updateMembership,
} from './access-groups/memberships.ts';
import { checkAccess, getAccessRules, replaceAccessRules } from './access-rules/access-rules.ts';
import { createAccessToken, deleteAccessToken, listAccessTokens } from './credentials/access-tokens.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './credentials/api-keys.ts';
import {
  createMemberLoginLink,
  listMemberSessions,
  revokeMemberSession,
  revokeMemberSessions,
  verifySession,
} from './credentials/sessions.ts';
import { listSigningKeys, rotateSigningKeys } from './credentials/signing-keys.ts';
import { getEmail, listEmails, resendEmail } from './emails/emails.ts';
import { listEventGroups } from './events/event-groups.ts';
import { streamEvents } from './events/event-stream.ts';
import { listEvents } from './events/events.ts';
import { bulkMemberActions } from './members/bulk-actions.ts';
import { bulkCreateMembers } from './members/bulk-members.ts';
import { bulkUpdateMembers } from './members/bulk-updates.ts';
import { lookUpMembers } from './members/member-lookup.ts';
import {
  blockMember,
  createMember,
  deleteMember,
  getMember,
  listMembers,
  unblockMember,
  updateMember,
} from './members/members.ts';
import { getOpenApi } from './openapi/openapi-operation.ts';
import type { Operation, StreamOperation } from './shared/operation.ts';
import { inviteOperator, listOperators, removeOperator, updateOperator } from './sites/operators.ts';
import { getOverview } from './sites/overview.ts';
import { getSite, updateSite } from './sites/sites.ts';
import {
  listSourceCollections,
  previewSourceCollection,
  uploadCollectionPeople,
} from './sources/source-collections.ts';
import { getSourceRun, listSourceRuns, syncSource } from './sources/source-runs.ts';
import { getSourceWebhook, resetSourceWebhook } from './sources/source-webhooks.ts';
import { createSource, deleteSource, getSource, listSources, updateSource } from './sources/sources.ts';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  replayWebhookDelivery,
  testWebhook,
} from './webhooks/webhook-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks/webhooks.ts';

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
