import { readdirSync, readFileSync } from 'node:fs';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.ts';
import { startListServer } from '../list-server.ts';
import { forEachStore } from '../stores.ts';
import { testNetworks } from '../workspace-settings.ts';
import { eventually, makeSite, requestsWith, startProcess } from './gatehouse-process.ts';

forEachStore((store) => {
  test('a stop gives a synchronization back, and the next start continues it', async () => {
    const { list, started, database, request, syncs } = await aService();
    const first = await started();
    const lowBefore = threadsOfLowPriority(first.pid);
    let opened = false;
    list.respond = () => {
      opened = true;
    };
    const { id, sourceId } = await syncs();
    await eventually('the download', 20_000, async () => opened);
    // On SQLite there is always one that writes.
    if (store.dialect === 'postgres') expect(lowBefore).toBe(0);
    expect(threadsOfLowPriority(first.pid)).toBeGreaterThan(0);

    first.child.kill('SIGTERM');
    expect(await first.exited).toBe(0);
    expect(warnings(first.output())).toEqual([]);
    const run = sql`SELECT status, holder, error FROM source_runs WHERE id = ${id}`;
    expect(await database.get(run)).toEqual({ status: 'running', holder: null, error: null });

    list.respond = undefined;
    await started();
    await eventually('the end of the run', 20_000, async () => {
      const { body } = (await request('GET', `/sources/${sourceId}/runs/${id}`))!;
      return body.data.status === 'succeeded' && body.data.counts.created === 1;
    });
  });

  async function aService() {
    const list = await startListServer('E-Mail\nada@example.com\n');
    onTestFinished(() => list.stop());
    const databaseUrl = await store.migratedUrl();
    const { key } = await makeSite(databaseUrl, { permissions: ['sources:read', 'sources:write'] });
    const database = openDatabase(databaseUrl);
    onTestFinished(() => database.close());
    let address = '';
    const request = requestsWith(key, () => address);
    const started = async () => {
      const networks = testNetworks.join(',');
      const gatehouse = await startProcess(databaseUrl, {
        GATEHOUSE_ALLOWED_NETWORKS: networks,
        // A busy machine has slow ones.
        GATEHOUSE_SLOW_REQUEST_MILLISECONDS: 0,
        GATEHOUSE_SLOW_STATEMENT_MILLISECONDS: 0,
      });
      ({ address } = gatehouse);
      return gatehouse;
    };
    /** Creates a source of the list and asks for a run. */
    const syncs = async (): Promise<{ id: string; sourceId: string }> => {
      const source = { type: 'list', name: 'Members', address: list.address };
      const { id } = (await request('POST', '/sources', source))!.body.data;
      const columns = { email: 'E-Mail', displayName: null, lastName: null, paid: null, groups: null };
      await request('PATCH', `/sources/${id}`, { collections: [{ key: 'list', columns }] });
      return (await request('POST', `/sources/${id}/sync`, {}))!.body.data;
    };
    return { list, database, request, started, syncs };
  }
});

/** proc_pid_stat(5): field 19, counted after the name in parentheses. */
function threadsOfLowPriority(pid: number): number {
  const niceness = (thread: string) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return Number(stat.split(') ').at(-1)!.split(' ')[16]);
  };
  return readdirSync(`/proc/${pid}/task`).filter((thread) => niceness(thread) > niceness(String(pid))).length;
}

/** The warnings and errors of a log. */
function warnings(log: string): string[] {
  return log.split('\n').filter((line) => /"level":[4-6]0/.test(line));
}
