import type { AccessAlternative, AccessRule } from '@gatehouse/contract';
import { markUsed } from '../../../server/src/domain/access-tokens/access-tokens.ts';
import { createMemberAccessToken } from '../../../server/src/domain/members/member-access-tokens.ts';
import { openSessionAt } from '../../../server/src/domain/sessions/session-hosts.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { changing } from '../../../server/test/change.ts';
import type { Dataset } from '../../data.ts';
import { checks, domain, type GuardedSite, guard, someRules, trusting } from '../../guarded-site.ts';
import { compare } from '../../load/compare.ts';
import type { LoadRequest, Subject } from '../../load/load.ts';
import { startGatehouse } from '../../process.ts';
import { type Bench, describe, type Line, members, type Row, share } from '../row.ts';

const connections = 32;
const furtherHosts = ['forum.example.com', 'wiki.example.net'] as const;

/**
 * Rules for pages, for names that begin alike, and with conditions, beside as many plain rules: for members who are logged
 * in at the primary host and at another one, and for programs with access tokens.
 */
export const gateRules: Row = async (bench) => [
  await rulesAgainstPlain(bench, 'SQLite', bench.copyOf(await bench.dataset(members))),
  await rulesAgainstPlain(bench, 'PostgreSQL', await bench.postgresDataset(members)),
];

async function rulesAgainstPlain(bench: Bench, store: string, dataset: Dataset): Promise<Line> {
  const rulesFor = (groupId: string) => [...someRules(groupId), ...rulesOfOtherForms(groupId)];
  const site = await guard(dataset, rulesFor, furtherHosts);
  const credentials = await otherCredentials(site);
  const server = await startGatehouse(site.dataset, { environment: trusting });
  const goal = 0.95;
  try {
    const subject = (requests: LoadRequest[]): Subject => ({ server, load: { requests, connections } });
    const comparison = await compare(
      subject(checks(site)),
      subject(otherChecks(site, credentials)),
      bench.quick ? { slices: 5, milliseconds: 200 } : { slices: 200, milliseconds: 100 },
    );
    return {
      work: `gate check by ${otherForms} rules with *, conditions, pages and hosts, by sessions at two hosts and access tokens, against plain rules, ${store}`,
      reference: describe(comparison.figures[0]),
      gatehouse: describe(comparison.figures[1]),
      measured: share(comparison),
      goal: `at least ${goal}`,
      met: comparison.share >= goal,
    };
  } finally {
    await server.stop();
  }
}

const otherForms = 100;
/** A transaction has a limited time. */
const atOnce = 500;

/** A half with `*` and conditions, of which the last alternative is met, and a half for pages. */
function rulesOfOtherForms(groupId: string): AccessRule[] {
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

interface OtherCredentials {
  /** Session tokens for the first of the further hosts. */
  readonly atForum: readonly string[];
  readonly accessTokens: readonly string[];
}

async function otherCredentials({ dataset, sessionIds }: GuardedSite): Promise<OtherCredentials> {
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
          await markUsed({ db: change.db, siteId, now: change.now }, token.id);
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
