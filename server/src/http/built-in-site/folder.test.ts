import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import type { AccessRule } from '@gatehouse/contract';
import { beforeAll, expect, test } from 'vitest';
import { type BuiltInSite, folderOfTests, siteHost, startBuiltInSite } from '../../../test/built-in-site.ts';
import { writeSite } from '../../../test/gate/club.ts';
import { httpTricks } from '../../../test/gate/http-tricks.ts';
import { pathTricks } from '../../../test/gate/path-tricks.ts';
import { type HeaderLines, sendBytes, type Visitor } from '../../../test/gate/visitor.ts';
import { forOneStore } from '../../../test/stores.ts';

const secret = 'only for members of the club';
const asPage: HeaderLines = [['Accept', 'text/html']];
const hugeBytes = 1024 ** 3;

forOneStore((store) => {
  let built: BuiltInSite;
  let courseId: string;
  const root = folderOfTests();
  const folder = path.join(root, 'site');
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };

  beforeAll(async () => {
    writeSite(folder, secret);
    write('blog/index.html', 'The blog, for everybody');
    write('blog/premium-rowing.html', secret);
    write('blog/premium-rowing/photo.svg', `<svg>${secret}</svg>`);
    write('blog/news.html', 'News for everybody');
    write('public/text.txt', '0123456789');
    write('public/unknown.zzz', 'unknown');
    write('public/empty.txt', '');
    write('public/a b+c é.html', 'A name with spaces');
    write('.env', secret);
    write('.git/config', secret);
    write('.well-known/security.txt', 'Contact: office@club.example.org');
    writeFileSync(path.join(root, 'outside.txt'), secret);
    const link = (target: string, name: string) => symlinkSync(target, path.join(folder, name));
    link('../../outside.txt', 'public/outside.txt');
    link('../..', 'public/above');
    link('../members/secret', 'public/members-page');
    link('../members', 'public/members-folder');
    link('../members/gone', 'public/gone');
    link('gone', 'public/gone-too');
    link('../.git/config', 'public/config');
    link('news.html', 'public/latest.html');
    link('public', 'everybody');
    link('loop', 'loop');
    write('huge.bin', '');
    truncateSync(path.join(folder, 'huge.bin'), hugeBytes);
    built = await startBuiltInSite(store, { siteFolder: folder });
    courseId = (await built.api('POST', '/access-groups', { name: 'Course' })).body.data.id;
  });

  const clubRules: AccessRule[] = [
    { path: '/', access: 'public' },
    { path: '/members', access: 'members' },
    { path: '/members.html', access: 'members' },
    { path: '/paying', access: 'members' },
    { path: '/course', access: 'members' },
    { path: '/empty', access: 'members' },
  ];

  test('a visitor who is denied behind a link does not learn where it leads', async () => {
    await built.setRules(...clubRules);
    const denied = await built.anonymous().get('/public/members-page/', asPage);
    expect(denied.headers.get('location') ?? '').not.toMatch(/next=%2Fmembers/);
    expect(denied.text).not.toContain(secret);
  });

  test('everyone sees public pages, and only members those for members', async () => {
    await built.setRules(...clubRules);
    const page = await built.anonymous().get('/');
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('for everybody') });
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'Cookie',
      'x-content-type-options': 'nosniff',
    });
    const denied = await built.anonymous().get('/members/?x=1', asPage);
    expect([denied.status, denied.headers.get('location')]).toEqual([
      302,
      `http://${siteHost}/_gatehouse/login?next=${encodeURIComponent('/members/?x=1')}`,
    ]);
    expect((await built.anonymous().get('/members/', [['Accept', 'application/json']])).status).toBe(401);
    const { id, visitor } = await built.memberWith();
    const shown = await visitor.get('/members/');
    expect(shown).toMatchObject({ status: 200, text: expect.stringContaining(secret) });
    expect(shown.headers.get('cache-control')).toBe('private, no-cache');
    await built.api('PATCH', `/members/${id}`, { status: 'blocked' });
    expect((await visitor.get('/members/', asPage)).status).toBe(302);
  });

  test('a folder is reached with and without a slash, and its page under its own name', async () => {
    await built.setRules(...clubRules);
    const { visitor } = await built.memberWith();
    expect(await visitor.get('/blog?x=/y')).toMatchObject({ status: 302 });
    expect((await visitor.get('/blog?x=/y?z')).headers.get('location')).toBe('/blog/?x=/y?z');
    expect((await visitor.get('/blog/')).text).toContain('The blog');
    expect((await visitor.get('/blog/index.html')).text).toContain('The blog');
    expect((await visitor.get('/public/a%20b+c%20%C3%A9.html')).text).toBe('A name with spaces');
    for (const target of ['/empty/', '/public/news.html/', '/nothing', '/public/nothing/x', '/huge.bin/x']) {
      const answer = await visitor.get(target);
      expect([target, answer.status, answer.text.includes('</html>')]).toEqual([target, 404, true]);
    }
  });

  test('the folder has its own page for missing files, shown only to those with access to it', async () => {
    await built.setRules(...clubRules, { path: '/404.html', access: 'members' });
    const { visitor } = await built.memberWith();
    write('404.html', 'Our own page for missing files');
    const headers: HeaderLines = [
      ['Range', 'bytes=0-3'],
      ['If-None-Match', '*'],
    ];
    const shown = await visitor.get('/nothing', headers);
    expect([shown.status, shown.text]).toEqual([404, 'Our own page for missing files']);
    const other = await built.anonymous().get('/nothing');
    expect([other.status, other.text.includes('Our own')]).toEqual([404, false]);
    rmSync(path.join(folder, '404.html'));
  });

  test('a part of a file, its headers alone, and a file that has not changed', async () => {
    await built.setRules({ path: '/', access: 'public' });
    const visitor = built.anonymous();
    const get = (...headers: HeaderLines) => visitor.get('/public/text.txt', headers);
    const whole = await get();
    const [etag, modified] = [whole.headers.get('etag')!, whole.headers.get('last-modified')!];
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
      'accept-ranges': 'bytes',
    });
    const part = await get(['Range', 'bytes=2-4']);
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await get(['Range', 'bytes=-3'])).text).toBe('789');
    expect((await get(['Range', 'bytes=5-'], ['If-Range', 'Thu, 01 Jan 1970 00:00:00 GMT'])).status).toBe(
      200,
    );
    const beyond = await get(['Range', 'bytes=10-']);
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    for (const condition of [
      ['If-None-Match', etag],
      ['If-Modified-Since', modified],
    ] as const) {
      const same = await get(condition);
      expect([same.status, same.text, same.headers.get('vary')]).toEqual([304, '', 'Cookie']);
    }
    expect((await get(['If-Match', '"other"'])).status).toBe(412);
    const head = await visitor.request('HEAD', '/public/text.txt');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10']);
    expect((await visitor.get('/public/unknown.zzz')).headers.get('content-type')).toBe(
      'application/octet-stream',
    );
    expect(await visitor.get('/public/empty.txt')).toMatchObject({ status: 200, text: '' });
  });

  test('a file cannot be changed', async () => {
    await built.setRules({ path: '/', access: 'public' });
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      const answer = await built.anonymous().request(method, '/public/text.txt', { body: 'a=b' });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
  });

  test('hidden files and links out of the folder are not shown, whatever the rules', async () => {
    await built.setRules({ path: '/', access: 'public' });
    const { visitor } = await built.memberWith();
    const targets = ['/.env', '/.git/config', '/.git', '/public/config', '/public/outside.txt', '/loop'];
    for (const target of [...targets, '/public/above/outside.txt', '/public/above/site/.env', '/%2eenv']) {
      const answer = await visitor.get(target);
      expect([target, answer.text.includes(secret), [403, 404].includes(answer.status)]).toEqual([
        target,
        false,
        true,
      ]);
    }
    expect((await visitor.get('/.well-known/security.txt')).status).toBe(200);
  });

  const [composed, decomposed] = ['Prüfung', 'Prüfung'.normalize('NFD')];
  const get = (visitor: Visitor, target: string) => visitor.get(encodeURI(target), asPage);

  test('a name from a Mac is found by a link from elsewhere, and the other way round', async () => {
    await built.setRules(...clubRules);
    write(`mac/${decomposed}.html`, 'from a Mac');
    write(`mac/${composed} 2.html`, 'from elsewhere');
    write(`mac/${decomposed} 3/${composed}/index.html`, 'in folders of both');
    const pages = {
      '.html': 'from a Mac',
      ' 2.html': 'from elsewhere',
      ' 3/Prüfung/': 'in folders of both',
      ' 3/Prüfung/index.html': 'in folders of both',
    };
    const visitor = built.anonymous();
    for (const [ending, text] of Object.entries(pages)) {
      for (const target of [`/mac/${composed}${ending}`, `/mac/${composed}${ending}`.normalize('NFD')]) {
        const shown = await get(visitor, target);
        expect([target, shown.status, shown.text]).toEqual([target, 200, text]);
        expect(shown.headers.get('cache-control')).toBe('no-cache');
        const again = await visitor.get(encodeURI(target), [['If-None-Match', shown.headers.get('etag')!]]);
        expect([target, again.status]).toEqual([target, 304]);
      }
    }
    const redirected = await get(visitor, `/mac/${composed} 3`);
    expect(redirected.headers.get('location')).toBe(encodeURI(`/mac/${composed} 3/`));
    // Each of two files has its own name, and no other one.
    for (const form of ['NFC', 'NFD']) write(`mac/${'éü'.normalize(form)}.html`, form);
    for (const form of ['NFC', 'NFD'])
      expect((await get(visitor, `/mac/${'éü'.normalize(form)}.html`)).text).toBe(form);
    for (const mixed of ['éu\u0308', 'e\u0301ü'])
      expect((await get(visitor, `/mac/${mixed}.html`)).status).toBe(404);
  });

  test('a name in another form is under the same rule, or denied', async () => {
    await built.setRules(
      ...clubRules,
      { path: `/${composed}`, access: 'members' },
      { path: `/mac/${composed} 4/deep`, access: 'members' },
    );
    write(`${decomposed}/secret.html`, secret);
    write(`${decomposed}/Übung.html`.normalize('NFD'), secret);
    write(`mac/${decomposed} 4/page.html`, secret);
    symlinkSync(decomposed, path.join(folder, 'linked'));
    const { visitor } = await built.memberWith();
    for (const target of ['secret.html', 'Übung.html']) {
      for (const way of [composed, 'linked']) {
        expect([way, (await get(built.anonymous(), `/${way}/${target}`)).status]).toEqual([way, 302]);
        expect([way, (await get(visitor, `/${way}/${target}`)).text]).toEqual([way, secret]);
      }
      // Another spelling of a name in a rule is ambiguous.
      for (const who of [built.anonymous(), visitor])
        expect((await get(who, `/${decomposed}/${target}`)).status).toBe(403);
    }
    // As it is written on the disk, it may be read as the name in a rule.
    expect((await get(built.anonymous(), `/mac/${composed} 4/page.html`)).status).toBe(403);
    for (const target of ['/linked/none.html', `/${composed}/none.html`]) {
      expect([target, (await get(built.anonymous(), target)).status]).toEqual([target, 302]);
      expect([target, (await get(visitor, target)).status]).toEqual([target, 404]);
    }
  });

  test('a link does not tell what there is behind it', async () => {
    await built.setRules(...clubRules);
    const { visitor } = await built.memberWith();
    const existing = [
      '/public/members-folder/secret',
      '/public/members-folder/a+b',
      '/public/members-folder',
    ];
    const missing = [
      ...['none', 'none/', 'none/below', 'secret/', 'secret/below', 'a+b/', 'x'.repeat(300)].map(
        (name) => `/public/members-folder/${name}`,
      ),
      '/public/gone',
      '/public/gone/below',
      '/public/gone-too',
    ];
    for (const target of [...existing, ...missing]) {
      const { status, headers, text } = await built.anonymous().get(target, asPage);
      expect([target, status, headers.get('location'), text]).toEqual([
        target,
        302,
        `http://${siteHost}/_gatehouse/login?next=${encodeURIComponent(target)}`,
        '',
      ]);
    }
    for (const target of missing) expect([target, (await visitor.get(target)).status]).toEqual([target, 404]);
    expect((await built.anonymous().get('/everybody/none')).status).toBe(404);
    expect((await built.anonymous().get('/public/above/none')).status).toBe(404);
    expect((await built.anonymous().get('/loop/none')).status).toBe(404);
  });

  test('a link within the folder needs access to the file that it leads to', async () => {
    await built.setRules(...clubRules);
    const { visitor } = await built.memberWith();
    for (const target of [
      '/public/members-page',
      '/public/members-folder/',
      '/public/members-folder/secret',
    ]) {
      expect([target, (await built.anonymous().get(target, asPage)).status]).toEqual([target, 302]);
      expect([target, (await visitor.get(target)).text.includes(secret)]).toEqual([target, true]);
    }
    expect((await built.anonymous().get('/public/latest.html')).status).toBe(200);
    expect((await built.anonymous().get('/everybody/')).text).toContain('for everybody');
  });

  const trees: Record<string, () => AccessRule[]> = {
    'one folder': () => [
      { path: '/', access: 'public' },
      { path: '/members', access: 'groups', groupIds: [courseId] },
    ],
    'all but one path': () => [{ path: '/public', access: 'public' }],
    'names that begin alike': () => [
      { path: '/', access: 'public' },
      { path: '/memb*', access: 'groups', groupIds: [courseId] },
    ],
    'all but the home page and names that begin alike': () => [
      { path: '/', access: 'paying_members' },
      { path: '/', appliesTo: 'page', access: 'public' },
      { path: '/publi*', access: 'public' },
    ],
    'all but one program': () => [
      { path: '/', access: 'paying_members' },
      { path: '/public', access: 'public', programPaths: true },
    ],
    'a program for a group': () => [
      { path: '/', access: 'public' },
      { path: '/members', access: 'groups', groupIds: [courseId], programPaths: true },
    ],
    alternatives: () => [
      { path: '/', access: 'public' },
      {
        path: '/members',
        access: 'conditional',
        anyOf: [{ access: 'members', groupIds: [courseId] }, { access: 'paying_members' }],
      },
    ],
  };

  test('no trick with a path shows a protected byte', async () => {
    const { visitor: member } = await built.memberWith();
    for (const [tree, rules] of Object.entries(trees)) {
      await built.setRules(...rules());
      for (const visitor of tree === 'all but one path' ? [built.anonymous()] : [built.anonymous(), member]) {
        const answers = await visitor.getAll(pathTricks.map(({ target }) => target));
        const shown = pathTricks.filter((_, index) => answers[index]!.text.includes(secret));
        expect([tree, shown]).toEqual([tree, []]);
      }
    }
  });

  test('a file is not found by a path that only a program needs', async () => {
    await built.setRules({ path: '/public', access: 'public', programPaths: true });
    for (const target of [
      '/public//news.html',
      '/public/%2Fnews.html',
      '/public/news.html;a',
      '/public/./news.html',
    ])
      expect([target, (await built.anonymous().get(target)).status]).toEqual([target, 403]);
    expect((await built.anonymous().get('/public/news.html')).status).toBe(200);
  });

  test('no trick with a request shows a protected byte', async () => {
    await built.setRules(...clubRules);
    const tricks = httpTricks('/members/');
    const answers = await Promise.all(tricks.map(({ request }) => sendBytes(built.site, request, 3_000)));
    const opened = tricks.filter((_, index) => answers[index]!.includes(secret));
    expect(opened.map(({ note }) => note)).toEqual([]);
  });

  test('the tricks work: without rules many of them reach the pages', async () => {
    await built.setRules({ path: '/', access: 'public' });
    const answers = await built.anonymous().getAll(pathTricks.map(({ target }) => target));
    expect(answers.filter(({ text }) => text.includes(secret)).length).toBeGreaterThan(5);
  });

  test('a public home page on a site for members shows nothing else', async () => {
    await built.setRules(
      { path: '/', access: 'members' },
      { path: '/', appliesTo: 'page', access: 'public' },
    );
    for (const target of ['/', '/index.html']) {
      expect([target, (await built.anonymous().get(target)).status]).toEqual([target, 200]);
    }
    for (const target of ['/public/', '/?p=7', '/blog/', '/huge.bin', '/nothing'])
      expect([target, (await built.anonymous().get(target, asPage)).status]).toEqual([target, 302]);
    const { visitor } = await built.memberWith();
    expect((await visitor.get('/public/')).status).toBe(200);
  });

  test('articles whose names begin with premium- are for paying members', async () => {
    await built.setRules(
      { path: '/', access: 'public' },
      { path: '/blog/premium-*', access: 'paying_members' },
    );
    const { visitor: paying } = await built.memberWith({ paid: true });
    const { visitor: member } = await built.memberWith();
    for (const target of ['/blog/premium-rowing.html', '/blog/premium-rowing/photo.svg']) {
      const statuses = [];
      for (const visitor of [built.anonymous(), member, paying])
        statuses.push((await visitor.get(target, asPage)).status);
      expect([target, statuses]).toEqual([target, [302, 403, 200]]);
    }
    expect((await built.anonymous().get('/blog/news.html')).status).toBe(200);
  });

  test('a page for the members of a group or paying members', async () => {
    await built.setRules({
      path: '/course',
      access: 'conditional',
      anyOf: [{ access: 'members', groupIds: [courseId] }, { access: 'paying_members' }],
    });
    const statuses = [];
    for (const fields of [{}, { paid: true }, { accessGroupIds: [courseId] }]) {
      const { visitor } = await built.memberWith(fields);
      statuses.push((await visitor.get('/course/')).status);
    }
    expect(statuses).toEqual([403, 200, 200]);
    expect((await built.anonymous().get('/course/', asPage)).status).toBe(302);
  });

  test('a huge file is sent in pieces, and a visitor who leaves early ends only the own download', async () => {
    await built.setRules({ path: '/', access: 'public' });
    const head = await built.anonymous().request('HEAD', '/huge.bin');
    expect(head.headers.get('content-length')).toBe(String(hugeBytes));
    const end = await built.anonymous().get('/huge.bin', [['Range', `bytes=${hugeBytes - 4}-`]]);
    expect([end.status, end.text]).toEqual([206, '\0\0\0\0']);
    const before = process.memoryUsage().rss;
    // These visitors read nothing: what they do not read must not be read from the disk either.
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openDownload(built.site.port)));
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    for (const socket of sockets) socket.destroy();
    expect((await built.anonymous().get('/public/text.txt')).text).toBe('0123456789');
  });

  function openDownload(port: number): Promise<ReturnType<typeof createConnection>> {
    const socket = createConnection(port, '127.0.0.1');
    socket.write(`GET /huge.bin HTTP/1.1\r\nHost: ${siteHost}\r\n\r\n`);
    return new Promise((resolve) => socket.once('data', () => resolve(socket.pause())));
  }
});
