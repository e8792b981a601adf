import type * as contract from '@gatehouse/contract';
import type { CalledOperationId } from './routes.ts';

// The only file that takes types from the contract. What is published has this file with every type written out (see
// scripts/write-types.ts), so that it needs no other package.

export type {
  AccessDecision,
  AccessGroup,
  AccessGroupReference,
  AccessGroupType,
  AccessLevel,
  AccessReason,
  AccessRule,
  AccessRules,
  Actor,
  ApiKey,
  BulkActionErrorCode,
  BulkActionResultItem,
  BulkActionSummary,
  BulkErrorCode,
  BulkResultItem,
  BulkSummary,
  Change,
  CreatedApiKey,
  ErasedEventData,
  ErrorCode,
  ErrorDetail,
  EventGroup,
  EventType,
  GroupMatch,
  GroupMember,
  LoginLink,
  Mail,
  MailKind,
  MailState,
  MailWithContent,
  Member,
  MemberSortField,
  MemberStatus,
  Membership,
  MembershipSource,
  MemberWithGroups,
  Operator,
  OperatorRole,
  OperatorStatus,
  Overview,
  Pagination,
  Permission,
  Session,
  SignUpPolicy,
  Site,
  SiteScheme,
  SiteStatus,
  VerifiedSession,
} from '@gatehouse/contract';

export type CreateMember = Submitted<contract.CreateMember>;
export type UpdateMember = Submitted<contract.UpdateMember>;
export type BulkMember = Submitted<contract.BulkMember>;
export type BulkCreateMembers = Submitted<contract.BulkCreateMembers>;
export type BulkAction = Submitted<contract.BulkAction>;
export type BulkActionResult = contract.Output<contract.Operations['bulkMemberActions']>;
export type BulkResult = contract.Output<contract.Operations['bulkCreateMembers']>;
export type CreateAccessGroup = Submitted<contract.CreateAccessGroup>;
export type UpdateAccessGroup = Submitted<contract.UpdateAccessGroup>;
export type AddAccessGroupMember = Submitted<contract.AddAccessGroupMember>;
export type UpdateMembership = Submitted<contract.UpdateMembership>;
export type CreateLoginLink = Submitted<contract.CreateLoginLink>;
export type CreateApiKey = Submitted<contract.CreateApiKey>;
export type RotateApiKey = Submitted<contract.RotateApiKey>;
export type VerifySession = Submitted<contract.VerifySession>;
export type SubmittedAccessRule = Submitted<contract.AccessRule>;
export type AccessCheck = Submitted<contract.AccessCheck>;
export type UpdateSite = Submitted<contract.UpdateSite>;
export type InviteOperator = Submitted<contract.InviteOperator>;
export type UpdateOperator = Submitted<contract.UpdateOperator>;

export type GetOverview = Query<contract.Operations['getOverview']>;
export type ListMembers = Query<contract.Operations['listMembers']>;
export type ListAccessGroups = Query<contract.Operations['listAccessGroups']>;
export type ListAccessGroupMembers = Query<contract.Operations['listAccessGroupMembers']>;
export type ListMails = Query<contract.Operations['listMails']>;
export type ListMemberSessions = Query<contract.Operations['listMemberSessions']>;
export type ListApiKeys = Query<contract.Operations['listApiKeys']>;
export type ListOperators = Query<contract.Operations['listOperators']>;
export type ListEvents = Query<contract.Operations['listEvents']>;
export type ListEventGroups = Query<contract.Operations['listEventGroups']>;

/** Each event by its type. */
export type EventsByType = { [Type in contract.EventType]: contract.Event<Type> };

/** What each operation takes and gives. @internal */
export type Shapes = { [Id in CalledOperationId]: Shape<contract.Operations[Id]> };

type Shape<O extends contract.Operation> = Flat<
  PartUnlessEmpty<'params', contract.Input<O>['params']> &
    PartUnlessEmpty<'query', Query<O>> &
    (O['body'] extends null ? object : { body: Submitted<contract.Input<O>['body']> }) & {
      answer: contract.Output<O>;
    }
>;

type PartUnlessEmpty<Part extends string, Value> = keyof Value extends never
  ? object
  : { [Each in Part]: Value };

/** Every query parameter of the API may be left out. */
type Query<O extends contract.Operation> = Filter<Partial<contract.Input<O>['query']>>;

/** `paid: true` rather than `paid: 'true'`. */
type Filter<Values> = {
  [Name in keyof Values]:
    | (Exclude<Values[Name], undefined> extends 'true' | 'false' ? boolean : Values[Name])
    | undefined;
};

/** A body as a caller may give it: lists may be readonly, and a field that may be left out may also be undefined. */
type Submitted<Value> = Value extends readonly (infer Item)[]
  ? readonly Submitted<Item>[]
  : Value extends object
    ? {
        [Name in keyof Value]:
          | Submitted<Value[Name]>
          | (object extends Pick<Value, Name> ? undefined : never);
      }
    : Value;

type Flat<Value> = { [Name in keyof Value]: Value[Name] };
