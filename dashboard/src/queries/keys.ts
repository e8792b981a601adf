import type { AccessCheck, AccessRule, CheckPage, EventFilter, ListMembers } from '@gatehouse/client';
import type { QueryKey } from '@tanstack/react-query';
import { useSite } from '../session/site.ts';

/** Keys of cached data of the operator's account. */
export const accountKeys = {
  all: ['me'],
  passkeys: ['me', 'passkeys'],
  sessions: ['me', 'sessions'],
} as const satisfies Record<string, QueryKey>;

/** Like `siteKeys`, for the site of the page. */
export function useSiteKeys(): SiteKeys {
  return siteKeys(useSite().id);
}

export type SiteKeys = ReturnType<typeof siteKeys>;

/**
 * Keys of cached data of one site. A key includes all keys that begin with it: invalidating `members.all` also
 * invalidates every list of members.
 */
export function siteKeys(siteId: string | undefined) {
  const site: QueryKey = [siteId];
  const overview = [...site, 'overview'];
  const members = memberKeys([...site, 'members']);
  const groups = groupKeys([...site, 'groups']);
  const events = eventKeys([...site, 'events']);
  return {
    all: site,
    overview,
    overviewOf: (timeZone: string, days: number | undefined) => [...overview, timeZone, days ?? null],
    settings: [...site, 'site'],
    /** Whether a page with unsaved values can be shown. */
    preview: (address: string) => [...site, 'preview', address],
    mailServer: [...site, 'mail-server'],
    emailTexts: [...site, 'email-texts'],
    signingKeys: [...site, 'signing-keys'],
    apiKeys: [...site, 'keys'],
    operators: [...site, 'operators'],
    savedViews: [...site, 'saved-views'],
    members,
    memberships: membershipKeys([...site, 'memberships']),
    groups,
    events,
    emails: emailKeys([...site, 'emails']),
    pageCodes: [...site, 'page-codes'],
    rules: ruleKeys([...site, 'rules']),
    sources: sourceKeys([...site, 'sources']),
    webhooks: webhookKeys([...site, 'webhooks']),
    invitations: invitationKeys([...site, 'invitations']),
    joinRequests: joinRequestKeys([...site, 'join-requests']),
    loginProviders: loginProviderKeys([...site, 'login-providers']),
    /** How many use each way to log in. */
    loginMethods: [...site, 'login-methods'],
    /** Everything that shows or counts members. */
    affectedByMembers: [members.all, groups.all, events.all, overview],
  };
}

function memberKeys(all: QueryKey) {
  return {
    all,
    one: (memberId: string) => [...all, 'one', memberId],
    /** A member of which only the name is needed; undefined for no member. */
    name: (memberId: string | undefined) => [...all, 'name', memberId],
    sessions: (memberId: string) => [...all, 'sessions', memberId],
    accessTokens: (memberId: string) => [...all, 'access-tokens', memberId],
    passkeys: (memberId: string) => [...all, 'passkeys', memberId],
    identities: (memberId: string) => [...all, 'identities', memberId],
    search: (query: string | undefined) => [...all, 'search', query],
    page: (filter: ListMembers, after: string | undefined) => [...all, 'list', filter, after ?? null],
    /** The ids of all matching members, in any order. */
    matching: ({ sort: _sort, order: _order, ...filter }: ListMembers) => [...all, 'matching', filter],
    /** The groups of some members, which are shown with them. */
    groupsOf: (memberIds: readonly string[]) => [...all, 'groups-of', memberIds],
    /** When a request created its first member. */
    firstCreatedBy: (request: string) => [...all, 'first-created-by', request],
    /** Whether no member matches. */
    isEmpty: (filter: ListMembers) => [...all, 'empty', filter],
    /** The members before and after a member in a list. */
    neighbors: (filter: ListMembers | undefined, memberId: string) => [...all, 'neighbors', filter, memberId],
    /** The members with one of these email addresses. */
    byEmail: (emails: readonly string[]) => [...all, 'by-email', emails],
  };
}

/** Not among the keys of groups, so that a change of a group does not refetch every row. */
function membershipKeys(all: QueryKey) {
  return {
    of: (memberId: string) => [...all, memberId],
    one: (memberId: string | undefined, groupId: string | undefined) => [...all, memberId, groupId],
    /** How the last membership of a member in a group ended. */
    former: (memberId: string | undefined, groupId: string) => [...all, memberId, groupId, 'former'],
  };
}

function groupKeys(all: QueryKey) {
  return {
    all,
    /** All groups, for a select. */
    choices: [...all, 'choices'],
    lists: [...all, 'list'],
    list: (query: string) => [...all, 'list', query],
    search: (query: string | undefined) => [...all, 'search', query],
    one: (groupId: string) => [...all, 'one', groupId],
    /** A group of which only the name is needed; undefined for no group. */
    name: (groupId: string | undefined) => [...all, 'name', groupId],
    members: (groupId: string) => [...all, 'members', groupId],
  };
}

function eventKeys(all: QueryKey) {
  return {
    all,
    newest: [...all, 'newest'],
    list: (filter: object) => [...all, 'list', filter],
    /** The first page of a list whose reader has scrolled down. */
    head: (filter: object) => [...all, 'head', filter],
    /** The events that are shown as one entry. */
    folded: (filter: EventFilter) => [...all, 'folded', filter],
    ofMember: (memberId: string) => [...all, 'of', memberId],
  };
}

function emailKeys(all: QueryKey) {
  return {
    all,
    list: (state: string | undefined, memberId: string | undefined) => [...all, 'list', state, memberId],
    one: (id: string | undefined) => [...all, 'one', id],
    /** Why emails that wait were not sent at once. */
    delay: [...all, 'delay'],
    /** The newest emails to a member. */
    ofMember: (memberId: string) => [...all, 'of', memberId],
  };
}

function sourceKeys(all: QueryKey) {
  return {
    all,
    /** All sources, also to name the source of a group. */
    list: [...all, 'list'],
    one: (sourceId: string) => [...all, 'one', sourceId],
    runs: (sourceId: string) => [...all, 'runs', sourceId],
    run: (sourceId: string, runId: string) => [...all, 'runs', sourceId, runId],
    webhook: (sourceId: string) => [...all, 'webhook', sourceId],
    /** What the workspace shows now. */
    collections: (sourceId: string) => [...all, 'workspace', sourceId],
    preview: (sourceId: string, collectionKey: string) => [...all, 'workspace', sourceId, collectionKey],
  };
}

function webhookKeys(all: QueryKey) {
  return {
    all,
    list: [...all, 'list'],
    one: (webhookId: string) => [...all, 'one', webhookId],
    lastSuccess: (webhookId: string) => [...all, 'deliveries', webhookId, 'last'],
    deliveries: (webhookId: string) => [...all, 'deliveries', webhookId],
    deliveryList: (webhookId: string, filter: object) => [...all, 'deliveries', webhookId, 'list', filter],
    /** Includes those of every time zone if it is left out. */
    deliveryCounts: (webhookId: string, timeZone?: string) => [
      ...all,
      'deliveries',
      webhookId,
      'counts',
      ...(timeZone === undefined ? [] : [timeZone]),
    ],
    delivery: (webhookId: string, deliveryId: string | undefined) => [
      ...all,
      'deliveries',
      webhookId,
      'one',
      deliveryId,
    ],
  };
}

function invitationKeys(all: QueryKey) {
  return {
    all,
    list: (status: string | undefined) => [...all, 'list', status],
    one: (invitationId: string) => [...all, 'one', invitationId],
    ofEmail: (email: string) => [...all, 'of-email', email],
    /** An invitation of which only the name is needed; undefined for no invitation. */
    name: (invitationId: string | undefined) => [...all, 'name', invitationId],
    redemptions: (invitationId: string) => [...all, 'redemptions', invitationId],
  };
}

function joinRequestKeys(all: QueryKey) {
  return {
    all,
    list: (status: string) => [...all, 'list', status],
  };
}

function loginProviderKeys(all: QueryKey) {
  return {
    all,
    list: [...all, 'list'],
    one: (providerId: string) => [...all, 'one', providerId],
    /** What the last test of its settings has found. */
    test: (providerId: string) => [...all, 'test', providerId],
  };
}

function ruleKeys(all: QueryKey) {
  return {
    saved: [...all, 'saved'],
    /** What the rules decide about a member. */
    ofMember: (memberId: string) => [...all, 'of-member', memberId],
    decisions: [...all, 'decision'],
    /** By the saved rules, or by others that are not saved. */
    decision: (check: AccessCheck | undefined, unsavedRules?: readonly AccessRule[]) => [
      ...all,
      'decision',
      check ?? null,
      unsavedRules ?? null,
    ],
    pageFiles: (page: CheckPage) => [...all, 'page-files', page],
  };
}
