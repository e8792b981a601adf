import { execFile } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { domain, type GuardedSite, guard, trusting } from '../../guarded-site.ts';
import { alternate, type Figures, type LoadRequest } from '../../load/load.ts';
import { freePort, type ServerProcess, startGatehouse } from '../../process.ts';
import { startNginx } from '../../services/nginx.ts';
import { type Bench, describe, type Line, members, type Row, round } from '../row.ts';

/** Not that of the service, which may choose the same port. */
const siteAddress = '127.0.0.2';
const connections = 32;
const smallBytes = 4 * 1024;
const hugeBytes = 1024 ** 3;
const downloadsAtOnce = 4;
const minShare = 0.5;
const maxGrowthMebibytes = 64;
const run = promisify(execFile);

/** Small and huge files of a folder that Gatehouse serves itself, beside nginx that checks them with Gatehouse. */
export const builtInSite: Row = async (bench) => {
  const guarded = await guard(bench.copyOf(await bench.dataset(members)));
  const site = path.join(bench.folder, 'site');
  writeFiles(site);
  const sitePort = await freePort();
  const gatehouse = await startGatehouse(guarded.dataset, {
    environment: {
      ...trusting,
      GATEHOUSE_SITE_FOLDER: site,
      GATEHOUSE_SITE_HOST: siteAddress,
      GATEHOUSE_SITE_PORT: String(sitePort),
    },
  });
  const gatehousePort = Number(new URL(gatehouse.address).port);
  const nginx = await startNginx(bench.folder, { site, domain, gatehousePort });
  try {
    const address = `http://${siteAddress}:${sitePort}`;
    return [
      await smallFiles(bench, guarded, { ...gatehouse, address: nginx.address }, { ...gatehouse, address }),
      await hugeFiles(guarded, { ...gatehouse, address }),
    ];
  } finally {
    await nginx.stop();
    await gatehouse.stop();
  }
};

/** Compared by throughput, because nginx is another process on the same core. */
async function smallFiles(
  bench: Bench,
  guarded: GuardedSite,
  nginx: ServerProcess,
  builtIn: ServerProcess,
): Promise<Line> {
  const load = { requests: pagesFor(guarded), connections };
  const [reference, figures] = (await alternate(
    [
      { server: nginx, load },
      { server: builtIn, load },
    ],
    bench.quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 3 },
    bench.folder,
  )) as [Figures, Figures];
  const share = figures.perSecond / reference.perSecond;
  return {
    work: 'page of 4 KiB for members, without a proxy, against nginx with auth_request',
    reference: `${round(reference.perSecond)}/s, p99 ${round(reference.p99Milliseconds)} ms`,
    gatehouse: describe(figures),
    measured: share.toFixed(2),
    goal: `at least ${minShare}`,
    met: share >= minShare,
  };
}

async function hugeFiles({ tokens }: GuardedSite, builtIn: ServerProcess): Promise<Line> {
  const before = builtIn.residentMebibytes();
  const start = performance.now();
  await Promise.all(
    tokens
      .slice(0, downloadsAtOnce)
      .map((token) =>
        run('curl', [
          '-sf',
          '-o',
          '/dev/null',
          '-H',
          `Host: ${domain}`,
          '-H',
          `Cookie: __Host-gatehouse_session=${token}`,
          `${builtIn.address}/pages/huge.bin`,
        ]),
      ),
  );
  const seconds = (performance.now() - start) / 1_000;
  const growth = builtIn.residentMebibytes() - before;
  return {
    work: `${downloadsAtOnce} downloads of 1 GiB at the same time, without a proxy`,
    reference: `${round(before)} MiB before`,
    gatehouse: `${round((downloadsAtOnce * 1_024) / seconds)} MiB/s`,
    measured: `${round(growth)} MiB more`,
    goal: `at most ${maxGrowthMebibytes} MiB more`,
    met: growth <= maxGrowthMebibytes,
  };
}

function writeFiles(site: string): void {
  const pages = path.join(site, 'pages');
  mkdirSync(pages, { recursive: true });
  for (let page = 0; page < 100; page += 1) {
    writeFileSync(path.join(pages, `page-${page}.html`), 'x'.repeat(smallBytes));
  }
  writeFileSync(path.join(pages, 'huge.bin'), '');
  truncateSync(path.join(pages, 'huge.bin'), hugeBytes);
}

function pagesFor({ tokens }: GuardedSite): LoadRequest[] {
  return tokens.map((token, index) => ({
    method: 'GET',
    path: `/pages/page-${index % 100}.html`,
    headers: { Host: domain, Cookie: `theme=dark; __Host-gatehouse_session=${token}` },
  }));
}
