import type { Dataset } from '../../data.ts';
import { checks, type GuardedSite, guard, trusting } from '../../guarded-site.ts';
import { compare } from '../../load/compare.ts';
import type { LoadRequest } from '../../load/load.ts';
import { startFloor, startGatehouse } from '../../process.ts';
import { oneByOne } from '../members/reads.ts';
import { type Bench, describe, type Line, members, type Row, share, slicesOf } from '../row.ts';

const connections = 32;
const maxMilliseconds = 3;

export const gate: Row = async (bench) => {
  const plain = await bench.dataset(members);
  const site = await guard(bench.copyOf(plain));
  return [
    await gateAgainstFloor(bench, 'gate check of a member, SQLite', plain, site, checks(site), 0.9),
    await gateAgainstFloor(bench, 'gate check of an anonymous visitor, SQLite', plain, site, anonymous(site)),
  ];
};

export const gatePostgres: Row = async (bench) => {
  const plain = await bench.dataset(members);
  const site = await guard(await bench.postgresDataset(members));
  return [
    await gateAgainstFloor(bench, 'gate check of a member, PostgreSQL', plain, site, checks(site), 0.75),
    await gateAgainstFloor(
      bench,
      'gate check of an anonymous visitor, PostgreSQL',
      plain,
      site,
      anonymous(site),
    ),
  ];
};

/** The same requests without a cookie, of a program that is not redirected to the login page. */
function anonymous(site: GuardedSite): LoadRequest[] {
  return checks(site).map((check) => ({
    ...check,
    headers: { ...check.headers, Cookie: 'theme=dark', Accept: 'application/json' },
  }));
}

/**
 * The reference is the floor's `GET` of one member, which also reads one row for each request.
 * @param goal without it the row is only measured
 */
async function gateAgainstFloor(
  bench: Bench,
  work: string,
  floorData: Dataset,
  site: GuardedSite,
  requests: LoadRequest[],
  goal = 0,
): Promise<Line> {
  const floor = await startFloor(floorData);
  const gatehouse = await startGatehouse(site.dataset, { environment: trusting });
  try {
    const comparison = await compare(
      { server: floor, load: { requests: oneByOne(floorData), connections } },
      { server: gatehouse, load: { requests, connections } },
      slicesOf(bench),
    );
    const [reference, figures] = comparison.figures;
    const maxP99 = Math.max(maxMilliseconds, reference.p99Milliseconds);
    const isTimed = goal > 0 && work.endsWith('SQLite');
    return {
      work,
      reference: describe(reference),
      gatehouse: describe(figures),
      measured: share(comparison),
      goal:
        goal === 0
          ? 'none'
          : `at least ${goal}${isTimed ? `, p99 under ${maxMilliseconds} ms or that of the floor` : ''}`,
      met: comparison.share >= goal && (!isTimed || figures.p99Milliseconds < maxP99),
    };
  } finally {
    await floor.stop();
    await gatehouse.stop();
  }
}
