import { gzipSync } from 'node:zlib';
import type { CollectionColumn, Event, Source, SourceRun, UpdateSource } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { type ListServer, startListServer } from '../../../test/list-server.ts';
import { scopeGroups, synchronize } from '../../../test/source-steps.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const columns = {
  email: 'E-Mail',
  displayName: 'Vorname',
  lastName: 'Nachname',
  paid: 'Bezahlt',
  groups: null,
};
const collections = [{ key: 'list', columns }];

async function aList(body: string | Uint8Array): Promise<ListServer> {
  const list = await startListServer(body);
  onTestFinished(() => list.stop());
  return list;
}

async function aListSource(
  site: TestSite,
  { address }: ListServer,
  settings: UpdateSource = { collections },
): Promise<Source> {
  const body = { type: 'list', name: 'Members', address };
  const { id } = expectResponse('createSource', await site.post('/sources', body), 201).data;
  return expectResponse('updateSource', await site.patch(`/sources/${id}`, settings), 200).data;
}

const memberOf = async (site: TestSite, email: string) =>
  (await site.get(`/members?q=${encodeURIComponent(email)}`)).body.data[0];

forEachStore((store) => {
  const server = useTestServer(store);

  test('a list at an address becomes a group with names and payers, which follow it', async () => {
    const site = await server.createSite();
    const list = await aList(
      'Vorname;Nachname;E-Mail;Bezahlt\r\nAda;King;ada@example.com;ja\r\n;;bob@example.com;nein\r\nX;;no address;ja\r\n',
    );
    const source = await aListSource(site, list);
    expect(source).toMatchObject({
      type: 'list',
      enabled: false,
      host: new URL(list.address).host,
      collections: [{ key: 'list', name: 'Members', groupId: null, columns }],
    });

    const run = await synchronize(site, source);
    expect(run).toMatchObject({
      trigger: 'request',
      status: 'succeeded',
      counts: { read: 2, created: 2, added: 2, skipped: 1 },
      collections: [{ skippedPeople: [{ place: 'row 4', value: 'no address', reason: 'invalid_email' }] }],
    });
    expect(await scopeGroups(site)).toEqual({ Members: ['ada', 'bob'] });
    expect(await memberOf(site, 'ada@')).toMatchObject({ displayName: 'Ada King', paid: true });
    expect(await memberOf(site, 'bob@')).toMatchObject({ displayName: null, paid: false });

    list.body = 'E-Mail;Vorname;Nachname;Bezahlt\nbob@example.com;Bob;;x\ncleo@example.com;;;\n';
    expect((await synchronize(site, source)).counts).toMatchObject({ created: 1, changed: 1, removed: 1 });
    expect(await scopeGroups(site)).toEqual({ Members: ['bob', 'cleo'] });
    expect(await memberOf(site, 'bob@')).toMatchObject({ displayName: 'Bob', paid: true });
  });

  test('its address is stored encrypted, and never returned', async () => {
    const site = await server.createSite();
    const list = await aList('E-Mail\nada@example.com\n');
    const secret = `${list.address}?key=not-to-be-seen`;
    const created = await site.post('/sources', { type: 'list', name: 'Members', address: secret });
    const { id } = expectResponse('createSource', created, 201).data;
    const replaced = await site.patch(`/sources/${id}`, { address: `${secret}-2` });
    expectResponse('updateSource', replaced, 200);
    const answers = [created, replaced, await site.get(`/sources/${id}`), await site.get('/events')];
    for (const { text } of answers) expect(text).not.toContain('not-to-be-seen');
    const rows = await server.database.all(sql`SELECT * FROM sources WHERE site_id = ${site.siteId}`);
    expect(JSON.stringify(rows)).not.toContain('not-to-be-seen');
  });

  test('the groups of a column become one scope group each', async () => {
    const site = await server.createSite();
    const list = await aList('Email\tTeams\nada@example.com\tRowing;Sailing\nbob@example.com\t\n');
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email', groups: 'Teams' } }],
    });
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Rowing: ['ada'], Sailing: ['ada'] });
  });

  test('a version that is already known is not read again, unless columns or the name change', async () => {
    const site = await server.createSite();
    const list = await aList('Email,Name\nada@example.com,Ada\n');
    list.headers = { etag: '"1"', 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' };
    const chosen = (columns: object) => ({ collections: [{ key: 'list', columns }] }) as UpdateSource;
    const source = await aListSource(site, list, chosen({ email: 'Email' }));
    await synchronize(site, source);
    const again = await synchronize(site, source);
    expect(again).toMatchObject({ status: 'succeeded', counts: { read: 1, added: 0, removed: 0 } });
    expect(list.requests.map((headers) => headers['if-none-match'])).toEqual([undefined, '"1"']);
    expect(list.requests[1]!['if-modified-since']).toBe('Sat, 21 Nov 2026 10:00:00 GMT');

    await site.patch(`/sources/${source.id}`, chosen({ email: 'Email', displayName: 'Name' }));
    expect((await synchronize(site, source)).counts).toMatchObject({ changed: 1 });
    expect(list.requests[2]!['if-none-match']).toBeUndefined();
    await site.patch(`/sources/${source.id}`, { name: 'Crew' });
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Crew: ['ada'] });
  });

  test('a list at a new address is read, also if its server takes it for a known version', async () => {
    const site = await server.createSite();
    const [list, other] = [await aList('Email\nada@example.com\n'), await aList('Email\neve@example.com\n')];
    for (const each of [list, other]) each.headers = { etag: '"1"' };
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email' } }],
    });
    await synchronize(site, source);
    await site.patch(`/sources/${source.id}`, { address: other.address });
    await synchronize(site, source, { confirmRemovals: true });
    expect(other.requests[0]!['if-none-match']).toBeUndefined();
    expect(await scopeGroups(site)).toEqual({ Members: ['eve'] });
  });

  test('a list that was missing is read when it returns, also as the same version', async () => {
    const site = await server.createSite();
    const list = await aList('Email\nada@example.com\n');
    list.headers = { etag: '"1"' };
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email' } }],
    });
    await synchronize(site, source);
    list.status = 404;
    list.headers = {};
    await synchronize(site, source, { confirmRemovals: true });
    expect(await scopeGroups(site)).toEqual({});
    list.status = 200;
    list.headers = { etag: '"1"' };
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Members: ['ada'] });
  });

  test('a deleted member who is still in an unchanged list becomes a member again', async () => {
    const site = await server.createSite();
    const list = await aList('Email\nada@example.com\nbob@example.com\n');
    list.headers = { etag: '"1"' };
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email' } }],
    });
    await synchronize(site, source);
    const { id } = await memberOf(site, 'ada@');
    await site.delete(`/members/${id}`);
    await synchronize(site, source);
    expect(await scopeGroups(site)).toEqual({ Members: ['ada', 'bob'] });
  });

  const withPeople = (count: number) =>
    `Email\n${Array.from({ length: count }, (_, index) => `p${index}@example.com\n`).join('')}`;

  test('a confirmation holds for what a run has shown, and not for more', async () => {
    const site = await server.createSite();
    const list = await aList(withPeople(50));
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email' } }],
    });
    await synchronize(site, source);
    list.body = withPeople(35);
    const shown = await synchronize(site, source);
    expect(shown).toMatchObject({ status: 'confirmation_required', counts: { withheld: 15 } });

    list.body = withPeople(5);
    const more = await synchronize(site, source, { confirmRemovals: true, confirmedRunId: shown.id });
    expect(more).toMatchObject({ status: 'confirmation_required', counts: { withheld: 45, removed: 0 } });
    const done = await synchronize(site, source, { confirmRemovals: true, confirmedRunId: more.id });
    expect(done).toMatchObject({ status: 'succeeded', counts: { withheld: 0, removed: 45 } });

    const unknown = { confirmRemovals: true, confirmedRunId: source.id };
    const answer = await site.post(`/sources/${source.id}/sync`, unknown);
    expectResponse('syncSource', answer, 404, 'source_run_not_found');
  });

  test('a confirmation deletes the groups that a run has named', async () => {
    const site = await server.createSite();
    const list = await aList('Email\nada@example.com\n');
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email' } }],
    });
    const before = await synchronize(site, source);
    expect(before.groupsToDelete).toEqual([]);
    list.status = 404;
    const early = await synchronize(site, source, { confirmRemovals: true, confirmedRunId: before.id });
    const [group] = (await site.get('/access-groups?type=scope')).body.data;
    expect(early.groupsToDelete).toEqual([{ groupId: group.id, name: 'Members' }]);
    await synchronize(site, source, { confirmRemovals: true, confirmedRunId: early.id });
    expect(await scopeGroups(site)).toEqual({});
  });

  test('only the first of several failures is an event', async () => {
    const site = await server.createSite();
    const list = await aList('Email\nada@example.com\n');
    list.status = 503;
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email' } }],
    });
    const failures = async () =>
      (await site.get('/events?limit=100')).body.data.filter(({ type }: Event) => type === 'source.failed');
    await synchronize(site, source, { dryRun: true });
    expect(await failures()).toHaveLength(0);
    await site.patch(`/sources/${source.id}`, { enabled: true });
    await expect.poll(failures, { timeout: 20_000 }).toHaveLength(1);
    await synchronize(site, source);
    expect(await failures()).toHaveLength(1);
  });

  test('once it is turned on, it is synchronized on schedule, until it is turned off', async () => {
    const site = await server.createSite();
    const list = await aList('Email\nada@example.com\n');
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email' } }],
      enabled: true,
      intervalMinutes: 30,
    });
    await expect.poll(() => scopeGroups(site), { timeout: 20_000 }).toEqual({ Members: ['ada'] });
    const runs = async () => (await site.get(`/sources/${source.id}/runs`)).body.data;
    await expect.poll(async () => (await runs()).length, { timeout: 20_000 }).toBe(2);
    const [planned, first] = await runs();
    expect(first).toMatchObject({ trigger: 'schedule', status: 'succeeded' });
    expect(planned).toMatchObject({ trigger: 'schedule', status: 'waiting' });
    const minutes = (Date.parse(planned.dueAt) - Date.parse(first.endedAt)) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(26.9);
    expect(minutes).toBeLessThanOrEqual(33.1);
    await site.patch(`/sources/${source.id}`, { enabled: false });
    expect(await runs()).toHaveLength(1);
  });

  describe('what is changed while a run reads the list', () => {
    function holdNextResponse(list: ListServer) {
      let finish: () => void = () => {};
      const isRead = new Promise<void>((resolve) => {
        list.respond = (response) => {
          list.respond = undefined;
          finish = () =>
            response.writeHead(200, { 'content-type': 'text/csv', ...list.headers }).end(list.body);
          resolve();
        };
      });
      return { isRead, finish: () => finish() };
    }

    test('columns are used by the next run, although the list is the same version', async () => {
      const site = await server.createSite();
      const list = await aList('Email,Name\nada@example.com,Ada\n');
      list.headers = { etag: '"1"' };
      const chosen = (columns: object) => ({ collections: [{ key: 'list', columns }] }) as UpdateSource;
      const source = await aListSource(site, list, chosen({ email: 'Email' }));
      const { isRead, finish } = holdNextResponse(list);
      const run = synchronize(site, source);
      await isRead;
      await site.patch(`/sources/${source.id}`, chosen({ email: 'Email', displayName: 'Name' }));
      finish();
      expect(await run).toMatchObject({
        status: 'failed',
        collections: [{ error: { code: 'stopped' }, added: 0 }],
      });
      await synchronize(site, source);
      expect(await memberOf(site, 'ada@')).toMatchObject({ displayName: 'Ada' });
    });

    test('a source that is turned off stays off, and its run stops', async () => {
      const site = await server.createSite();
      const list = await aList('Email\nada@example.com\n');
      const source = await aListSource(site, list, {
        collections: [{ key: 'list', columns: { email: 'Email' } }],
      });
      const { isRead, finish } = holdNextResponse(list);
      await site.patch(`/sources/${source.id}`, { enabled: true });
      await isRead;
      await site.patch(`/sources/${source.id}`, { enabled: false });
      finish();
      const states = async () =>
        (await site.get(`/sources/${source.id}/runs`)).body.data.map(({ status }: SourceRun) => status);
      await expect.poll(states, { timeout: 20_000 }).toEqual(['failed']);
      const [run] = (await site.get(`/sources/${source.id}/runs`)).body.data;
      expect(run.error.code).toBe('stopped');
      expect(await scopeGroups(site)).toEqual({});
      const events = (await site.get('/events?limit=100')).body.data.map(({ type }: Event) => type);
      expect(events).not.toContain('source.failed');
    });

    test('settings are followed by a run that begins at once', async () => {
      const site = await server.createSite();
      const list = await aList('Email\nada@example.com\n');
      const source = await aListSource(site, list, {
        collections: [{ key: 'list', columns: { email: 'Email' } }],
      });
      const { isRead, finish } = holdNextResponse(list);
      await site.patch(`/sources/${source.id}`, { enabled: true });
      await isRead;
      await site.patch(`/sources/${source.id}`, { intervalMinutes: 60 });
      finish();
      const states = async () =>
        (await site.get(`/sources/${source.id}/runs`)).body.data.map(({ status }: SourceRun) => status);
      await expect.poll(states, { timeout: 20_000 }).toEqual(['waiting', 'succeeded', 'succeeded']);
    });

    test('a list that is chosen again is kept', async () => {
      const site = await server.createSite();
      const list = await aList('Email\nada@example.com\n');
      const collections = [{ key: 'list', columns: { email: 'Email' } }];
      const source = await aListSource(site, list, { collections });
      await synchronize(site, source);
      await site.patch(`/sources/${source.id}`, { collections: [] });
      await site.patch(`/sources/${source.id}`, { collections });
      await synchronize(site, source, { confirmRemovals: true });
      expect(await scopeGroups(site)).toEqual({ Members: ['ada'] });
    });
  });
});

// What depends on the list and the server that it comes from.
forOneStore((store) => {
  const server = useTestServer(store);

  test('values that mean paid can be chosen', async () => {
    const site = await server.createSite();
    const list = await aList('Email,Status\nada@example.com,PATRON \nbob@example.com,Guest\n');
    const source = await aListSource(site, list, {
      collections: [{ key: 'list', columns: { email: 'Email', paid: 'Status', paidValues: ['Patron'] } }],
    });
    await synchronize(site, source);
    expect(await memberOf(site, 'ada@')).toMatchObject({ paid: true, displayName: null });
    expect(await memberOf(site, 'bob@')).toMatchObject({ paid: false });
  });

  describe('whatever is wrong with the list, nobody is removed, and the run says why', () => {
    const html = '<!DOCTYPE html><title>Sign in</title>';
    const cases: Record<string, { change: (list: ListServer) => void; run: object; message: RegExp }> = {
      'a web page instead of a list': {
        change: (list) => {
          list.body = html;
        },
        run: { collections: [{ error: { code: 'rejected' } }] },
        message: /Publish to web/,
      },
      'an empty file': {
        change: (list) => {
          list.body = '';
        },
        run: { collections: [{ error: { code: 'incomplete' } }] },
        message: /empty/,
      },
      'a missing column': {
        change: (list) => {
          list.body = 'Address,Name\nada@example.com,Ada\n';
        },
        run: { collections: [{ error: { code: 'columns_missing' } }] },
        message: /"Email"/,
      },
      'a quote that is never closed': {
        change: (list) => {
          list.body = 'Email,Name\nada@example.com,"Ada\n';
        },
        run: { collections: [{ error: { code: 'incomplete' } }] },
        message: /Row 2/,
      },
      'a list that is not there any more': {
        change: (list) => {
          list.status = 404;
        },
        run: {
          status: 'confirmation_required',
          collections: [{ error: { code: 'not_found' }, withheld: 1 }],
        },
        message: /no longer/,
      },
      'a list that is not shared any more': {
        change: (list) => {
          list.status = 403;
        },
        run: { error: { code: 'rejected' } },
        message: /Publish it/,
      },
      'a server in trouble': {
        change: (list) => {
          list.status = 503;
          list.headers = { 'retry-after': '7200' };
        },
        run: { error: { code: 'unavailable' } },
        message: /status 503/,
      },
      'a connection that breaks off': {
        change: (list) => {
          list.respond = (response) => {
            response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '1000' });
            response.write('Email,Name\nada@example.com,Ada\n', () => response.destroy());
          };
        },
        run: { error: { code: 'unavailable' } },
        message: /./,
      },
      'more rows than a list may have, although all of them are empty': {
        change: (list) => {
          list.headers = { 'content-encoding': 'gzip' };
          list.body = gzipSync(`Email,Name\nada@example.com,Ada\n${'\n'.repeat(999_999)}`);
        },
        run: { collections: [{ error: { code: 'too_large' } }] },
        message: /more than 1,000,000 rows, empty ones included/,
      },
      'a row with more cells than a list may have': {
        change: (list) => {
          list.body = `Email,Name\nada@example.com,Ada${',x'.repeat(1_000)}\n`;
        },
        run: { collections: [{ error: { code: 'too_large' } }] },
        message: /Row 2 has more than 1,000 cells/,
      },
      'a body that grows beyond all limits': {
        change: (list) => {
          list.headers = { 'content-encoding': 'gzip' };
          list.body = gzipSync(Buffer.alloc(51 * 1024 * 1024, 'a'));
        },
        run: { collections: [{ error: { code: 'too_large' } }] },
        message: /50 MiB/,
      },
    };

    test.each(Object.entries(cases))('%s', async (_, { change, run, message }) => {
      const site = await server.createSite();
      const list = await aList('Email,Name\nada@example.com,Ada\n');
      const source = await aListSource(site, list, {
        collections: [{ key: 'list', columns: { email: 'Email', displayName: 'Name' } }],
      });
      await synchronize(site, source);
      change(list);
      const failed = await synchronize(site, source);
      expect(failed).toMatchObject({ status: 'failed', ...run });
      expect((failed.error ?? failed.collections[0]!.error)!.message).toMatch(message);
      expect(await scopeGroups(site)).toEqual({ Members: ['ada'] });
    });
  });

  test('its columns are shown with ten rows and a guess before they are chosen', async () => {
    const site = await server.createSite();
    const rows = Array.from({ length: 12 }, (_, index) => `P${index},p${index}@example.com,x`);
    const list = await aList(`Name,Mail,,Name\n${rows.join('\n')}\n`);
    const source = await aListSource(site, list, { collections: [] });
    const available = await site.get(`/sources/${source.id}/collections`);
    expect(expectResponse('listSourceCollections', available, 200).data).toEqual({
      collections: [{ key: 'list', name: 'Members', chosen: false }],
      complete: true,
    });
    const answer = await site.get(`/sources/${source.id}/collections/list/preview`);
    const preview = expectResponse('previewSourceCollection', answer, 200).data;
    expect(preview.columns.map(({ key, type }: CollectionColumn) => `${key}: ${type}`)).toEqual([
      'Name: text',
      'Mail: email',
      'Column 3: text',
      'Name (2): text',
    ]);
    expect(preview.rows).toHaveLength(10);
    expect(preview.rows[0]).toEqual(['P0', 'p0@example.com', 'x', '']);
    expect(preview.guess).toEqual({
      email: 'Mail',
      displayName: 'Name',
      lastName: null,
      paid: null,
      groups: null,
    });
  });

  test('a preview reads no more than the first megabyte of a list', async () => {
    const site = await server.createSite();
    const list = await aList('');
    let megabytes = 0;
    const rows = 'ada@example.com,"Ada\n'.padEnd(1_023, 'x');
    list.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('Email,Note\n');
      const send = () => {
        while (!response.destroyed && response.write(`${`${rows}"\n`.repeat(1_000)}`)) megabytes += 1;
      };
      response.on('drain', send);
      send();
    };
    const source = await aListSource(site, list, { collections: [] });
    const answer = await site.get(`/sources/${source.id}/collections/list/preview`);
    const preview = expectResponse('previewSourceCollection', answer, 200).data;
    expect(preview.rows).toHaveLength(10);
    expect(preview.guess).toMatchObject({ email: 'Email' });
    // What the connection holds beside it.
    expect(megabytes).toBeLessThan(20);
  });

  test('a preview shows the rows before one that cannot be read', async () => {
    const site = await server.createSite();
    const list = await aList(`Email\n${'ada@example.com\n'.repeat(10)}"bob"x\n`);
    const source = await aListSource(site, list, { collections: [] });
    const preview = () => site.get(`/sources/${source.id}/collections/list/preview`);
    expect(expectResponse('previewSourceCollection', await preview(), 200).data.rows).toHaveLength(10);
    list.body = 'Email\nada@example.com\n"bob"x\n';
    const error = expectResponse('previewSourceCollection', await preview(), 422, 'collection_unreadable');
    expect(error.message).toMatch(/Row 3/);
  });

  test('all rows without an address are counted, and the first twenty are listed', async () => {
    const site = await server.createSite();
    const list = await aList(`Email\nada@example.com\n${'x\n'.repeat(30)}`);
    const collections = [{ key: 'list', columns: { email: 'Email' } }];
    const run = await synchronize(site, await aListSource(site, list, { collections }));
    expect(run.counts).toMatchObject({ read: 1, skipped: 30 });
    expect(run.collections[0]!.skippedPeople.map(({ place }) => place)).toEqual(
      Array.from({ length: 20 }, (_, index) => `row ${index + 3}`),
    );
  });

  test('a preview shortens long values', async () => {
    const site = await server.createSite();
    const text = `${'a'.repeat(199)}😀${'b'.repeat(100)}`;
    const list = await aList(`Email,Note\nada@example.com,${text}\nbob@example.com,${'c'.repeat(200)}\n`);
    const source = await aListSource(site, list, { collections: [] });
    const answer = await site.get(`/sources/${source.id}/collections/list/preview`);
    expect(expectResponse('previewSourceCollection', answer, 200).data.rows).toEqual([
      ['ada@example.com', `${'a'.repeat(199)}…`],
      ['bob@example.com', 'c'.repeat(200)],
    ]);
  });

  test('two previews of a site are read at a time and eight in all; others are asked to wait', async () => {
    const list = await aList('Email\nada@example.com\n');
    const finish: (() => void)[] = [];
    list.respond = (response) => finish.push(() => response.writeHead(200).end(list.body));
    const sites = await Promise.all(Array.from({ length: 5 }, () => server.createSite()));
    const previews = await Promise.all(
      sites.map(async (site) => {
        const { id } = await aListSource(site, list, { collections: [] });
        return () => site.get(`/sources/${id}/collections/list/preview`);
      }),
    );
    const waits = async (preview: () => ReturnType<TestSite['get']>) => {
      const answer = await preview();
      expectResponse('previewSourceCollection', answer, 429, 'rate_limited');
      expect(answer.headers.get('retry-after')).toBe('5');
    };
    const held = previews.slice(0, 4).flatMap((preview) => [preview(), preview()]);
    await expect.poll(() => finish.length, { timeout: 20_000 }).toBe(8);
    for (const preview of previews) await waits(preview);
    for (const end of finish.splice(0)) end();
    for (const answer of await Promise.all(held)) expectResponse('previewSourceCollection', answer, 200);
    list.respond = undefined;
    for (const preview of previews) expectResponse('previewSourceCollection', await preview(), 200);
  });

  test('an address that must not be requested is rejected when it is entered', async () => {
    const site = await server.createSite();
    const create = (address?: string) => site.post('/sources', { type: 'list', name: 'Members', address });
    for (const address of [
      'https://10.0.0.1/list.csv',
      'ftp://example.org/x',
      'https://u:p@example.org/',
      undefined,
    ]) {
      const error = expectResponse('createSource', await create(address), 400, 'invalid_request');
      expect(error.details[0]!.path).toBe('/address');
    }
    const withToken = { type: 'list', name: 'Members', address: 'https://example.org/', token: 'ntn_1' };
    expectResponse('createSource', await site.post('/sources', withToken), 400, 'invalid_request');
  });
});
