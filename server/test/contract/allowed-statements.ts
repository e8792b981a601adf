const budgetKey = 'starts_at AS "startsAt", budget, subject_hash AS "subjectHash"';

/**
 * The data that jobs read across all sites, by what they look for. Each statement reads a few rows by an index on
 * their time, or by one that contains only due rows; the rows are then processed site by site.
 */
export const acrossSites: Readonly<Record<string, RegExp>> = {
  'sites with emails to send':
    /^SELECT DISTINCT site_id FROM emails WHERE status = 'waiting' AND next_attempt_at <= \S+$/,
  'the oldest email to send, for metrics':
    /^SELECT next_attempt_at FROM emails WHERE status = 'waiting' AND next_attempt_at <= \S+ ORDER BY next_attempt_at LIMIT 1$/,
  'the number of emails to send, for metrics':
    /^SELECT count\(\*\) AS count FROM \(SELECT 1 FROM emails WHERE status = 'waiting' LIMIT \S+\) waiting$/,
  'the oldest login request, for metrics':
    /^SELECT created_at FROM login_links WHERE status = 'requested' ORDER BY created_at LIMIT 1$/,
  'the oldest run of a source that is due, for metrics':
    /^WITH running AS MATERIALIZED \( SELECT site_id, source_id FROM source_runs WHERE status = 'running' AND due_at > \S+ \) SELECT min\(CASE WHEN due\.due_at > due\.created_at THEN due\.due_at ELSE due\.created_at END\) AS first_due_at FROM source_runs due LEFT JOIN running other ON other\.site_id = due\.site_id AND other\.source_id = due\.source_id WHERE due\.due_at <= \S+ AND other\.site_id IS NULL$/,
  'sites with runs of sources that are due': /^SELECT DISTINCT site_id FROM source_runs WHERE due_at <= \S+$/,
  'sites with secrets of an older key': /^SELECT DISTINCT site_id FROM sources WHERE secret LIKE \S+$/,
  'sites with signing keys sealed with an older key':
    /^SELECT DISTINCT site_id FROM signing_keys WHERE secret LIKE \S+$/,
  'sites with secrets of webhooks sealed with an older key':
    /^SELECT DISTINCT site_id FROM webhooks WHERE url LIKE \S+ OR secret LIKE \S+ OR previous_secret LIKE \S+$/,
  'sites with links of invitations sealed with an older key':
    /^SELECT DISTINCT site_id FROM invitations WHERE sealed_code LIKE \S+$/,
  'sites with page codes sealed with an older key':
    /^SELECT DISTINCT site_id FROM page_codes WHERE sealed_code LIKE \S+$/,
  'sites with secrets of login providers sealed with an older key':
    /^SELECT DISTINCT site_id FROM login_providers WHERE sealed_secret LIKE \S+$/,
  'a webhook of any site': /^SELECT site_id FROM webhooks LIMIT 1$/,
  'sites with webhooks for which something is due':
    /^SELECT DISTINCT w\.site_id FROM webhooks w JOIN event_heads h ON h\.site_id = w\.site_id WHERE w\.enabled AND \(w\.claimed_until IS NULL OR w\.claimed_until <= \S+\) AND \(w\.due_at <= \S+ OR \(w\.follows_feed AND w\.position < h\.position\)\)$/,
  'sites with login requests': /^SELECT DISTINCT site_id FROM login_links WHERE status = 'requested'$/,
  'sites with requests to join of which operators have not been told':
    /^SELECT DISTINCT site_id FROM join_requests WHERE announced_at IS NULL AND status = 'pending'$/,
  'requests to join that nobody decided': expiring(
    'join_requests',
    'id',
    'ends_at',
    "status = 'pending' AND ",
  ),
  'old requests to join': expiring('join_requests', 'id', 'ends_at', "status <> 'pending' AND "),
  'memberships past their time': expiring(
    'memberships',
    'group_id AS "groupId", member_id AS "memberId"',
    'expires_at',
  ),
  'sessions past their time': expiring('sessions', 'id', 'expires_at'),
  'access tokens past their time': expiring('access_tokens', 'id', 'expires_at'),
  'passes of page codes past their time': expiring('page_passes', 'token_hash AS id', 'expires_at'),
  'changes of address past their time': expiring('address_changes', 'session_id AS id', 'expires_at'),
  'reversals of addresses past their time': expiring('address_reversals', 'id', 'expires_at'),
  'invitations that ended long ago': expiring('invitations', 'id', 'expires_at'),
  'tickets past their time': expiring('host_tickets', 'ticket_hash AS id', 'expires_at'),
  'responses to forms past their time': expiring('form_responses', 'form_hash AS id', 'created_at'),
  'old login links': expiring('login_links', 'id', 'created_at', "status = 'processed' AND "),
  'known browsers long unused': expiring('known_browsers', 'id', 'last_login_at'),
  'operator tokens past their time': expiring('operator_tokens', 'hash AS id', 'expires_at'),
  'logins at providers past their time': expiring('provider_logins', 'state_hash AS id', 'expires_at'),
  'accounts that could be linked, past their time': expiring(
    'pending_identities',
    'browser_hash AS id',
    'expires_at',
  ),
  'passkey challenges past their time': expiring('passkey_challenges', 'browser_hash AS id', 'expires_at'),
  'old emails': expiring('emails', 'id', 'created_at'),
  'old emails that can still be read': expiring(
    'emails',
    'id',
    'created_at',
    "content IS NOT NULL AND status = 'not_sent' AND ",
  ),
  'old email budgets': expiring('email_budgets', budgetKey, 'starts_at', 'withheld = 0 AND '),
  'old withheld emails': expiring('email_budgets', budgetKey, 'starts_at', 'withheld > 0 AND '),
  'old runs of sources': expiring('source_runs', 'id', 'ended_at'),
  'runs of sources that have named people for long': expiring(
    'source_runs',
    'id',
    'ended_at',
    '\\(samples IS NOT NULL OR skipped IS NOT NULL\\) AND ',
  ),
  'old lists that programs upload': expiring(
    'source_list_parts',
    'source_id AS "sourceId", collection, list, part',
    'created_at',
  ),
  'groups that are deleted, but for their memberships': expiring('deleted_groups', 'id', 'deleted_at'),
  'sources that are deleted, but for their rows': expiring('deleted_sources', 'id', 'deleted_at'),
  'old deliveries of webhooks': expiring('webhook_deliveries', 'id', 'ended_at'),
  'secrets of webhooks past their time': expiring('webhooks', 'id', 'previous_secret_until'),
  'signing keys past their time': expiring('signing_keys', 'id', 'published_until'),
  'old tombstones': expiring('cursor_tombstones', 'list, item_id AS id', 'deleted_at'),
  'old idempotency keys': expiring('idempotency_keys', 'key AS id', 'created_at'),
  'old activity of sites': expiring('activity_counts', 'starts_at AS "startsAt"', 'starts_at'),
  'sites with old events': expiring('event_heads', '', 'oldest_at'),
};

function expiring(table: string, columns: string, time: string, condition = ''): RegExp {
  return new RegExp(
    `^SELECT site_id AS "siteId"${columns && `, ${columns}`} FROM ${table} WHERE ${condition}${time} <= \\S+ ORDER BY ${time} LIMIT \\S+$`,
  );
}

/**
 * The writes to tables that Citus has whole on every node, by what causes them. Each runs on all nodes and takes a
 * two-phase commit, so none is part of a request of a visitor or a program, except for the settings of a site.
 */
export const administration: Readonly<Record<string, RegExp>> = {
  'a new site': /^INSERT INTO sites /,
  'the settings of a site': /^UPDATE sites SET (?:title|operator_host) = /,
  'whether a site has login providers': /^UPDATE sites SET has_login_providers = /,
  'that a site has a passkey': /^UPDATE sites SET has_passkeys = /,
  'the hosts of a site': /^(?:INSERT INTO|DELETE FROM) site_hosts /,
  'that a site got an event about a refused host': /^UPDATE site_hosts SET claim_reported_at = /,
  'a new API key': /^INSERT INTO api_keys /,
  'a revoked or replaced API key': /^UPDATE api_keys SET /,
  'the role of an operator':
    /^(?:INSERT INTO|DELETE FROM) operator_roles |^UPDATE operator_roles SET role = /,
  'the first use of a site in a session of an operator': /^UPDATE operator_roles SET session_id = /,
};
