import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { commandsWith, temporaryFile, temporaryFolder } from '../../../test/command-line.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const patreon = [
  'Name,Email,Discord,Patron Status,Tier,Follows You,Patronage Since Date',
  'Ada,ada@example.org,,Active patron,Inner Circle,Yes,2023-04-08 17:45:28.731953',
].join('\n');

forEachStore((store) => {
  const server = useTestServer(store);
  const start = async () => {
    const site = await server.createSite();
    const run = commandsWith(server, site);
    const importText = (text: string, ...options: string[]) =>
      run(['member', 'import', temporaryFile('people.csv', text), '--json', ...options]);
    return { site, run, importText };
  };

  test('an open question stops before anything is changed, and says which options answer it', async () => {
    const { site, run, importText } = await start();
    const text = 'Mail,Name,E-Mail address\na@example.org,Ada,b@example.org\n';
    const stopped = await importText(text, '--groups', 'New', '--create-groups');
    expect(stopped).toMatchObject({ exitCode: 2, json: { error: { code: 'questions_open' } } });
    const [question] = stopped.json.error.questions;
    expect(question).toMatchObject({ type: 'column', text: expect.stringContaining('email') });
    expect(question.answers).toEqual([
      { option: '--map email=Mail', meaning: 'a@example.org' },
      { option: "--map 'email=E-Mail address'", meaning: 'b@example.org' },
    ]);
    const file = temporaryFile('people.csv', text);
    const { stderr } = await run(['member', 'import', file]);
    expect(stderr).toContain("--map 'email=E-Mail address'");
    expect((await site.get('/access-groups')).body.data).toEqual([]);
    expect(await membersOf(site)).toEqual([]);

    const answered = await importText(text, '--map', 'email=E-Mail address');
    expect(answered).toMatchObject({ exitCode: 0, json: { created: 1 } });
    expect(await membersOf(site)).toMatchObject([{ email: 'b@example.org', displayName: 'Ada' }]);
  });

  test('the report begins with how the list is read', async () => {
    const { run, importText } = await start();
    const { json } = await importText(patreon, '--dry-run');
    expect(json.reading).toMatchObject({
      exportOf: 'patreon',
      delimiter: ',',
      columns: { email: 'Email', displayName: 'Name', groups: null },
      timeZone: 'UTC',
    });
    const { stdout } = await run(['member', 'import', temporaryFile('p.csv', patreon), '--dry-run']);
    expect(stdout).toMatch(/^This is an export of Patreon\./);
    const list = temporaryFile('p.csv', 'email,status\nada@example.org,ruhend\n');
    const read = await run(['member', 'import', list, '--dry-run', '--status', 'ruhend=blocked']);
    expect(read.stdout).toMatch(/^Columns: .*\nStatus: "ruhend=blocked"\.\n1 row/);
    const plain = await importText(patreon, '--dry-run', '--yes', '--export-of', 'none');
    expect(plain.json.reading.exportOf).toBe(null);
  });

  test('columns that could name groups are offered, and used if they are mapped', async () => {
    const { site, importText } = await start();
    const offered = await importText(patreon, '--dry-run');
    expect(offered.json.warnings).toContainEqual(expect.stringContaining('--map groups=Tier (Inner Circle)'));
    const { json } = await importText(patreon, '--map', 'groups=Tier', '--create-groups');
    expect(json).toMatchObject({ created: 1, createdGroups: ['Inner Circle'] });
    expect(json.warnings).not.toContainEqual(expect.stringContaining('could name groups'));
    expect((await site.get('/members')).body.data).toMatchObject([{ email: 'ada@example.org' }]);
  });

  test('a column that is offered does not take the place of the one that was found', async () => {
    const { site, importText } = await start();
    const text = 'email,groups,Labels\nada@example.org,Choir,Gold\n';
    const [offer] = (await importText(text, '--dry-run', '--create-groups')).json.warnings.slice(-1);
    const [, options = ''] = /To use: (.*) \(Gold\)/.exec(offer) ?? [];
    await importText(text, '--create-groups', ...options.split(' '));
    expect(await groupsOf(site)).toEqual({ 'ada@example.org': ['Choir', 'Gold'] });
  });

  test('an offered option works for words and headings with line breaks and marks of direction', async () => {
    const { importText, run } = await start();
    const text = 'email,"Status\nnow"\nada@example.org,"לא\u200f פעיל"\nbob@example.org,"out\nfor now"\n';
    const map = ['--map', 'status=Status now'];
    const { stderr } = await run(['member', 'import', temporaryFile('p.csv', text), ...map]);
    const words = [...stderr.matchAll(/--status '([^']*)'/g)].map(([, word]) => word!);
    const { json } = await importText(text, ...map, ...words.flatMap((word) => ['--status', word]));
    expect(json).toMatchObject({ leftOut: 2, failed: 0 });
    expect(await importText(text, '--status', 'a=constructor')).toMatchObject({ exitCode: 2 });
  });

  test('a column of ends whose cells leave a doubt is named, and not used', async () => {
    const { importText } = await start();
    const text = 'email,groups,Gültig bis\nada@example.org,Choir,31.12.2031\nbob@example.org,Choir,Sommer\n';
    const { json } = await importText(text, '--dry-run', '--create-groups');
    expect(json.reading.columns.groupsEndAt).toBe(null);
    expect(json.warnings).toContainEqual(expect.stringMatching(/an end: "Gültig bis".*groupsEndAt=/));
  });

  test('a column that says who was shut out is named, whatever its heading is', async () => {
    const { importText } = await start();
    const text = 'email,Type\nada@example.org,Member\nbob@example.org,Suspended\n';
    const { json } = await importText(text, '--dry-run');
    expect(json.warnings).toContainEqual(expect.stringMatching(/about status.*"Type".*--map "status=/));
  });

  test('the message about somebody who is left out does not say that they are imported', async () => {
    const { run } = await start();
    const folder = temporaryFolder();
    const text = 'email,joined,status\nada@example.org,1.3.1962,dead\n';
    writeFileSync(path.join(folder, 'people.csv'), text);
    const files = ['people.csv', '--result', 'result.csv'];
    await run(['member', 'import', ...files, '--status', 'dead=left-out', '--json'], { cwd: folder });
    const [, row] = parse(readFileSync(path.join(folder, 'result.csv')), { bom: true });
    expect(row).toEqual(['2', 'ada@example.org', 'leftOut', '', '', '']);
  });

  test('the row of a cell that is no name of a group is named, with what to do', async () => {
    const { importText } = await start();
    const text = 'email,groups\nada@example.org,"A, B"\nbob@example.org,"A\nB"\n';
    const { json } = await importText(text, '--create-groups', '--group-separator', ',');
    expect(json.error.code).toBe('invalid_group_name');
    expect(json.error.message).toMatch(/^Row 3 .*"A\\nB".*--group-separator/);
  });

  test('several columns and columns named after a group are groups, with the separator that is set', async () => {
    const { site, run, importText } = await start();
    const text = [
      'email,labels,tiers,Board,Choir',
      'ada@example.org,"VIP | Press",Gold,x,',
      'bob@example.org,,Silver,,ja',
    ].join('\n');
    const maps = ['--map', 'groups=labels', '--map', 'groups=tiers'];
    const marks = ['--group-column', 'Board', '--group-column', 'Choir', '--group-separator', '|'];
    const { json } = await importText(text, ...maps, ...marks, '--create-groups');
    expect(json).toMatchObject({ created: 2, failed: 0 });
    expect(await groupsOf(site)).toEqual({
      'ada@example.org': ['Board', 'Gold', 'Press', 'VIP'],
      'bob@example.org': ['Choir', 'Silver'],
    });
    const file = temporaryFile('more.csv', 'email,groups\ncy@example.org,"A, B"\n');
    const { stdout } = await run(['member', 'import', file, '--create-groups', '--group-separator', 'none']);
    expect(stdout).toContain('Groups created: "A, B".');
  });

  test('words for the status and for paying are given meanings', async () => {
    const { site, importText } = await start();
    const text = [
      'email,status,paid',
      'ada@example.org,Active patron,Patron',
      'bob@example.org,Suspended,Guest',
      'cy@example.org,cancelled,Patron',
    ].join('\n');
    const words = ['active patron=active', 'suspended=blocked', 'Cancelled=left-out'];
    const options = words.flatMap((word) => ['--status', word]);
    const { json } = await importText(text, ...options, '--paid-value', 'patron');
    expect(json).toMatchObject({ created: 2, leftOut: 1, failed: 0 });
    expect(await membersOf(site)).toMatchObject([
      { email: 'ada@example.org', status: 'active', paid: true },
      { email: 'bob@example.org', status: 'blocked', paid: false },
    ]);
    const mistyped = await importText(text, ...options, '--paid-value', 'patrn');
    expect(mistyped).toMatchObject({ exitCode: 1, json: { error: { code: 'no_such_value' } } });
    expect(await importText('email\na@b.co\n', '--paid-value', 'yes')).toMatchObject({ exitCode: 2 });
    expect(await importText(text, '--status', 'cancelled=gone')).toMatchObject({ exitCode: 2 });
    expect(await importText(text, '--date-order', 'day')).toMatchObject({ exitCode: 2 });
    expect(await importText(text, '--export-of', 'nobody')).toMatchObject({ exitCode: 2 });
  });

  test('what the rows leave open is a question each, and with --yes the rows that need an answer fail', async () => {
    const { site, importText } = await start();
    await site.post('/access-groups', { name: 'Chair, Board' });
    const text = [
      'email,groups,joined,status,Zahlstatus',
      'ada@example.org,"Chair, Board",03/04/2020,,offen',
      'bob@example.org,"Choir, Band",03/04/2020,,bezahlt',
      'cy@example.org,Choir,2020-04-03,,bezahlt',
      'dan@example.org,Choir,2020-04-03,ruhend,bezahlt',
    ].join('\n');
    const stopped = await importText(text, '--create-groups');
    expect(stopped.exitCode).toBe(2);
    type Open = { type: string; answers: { option: string }[] };
    const questions: Open[] = stopped.json.error.questions;
    const options = new Map(
      questions.map(({ type, answers }) => [type, answers.map(({ option }) => option)]),
    );
    expect(options.get('dateOrder')).toEqual(['--date-order day-first', '--date-order month-first']);
    expect(options.get('groupSeparator')).toContain('--group-separator ,');
    expect(options.get('statusWords')).toEqual([expect.stringMatching(/^--status ruhend=/)]);
    expect(await membersOf(site)).toEqual([]);

    const some = await importText(text, '--create-groups', '--yes', '--dry-run');
    expect(some.json).toMatchObject({ created: 1, invalid: 3 });
    expect(some.json.warnings).toContainEqual(expect.stringContaining('"Zahlstatus"'));
    const answers = ['--date-order', 'day-first', '--group-separator', ',', '--status', 'ruhend=left-out'];
    const { json } = await importText(text, '--create-groups', ...answers);
    expect(json).toMatchObject({ created: 3, leftOut: 1, failed: 0, createdGroups: ['Band', 'Choir'] });
    expect(await membersOf(site)).toMatchObject([
      { email: 'ada@example.org', registeredAt: '2020-04-03T00:00:00.000Z' },
      { email: 'bob@example.org' },
      { email: 'cy@example.org' },
    ]);
    expect(await groupsOf(site)).toMatchObject({
      'ada@example.org': ['Chair, Board'],
      'bob@example.org': ['Band', 'Choir'],
    });
  });

  test('a dry run shows what an update changes, and the update changes it', async () => {
    const { site, run, importText } = await start();
    await site.post('/members', { email: 'ada@example.org', displayName: '#REF' });
    await site.post('/members', { email: 'bob@example.org', displayName: 'Bob', paid: true });
    const text = 'email,name,paid\nada@example.org,Ada,\nbob@example.org,Bob,no\n';
    expect((await importText(text)).json).toMatchObject({ conflicts: 2, updated: 0 });
    const file = temporaryFile('people.csv', text);
    const { stdout } = await run(['member', 'import', file, '--update', '--dry-run']);
    expect(stdout).toContain('row 2  ada@example.org  name: "#REF" → "Ada"\n');
    expect(stdout).toContain('row 3  bob@example.org  paying: yes → no\n');
    expect(stdout).toContain('2 would be updated');
    const { json } = await importText(text, '--update');
    expect(json).toMatchObject({ updated: 2, conflicts: 0 });
    expect(json.changes).toMatchObject([{ line: 2, changes: ['name: "#REF" → "Ada"'] }, { line: 3 }]);
    expect(await membersOf(site)).toMatchObject([
      { email: 'ada@example.org', displayName: 'Ada' },
      { email: 'bob@example.org', paid: false },
    ]);
  });

  test('what was done with each row is written to a file, which never overwrites another one', async () => {
    const { site, run } = await start();
    await site.post('/members', { email: 'ada@example.org', displayName: 'Ada' });
    const folder = temporaryFolder();
    const rows = [
      'email,name,groups',
      'Ada@example.org,Ada,Choir;=Board',
      'bob@example.org,Bob,',
      'bob@example.org,Bob,Choir',
      'ada,Nobody,',
    ];
    writeFileSync(path.join(folder, 'people.csv'), rows.join('\n'));
    writeFileSync(path.join(folder, 'other.csv'), 'row,email\n');
    const command = ['member', 'import', 'people.csv', '--create-groups', '--json', '--result'];
    const { json } = await run([...command, 'result.csv'], { cwd: folder });
    expect(json).toMatchObject({ resultFile: 'result.csv', requestId: expect.any(String) });
    const result = path.join(folder, 'result.csv');
    expect(statSync(result).mode & 0o777).toBe(0o600);
    const written: Record<string, string>[] = parse(readFileSync(result), { columns: true, bom: true });
    expect(readFileSync(result, 'utf8').startsWith('\uFEFFrow,')).toBe(true);
    expect(written.map(({ row, email, result, groups }) => [row, email, result, groups])).toEqual([
      ['2', 'ada@example.org', 'groupsChanged', "Choir;'=Board"],
      ['3', 'bob@example.org', 'created', 'Choir'],
      ['4', 'bob@example.org', 'merged', 'Choir'],
      ['5', 'ada', 'invalid', ''],
    ]);
    expect(written[0]!.changes).toContain('group "Choir": added, no end');
    expect(written[3]!.message).not.toBe('');
    const created = (await site.get(`/members?createdByRequest=${json.requestId}`)).body.data;
    expect(created).toMatchObject([{ email: 'bob@example.org' }]);
    expect(await run([...command, 'other.csv'], { cwd: folder })).toMatchObject({ exitCode: 1 });
    expect(await run([...command, 'people.csv'], { cwd: folder })).toMatchObject({ exitCode: 2 });
    const twice = await run([...command, 'new.csv', '--failed', './new.csv'], { cwd: folder });
    expect(twice).toMatchObject({ exitCode: 2 });
  });
});

async function membersOf(site: TestSite) {
  return (await site.get('/members?sort=email&order=asc')).body.data;
}

async function groupsOf(site: TestSite): Promise<Record<string, string[]>> {
  const emails = (await membersOf(site)).map(({ email }: { email: string }) => email);
  const { data } = (await site.post('/members/lookup', { emails })).body;
  type Found = { email: string; accessGroups: { name: string }[] };
  return Object.fromEntries(
    data.map(({ email, accessGroups }: Found) => [email, accessGroups.map(({ name }) => name)]),
  );
}
