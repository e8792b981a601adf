import type { OperationId } from '@gatehouse/contract';
import { defaultIdentityHeaders } from '@gatehouse/contract/identity-headers';
import { expect } from 'vitest';
import type { TestSite } from '../test-server.ts';
import { aListSource, aNotionSource } from './given.ts';
import type { ReadyRequest } from './requests.ts';

/**
 * What remains of a request after the end of the key that sent it:
 *
 * - `data`: what the site has of its own, such as members and rules. It gives nothing to who had the key.
 * - `ends with the key`: what grants access or permissions ends with the key at the latest.
 * - `refused`: what acts, grants or receives without a key has no end, so a key with one cannot make, redirect or stop it.
 */
export type Remains = 'data' | 'ends with the key' | 'refused';

export interface LastingCase {
  /** What the request does other than that of `readyRequest`. */
  readonly title?: string;
  readonly make?: (site: TestSite) => Promise<Partial<ReadyRequest>>;
  readonly remains: Remains;
}

const data: readonly LastingCase[] = [{ remains: 'data' }];
const endsWithTheKey: readonly LastingCase[] = [{ remains: 'ends with the key' }];
const refused: readonly LastingCase[] = [{ remains: 'refused' }];

/** The cases of each operation that changes something. */
export const lastingEffects: { readonly [Id in OperationId]?: readonly LastingCase[] } = {
  createMember: data,
  bulkCreateMembers: data,
  bulkUpdateMembers: data,
  updateMember: data,
  deleteMember: data,
  blockMember: data,
  unblockMember: data,
  bulkMemberActions: data,
  createAccessGroup: data,
  updateAccessGroup: data,
  deleteAccessGroup: data,
  addAccessGroupMember: data,
  updateMembership: data,
  removeAccessGroupMember: data,
  replaceAccessRules: data,
  replaceEmailTexts: data,
  rotateSigningKeys: data,
  revokeMemberSessions: data,
  revokeSessions: data,
  revokeMemberSession: data,
  deleteAccessToken: data,
  deleteMemberPasskeys: data,
  deleteMemberPasskey: data,
  deleteMemberIdentities: data,
  deleteMemberIdentity: data,
  createAccessToken: [
    { make: async () => ({ body: { name: 'Reader' } }), remains: 'ends with the key' },
    {
      title: 'that ends later',
      make: async () => ({ body: { name: 'Reader', expiresAt: '2100-01-01T00:00:00.000Z' } }),
      remains: 'refused',
    },
    {
      title: 'without an end',
      make: async () => ({ body: { name: 'Reader', expiresAt: null } }),
      remains: 'refused',
    },
  ],
  createMemberLoginLink: [
    { remains: 'data' },
    {
      title: 'to hand out',
      make: async () => ({ body: { send: false }, furtherPermissions: ['login-links:write'] }),
      remains: 'ends with the key',
    },
  ],
  // A new link goes to the mailbox of the member.
  resendEmail: data,
  updateSite: [
    { remains: 'data' },
    {
      title: 'with another primary host',
      make: async (site) => ({ body: { domain: `other-${site.siteId}.example.com` } }),
      remains: 'refused',
    },
    { title: 'with another scheme', make: async () => ({ body: { scheme: 'http' } }), remains: 'refused' },
    {
      title: 'with other identity headers',
      make: async () => ({
        body: { identityHeaders: { ...defaultIdentityHeaders, name: 'remote-user-name' } },
      }),
      remains: 'refused',
    },
    {
      title: 'with a further host',
      make: async (site) => ({
        body: { hosts: [{ domain: `further-${site.siteId}.example.com`, scheme: 'https' }] },
      }),
      remains: 'refused',
    },
  ],
  createInvitation: [
    { remains: 'ends with the key' },
    {
      title: 'that ends later',
      make: async () => ({ body: { expiresAt: inMinutes(60) } }),
      remains: 'refused',
    },
  ],
  bulkCreateInvitations: endsWithTheKey,
  // From then on, it ends with the key, so it must not end later.
  updateInvitation: [
    { title: 'that ends later', remains: 'refused' },
    {
      title: 'with an end before that of the key',
      make: async () => ({ body: { expiresAt: inMinutes(3) } }),
      remains: 'ends with the key',
    },
  ],
  revokeInvitation: data,
  // The new link goes to the mailbox of the person.
  sendInvitation: data,
  decideJoinRequests: data,
  createPageCode: [
    { remains: 'ends with the key' },
    {
      title: 'without an end',
      make: async () => ({ body: { label: 'Class 7b', expiresAt: null } }),
      remains: 'refused',
    },
  ],
  // Only another label changes nothing of the access.
  updatePageCode: [
    { title: 'without an end', make: async () => ({ body: { maxUses: 5 } }), remains: 'refused' },
    {
      title: 'with an end before that of the key',
      make: async () => ({ body: { expiresAt: inMinutes(3) } }),
      remains: 'ends with the key',
    },
  ],
  replacePageCode: [
    { title: 'without an end', remains: 'refused' },
    {
      title: 'with an end before that of the key',
      make: async (site) => {
        const id = await site.storePageCode({ expiresAt: inMinutes(3) });
        return { path: `/page-codes/${id}/replace` };
      },
      remains: 'ends with the key',
    },
  ],
  deletePageCode: data,
  // With one, its owner can log in as any member after the end of the key.
  createLoginProvider: refused,
  updateLoginProvider: refused,
  deleteLoginProvider: refused,
  createApiKey: endsWithTheKey,
  rotateApiKey: refused,
  revokeApiKey: refused,
  inviteOperator: refused,
  updateOperator: refused,
  removeOperator: refused,
  // Those of the kind `program`, which do nothing without a key, and those that are not on schedule.
  createSource: [
    { remains: 'data' },
    {
      title: 'on schedule',
      make: async (site) => ({
        body: { type: 'notion', name: `S ${site.siteId}`, token: 'ntn_other', enabled: true },
      }),
      remains: 'refused',
    },
  ],
  updateSource: [
    { remains: 'data' },
    {
      title: 'that puts it on schedule',
      make: async (site) => ({
        path: `/sources/${(await aListSource(site)).id}`,
        body: { enabled: true },
      }),
      remains: 'refused',
    },
    {
      title: 'that redirects one on schedule',
      make: async (site) => ({
        path: `/sources/${await aSourceOnSchedule(site)}`,
        body: { token: 'ntn_other' },
      }),
      remains: 'refused',
    },
    {
      title: 'that takes it off schedule',
      make: async (site) => ({
        path: `/sources/${await aSourceOnSchedule(site)}`,
        body: { enabled: false },
      }),
      remains: 'refused',
    },
  ],
  deleteSource: [
    { remains: 'data' },
    {
      title: 'on schedule',
      make: async (site) => ({ path: `/sources/${await aSourceOnSchedule(site)}` }),
      remains: 'refused',
    },
  ],
  resetSourceWebhook: [
    { remains: 'data' },
    {
      title: 'on schedule',
      make: async (site) => ({ path: `/sources/${await aSourceOnSchedule(site)}/webhook` }),
      remains: 'refused',
    },
  ],
  syncSource: data,
  uploadCollectionPeople: data,
  createWebhook: refused,
  updateWebhook: refused,
  deleteWebhook: refused,
  rotateWebhookSecret: refused,
  // To the address that someone else has set.
  testWebhook: data,
  replayWebhook: data,
  replayWebhookDelivery: data,
};

/** What the rows of a table do without a key. `members_text_queue` is a table of PostgreSQL only. */
export const tables: Readonly<Record<string, 'data' | 'acts, grants or receives'>> = {
  access_groups: 'data',
  access_rules: 'data',
  access_tokens: 'acts, grants or receives',
  activity_counts: 'data',
  api_key_uses: 'data',
  api_keys: 'acts, grants or receives',
  cursor_tombstones: 'data',
  deleted_groups: 'data',
  deleted_sources: 'data',
  email_budgets: 'data',
  emails: 'data',
  event_heads: 'data',
  events: 'data',
  form_responses: 'acts, grants or receives',
  host_tickets: 'acts, grants or receives',
  idempotency_keys: 'data',
  // It works as long as its invitation.
  invitation_codes: 'data',
  invitation_redemptions: 'data',
  invitations: 'acts, grants or receives',
  join_requests: 'data',
  known_browser_keys: 'data',
  known_browsers: 'data',
  login_links: 'acts, grants or receives',
  login_providers: 'acts, grants or receives',
  member_identities: 'acts, grants or receives',
  pending_identities: 'data',
  provider_logins: 'data',
  members: 'data',
  members_text_queue: 'data',
  memberships: 'data',
  operator_roles: 'acts, grants or receives',
  operator_tokens: 'acts, grants or receives',
  page_code_settings: 'data',
  page_codes: 'acts, grants or receives',
  page_passes: 'acts, grants or receives',
  passkey_challenges: 'data',
  passkey_offers: 'data',
  passkeys: 'acts, grants or receives',
  address_changes: 'acts, grants or receives',
  address_reversals: 'acts, grants or receives',
  saved_views: 'data',
  session_hosts: 'acts, grants or receives',
  sessions: 'acts, grants or receives',
  setup_tokens: 'acts, grants or receives',
  // Only Gatehouse signs with them.
  signing_keys: 'data',
  site_hosts: 'acts, grants or receives',
  site_locks: 'data',
  site_logos: 'data',
  email_texts: 'data',
  sites: 'data',
  source_blocks: 'data',
  source_collections: 'data',
  source_groups: 'data',
  source_list_parts: 'data',
  source_members: 'data',
  source_people: 'data',
  source_runs: 'data',
  sources: 'acts, grants or receives',
  webhook_deliveries: 'data',
  webhooks: 'acts, grants or receives',
};

function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

/** A source on schedule, after its first run. */
async function aSourceOnSchedule(site: TestSite): Promise<string> {
  const { id } = await aNotionSource(site);
  await site.patch(`/sources/${id}`, { enabled: true });
  const endOfFirstRun = async () => (await site.get(`/sources/${id}/runs`)).body.data.at(-1).endedAt;
  await expect.poll(endOfFirstRun, { timeout: 20_000 }).not.toBeNull();
  return id;
}
