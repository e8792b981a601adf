import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordKnownBrowser } from '../../../server/src/domain/known-browsers/known-browsers.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { changing } from '../../../server/test/change.ts';
import { mulberry32 } from '../../data.ts';
import { domain, type GuardedSite, guard, unlimited } from '../../guarded-site.ts';
import { type ServerProcess, startGatehouse } from '../../process.ts';
import { startMailServer } from '../../services/mail-server.ts';
import { type Line, members, type Row, round } from '../row.ts';

const timedRequests = 2_000;
const warmUps = 200;

type Kind = 'member' | 'anonymous';

export interface Sent {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly cookie?: string;
}

/**
 * A request that anyone can send for an email address, and its expected status, which is the same for all addresses.
 */
export interface Comparison {
  readonly work: string;
  readonly status: number;
  /** Sent for every address and processed completely before the measurement. */
  readonly before?: (email: string) => Sent;
  /** Sent for the same address right before the timed request. */
  readonly justBefore?: (email: string) => Sent;
  /** @param cookie the cookie that the browser got in the previous step */
  readonly timed: (email: string, cookie: string) => Sent;
}

const login = (email: string, cookie = ''): Sent => ({
  path: '/_gatehouse/login',
  form: { email, next: '/course' },
  cookie,
});

/** The form of the login page in a browser that has the cookie of the page. */
const loginWithForm = (email: string): Sent =>
  login(email, `__Host-gatehouse_form=${hash('sha256', email, 'base64url')}`);

/**
 * Whether the response time distinguishes a member from an anonymous visitor (Welch's t over requests in random
 * order).
 */
export const loginTiming: Row = async (bench) => {
  const site = await guard(bench.copyOf(await bench.dataset(members)));
  const deviceCookie = await makeBrowsersKnown(site);
  const free = [
    { work: 'requesting a login link', status: 303, timed: (email) => login(email) },
    {
      work: 'requesting a login link in a browser known for another member',
      status: 303,
      timed: (email) => login(email, `__Host-gatehouse_device=${deviceCookie}`),
    },
    {
      work: 'requesting a login link with the same form again',
      status: 303,
      justBefore: loginWithForm,
      timed: loginWithForm,
    },
    {
      work: 'entering a wrong code',
      status: 400,
      before: (email) => login(email),
      timed: (_, cookie) => ({ path: '/_gatehouse/code', form: { code: '000000' }, cookie }),
    },
  ] satisfies Comparison[];
  const usedUp = [
    {
      work: 'requesting a login link when the limit is reached',
      status: 429,
      before: (email) => login(email),
      timed: (email) => login(email),
    },
  ] satisfies Comparison[];
  return [
    ...(await compareAll(site, free, unlimited)),
    ...(await compareAll(site, usedUp, { ...unlimited, GATEHOUSE_LOGIN_LIMIT: '1' })),
  ];
};

export async function compareAll(
  site: GuardedSite,
  comparisons: readonly Comparison[],
  environment: Readonly<Record<string, string>>,
): Promise<Line[]> {
  const emails = await startMailServer();
  const server = await startGatehouse(site.dataset, {
    environment: { ...environment, GATEHOUSE_SMTP_URL: emails.url, GATEHOUSE_MAIL_FROM: `office@${domain}` },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const lines: Line[] = [];
    for (const comparison of comparisons) lines.push(await compare(server, agent, site, comparison));
    return lines;
  } finally {
    agent.destroy();
    await server.stop();
    await emails.stop();
  }
}

async function compare(
  server: ServerProcess,
  agent: Agent,
  { emails }: GuardedSite,
  { work, status, before, justBefore, timed }: Comparison,
): Promise<Line> {
  const addresses = { member: emails, anonymous: emails.map((email) => email.replace('@', 'x@')) };
  const cookies: Record<Kind, string[]> = { member: [], anonymous: [] };
  for (let index = 0; before && index < timedRequests; index += 1) {
    for (const kind of ['member', 'anonymous'] as const) {
      const { cookie } = await send(server, agent, before(addresses[kind][index]!));
      cookies[kind].push(cookie);
    }
  }
  for (let index = 0; index < warmUps; index += 1) {
    const sent = await send(server, agent, login(`warm${index}@nowhere.example`));
    await send(server, agent, timed(`warm${index}@nowhere.example`, sent.cookie));
  }
  if (before) await sleep(3_000);

  const random = mulberry32(Date.now());
  const times: Record<Kind, number[]> = { member: [], anonymous: [] };
  while (times.member.length + times.anonymous.length < 2 * timedRequests) {
    const kind: Kind = random() < 0.5 ? 'member' : 'anonymous';
    const index = times[kind].length;
    if (index === timedRequests) continue;
    const address = addresses[kind][index]!;
    if (justBefore) await send(server, agent, justBefore(address));
    const sent = timed(address, cookies[kind][index] ?? '');
    const start = performance.now();
    const response = await send(server, agent, sent);
    times[kind].push(performance.now() - start);
    if (response.status !== status) throw new Error(`${work}: ${kind} got the status ${response.status}.`);
  }
  const t = Math.abs(welch(times.member, times.anonymous));
  const median = (kind: Kind) => round(times[kind].toSorted((a, b) => a - b)[timedRequests / 2]! * 1_000);
  return {
    work: `${work}: member against anonymous, ${timedRequests.toLocaleString('en')} each`,
    reference: `anonymous: median ${median('anonymous')} µs`,
    gatehouse: `member: median ${median('member')} µs`,
    measured: `t = ${t.toFixed(2)}`,
    goal: "Welch's t under 4.5",
    met: t < 4.5,
  };
}

/** Creates a known browser for each member of the sample; returns the last device cookie. */
async function makeBrowsersKnown({ dataset: { databaseUrl, siteId, sample } }: GuardedSite): Promise<string> {
  const database = openDatabase(databaseUrl, {});
  let deviceCookie = '';
  await changing(database, siteId, async (change) => {
    for (const memberId of sample) {
      ({ deviceCookie } = await recordKnownBrowser(change, memberId, null));
    }
  });
  await database.close();
  return deviceCookie;
}

async function send(
  server: ServerProcess,
  agent: Agent,
  { path, form, cookie = '' }: Sent,
): Promise<{ status: number; cookie: string }> {
  const body = new URLSearchParams(form).toString();
  const sent = request(new URL(path, server.address), {
    agent,
    method: 'POST',
    headers: {
      host: domain,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
      ...(cookie !== '' && { cookie }),
    },
  }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return {
    status: response.statusCode!,
    cookie: (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; '),
  };
}

/** Welch's t statistic of two samples. */
function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [moments(one), moments(other)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length);
}

function moments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) };
}
