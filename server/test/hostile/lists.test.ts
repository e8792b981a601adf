import { gzipSync } from 'node:zlib';
import type { CollectionPreview, SourceRun } from '@gatehouse/contract';
import { expect, onTestFinished, test } from 'vitest';
import { type HostileList, hostileLists } from '../../../member-lists/test/hostile-lists.ts';
import { effort, isFullEffort } from '../effort.ts';
import { eventually, makeSite, requestsWith, startProcess } from '../faults/gatehouse-process.ts';
import { type ListServer, startListServer } from '../list-server.ts';
import { forEachStore } from '../stores.ts';
import { visit } from '../test-server.ts';
import { testNetworks } from '../workspace-settings.ts';
import { isUnnoticed, type Measure, measureMeanwhile } from './noticed-requests.ts';

const { hostileListBytes } = effort;
const timeoutMilliseconds = 600_000;

forEachStore((store) => {
  test('hostile lists fail with a sentence, while other sites are served and changed as before', {
    timeout: timeoutMilliseconds,
  }, async () => {
    const list = await startListServer('');
    onTestFinished(() => list.stop());
    const [service, idle] = [await aService(), await aService()];
    const measured: Record<string, Measure> = {};
    for (const hostile of hostileLists) {
      serve(list, hostile);
      const source = { type: 'list', name: hostile.name, address: list.address };
      const { id } = (await service.request('POST', '/sources', source))!.body.data;
      const measure = () => measureMeanwhile(service, idle, () => useList(service.request, id, hostile));
      measured[hostile.name] = await measure();
      // What a list causes, it causes each time. A core that someone else takes for a moment may affect one service only.
      for (let again = 0; again < 2 && isFullEffort && !isUnnoticed(measured[hostile.name]!); again += 1) {
        measured[hostile.name] = await measure();
      }
    }
    if (!isFullEffort) return;
    console.table(measured);
    expect(Object.values(measured).filter((each) => !isUnnoticed(each))).toEqual([]);
  });

  /** A service with the site of a hostile list, and another site. */
  async function aService() {
    const databaseUrl = await store.migratedUrl();
    const hostile = await makeSite(databaseUrl, { permissions: ['sources:read', 'sources:write'] });
    const other = await makeSite(databaseUrl, {
      permissions: ['site:write', 'login-links:write', 'access-groups:write'],
    });
    const { address, residentBytes } = await startProcess(databaseUrl, {
      GATEHOUSE_ALLOWED_NETWORKS: testNetworks.join(','),
      GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const [request, ofOther] = [hostile.key, other.key].map((key) => requestsWith(key, () => address));
    const domain = `${other.siteId}.example.org`;
    expect((await ofOther!('PATCH', '/site', { domain }))!.status).toBe(200);
    const check = { headers: { 'x-forwarded-host': domain, 'x-original-uri': '/' } };
    const others = {
      health: async () => expect((await fetch(`${address}/healthz`)).status).toBe(200),
      check: async () => expect((await visit(address, 'GET', '/_gatehouse/auth', check)).status).toBe(401),
      write: async () =>
        expect((await ofOther!('POST', '/access-groups', { name: String(Math.random()) }))!.status).toBe(201),
    };
    return { request: request!, others, residentBytes };
  }
});

type SendRequest = ReturnType<typeof requestsWith>;

/** Looks at a list, and synchronizes it as far as it can be read. */
async function useList(request: SendRequest, sourceId: string, { hasBeginning }: HostileList): Promise<void> {
  const preview = await eventually('the preview', 300_000, async () => {
    const found = (await request('GET', `/sources/${sourceId}/collections/list/preview`))!;
    // On a busy machine, the thread that reads lists may take longer than a request.
    return found.body.error?.code !== 'workspace_unavailable' && found;
  });
  if (hasBeginning) expect(preview).toMatchObject({ status: 200 });
  else expect(preview.body.error).toMatchObject({ code: 'collection_unreadable' });
  const found: CollectionPreview['columns'] = hasBeginning ? preview.body.data.columns : [];
  const hasNames = found.some(({ key }) => key === 'name');
  const columns = { email: found[0]?.key ?? 'email', ...(hasNames && { displayName: 'name' }) };
  await request('PATCH', `/sources/${sourceId}`, { collections: [{ key: 'list', columns }] });
  const { id } = (await request('POST', `/sources/${sourceId}/sync`, { dryRun: true }))!.body.data;
  const run = await eventually('the end of the run', 300_000, async () => {
    const found: SourceRun = (await request('GET', `/sources/${sourceId}/runs/${id}`))!.body.data;
    return found.endedAt !== null && found;
  });
  const [{ error, skippedPeople }] = run.collections as [SourceRun['collections'][0]];
  expect(run.status).toBe(error === null ? 'succeeded' : 'failed');
  expect(skippedPeople.length).toBeLessThanOrEqual(20);
}

/** Serves a list compressed: 45 kB of line breaks become 45 MB. */
function serve(list: ListServer, { make }: HostileList): void {
  list.headers = { 'content-encoding': 'gzip' };
  list.body = gzipSync(make(hostileListBytes), { level: 1 });
}
