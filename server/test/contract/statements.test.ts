import { randomUUID } from 'node:crypto';
import { bulkActionTypes, permissions } from '@gatehouse/contract';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemContext } from '../../src/base/change-context.ts';
import { systemClock } from '../../src/base/clock.ts';
import { newSecretKey, SecretBox } from '../../src/base/encryption/secret-box.ts';
import { newId } from '../../src/base/ids.ts';
import { systemTimers } from '../../src/base/timers.ts';
import { LoginProviderAccess } from '../../src/connectors/login-provider/login-provider-access.ts';
import { WorkspaceAccess } from '../../src/connectors/workspaces.ts';
import { SiteAccess } from '../../src/domain/access-rules/site-access.ts';
import type { UsedAccessToken } from '../../src/domain/access-tokens/access-token.ts';
import { findValidAccessTokens } from '../../src/domain/access-tokens/access-tokens.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { queueEmail } from '../../src/domain/emails/emails.ts';
import { startLinkTime } from '../../src/domain/login-links/login-link-store.ts';
import { listEnabledProviders } from '../../src/domain/login-providers/enabled-providers.ts';
import { selectMembers } from '../../src/domain/members/search/member-list.ts';
import { searchLimits } from '../../src/domain/members/search/search-limits.ts';
import { createSetupToken } from '../../src/domain/operators/setup-token.ts';
import { asMember } from '../../src/domain/own-account/own-session.ts';
import {
  addOwnPasskey,
  consumePasskeyOffer,
  deleteOwnPasskey,
} from '../../src/domain/passkeys/own-passkeys.ts';
import { selectPasskey } from '../../src/domain/passkeys/passkey-store.ts';
import {
  addPasskey,
  consumeChallenge,
  deletePasskey,
  logInWithPasskey,
  saveChallengeFor,
} from '../../src/domain/passkeys/passkeys.ts';
import {
  findPendingIdentity,
  linkPendingIdentity,
} from '../../src/domain/provider-logins/pending-identities.ts';
import { storeProviderCode } from '../../src/domain/provider-logins/provider-logins.ts';
import { operatorSessions, type SessionUse } from '../../src/domain/sessions/session.ts';
import { findValidSessions } from '../../src/domain/sessions/sessions.ts';
import { generateToken } from '../../src/domain/sessions/token.ts';
import { signingKeySecrets } from '../../src/domain/signing-keys/signing-key-secrets.ts';
import { rotateSigningKeys } from '../../src/domain/signing-keys/signing-keys.ts';
import { ensureOperatorTenant } from '../../src/domain/sites/operator-tenant.ts';
import { createSite, findSite } from '../../src/domain/sites/sites.ts';
import { placeOfSecret } from '../../src/domain/sources/source/source.ts';
import { sourceSecrets } from '../../src/domain/sources/source/source-secrets.ts';
import { createSource } from '../../src/domain/sources/source/sources.ts';
import { findSitesWithDueWebhooks } from '../../src/domain/webhooks/deliveries/delivery-claims.ts';
import { EventStreams } from '../../src/http/api/event-streams.ts';
import { StoredResponseBudget } from '../../src/http/api/stored-response-budget.ts';
import { addressOf, closeServer } from '../../src/http/connections/listening.ts';
import { SiteChangeStreams } from '../../src/http/dashboard/api/site-change-streams.ts';
import { createServer } from '../../src/http/server.ts';
import { Admission } from '../../src/http/shared/credentials/admission.ts';
import { Authentication } from '../../src/http/shared/credentials/authentication.ts';
import { Draining } from '../../src/http/shared/draining.ts';
import { createRateLimits } from '../../src/http/shared/limits/rate-limit.ts';
import { BackgroundJobs } from '../../src/jobs/background-jobs.ts';
import { findDueWork } from '../../src/jobs/due-work.ts';
import { EmailDelivery } from '../../src/jobs/email-delivery/email-delivery.ts';
import { EmailRejected } from '../../src/jobs/email-delivery/smtp-transport.ts';
import { JobRunner } from '../../src/jobs/runner.ts';
import { emailComposer } from '../../src/pages/emails/email-composer.ts';
import { EventFeeds } from '../../src/runtime/event-feeds.ts';
import { OperationRunner } from '../../src/runtime/operation-runner.ts';
import type { Database } from '../../src/storage/database.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { referenceTables } from '../../src/storage/postgres/citus/distribution-plan.ts';
import { changing } from '../change.ts';
import { readOnShards, type StatementOnShards } from '../citus/shard-rule.ts';
import { isMadeFrom, sourceStatements, withParameters } from '../citus/source-statements.ts';
import { openStream } from '../event-stream.ts';
import { HostBrowser } from '../host-browser.ts';
import { day, hour } from '../movable-time.ts';
import { testOperationSettings } from '../operation-settings.ts';
import { anOperator, OperatorBrowser, operatorTenantOf } from '../operator.ts';
import { AccountBrowser, anAccount } from '../provider-accounts.ts';
import { purgeExpired } from '../purge.ts';
import { secretKey } from '../secret-key.ts';
import { storeIdentity, storeJoinRequest, storePageCode, storePasskey } from '../stored-rows.ts';
import { forEachStoreVersion } from '../stores.ts';
import { createTestOperator, failEmail, send, type TestSite, visit } from '../test-server.ts';
import { emailTo, everyLoginRequestProcessed, Visitor } from '../visitor.ts';
import { testWorkspaces } from '../workspace-settings.ts';
import { acrossSites, administration } from './allowed-statements.ts';
import { tablesWithSite } from './dump.ts';
import {
  aDomain,
  aGroup,
  aLoginLink,
  aMember,
  aMembership,
  anEmailAtRest,
  aSession,
  someMembers,
  unknownId,
} from './given.ts';
import { type Recording, recordStatements } from './recorded-statements.ts';
import { everyOperation, readyRequest, sendReady } from './requests.ts';
import { aLoginProvider } from './ways-in.ts';

const emailLimits = { mailbox: 1_000, sender: 1_000, signUp: 1_000, signUpMailbox: 1_000 };
const backgroundSettings = {
  eventRetentionDays: 90,
  purgeIntervalSeconds: 3_600,
  smtpUrl: undefined,
  mailFrom: undefined,
  emailLimits,
  workspaces: { ...testWorkspaces, secretKeys: [newSecretKey(), secretKey] },
};

/** One transparent pixel. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const credential = {
  credentialId: 'AAAA',
  publicKey: 'AAAA',
  counter: 0,
  transports: [],
  rpId: null,
  backedUp: false,
  userVerified: true,
};
const content = { fromName: 'Club', subject: 'Log in', text: 'A link', html: '<p>A link' };

/** The possible responses of a mail server to an email. */
const fates = {
  sent: () => {},
  refused: () => {
    throw new EmailRejected('no such mailbox');
  },
  delayed: () => {
    throw Object.assign(new Error('busy'), { responseCode: 451 });
  },
  unreachable: () => {
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  },
};

// Statements that identify their site without `site_id`.
const exceptions = [
  // By a key.
  /^SELECT [\w, "]+ FROM api_keys WHERE hash = \S+$/,
  // By a domain, for visitors.
  /^SELECT [\w, "]+ FROM sites WHERE id IN \(SELECT site_id FROM site_hosts WHERE bare_name = \S+ OR domain IN \(\S+\)\)$/,
  // A host name belongs to one of all sites.
  /^SELECT site_id AS "siteId", domain, claim_reported_at AS "claimReportedAt" FROM site_hosts WHERE bare_name IN \(\S+\) AND site_id <> \S+ ORDER BY site_id, domain$/,
  // The operators' hidden site, by its slug.
  /^SELECT [\w, "]+ FROM sites WHERE slug = \S+$/,
  // The first operator has a role on the first site.
  /^SELECT id FROM operator_roles LIMIT 1$/,
  // An operator may have a role on several sites.
  /^SELECT site_id AS "siteId", id, role FROM operator_roles WHERE operator_id = \S+ ORDER BY site_id$/,
  /^SELECT [\w,. "]+ FROM operator_roles r JOIN sites s ON s\.id = r\.site_id WHERE r\.operator_id = \S+ ORDER BY s\.id$/,
  // The row numbers of the text index start with the number of the site.
  /^WITH site AS MATERIALIZED \(SELECT number << \S+ AS first FROM sites WHERE id = \S+ AND (TRUE|member_numbers_in_order = 1)\) SELECT rowid .* FROM members_text WHERE members_text MATCH \S+ AND rowid BETWEEN \(SELECT first \+ \S+ FROM site\) AND \(SELECT first \+ \S+ FROM site\) ORDER BY rowid (asc|desc) LIMIT \S+$/,
  // Both the request and the member are of the site.
  /^UPDATE join_requests SET member_id = \( SELECT m\.id FROM members m WHERE m\.site_id = \S+ AND m\.email = join_requests\.email\) WHERE site_id = \S+ AND id IN \(.*\) AND member_id IS NULL$/,
  // The search texts of all sites that a commit of SQLite adds to the index.
  /^SELECT key FROM members_text_queue LIMIT 1$/,
  /^INSERT INTO members_text \(rowid, search_text\) SELECT key, search_text FROM members_text_queue$/,
  /^DELETE FROM members_text_queue$/,
];

forEachStoreVersion((store) => {
  const statements = new Set<string>();
  const recording: Recording = [];
  let database: Database;
  /** The same store, to inspect it without recording the statements. */
  let aside: { database: Database };
  let server: ReturnType<typeof createServer>;
  let background: BackgroundJobs;
  let site: TestSite;
  let tables: string[];
  const changeContext = systemContext(new Date().toISOString());

  beforeAll(async () => {
    const url = await store.migratedUrl();
    aside = { database: openDatabase(url) };
    database = recordStatements(
      openDatabase(url, { onStatement: (text) => statements.add(flat(text)) }),
      recording,
    );
    tables = [...(await tablesWithSite(database)), 'members_text'];
    statements.clear();
    recording.length = 0;
    site = await startOn(database);
  });
  afterAll(async () => {
    await closeServer(server);
    await background.stop();
    await database.close();
    await aside.database.close();
  });

  /** The service on a database whose statements are recorded, and a site on it. */
  async function startOn(db: Database): Promise<TestSite> {
    const limits = await createRateLimits(undefined, () => {});
    const settings = { rateLimit: 0, unauthenticatedRateLimit: 0 };
    const tenant = await ensureOperatorTenant(db, 'http://localhost');
    background = new BackgroundJobs(backgroundSettings, {
      database: db,
      composer: emailComposer,
      clock: systemClock,
      report: () => {},
    });
    background.start();
    const service = new OperationRunner(
      db,
      { ...testOperationSettings, emailLimits, workspaces: { ...testWorkspaces, secretKeys: [secretKey] } },
      emailComposer,
      (siteId, work) => background.wake(siteId, work),
    );
    const onSeen = (siteId: string, session: SessionUse) => {
      const now = systemContext(new Date().toISOString());
      service.run({ action: 'prolongSession', siteId, changeContext: now, input: session });
    };
    const onTokenUsed = (siteId: string, token: UsedAccessToken) => {
      const now = systemContext(new Date().toISOString());
      service.run({ action: 'markTokenUsed', siteId, changeContext: now, input: token });
    };
    const admission = new Admission(new Authentication(db, tenant.id, systemClock), limits, settings);
    const draining = new Draining();
    const feeds = new EventFeeds({ database: db, timers: systemTimers, onError: () => {} });
    server = createServer(
      {
        admission,
        limits,
        draining,
        storedResponses: new StoredResponseBudget(limits, 0),
        streams: new EventStreams({ admission, database: db, feeds, draining }),
        siteChanges: new SiteChangeStreams({ database: db, feeds, draining }),
        runnerFor: () => service,
        writer: service,
        database: db,
        tenant,
        siteAccess: new SiteAccess(db, systemClock, { publicWithoutStore: false, onSeen, onTokenUsed }),
        onSeen,
        loginProviders: new LoginProviderAccess(testWorkspaces.outgoing, systemClock),
        workspaces: new WorkspaceAccess(testWorkspaces, systemClock),
        checkStore: async () => {},
        checkWrites: async () => {},
        clock: systemClock,
        logger: pino({ level: 'silent' }),
      },
      {
        version: '0.0.0',
        commit: undefined,
        publicUrl: 'http://localhost',
        trustedProxies: ['127.0.0.1'],
        unauthenticatedRateLimit: 0,
        requestTimeoutSeconds: 15,
        dashboardFolder: '',
        helpFolder: '',
        pages: {
          loginLimit: 0,
          loginLimitClient: 0,
          operatorSessions: operatorSessions(12, 30),
          requirePasskeys: false,
        },
      },
    );
    await server.listen({ port: 0 });
    const { id } = await changing(db, newId(), (change) => createSite(change, { slug: 'main' }));
    const { apiKey, secret } = await changing(db, id, (change) =>
      createApiKey(change, { name: 'Key', permissions }),
    );
    const request: TestSite['request'] = (method, path, options = {}) =>
      send(`${addressOf(server)}/api/v1${path}`, method, {
        ...options,
        headers: { authorization: `Bearer ${secret}`, ...options.headers },
      });
    const domain = async () => (await findSite({ db, siteId: id })).domain;
    return {
      siteId: id,
      dialect: db.dialect,
      key: secret,
      keyId: apiKey.id,
      request,
      get: (path) => request('GET', path),
      post: (path, body, headers = {}) => request('POST', path, { body, headers }),
      patch: (path, body) => request('PATCH', path, { body }),
      delete: (path) => request('DELETE', path),
      domain,
      visit: async (method, path, options = {}) => {
        const headers = { host: (await domain()) ?? 'localhost', ...options.headers };
        return visit(addressOf(server), method, path, { ...options, headers });
      },
      createOperator: async (role = 'viewer') => (await createTestOperator(db, id, role)).id,
      failEmail: (emailId, reply = null) => failEmail(db, id, emailId, reply),
      storeIdentity: (memberId, provider) =>
        changing(db, id, (change) => storeIdentity(change, memberId, provider)),
      storePageCode: (values) => changing(db, id, (change) => storePageCode(change, values)),
      storePasskey: (memberId) => changing(db, id, (change) => storePasskey(change, memberId)),
      storeJoinRequest: () => changing(db, id, storeJoinRequest),
      createKey: (input) =>
        changing(db, id, (change) => createApiKey(change, { name: 'Another key', ...input })),
    };
  }

  function expectEachToNameItsSite() {
    const unnamed = [...statements]
      .filter((text) => ![...exceptions, ...Object.values(acrossSites)].some((known) => known.test(text)))
      .filter((text) => !namesItsSite(text, tables));
    expect(unnamed).toEqual([]);
  }

  test('every statement for the first operator names its site', async () => {
    const address = addressOf(server);
    const place = { address, apiUrl: `${address}/api/v1` };
    const token = await database.transaction((tx) => createSetupToken(tx, changeContext.at));
    const first = new OperatorBrowser(place);
    const way = `/dashboard/setup/${token}`;
    expect((await first.visit('GET', way)).status).toBe(200);
    const person = { email: 'first@example.com', displayName: 'Ada' };
    expect((await first.visit('POST', way, person)).status).toBe(303);
    expectEachToNameItsSite();
  });

  test.each(everyOperation)('every statement of %s names its site', async (operationId) => {
    const request = await readyRequest(operationId, site);
    expect((await sendReady(site, request, { 'idempotency-key': operationId })).status).toBeLessThan(300);
    await sendReady(site, request, { 'idempotency-key': operationId });
    await sendReady(site, request, { 'if-match': '"another"' });
    expectEachToNameItsSite();
  });

  test('every statement of every list names its site', async () => {
    const members = await someMembers(site, 3);
    const [member, gone] = [members[0]!, members[1]!];
    const [group, goneGroup] = [await aGroup(site), await aGroup(site)];
    for (const { id } of members) await aMembership(site, group.id, id);
    await site.delete(`/members/${gone.id}`);
    await site.delete(`/access-groups/${goneGroup.id}`);
    const requestId = randomUUID();
    await aMember(site, {}, { 'x-request-id': requestId });
    const soon = '2100-01-01T00:00:00Z';
    const filters = [
      '',
      '&status=active',
      '&paid=true&verified=false',
      '&q=e',
      '&q=exam',
      '&q=exam&status=active',
      `&createdByRequest=${requestId}`,
      `&createdByRequest=${requestId}&paid=false`,
      `&groupId=${group.id}`,
      `&groupId=${group.id}&expiresBefore=${soon}&q=exam`,
      `&expiresBefore=${soon}`,
    ];
    for (const sort of ['createdAt', 'updatedAt', 'registeredAt', 'lastLoginAt', 'email', 'displayName']) {
      for (const order of ['asc', 'desc']) {
        for (const filter of [...filters, `&email=${member.email}`]) {
          for (const after of ['', `&after=${member.id}`, `&after=${gone.id}`]) {
            expect((await site.get(`/members?sort=${sort}&order=${order}${filter}${after}`)).status).toBe(
              200,
            );
          }
        }
      }
    }
    // As in a large site, where the first members of the order do not fill the page.
    await selectMembers(
      database,
      {
        siteId: site.siteId,
        now: new Date().toISOString(),
        after: undefined,
        limit: 2,
        filter: { status: 'blocked' },
        order: { sort: 'email', order: 'asc' },
      },
      { ...searchLimits[store.dialect], firstStep: 1, firstScan: 1 },
    );
    // As in a large group.
    await selectMembers(
      database,
      {
        siteId: site.siteId,
        now: new Date().toISOString(),
        after: undefined,
        limit: 2,
        filter: { groupId: group.id },
        order: { sort: 'createdAt', order: 'asc' },
      },
      { ...searchLimits[store.dialect], firstStep: 1, maxSorted: 0, maxSortedLate: 0 },
    );
    for (const query of ['?type=custom&q=group', `?after=${group.id}`, `?after=${goneGroup.id}`]) {
      expect((await site.get(`/access-groups${query}`)).status).toBe(200);
    }
    for (const query of [`?after=${member.id}`, `?after=${gone.id}`]) {
      expect((await site.get(`/access-groups/${group.id}/members${query}`)).status).toBe(200);
    }
    const [event] = (await site.get('/events?limit=1')).body.data;
    const times = `since=${event.occurredAt}&until=2100-01-01T00:00:00Z`;
    const query = `?after=${event.id}&type=member.created&memberId=${member.id}&groupId=${group.id}&${times}`;
    for (const order of ['asc', 'desc']) {
      expect((await site.get(`/events${query}&order=${order}`)).status).toBe(200);
      expect((await site.get(`/events?order=${order}&actorType=key&actorId=${site.keyId}`)).status).toBe(200);
    }
    expect((await site.get(`/api-keys?after=${site.keyId}`)).status).toBe(200);
    const email = await anEmailAtRest(site, member.id);
    const emails = `/emails?status=not_sent&memberId=${member.id}&after=${email}`;
    expect((await site.get(emails)).status).toBe(200);
    expectEachToNameItsSite();
  });

  test('every statement of a stream names its site', async () => {
    const [event] = (await site.get('/events')).body.data;
    for (const query of ['', `?after=${event.id}`]) {
      const stream = await openStream({ apiUrl: `${addressOf(server)}/api/v1`, key: site.key }, query);
      await aMember(site);
      await expect.poll(() => stream.events.length).toBeGreaterThan(0);
      stream.close();
    }
    expectEachToNameItsSite();
  });

  test('every statement of a rejected request names its site', async () => {
    const [member, group] = [await aMember(site), await aGroup(site)];
    await aMembership(site, group.id, member.id);
    const apiErrors = [
      site.post('/members', { email: member.email, accessGroupIds: [group.id] }),
      site.post('/members/bulk', { members: [{ email: member.email }], accessGroupIds: [member.id] }),
      site.post('/access-groups', { name: group.name }),
      site.post(`/access-groups/${group.id}/members`, { memberId: member.id }),
      site.get(`/members?after=${group.id}`),
      site.get(`/members/${group.id}`),
    ];
    for (const { status } of await Promise.all(apiErrors)) expect([207, 400, 404, 409]).toContain(status);
    expectEachToNameItsSite();
  });

  test.each(bulkActionTypes)('every statement of a bulk action names its site: %s', async (type) => {
    const [group, members] = [await aGroup(site), await someMembers(site, 2)];
    await aMembership(site, group.id, members[0]!.id);
    await aDomain(site);
    const action = {
      type,
      ...(type === 'set_paid' && { paid: true }),
      ...(type.endsWith('group') && { groupId: group.id }),
      ...(type === 'set_end_in_group' && { expiresAt: '2099-01-01T00:00:00.000Z' }),
    };
    const memberIds = members.map(({ id }) => id);
    expect((await site.post('/members/bulk-actions', { memberIds, action })).status).toBe(207);
    expectEachToNameItsSite();
  });

  test('every statement about keys names its site', async () => {
    const { apiKey } = await site.createKey();
    const { siteId } = site;
    await changing(database, siteId, (change) => rotateApiKey(change, apiKey.id, changeContext.at));
    await changing(database, siteId, (change) => revokeApiKey(change, apiKey.id));
    expect(await listApiKeys({ db: database, siteId })).not.toEqual([]);
    expectEachToNameItsSite();
  });

  test('every statement about stored secrets names its site', async () => {
    const [older, secrets] = [[secretKey], backgroundSettings.workspaces.secretKeys].map(
      (keys) => new SecretBox(keys),
    );
    const { siteId } = site;
    await changing(database, siteId, async (change) => {
      const { id } = await createSource(change, { type: 'program', name: 'Secret' });
      const sealed = older!.seal('hush', placeOfSecret(siteId, id));
      await change.db.run(
        sql`UPDATE sources SET secret = ${sealed} WHERE site_id = ${siteId} AND id = ${id}`,
      );
      await sourceSecrets.renew({ db: change.db, siteId }, secrets!);
    });
    expect(await sourceSecrets.inspect({ db: database, siteId }, secrets!)).toMatchObject({
      old: 0,
      unreadable: [],
    });
    await changing(database, siteId, async (change) => {
      await rotateSigningKeys(change, { revokeOld: true }, older!);
      await signingKeySecrets.renew({ db: change.db, siteId }, secrets!);
    });
    expect(await signingKeySecrets.inspect({ db: database, siteId }, secrets!)).toMatchObject({
      old: 0,
      unreadable: [],
    });
    expectEachToNameItsSite();
  });

  test('every statement of purging names its site', async () => {
    const [member, group] = [await aMember(site), await aGroup(site)];
    await aMembership(site, group.id, member.id, new Date(Date.now() + day).toISOString());
    const clock = () => new Date(Date.now() + 100 * day);
    await purgeExpired(database, clock);
    expectEachToNameItsSite();
  });

  test('every statement for visitors names its site', async () => {
    const group = await aGroup(site);
    const signUp = {
      policy: 'allowed_domains',
      domains: [{ domain: 'example.org', accessGroupIds: [group.id] }],
    };
    expect((await site.patch('/site', { signUp, logo: picture })).status).toBe(200);
    const { email, id } = await aMember(site);
    const unknownEmails = ['new@example.org', 'nobody@example.com'];
    const visitor = new Visitor(site);
    for (const address of [...unknownEmails, email, email])
      expect((await visitor.requestLink(address)).status).toBe(303);
    await everyLoginRequestProcessed(aside);
    const signedUp = new Visitor(site);
    const { path: way } = await emailTo(aside, unknownEmails[0]!);
    expect((await signedUp.post(way)).status).toBe(303);
    const { code } = await emailTo(aside, email);
    expect((await visitor.get('/_gatehouse/check')).text).toContain(email);
    expect(
      (await visitor.post('/_gatehouse/code', { code: code === '000000' ? '000001' : '000000' })).status,
    ).toBe(400);
    expect((await visitor.post('/_gatehouse/code', { code: code! })).status).toBe(303);

    const other = await aSession(site, id);
    const path = `/_gatehouse/link/${await aLoginLink(site, id)}`;
    for (const page of [path, '/_gatehouse/account', '/_gatehouse/logo', '/_gatehouse/jwks.json'])
      expect((await visitor.get(page)).status, page).toBe(200);
    await passGate(visitor);
    await aside.database.transaction(async (tx) => {
      const seen = new Date(Date.now() - 2 * hour).toISOString();
      await tx.run(sql`UPDATE sessions SET last_seen_at = ${seen} WHERE site_id = ${site.siteId}`);
    });
    await passGate(visitor);
    const prolonged = () =>
      [...statements].some((text) => text.startsWith('UPDATE sessions SET last_seen_at'));
    await expect.poll(prolonged).toBe(true);
    expect((await visitor.submit('/_gatehouse/account', { displayName: 'Ada' })).status).toBe(303);
    expect((await visitor.submit('/_gatehouse/account/sessions/end', { id: other.id })).status).toBe(303);
    expect((await site.get(`/members/${id}/sessions?after=${other.id}`)).status).toBe(200);
    expect((await visitor.post(path)).status).toBe(303);
    expect((await visitor.post('/_gatehouse/logout')).status).toBe(200);
    expect((await signedUp.submit('/_gatehouse/logout-everywhere')).status).toBe(200);
    await aSession(site, id);
    expect((await site.patch(`/members/${id}`, { email: 'another@example.com' })).status).toBe(200);
    expect((await site.patch('/site', { logo: null })).status).toBe(200);
    expectEachToNameItsSite();
  });

  test('every statement for visitors of another host names its site', async () => {
    const [primary, forum] = ['hosts.example.com', 'forum.example.com'];
    expect((await site.patch('/site', { hosts: [{ domain: primary }, { domain: forum }] })).status).toBe(200);
    const browser = new HostBrowser({ address: addressOf(server) });
    await browser.logIn(site, (await aMember(site)).id, primary);
    const { urls } = await browser.follow(`https://${forum}/_gatehouse/login?next=/page`);
    expect(urls.at(-1)).toBe(`https://${forum}/page`);
    expect(await browser.gate(forum, '/')).toBe(204);
    expect((await browser.send('POST', `https://${forum}/_gatehouse/logout`, { form: {} })).status).toBe(200);
    expect((await site.patch('/site', { hosts: [{ domain: primary }] })).status).toBe(200);
    expectEachToNameItsSite();
  });

  test('every statement for operators names its site', async () => {
    const address = addressOf(server);
    const place = { address, apiUrl: `${address}/api/v1`, database };
    const { browser, personId } = await anOperator(place, site.siteId);
    for (const path of ['me', 'sessions']) expect((await browser.request('GET', path)).status).toBe(200);
    expect((await browser.request('PATCH', 'me', { displayName: 'Grace' })).status).toBe(200);
    const another = { slug: 'another', title: 'Another' };
    const taken = { ...another, domain: 'www.hosts.example.com' };
    expect((await browser.request('POST', 'sites', taken)).status).toBe(409);
    expect((await browser.request('POST', 'sites', another)).status).toBe(201);
    expect((await browser.api(site.siteId, 'GET', '/site')).status).toBe(200);
    const { id: tenantId } = await operatorTenantOf({ database });
    const who = {
      userAgent: null,
      ipAddress: null,
      lifetime: operatorSessions(12, 30),
      language: 'en',
      loginToken: null,
      sessionToken: null,
      deviceCookie: null,
      form: null,
    };
    await changing(database, tenantId, async (change) => {
      const { id: key } = await addPasskey(change, personId, 'Key', credential);
      const used = { ...credential, id: key, personId, counter: 1 };
      await logInWithPasskey(change, used, '/', who, emailComposer);
      await selectPasskey(change, credential.credentialId);
      await deletePasskey(change, personId, key);
      const browserToken = generateToken();
      await saveChallengeFor(change, browserToken, 'log_in', 'challenge');
      await consumeChallenge(change, browserToken, 'log_in');
    });
    expect((await browser.request('GET', 'passkeys')).status).toBe(200);
    expect((await browser.request('POST', 'logout', {})).status).toBe(204);
    expectEachToNameItsSite();
  });

  test('every statement for the passkeys of a member names its site', async () => {
    await aDomain(site);
    const { token } = await aSession(site, (await aMember(site)).id);
    await changing(database, site.siteId, (change) =>
      asMember(change, token, async (session, own) => {
        expect(await consumePasskeyOffer(own, session)).toBe(true);
        const added = { name: 'Key', credential, language: 'en' };
        const { id } = await addOwnPasskey(own, session, added, emailComposer);
        await deleteOwnPasskey(own, session, id, 'en', emailComposer);
      }),
    );
    expectEachToNameItsSite();
  });

  test('every statement of logins with accounts at providers names its site', async () => {
    const mapping = { value: 'rowers', accessGroupId: (await aGroup(site)).id };
    const provider = await aLoginProvider(site, {
      enabled: true,
      groupsClaim: 'groups',
      groupMap: [mapping],
    });
    const [member, pending] = [await aMember(site), await aMember(site)];
    const browser = new AccountBrowser(site, { database, clock: systemClock });
    const account = anAccount(provider, member.email);
    for (const groups of [['rowers'], ['rowers'], []]) await browser.logIn(provider, { ...account, groups });
    const own = (await aSession(site, member.id)).token;
    const another = new AccountBrowser(site, { database, clock: systemClock });
    another.sessionToken = own;
    expect(await another.logIn(provider, anAccount(provider, null), own)).toEqual({ outcome: 'linked' });
    const unverified = anAccount(provider, pending.email, { emailVerified: false });
    expect(await another.logIn(provider, unverified)).toMatchObject({ outcome: 'email_sent' });
    const later = (await aSession(site, pending.id)).token;
    await another.change(async (change) => {
      await storeProviderCode(change, { state: generateToken(), code: 'code' });
      expect(await findPendingIdentity(change, another.token, later)).toBeDefined();
      const confirmation = { browserToken: another.token, language: 'en' };
      await asMember(change, later, (session, as) =>
        linkPendingIdentity(as, session, confirmation, emailComposer),
      );
      await listEnabledProviders(change);
    });
    await browser.logIn(provider, { ...account, groups: ['rowers'] });
    expect((await site.delete(`/login-providers/${provider.id}`)).status).toBe(204);
    expectEachToNameItsSite();
  });

  async function passGate(visitor: Visitor) {
    const host = await aDomain(site);
    const headers = { 'x-forwarded-host': host, 'x-original-uri': '/', 'x-forwarded-uri': '/' };
    for (const gate of ['auth', 'forward-auth']) {
      expect((await visitor.get(`/_gatehouse/${gate}`, headers)).status).toBe(204);
    }
  }

  test.each(['sent', 'refused', 'delayed', 'unreachable'] as const)(
    'every statement about an email that is %s names its site',
    async (fate) => {
      const { siteId } = site;
      const time = { clock: systemClock, timers: systemTimers };
      const delivery = new EmailDelivery({
        database,
        ...time,
        transport: { send: async () => fates[fate](), close: () => {} },
        beforeSend: async (view, { loginLinkId }) =>
          loginLinkId === null || startLinkTime(view, loginLinkId, changeContext.at),
        log: { notSent: () => {}, failed: () => {} },
      });
      const runner = new JobRunner([delivery], { database, ...time, onError: () => {} });
      const email = { type: 'login_link', recipient: 'ada@example.com', memberId: null, content } as const;
      await changing(database, siteId, async (change) => {
        await queueEmail(change, { ...email, loginLinkId: null });
        await queueEmail(change, { ...email, loginLinkId: unknownId() });
      });
      runner.start();
      runner.wake(delivery.name, siteId);
      await runner.idle();
      await runner.stop();
      expectEachToNameItsSite();
    },
  );

  test('credentials are looked up by their hashes on one site', async () => {
    const view = { db: database, siteId: site.siteId, now: changeContext.at };
    expect(await findValidSessions(view, [unknownId()])).toEqual([]);
    expect(await findValidAccessTokens(view, [unknownId()])).toEqual([]);
    expectEachToNameItsSite();
  });

  test('webhooks for which something is due are found on all sites', async () => {
    const now = new Date().toISOString();
    expect(await findSitesWithDueWebhooks(database, now, now)).toEqual(expect.any(Array));
    expectEachToNameItsSite();
  });

  test('the metrics read what is due on all sites', async () => {
    const metrics = await findDueWork(database, new Date().toISOString());
    expect(metrics.map(({ name }) => name)).toEqual([
      'gatehouse_emails_waiting',
      'gatehouse_due_work_age_seconds',
    ]);
    expectEachToNameItsSite();
  });

  test.each(Object.entries(acrossSites))('jobs read across all sites: %s', (_, known) => {
    expect([...statements].some((text) => known.test(text))).toBe(true);
  });

  describe.skipIf(store.dialect === 'sqlite')('on Citus', () => {
    const readings = new Map<string, StatementOnShards>();
    let setFunctions: ReadonlySet<string>;
    beforeAll(async () => {
      const names = await aside.database.all<{ name: string }>(
        sql`SELECT DISTINCT proname AS name FROM pg_proc WHERE proretset`,
      );
      setFunctions = new Set(names.map(({ name }) => name));
    });

    function read(text: string): StatementOnShards {
      const reading = readings.get(text) ?? readOnShards(text, setFunctions);
      readings.set(text, reading);
      return reading;
    }

    /** The sites that a statement names in its values. */
    function sitesOf({ text, values }: Recording[number][number]): unknown[] {
      return [...new Set(read(text).siteParameters.map((number) => values[number - 1]))];
    }

    test('each statement stays on the shard of one site, except for the reads of jobs', () => {
      for (const text of statements) read(text);
      const problems = [...readings]
        .filter(([text]) => !Object.values(acrossSites).some((known) => known.test(flat(text))))
        .flatMap(([text, { problems }]) => problems.map((problem) => `${problem}: ${flat(text)}`));
      expect(problems).toEqual([]);
      expect(recording.flat().filter((statement) => sitesOf(statement).length > 1)).toEqual([]);
    });

    test('each statement of the source does, whether it was recorded or not', () => {
      const all = sourceStatements();
      expect(all.length).toBeGreaterThan(250);
      const recorded = recording.flat().map(({ text }) => text);
      const isKnown = (text: string) => Object.values(acrossSites).some((known) => known.test(text));
      const others = all.filter((statement) => {
        const text = flat(withParameters(statement));
        return !(isKnown(text) || staysOnShard(text) || recorded.some((each) => isMadeFrom(each, statement)));
      });
      expect(others.map(({ file, parts }) => `${file}: ${flat(parts.join('…'))}`)).toEqual([]);
    });

    /** False for a text that PostgreSQL cannot parse, because it is made of parts. */
    function staysOnShard(text: string): boolean {
      try {
        return read(text).problems.length === 0;
      } catch {
        return false;
      }
    }

    test('what is read across all sites is not written, and is one table, or two with the rows of the same site', () => {
      const found = [...statements].filter((text) =>
        Object.values(acrossSites).some((known) => known.test(text)),
      );
      expect(
        found.filter((text) => {
          const tables = / JOIN \w+ (\w+) ON \1\.site_id = \w+\.site_id /.test(text) ? 2 : 1;
          return read(text).problems.length !== tables || read(text).written.length > 0;
        }),
      ).toEqual([]);
    });

    test('a table that every node has is written only by administration', () => {
      const writes = [...statements].filter((text) =>
        read(text).written.some((table) => referenceTables.has(table)),
      );
      for (const [name, known] of Object.entries(administration))
        expect([name, writes.some((text) => known.test(text))]).toEqual([name, true]);
      expect(
        writes.filter((text) => !Object.values(administration).some((known) => known.test(text))),
      ).toEqual([]);
    });

    test('a transaction writes the rows of one site, except those of administration and operators', async () => {
      const { id: tenantId } = await operatorTenantOf(aside);
      const ofSeveral = recording.filter((transaction) => {
        const writes = transaction.filter(({ text }) => read(text).written.length > 0);
        const sites = new Set(writes.flatMap(sitesOf));
        const isAdministration = writes.some(({ text }) => referenceTables.has(read(text).written[0]!));
        return sites.size > 1 && !isAdministration && !sites.has(tenantId);
      });
      expect(ofSeveral.map((transaction) => transaction.map(({ text }) => flat(text)))).toEqual([]);
    });
  });

  test('each of these statements was recorded', () => {
    const begin = (text: string) => [...statements].filter((each) => each.startsWith(text));
    for (const table of tables) {
      if (table === 'members_text' && store.dialect === 'postgres') continue;
      expect([...statements].join('\n'), table).toMatch(new RegExp(`\\b${table}\\b`));
    }
    for (const word of ['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
      expect(begin(word).length).toBeGreaterThan(3);
    for (const words of [
      'UPDATE login_links SET tries',
      'UPDATE login_links SET status',
      'UPDATE login_links SET expires_at',
      'UPDATE sessions SET last_seen_at',
      'DELETE FROM sessions',
      'DELETE FROM site_logos',
      'INSERT INTO access_rules',
      "UPDATE emails SET status = 'sent'",
      "UPDATE emails SET status = 'failed'",
      "UPDATE emails SET status = 'not_sent'",
      'UPDATE emails SET next_attempt_at',
      'UPDATE emails SET attempts',
      'UPDATE emails SET content = NULL',
    ]) {
      expect(begin(words), words).not.toEqual([]);
    }
    for (const table of [
      'site_hosts WHERE bare_name',
      'site_logos',
      'emails',
      'emails m',
      'known_browsers b',
      'access_rules',
    ])
      expect(
        [...statements].some((text) => text.includes(`FROM ${table}`)),
        table,
      ).toBe(true);
  });
});

describe('a statement without its site is detected', () => {
  test.each([
    'SELECT id FROM members WHERE id = $1',
    'SELECT id FROM members',
    'SELECT id FROM members WHERE id = $1 AND site_id = $2',
    'DELETE FROM members WHERE site_id = $1 AND id IN (SELECT id FROM members LIMIT 1)',
    'SELECT 1 FROM members m JOIN memberships s ON s.member_id = m.id WHERE m.site_id = $1',
    'UPDATE members SET paid = true',
    'UPDATE members SET paid = true WHERE id = $1',
    'INSERT INTO members (id, site_id) VALUES ($1, $2)',
    'SELECT 1 FROM memberships m CROSS JOIN members p WHERE p.id = m.member_id AND m.site_id = $1',
    'SELECT 1 FROM memberships m CROSS JOIN members p WHERE p.site_id = m.site_id AND p.id = m.member_id',
    'SELECT 1 FROM members WHERE site_id = $1 UNION ALL SELECT 1 FROM members WHERE id = $2',
  ])('%s', (text) => {
    expect(namesItsSite(text, ['members', 'memberships'])).toBe(false);
  });
});

/** Whether each table that belongs to a site is queried for the rows of one site, which the program names. */
function namesItsSite(text: string, tables: readonly string[]): boolean {
  const ofSites = `(?:${tables.join('|')})\\b`;
  const reference = new RegExp(
    `\\b(INTO|FROM|UPDATE|JOIN) ${ofSites}(?: NOT INDEXED| INDEXED BY \\w+)?(?: (?!(?:WHERE|CROSS|JOIN|SET|ON)\\b)(\\w+))?( .*|$)`,
    'i',
  );
  let rest = text;
  for (let found = reference.exec(rest); found; found = reference.exec(rest)) {
    const [, word, alias, after = ''] = found;
    if (word === 'INTO') {
      if (!/^ ?\(site_id\b/.test(after)) return false;
    } else if (alias) {
      if (!new RegExp(`\\b${alias}\\.site_id = |= ${alias}\\.site_id\\b`).test(text)) return false;
    } else if (!/^(?: SET (?:(?! WHERE ).)*)? WHERE site_id = /.test(after)) return false;
    rest = after;
  }
  return rest === text || /\bsite_id = [?$]|\(site_id\b/.test(text);
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
