/** A table whose rows are copied to another database. */
export interface CopiedTable {
  readonly name: string;
  /** The columns of its primary key. Both stores sort rows in the same order by them. */
  readonly key: readonly string[];
  /** Whether a row may have a megabyte. */
  readonly hasLargeRows?: boolean;
}

/**
 * The tables that are copied, those first that others refer to. A migration that adds a table adds it here, or to
 * `uncopiedTables` (`copied-tables.test.ts`).
 */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'sites', key: ['id'] },
  { name: 'site_hosts', key: ['site_id', 'domain'] },
  { name: 'site_logos', key: ['site_id'], hasLargeRows: true },
  { name: 'email_texts', key: ['site_id', 'language'] },
  { name: 'access_rules', key: ['site_id'], hasLargeRows: true },
  { name: 'signing_keys', key: ['site_id', 'id'] },
  { name: 'api_keys', key: ['site_id', 'id'] },
  { name: 'api_key_uses', key: ['site_id', 'key_id'] },
  // A client may repeat a request after the change to the other database.
  { name: 'idempotency_keys', key: ['site_id', 'key'], hasLargeRows: true },
  { name: 'cursor_tombstones', key: ['site_id', 'list', 'item_id'] },
  { name: 'event_heads', key: ['site_id'] },
  { name: 'events', key: ['site_id', 'position'] },
  { name: 'activity_counts', key: ['site_id', 'starts_at'] },
  { name: 'access_groups', key: ['site_id', 'id'] },
  { name: 'deleted_groups', key: ['site_id', 'id'] },
  { name: 'members', key: ['site_id', 'id'] },
  { name: 'memberships', key: ['site_id', 'group_id', 'member_id'] },
  { name: 'login_links', key: ['site_id', 'id'] },
  { name: 'sessions', key: ['site_id', 'id'] },
  { name: 'address_changes', key: ['site_id', 'session_id'] },
  { name: 'session_hosts', key: ['site_id', 'token_hash'] },
  { name: 'host_tickets', key: ['site_id', 'ticket_hash'] },
  { name: 'form_responses', key: ['site_id', 'form_hash'], hasLargeRows: true },
  { name: 'known_browsers', key: ['site_id', 'id'] },
  { name: 'known_browser_keys', key: ['site_id'] },
  { name: 'passkeys', key: ['site_id', 'id'] },
  { name: 'passkey_offers', key: ['site_id', 'member_id'] },
  { name: 'passkey_challenges', key: ['site_id', 'browser_hash'] },
  { name: 'access_tokens', key: ['site_id', 'id'] },
  { name: 'emails', key: ['site_id', 'id'] },
  { name: 'email_budgets', key: ['site_id', 'starts_at', 'budget', 'subject_hash'] },
  { name: 'operator_roles', key: ['site_id', 'operator_id'] },
  { name: 'operator_tokens', key: ['site_id', 'hash'] },
  { name: 'saved_views', key: ['site_id', 'id'] },
  { name: 'address_reversals', key: ['site_id', 'id'] },
  { name: 'login_providers', key: ['site_id', 'id'] },
  { name: 'member_identities', key: ['site_id', 'id'] },
  { name: 'provider_logins', key: ['site_id', 'state_hash'] },
  { name: 'pending_identities', key: ['site_id', 'browser_hash'] },
  { name: 'sources', key: ['site_id', 'id'] },
  { name: 'deleted_sources', key: ['site_id', 'id'] },
  { name: 'source_collections', key: ['site_id', 'source_id', 'key'] },
  { name: 'source_groups', key: ['site_id', 'source_id', 'collection', 'value'] },
  { name: 'source_people', key: ['site_id', 'source_id', 'collection', 'email'] },
  { name: 'source_members', key: ['site_id', 'member_id'] },
  { name: 'source_blocks', key: ['site_id', 'source_id', 'member_id'] },
  { name: 'source_runs', key: ['site_id', 'id'], hasLargeRows: true },
  {
    name: 'source_list_parts',
    key: ['site_id', 'source_id', 'collection', 'list', 'part'],
    hasLargeRows: true,
  },
  { name: 'webhooks', key: ['site_id', 'id'] },
  { name: 'webhook_deliveries', key: ['site_id', 'id'] },
  { name: 'invitations', key: ['site_id', 'id'] },
  { name: 'invitation_codes', key: ['site_id', 'code_hash'] },
  { name: 'invitation_redemptions', key: ['site_id', 'id'] },
  { name: 'join_requests', key: ['site_id', 'id'] },
  { name: 'page_code_settings', key: ['site_id'] },
  { name: 'page_codes', key: ['site_id', 'id'] },
  { name: 'page_passes', key: ['site_id', 'token_hash', 'page_code_id'] },
];

/** The tables that are not copied, and why. */
export const uncopiedTables: Readonly<Record<string, string>> = {
  migrations: 'Each store has its own.',
  site_locks: 'Transactions lock its rows and insert those that are missing.',
  setup_tokens: 'Each start of a process has its own.',
  job_leases: 'It says which process does a job now.',
  members_text: 'SQLite fills it with the rows of members.',
  members_text_queue: 'It is empty between transactions.',
};

/** Columns that only SQLite has, which it fills itself: the order of creation within a site, for its search. */
export const ownColumnsOfSqlite: Readonly<Record<string, readonly string[]>> = {
  sites: ['number', 'member_numbers_in_order'],
  members: ['number'],
};
