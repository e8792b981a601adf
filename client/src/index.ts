export type { Call, ResponseInfo, WithResponse } from './call.ts';
export { type ClientErrorCode, GatehouseError, type GatehouseErrorFacts } from './error.ts';
export type { Event, EventFilter, FollowEvents } from './events.ts';
export { Gatehouse, type GatehouseOptions } from './gatehouse.ts';
export type { List, Page } from './list.ts';
export type { CallOptions, ChangeOptions, CreateOptions } from './options.ts';
export type {
  AccessGroup,
  AccessGroupReference,
  AccessGroupType,
  Actor,
  AddAccessGroupMember,
  BulkCreateMembers,
  BulkErrorCode,
  BulkMember,
  BulkResult,
  BulkResultItem,
  BulkSummary,
  Change,
  CreateAccessGroup,
  CreateMember,
  ErasedEventData,
  ErrorCode,
  ErrorDetail,
  EventType,
  GroupMember,
  ListAccessGroupMembers,
  ListAccessGroups,
  ListMembers,
  Member,
  MemberSortField,
  MemberStatus,
  Membership,
  MembershipSource,
  MemberWithGroups,
  Pagination,
  Permission,
  Site,
  SiteStatus,
  UpdateAccessGroup,
  UpdateMember,
  UpdateSite,
} from './types.ts';
