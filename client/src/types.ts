import type { components } from './api/operations.ts';
import type * as api from './api/types.ts';
import type { ResponseBody, Submitted } from './http/shapes.ts';

// Every named type of the API. The types below have no name of their own in the contract.
export type * from './api/types.ts';

export type SubmittedAccessRule = Submitted<api.AccessRule>;
export type BulkResult = ResponseBody<'bulkCreateMembers'>;
export type BulkActionResult = ResponseBody<'bulkMemberActions'>;
export type BulkUpdateResult = ResponseBody<'bulkUpdateMembers'>;
export type BulkInvitationResult = ResponseBody<'bulkCreateInvitations'>;
export type JoinRequestDecisions = ResponseBody<'decideJoinRequests'>;

export type AccessGroupType = api.AccessGroup['type'];
export type AccessLevel = api.AccessRule['access'];
export type AccessReason = api.AccessDecision['reason'];
export type BulkActionErrorCode = api.BulkActionFailed['error']['code'];
export type BulkErrorCode = api.BulkItemFailed['error']['code'];
export type BulkUpdateErrorCode = api.BulkItemNotUpdated['error']['code'];
export type ErrorCode = components['schemas']['ErrorBody']['error']['code'];
export type EventType = api.Event['type'];
export type GroupMatch = NonNullable<api.GroupAccessRule['match']>;
export type EmailType = api.Email['type'];
export type EmailStatus = api.Email['status'];
export type InvitationStatus = api.Invitation['status'];
export type JoinRequestStatus = api.JoinRequest['status'];
export type MemberSortField = NonNullable<api.ListMembers['sort']>;
export type MemberStatus = api.Member['status'];
export type MembershipSource = api.Membership['source'];
export type OperatorRole = api.Operator['role'];
export type OperatorStatus = api.Operator['status'];
export type PageCodeStatus = api.PageCode['status'];
export type PageCodeType = api.PageCode['type'];
export type PageFileType = api.PageFile['type'];
export type Permission = api.ApiKey['permissions'][number];
export type RunStatus = api.SourceRun['status'];
export type SignUpPolicy = api.Site['signUp']['policy'];
export type SiteScheme = api.Site['scheme'];
export type SiteStatus = api.Site['status'];
export type SourceType = api.Source['type'];
