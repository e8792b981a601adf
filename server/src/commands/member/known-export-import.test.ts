import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { commandsWith, temporaryFile, temporaryFolder } from '../../../test/command-line.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

const exportsFolder = path.resolve(import.meta.dirname, '../../../../member-lists/test/exports');

/** An export whose ends are still far ahead. */
function exportOf(name: string): string {
  const text = readFileSync(path.join(exportsFolder, `${name}.csv`), 'utf8');
  return text.replaceAll(/(2026-12|2027-\d\d)-/g, '2097-12-');
}

forEachStore((store) => {
  const server = useTestServer(store);
  /** Imports an export of another system into a new site, and exports the members of the site. */
  const move = async (name: string, ...options: string[]) => {
    const run = commandsWith(server, await server.createSite());
    const file = temporaryFile(`${name}.csv`, exportOf(name));
    const imported = await run(['member', 'import', file, '--create-groups', '--json', ...options]);
    const rows: Record<string, string>[] = parse((await run(['member', 'export'])).stdout, {
      columns: true,
      bom: true,
    });
    const columns = ['email', 'displayName', 'status', 'paid', 'groups', 'groupsEndAt', 'registeredAt'];
    return {
      report: imported.json,
      members: rows.map((row) => columns.map((column) => row[column]).join(' | ')).sort(),
    };
  };

  test('members move from Patreon with tiers and ends, without those who have no access', async () => {
    const { report, members } = await move('patreon', '--map', 'groups=Tier');
    expect(report).toMatchObject({ created: 4, leftOut: 1, failed: 1 });
    expect(members).toEqual([
      'declined@example.org | Dee Clined | blocked | false | Silver Circle |  | 2025-05-01T07:00:00.000Z',
      expect.stringMatching(/^free@example.org \| Frida Frei \| active \| false \| {2}\| {2}\| /),
      'leaving@example.org | Lea Ving | active | true | Friends, Family & Co | 2097-12-01T08:00:00.000Z | 2024-01-31T23:30:00.123Z',
      'mira.holt@example.org | Mira Holt | active | true | Silver Circle |  | 2025-10-08T17:45:28.000Z',
    ]);
  });

  test('members move from Memberful with all their plans', async () => {
    const { report, members } = await move('memberful', '--map', 'groups=Plan');
    expect(report).toMatchObject({ created: 2, leftOut: 2, failed: 0 });
    expect(members).toEqual([
      'mira.holt@example.org | Mira Holt | active | true | Podcast;Yearly, with print | ;2097-12-14 | 2020-02-01T00:00:00.000Z',
      'nora@example.org | Nora Plan-Less | active | false |  |  | 2024-02-29T00:00:00.000Z',
    ]);
  });

  test('members move from Substack, where only the types end', async () => {
    const { members } = await move(
      'substack-subscribers',
      '--map',
      'groups=Sections',
      '--map',
      'groups=Type',
    );
    expect(members).toContain(
      'mira.holt@example.org | Mira Holt | active | true | Essays;Weekly;Yearly Subscriber | ;;2097-11-30 | 2024-02-03T04:05:06.789Z',
    );
  });

  test('nobody who has unsubscribed at Mailchimp becomes a member', async () => {
    const { report, members } = await move('mailchimp-unsubscribed');
    expect(report).toMatchObject({ created: 0, leftOut: 2 });
    expect(members).toEqual([]);
  });

  test('members move from WordPress with roles, and hashes of passwords are written nowhere', async () => {
    const run = commandsWith(server, await server.createSite());
    const folder = temporaryFolder();
    const text = exportOf('wordpress-import-export-users');
    const file = temporaryFile('users.csv', text.replace('tom.brink@example.org', 'tom.brink'));
    const failed = path.join(folder, 'failed.csv');
    const result = path.join(folder, 'result.csv');
    const files = ['--failed', failed, '--result', result];
    const { json, stdout, stderr } = await run([
      'member',
      'import',
      file,
      '--map',
      'groups=wp_capabilities',
      '--create-groups',
      '--json',
      ...files,
    ]);
    expect(json).toMatchObject({ created: 1, failed: 1, createdGroups: ['subscriber'] });
    const written = [stdout, stderr, readFileSync(failed, 'utf8'), readFileSync(result, 'utf8')];
    expect(written[2]).toContain('tom.brink,13,,t-brink');
    for (const each of written) expect(each).not.toContain('$P$');
  });
});
