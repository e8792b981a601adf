import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccessAlternative, AccessRule } from '@gatehouse/contract';
import { SMTPServer } from 'smtp-server';
import { newId } from '../../server/src/base/ids.ts';
import { replaceAccessRules } from '../../server/src/domain/access-rules/access-rules.ts';
import { markUsed } from '../../server/src/domain/access-tokens/access-tokens.ts';
import { linkEnd } from '../../server/src/domain/logins/login-requests.ts';
import { createMemberAccessToken } from '../../server/src/domain/members/member-access-tokens.ts';
import { selectMember } from '../../server/src/domain/members/member-store.ts';
import { openSessionAt } from '../../server/src/domain/sessions/session-hosts.ts';
import { openSession } from '../../server/src/domain/sessions/sessions.ts';
import { generateToken, hashToken } from '../../server/src/domain/sessions/token.ts';
import { updateSite } from '../../server/src/domain/sites/sites.ts';
import { siteDependents } from '../../server/src/operations/sites.ts';
import { openDatabase } from '../../server/src/storage/open.ts';
import { changing } from '../../server/test/change.ts';
import type { Dataset } from '../data.ts';
import { alternate, type Figures, type LoadRequest, runLoad } from '../load.ts';
import { type ServerProcess, startFloor, startGatehouse } from '../process.ts';
import { oneByOne } from './reads.ts';
import { type Bench, describe, type Line, members, type Row, round, shareOf } from './row.ts';

const connections = 32;
export const domain = 'club.example.com';
const furtherHosts = ['forum.example.com', 'wiki.example.net'] as const;
const stormPerSecond = 500;
export const trusting = { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' };
export const unlimited = {
  GATEHOUSE_LOGIN_LIMIT: '0',
  GATEHOUSE_LOGIN_LIMIT_CLIENT: '0',
  GATEHOUSE_EMAIL_LIMIT_MAILBOX: '0',
};

/** A site with access rules and logged-in members. */
export interface GuardedSite {
  readonly dataset: Dataset;
  /** Session tokens, one for each member of the sample. */
  readonly tokens: readonly string[];
  readonly sessionIds: readonly string[];
  readonly emails: readonly string[];
}

export const gate: Row = async (bench) => {
  const plain = await bench.dataset(members);
  const site = await guard(bench.copyOf(plain));
  return [await gateAgainstFloor(bench, 'gate check (forward-auth), SQLite', plain, site, 0.75, 3)];
};

export const gatePostgres: Row = async (bench) => {
  const site = await guard(await bench.postgresDataset(members));
  const work = 'gate check (forward-auth), PostgreSQL';
  return [await gateAgainstFloor(bench, work, await bench.dataset(members), site, 0.6)];
};

/**
 * Rules for pages, for names that begin alike, and with conditions, beside as many plain rules: for members who are logged
 * in at the primary host and at another one, and for programs with access tokens.
 */
export const gateRules: Row = async (bench) => [
  await rulesAgainstPlain(bench, 'SQLite', bench.copyOf(await bench.dataset(members))),
  await rulesAgainstPlain(bench, 'PostgreSQL', await bench.postgresDataset(members)),
];

/** The gate while 500 members per second request a login link and 500 others use one. */
export const loginStorm: Row = async (bench) => {
  const site = await guard(bench.copyOf(await bench.dataset(members)));
  const seconds = 4;
  const half = site.emails.length / 2;
  const paths = await waitingLinks(site, half);
  const emails = await startMailServer();
  const server = await startGatehouse(site.dataset, {
    environment: {
      ...trusting,
      ...unlimited,
      GATEHOUSE_SMTP_URL: emails.url,
      GATEHOUSE_MAIL_FROM: `login@${domain}`,
    },
  });
  try {
    const load = { requests: checks(site), connections: 8 };
    await runLoad(server, load, 2, bench.folder);
    const quiet = await runLoad(server, load, seconds, bench.folder);
    const storm = startStorm(server, site.emails.slice(0, half), paths);
    const options = { waitUntilIdle: false };
    const busy = await runLoad(server, load, seconds, bench.folder, options).finally(storm.end);
    const { requested, loggedIn, failed, slow } = await storm.ended;
    return [
      {
        work: `gate check while ${stormPerSecond} request a login link and ${stormPerSecond} log in per second, 8 connections`,
        reference: describe(quiet),
        gatehouse: `${describe(busy)}; ${requested} requested, ${loggedIn} logged in, p99 of both ${round(slow)} ms, ${emails.received()} emails, ${failed} failed`,
        measured: `p99 ${round(busy.p99Milliseconds)} ms`,
        goal: 'p99 under 10 ms',
        met:
          busy.p99Milliseconds < 10 &&
          failed === 0 &&
          Math.min(requested, loggedIn) > 0.95 * stormPerSecond * seconds,
      },
    ];
  } finally {
    await server.stop();
    await emails.stop();
  }
};

async function gateAgainstFloor(
  bench: Bench,
  work: string,
  floorData: Dataset,
  site: GuardedSite,
  goal: number,
  p99GoalMilliseconds?: number,
): Promise<Line> {
  const floor = await startFloor(floorData);
  const gatehouse = await startGatehouse(site.dataset, { environment: trusting });
  try {
    const [reference, figures] = (await alternate(
      [
        { server: floor, load: { requests: oneByOne(floorData), connections } },
        { server: gatehouse, load: { requests: checks(site), connections } },
      ],
      bench.quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 3 },
      bench.folder,
    )) as [Figures, Figures];
    const share = shareOf(reference, figures);
    const { p99Milliseconds } = figures;
    return {
      work,
      reference: describe(reference),
      gatehouse: describe(figures),
      measured: `${share.toFixed(2)} (${round(figures.perSecond / reference.perSecond)} by throughput)`,
      goal: `at least ${goal}${p99GoalMilliseconds ? `, p99 under ${p99GoalMilliseconds} ms` : ''}`,
      met: share >= goal && p99Milliseconds < (p99GoalMilliseconds ?? Infinity),
    };
  } finally {
    await floor.stop();
    await gatehouse.stop();
  }
}

async function rulesAgainstPlain(bench: Bench, store: string, dataset: Dataset): Promise<Line> {
  const rulesFor = (groupId: string) => [...someRules(groupId), ...rulesOfOtherForms(groupId)];
  const site = await guard(dataset, rulesFor, furtherHosts);
  const credentials = await otherCredentials(site);
  const server = await startGatehouse(site.dataset, { environment: trusting });
  const goal = 0.95;
  try {
    const [reference, figures] = (await alternate(
      [checks(site), otherChecks(site, credentials)].map((requests) => ({
        server,
        load: { requests, connections },
      })),
      bench.quick ? { rounds: 1, seconds: 2 } : { rounds: 15, seconds: 1 },
      bench.folder,
    )) as [Figures, Figures];
    const share = shareOf(reference, figures);
    return {
      work: `gate check by ${otherForms} rules with *, conditions, pages and hosts, by sessions at two hosts and access tokens, against plain rules, ${store}`,
      reference: describe(reference),
      gatehouse: describe(figures),
      measured: share.toFixed(2),
      goal: `at least ${goal}`,
      met: share >= goal,
    };
  } finally {
    await server.stop();
  }
}

/** Gives a site a domain, rules, and a session for each member of the sample. */
export async function guard(
  dataset: Dataset,
  rulesFor = someRules,
  further: readonly string[] = [],
): Promise<GuardedSite> {
  const { databaseUrl, siteId, sample, groupId } = dataset;
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  try {
    const hosts = [domain, ...further].map((each) => ({ domain: each }));
    await changing(database, siteId, (change) => updateSite(change, { hosts }, siteDependents(change)));
    await changing(database, siteId, (change) => replaceAccessRules(change, rulesFor(groupId), () => {}));
    const tokens: string[] = [];
    const sessionIds: string[] = [];
    const emails: string[] = [];
    await changing(database, siteId, async (change) => {
      for (const memberId of sample) {
        const browser = { userAgent: 'Mozilla/5.0', clientAddress: '203.0.113.7' };
        const { token, session } = await openSession(change, memberId, browser);
        tokens.push(token);
        sessionIds.push(session.id);
        emails.push((await selectMember(change.tx, siteId, memberId))!.email);
      }
    });
    return { dataset, tokens, sessionIds, emails };
  } finally {
    await database.close();
  }
}

const otherForms = 100;
/** A transaction has a limited time. */
const atOnce = 500;

/** A half with `*` and conditions, of which the last alternative is met, and a half for pages. */
export function rulesOfOtherForms(groupId: string): AccessRule[] {
  return Array.from({ length: otherForms }, (_, index) => {
    if (index % 2 === 1) return { path: `/part-${index}/page`, appliesTo: 'page', access: 'paying_members' };
    const anyOf: AccessAlternative[] = [
      { access: 'paying_members', groupIds: [groupId], until: '2020-01-01T00:00:00.000Z' },
      { access: 'members', from: '2020-01-01T00:00:00.000Z', networks: ['203.0.113.0/24'] },
    ];
    const hosts = index % 4 === 0 ? { hosts: [domain, ...furtherHosts] } : {};
    return { path: `/part-${index}-*`, ...hosts, access: 'conditional', anyOf };
  });
}

export function someRules(groupId: string): AccessRule[] {
  const sections = Array.from({ length: 98 }, (_, index) => ({
    path: `/section-${index}`,
    access: 'members' as const,
  }));
  return [
    { path: '/', access: 'members' as const },
    { path: '/course', access: 'groups' as const, groupIds: [groupId] },
    ...sections,
  ];
}

interface OtherCredentials {
  /** Session tokens for the first of the further hosts. */
  readonly atForum: readonly string[];
  readonly accessTokens: readonly string[];
}

export async function otherCredentials({ dataset, sessionIds }: GuardedSite): Promise<OtherCredentials> {
  const { databaseUrl, siteId, sample } = dataset;
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  const atForum: string[] = [];
  const accessTokens: string[] = [];
  try {
    for (let first = 0; first < sample.length; first += atOnce) {
      await changing(database, siteId, async (change) => {
        for (const [index, memberId] of sample.slice(first, first + atOnce).entries()) {
          atForum.push(await openSessionAt(change, sessionIds[first + index]!, furtherHosts[0]));
          const token = await createMemberAccessToken(change, memberId, { name: 'Reader' });
          // Used already: the first use in an hour is recorded.
          await markUsed(change.tx, siteId, token.id, change.at);
          accessTokens.push(token.secret);
        }
      });
    }
  } finally {
    await database.close();
  }
  return { atForum, accessTokens };
}

/** A third each of sessions at the primary host, sessions at another one, and access tokens at the third. */
function otherChecks(site: GuardedSite, { atForum, accessTokens }: OtherCredentials): LoadRequest[] {
  return site.tokens.map((token, index) => {
    const cookie = (value: string) => ({ Cookie: `theme=dark; __Host-gatehouse_session=${value}` });
    const [host, credential] = [
      [domain, cookie(token)],
      [furtherHosts[0], cookie(atForum[index]!)],
      [furtherHosts[1], { Authorization: `Bearer ${accessTokens[index]}` }],
    ][index % 3] as [string, Record<string, string>];
    return {
      method: 'GET',
      path: '/_gatehouse/forward-auth',
      headers: {
        'X-Forwarded-Host': host,
        'X-Forwarded-Uri': `/part-${(index * 2) % otherForms}-lesson/${index}/notes?page=${index}`,
        'X-Forwarded-Method': 'GET',
        'X-Forwarded-For': '203.0.113.7',
        ...credential,
      },
    };
  });
}

export function checks({ tokens }: GuardedSite): LoadRequest[] {
  return tokens.map((token, index) => ({
    method: 'GET',
    path: '/_gatehouse/forward-auth',
    headers: {
      'X-Forwarded-Host': domain,
      'X-Forwarded-Uri': `/section-${index % 98}/lesson-${index}/notes?page=${index}`,
      'X-Forwarded-Method': 'GET',
      'X-Forwarded-For': '203.0.113.7',
      Cookie: `theme=dark; __Host-gatehouse_session=${token}`,
    },
  }));
}

/** Login links as in emails, for the members of the sample from `first` on. */
async function waitingLinks({ dataset, emails }: GuardedSite, first: number): Promise<string[]> {
  const { databaseUrl, siteId, sample } = dataset;
  const database = openDatabase(databaseUrl, {});
  const at = new Date().toISOString();
  const paths: string[] = [];
  const rows = sample.slice(first).map((memberId, place) => {
    const token = generateToken();
    paths.push(`/_gatehouse/link/${token}`);
    return [
      siteId,
      newId(),
      emails[first + place]!,
      memberId,
      hashToken(token),
      0,
      '/',
      'en',
      'answered',
      at,
      linkEnd(at),
    ];
  });
  const columns =
    'site_id id email member_id token_hash tries next_path language state created_at expires_at'.split(' ');
  await database.transaction((tx) => tx.insert('login_links', columns, rows));
  await database.close();
  return paths;
}

/** Some members request links while others log in. */
function startStorm(server: ServerProcess, visitors: readonly string[], paths: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const counts = { requested: 0, loggedIn: 0, failed: 0 };
  const times: number[] = [];
  const under = new Set<Promise<void>>();
  const start = performance.now();
  let begun = 0;
  const count = (answer: Promise<number>, name: 'requested' | 'loggedIn') => {
    const sent = performance.now();
    const done = answer
      .then((status) => {
        times.push(performance.now() - sent);
        counts[status === 303 ? name : 'failed'] += 1;
      })
      .finally(() => under.delete(done));
    under.add(done);
  };
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - start) / 1_000) * stormPerSecond);
    for (; begun < due; begun += 1) {
      count(requestLink(server, agent, visitors[begun % visitors.length]!), 'requested');
      const path = paths[begun];
      if (path !== undefined) count(post(server, agent, path, ''), 'loggedIn');
    }
  }, 2);
  let end = () => {};
  const ended = new Promise<typeof counts & { slow: number }>((resolve) => {
    end = () => {
      clearInterval(timer);
      Promise.all(under).then(() => {
        agent.destroy();
        resolve({ ...counts, slow: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]! });
      });
    };
  });
  return { end, ended };
}

function requestLink(server: ServerProcess, agent: Agent, email: string): Promise<number> {
  return post(server, agent, '/_gatehouse/login', new URLSearchParams({ email, next: '/course' }).toString());
}

async function post(server: ServerProcess, agent: Agent, path: string, body: string): Promise<number> {
  const sent = request(new URL(path, server.address), {
    agent,
    method: 'POST',
    headers: {
      host: domain,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
    },
  }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode!;
}

/** A mail server that accepts every email. */
export async function startMailServer() {
  let received = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      stream.on('end', () => {
        received += 1;
        done();
      });
      stream.resume();
    },
  });
  server.on('error', () => {});
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    received: () => received,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
