import { expect, test } from 'vitest';
import { commandsWith, temporaryFile } from '../../../test/command-line.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);
  const start = async () => {
    const site = await server.createSite();
    await site.patch('/site', { timeZone: 'Europe/Berlin' });
    const run = commandsWith(server, site);
    const importRows = (rows: readonly string[], ...options: string[]) =>
      run(['member', 'import', temporaryFile('people.csv', rows.join('\n')), '--json', ...options]);
    return { site, importRows };
  };

  test('times and addresses are read as people write them', async () => {
    const { site, importRows } = await start();
    const { json } = await importRows(
      [
        'Name;E-Mail;Mitglied seit;Gruppen;Gruppenende',
        ';Ada Lovelace <Ada@example.org>;01.01.2010;Chor;31.12.2090',
        'Bob;mailto:bob@example.org;1. Juli 2010 12:00;Chor;unbegrenzt',
        'Cy;\u200bcy@example.org\u00a0;;Chor;30/06/2090',
        'Dan;dan@example.org,;1.3.1962;Chor;',
      ],
      '--create-groups',
      '--yes',
    );
    expect(json).toMatchObject({ created: 4, failed: 0 });
    expect(json.warnings).toContainEqual(expect.stringContaining('"1.3.1962" is before 1970'));
    expect(await membersOf(site)).toMatchObject([
      {
        email: 'ada@example.org',
        displayName: 'Ada Lovelace',
        registeredAt: '2009-12-31T23:00:00.000Z',
        accessGroups: [{ name: 'Chor', expiresAt: '2090-12-31T23:00:00.000Z' }],
      },
      {
        email: 'bob@example.org',
        registeredAt: '2010-07-01T10:00:00.000Z',
        accessGroups: [{ expiresAt: null }],
      },
      { email: 'cy@example.org', accessGroups: [{ expiresAt: '2090-06-30T22:00:00.000Z' }] },
      { email: 'dan@example.org', displayName: 'Dan' },
    ]);
  });

  test('yes and no below the word for a state say who is blocked', async () => {
    const { site, importRows } = await start();
    const rows = ['email,Suspended', 'ada@example.org,no', 'bob@example.org,YES', 'cy@example.org,'];
    const { json } = await importRows(rows, '--map', 'status=Suspended');
    expect(json).toMatchObject({ created: 3, failed: 0 });
    expect(await membersOf(site)).toMatchObject([
      { email: 'ada@example.org', status: 'active' },
      { email: 'bob@example.org', status: 'blocked' },
      { email: 'cy@example.org', status: 'active' },
    ]);
  });

  test('each row fails for its own reason, and changes nothing', async () => {
    const { site, importRows } = await start();
    await site.post('/members', { email: 'ada@example.org', displayName: 'Ada' });
    const { json } = await importRows(
      [
        'email,name,registered,groups,groups end',
        'ada@example.org,#BEZUG!,,Choir,',
        'bob@example.org,Bob,,Choir;#REF!,',
        '"eve@example.org, dan@example.org",Eve,,,',
        ',Nobody,,,',
        'n/a,Nobody,,,',
        'cy@example.org,Cy,03/04/2019,,',
        'di@example.org,Di,2119-03-04,,',
        'ed@example.org,Ed,Spring,,',
        'flo@example.org,Flo,,Choir,03/04/2090',
        'gus@example.org,Gus,,Choir,soon',
      ],
      '--create-groups',
      '--yes',
    );
    expect(json).toMatchObject({ created: 0, invalid: 10, createdGroups: [] });
    expect(json.failures.map(({ code }: { code: string }) => code)).toEqual([
      'unknown_value',
      'unknown_value',
      'several_emails',
      'no_email',
      'invalid_email',
      'unclear_date',
      'future_registered_at',
      'invalid_registered_at',
      'unclear_date',
      'invalid_group_ends',
    ]);
    const messages = json.failures.map(({ message }: { message: string }) => message);
    expect(messages[0]).toContain('"#BEZUG!"');
    expect(messages[2]).toContain('eve@example.org and dan@example.org');
    for (const [index, value] of [
      'n/a',
      '03/04/2019',
      '2119-03-04',
      'Spring',
      '03/04/2090',
      'soon',
    ].entries())
      expect(messages[index + 4]).toContain(`"${value}"`);
    expect(await membersOf(site)).toMatchObject([{ email: 'ada@example.org', displayName: 'Ada' }]);
    expect((await site.get('/access-groups')).body.data).toEqual([]);
  });
});

async function membersOf(site: TestSite) {
  const members: { email: string }[] = (await site.get('/members?sort=email&order=asc')).body.data;
  const { data } = (await site.post('/members/lookup', { emails: members.map(({ email }) => email) })).body;
  return members.map((member, index) => ({ ...member, accessGroups: data[index].accessGroups }));
}
