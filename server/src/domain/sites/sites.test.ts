import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import {
  aDomain,
  aGroup,
  aMember,
  aScopeGroup,
  aSession,
  everyItem,
  unknownId,
} from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newId } from '../../base/ids.ts';
import { findOperatorTenant } from './operator-tenant.ts';
import { updateOperatorTenant } from './site-store.ts';
import { createSite } from './sites.ts';

const label63 = 'd'.repeat(63);
let lastNumber = 0;
/** A domain that no other test uses, because domains are unique in an installation. */
const freshDomain = () => `site-${++lastNumber}.example.org`;

forEachStore((store) => {
  const server = useTestServer(store, {});

  test('an API key can read its site', async () => {
    const site = await server.createSite();
    const { data } = expectResponse('getSite', await site.get('/site'), 200);
    expect(data).toMatchObject({ id: site.siteId, domain: null, status: 'active' });
    expect(data.title).toBe(data.slug);
  });

  test('a host name belongs to one site, on every port', async () => {
    const [owner, other] = [await server.createSite(), await server.createSite()];
    const host = freshDomain();
    await owner.patch('/site', { domain: host });
    for (const port of [80, 443, 8443]) {
      const answer = await other.patch('/site', { domain: `${host}:${port}` });
      expectResponse('updateSite', answer, 409, 'site_domain_taken');
    }
    expectResponse('updateSite', await owner.patch('/site', { domain: `${host}:8443` }), 200);
    expectResponse('updateSite', await other.patch('/site', { domain: host }), 409, 'site_domain_taken');
    expectResponse('updateSite', await other.patch('/site', { domain: `x.${host}` }), 200);
  });

  test('no site can use the host of the dashboard, on any port, except on the local machine', async () => {
    const { id } = await findOperatorTenant(server.database);
    const site = await server.createSite();
    const putDashboardAt = (host: string, scheme: string) =>
      server.database.transaction((tx) => updateOperatorTenant(tx, id, host, scheme));
    await putDashboardAt('gate.example.org:8443', 'https');
    for (const domain of ['gate.example.org', 'GATE.example.org:8443', 'gate.example.org:444']) {
      expectResponse('updateSite', await site.patch('/site', { domain }), 409, 'site_domain_taken');
    }
    const make = changing(server.database, newId(), (change) =>
      createSite(change, {
        slug: 'impostor',
        domain: 'gate.example.org',
      }),
    );
    await expect(make).rejects.toMatchObject({ code: 'site_domain_taken' });
    expectResponse('updateSite', await site.patch('/site', { domain: 'a.gate.example.org' }), 200);
    await putDashboardAt('localhost:8080', 'http');
    expectResponse('updateSite', await site.patch('/site', { domain: 'localhost:8080' }), 200);
  });

  test('the title is trimmed, in NFC, and has 1 to 100 characters on one line', async () => {
    const site = await server.createSite();
    for (const [written, stored] of [
      ['  My\u00a0Academy ', 'My\u00a0Academy'],
      ['Cafe\u0301', 'Café'],
      ['x'.repeat(100), 'x'.repeat(100)],
      ['𝔸'.repeat(100), '𝔸'.repeat(100)],
    ]) {
      const answer = await site.patch('/site', { title: written });
      expect(expectResponse('updateSite', answer, 200).data.title).toBe(stored);
    }
    const before = await dumpSite(server.database, site.siteId);
    for (const title of ['', '  ', 'x'.repeat(101), '𝔸'.repeat(101), 'a\nb', 'a\u0000b', null, 5]) {
      const error = expectResponse(
        'updateSite',
        await site.patch('/site', { title }),
        400,
        'invalid_request',
      );
      expect(error.details[0].path).toBe('/title');
    }
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
  });

  describe('the domain', () => {
    test('and the scheme end every session when they change, which one event records', async () => {
      const site = await server.createSite();
      const last = async () => (await everyItem(site, '/events')).at(-1);
      await site.patch('/site', { domain: freshDomain() });
      expect((await last()).data).not.toHaveProperty('sessionsEnded');
      for (const changes of [{ domain: freshDomain() }, { scheme: 'http' }, { domain: null }]) {
        const [one, other] = [await aMember(site), await aMember(site)];
        for (const { id } of [one, one, other]) await aSession(site, id);
        expectResponse('updateSite', await site.patch('/site', changes), 200);
        expect(await last()).toMatchObject({ type: 'site.updated', data: { sessionsEnded: 3 } });
        expect(await everyItem(site, `/members/${one.id}/sessions`)).toEqual([]);
      }
      await site.patch('/site', { title: 'Academy' });
      expect((await last()).data).not.toHaveProperty('sessionsEnded');
    });

    test('is a host name, stored in lowercase and ASCII, and null clears it', async () => {
      const site = await server.createSite();
      const [name, other] = [freshDomain(), freshDomain()];
      for (const [written, stored] of [
        [` ${name.toUpperCase()} `, name],
        [`bücher.${other}`, `xn--bcher-kva.${other}`],
        [`${label63}.${other}`, `${label63}.${other}`],
        [null, null],
        ['127.0.0.1', '127.0.0.1'],
        [`${name.toUpperCase()}:8080`, `${name}:8080`],
        [`bücher.${other}:65535`, `xn--bcher-kva.${other}:65535`],
      ] as const) {
        const answer = await site.patch('/site', { domain: written });
        expect(expectResponse('updateSite', answer, 200).data.domain).toBe(stored);
      }
    });

    test.each([
      '',
      ' ',
      'https://example.com',
      'example.com/path',
      'example.com:',
      'example.com:0',
      'example.com:65536',
      'example.com:080808',
      'example.com:80:80',
      ':8080',
      'example.com.',
      'exa mple.com',
      'exa_mple.com',
      '-example.com',
      '.example.com',
      'example..com',
      '*.example.com',
      'user@example.com',
      '[::1]',
      'exam\u0000ple.com',
      `${label63}d.example.com`,
      'd.'.repeat(127),
    ])('cannot be %j', async (domain) => {
      const site = await server.createSite();
      const error = expectResponse(
        'updateSite',
        await site.patch('/site', { domain }),
        400,
        'invalid_request',
      );
      expect(error.details[0].path).toBe('/domain');
      expect((await site.get('/site')).body.data.domain).toBeNull();
    });

    test('of another site cannot be used, in any spelling, until that site no longer has it', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const domain = freshDomain();
      expectResponse('updateSite', await other.patch('/site', { domain }), 200);
      const before = await dumpSite(server.database, site.siteId);
      for (const written of [domain, domain.toUpperCase()]) {
        const answer = await site.patch('/site', { title: 'New', domain: written });
        expectResponse('updateSite', answer, 409, 'site_domain_taken');
      }
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      await other.patch('/site', { domain: null });
      expectResponse('updateSite', await site.patch('/site', { domain }), 200);
    });

    test('may be missing on any number of sites', async () => {
      for (let index = 0; index < 2; index += 1) {
        const site = await server.createSite();
        expectResponse('updateSite', await site.patch('/site', { domain: null }), 200);
      }
    });
  });

  test('a change affects only the given fields', async () => {
    const site = await server.createSite();
    const { data: before } = expectResponse('getSite', await site.get('/site'), 200);
    const domain = freshDomain();
    const first = expectResponse('updateSite', await site.patch('/site', { title: 'Academy' }), 200).data;
    expect(first).toEqual({ ...before, title: 'Academy' });
    const second = expectResponse('updateSite', await site.patch('/site', { domain }), 200).data;
    expect(second).toEqual({ ...first, domain, hosts: [{ domain, scheme: 'https', redirect: false }] });
    expect(expectResponse('getSite', await site.get('/site'), 200).data).toEqual(second);
  });

  test('a change requires at least one field, and only known ones', async () => {
    const site = await server.createSite();
    for (const body of [{}, { slug: 'x' }, { title: 'x', status: 'suspended' }, { id: site.siteId }]) {
      expectResponse('updateSite', await site.patch('/site', body), 400, 'invalid_request');
    }
  });

  test('a change without effect has no event', async () => {
    const site = await server.createSite();
    await site.patch('/site', { title: 'Academy' });
    await site.patch('/site', { title: ' Academy ' });
    expect(await everyItem(site, '/events?type=site.updated')).toHaveLength(1);
  });

  const update = async (site: TestSite, changes: object) =>
    expectResponse('updateSite', await site.patch('/site', changes), 200).data;
  const lastChanges = async (site: TestSite) =>
    (await everyItem(site, '/events?type=site.updated')).at(-1)?.data.changes;

  /** Sends invalid changes that fail at `path`, and checks that nothing has changed. */
  async function expectError(site: TestSite, changes: object, path: string) {
    const before = await dumpSite(server.database, site.siteId);
    const answer = await site.patch('/site', { title: 'Never', ...changes });
    const { details } = expectResponse('updateSite', answer, 400, 'invalid_request');
    expect(details[0].path).toBe(path);
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
  }

  describe('the scheme', () => {
    test('is http for the local machine and https for everything else by default', async () => {
      const site = await server.createSite();
      const id = freshDomain().split('.')[0];
      for (const [domain, scheme] of [
        [`${id}.localhost`, 'http'],
        [`${id}.localhost:3000`, 'http'],
        ['127.0.0.7', 'http'],
        ['127.0.0.7:8080', 'http'],
        [`${id}.example.org`, 'https'],
        [`localhost.${id}.example.org`, 'https'],
        [`${id}localhost`, 'https'],
        [`127.0.0.1.${id}.example`, 'https'],
        ['10.0.0.7:3000', 'https'],
      ]) {
        expect(await update(site, { domain })).toMatchObject({ domain, scheme });
      }
      const given = await update(site, { domain: `${id}.example.net`, scheme: 'http' });
      expect(given).toMatchObject({ domain: `${id}.example.net`, scheme: 'http' });
    });

    test('returns to the default with another domain, and stays with the same domain', async () => {
      const site = await server.createSite();
      const [first, second] = [freshDomain(), freshDomain()];
      await update(site, { domain: first, scheme: 'http' });
      expect(await update(site, { title: 'New' })).toMatchObject({ scheme: 'http' });
      expect(await update(site, { domain: first.toUpperCase() })).toMatchObject({ scheme: 'http' });
      expect(await update(site, { domain: second })).toMatchObject({ scheme: 'https' });
      expect(await lastChanges(site)).toEqual([
        { field: 'domain', from: first, to: second },
        { field: 'scheme', from: 'http', to: 'https' },
      ]);
      expect(await update(site, { scheme: 'http' })).toMatchObject({ domain: second, scheme: 'http' });
      expect(await update(site, { domain: null })).toMatchObject({ domain: null, scheme: 'http' });
    });

    test('determines the default port', async () => {
      const site = await server.createSite();
      const name = freshDomain();
      for (const [changes, stored] of [
        [{ domain: `${name}:443` }, name],
        [{ domain: `${name}:0443` }, name],
        [{ domain: `${name}:80` }, `${name}:80`],
        [{ scheme: 'http' }, name],
        [{ domain: `${name}:443`, scheme: 'http' }, `${name}:443`],
        [{ domain: `${name}:80`, scheme: 'http' }, name],
        [{ domain: 'localhost:80' }, 'localhost'],
      ] as const) {
        expect((await update(site, changes)).domain).toBe(stored);
      }
    });

    test.each(['ftp', 'HTTPS', '', null])('cannot be %j', async (scheme) => {
      await expectError(await server.createSite(), { scheme }, '/scheme');
    });
  });

  test('another time zone is an event, and moves no end', async () => {
    const site = await server.createSite();
    const [group, member] = [await aGroup(site), await aMember(site)];
    const expiresAt = '2099-06-30T12:00:00.000Z';
    const body = { memberId: member.id, expiresAt };
    expectResponse('addAccessGroupMember', await site.post(`/access-groups/${group.id}/members`, body), 201);
    const key = expectResponse(
      'createApiKey',
      await site.post('/api-keys', { name: 'Shop', expiresAt }),
      201,
    );
    for (const timeZone of ['Pacific/Auckland', 'America/Sao_Paulo']) {
      const { data } = expectResponse('updateSite', await site.patch('/site', { timeZone }), 200);
      expect(data.timeZone).toBe(timeZone);
    }
    const events = (await everyItem(site, '/events')).filter(({ type }) => type === 'site.updated');
    expect(events.map(({ data }) => data.changes)).toEqual([
      [{ field: 'timeZone', from: 'UTC', to: 'Pacific/Auckland' }],
      [{ field: 'timeZone', from: 'Pacific/Auckland', to: 'America/Sao_Paulo' }],
    ]);
    const membership = await site.get(`/access-groups/${group.id}/members/${member.id}`);
    expect(membership.body.data).toMatchObject({ expiresAt });
    const keys = await everyItem(site, '/api-keys');
    expect(keys.find(({ id }) => id === key.data.id)).toMatchObject({ expiresAt });
  });

  test.each(['Mars/Olympus', 'Berlin', '+02:00', 'Europe/Berlin;', '', ' '.repeat(3), 'a'.repeat(900)])(
    '%j is no time zone',
    async (timeZone) => {
      const site = await server.createSite();
      const answer = await site.patch('/site', { timeZone });
      const { details } = expectResponse('updateSite', answer, 400, 'invalid_request');
      expect(details[0]).toMatchObject({ path: '/timeZone', message: expect.stringContaining('timeZone') });
    },
  );

  describe('the languages', () => {
    const all = ['en', 'de', 'fr', 'es', 'ja'];

    test('are all available ones until some are chosen; the first one is the default', async () => {
      const site = await server.createSite();
      expect((await site.get('/site')).body.data.languages.toSorted()).toEqual(all.toSorted());
      expect((await update(site, { languages: ['ja', 'de'] })).languages).toEqual(['ja', 'de']);
      expect(await lastChanges(site)).toEqual([
        { field: 'languages', from: expect.stringContaining('en'), to: 'ja, de' },
      ]);
      expect((await update(site, { languages: ['de', 'ja'] })).languages).toEqual(['de', 'ja']);
    });

    test('must not contain duplicates', async () => {
      const site = await server.createSite();
      expect((await update(site, { languages: ['de', 'en', 'de', 'en'] })).languages).toEqual(['de', 'en']);
    });

    test.each([
      [['en', 'tlh'], '/languages/1'],
      [['EN'], '/languages/0'],
      [[], '/languages'],
      [['de', ''], '/languages/1'],
      [['de', 'en_GB'], '/languages/1'],
      [['de', 7], '/languages/1'],
      [null, '/languages'],
    ])('cannot be %j', async (languages, path) => {
      await expectError(await server.createSite(), { languages }, path);
    });
  });

  describe('the sign-up policy', () => {
    const nobody = { policy: 'members_only', domains: [] };

    test('allows no sign-up until it is changed', async () => {
      const site = await server.createSite();
      expect((await site.get('/site')).body.data.signUp).toEqual(nobody);
      expect((await update(site, { signUp: { policy: 'open', domains: [] } })).signUp.policy).toBe('open');
      expect(await lastChanges(site)).toEqual([{ field: 'signUpPolicy', from: 'members_only', to: 'open' }]);
    });

    test('accepts email domains, in any spelling, each with its groups', async () => {
      const site = await server.createSite();
      const group = await aGroup(site);
      const domains = [
        { domain: ' @Example.COM ', accessGroupIds: [group.id.toUpperCase(), group.id] },
        { domain: 'bücher.example', accessGroupIds: [group.id] },
        { domain: 'sub.example.com', accessGroupIds: [] },
      ];
      const stored = [
        { domain: 'example.com', accessGroupIds: [group.id] },
        { domain: 'xn--bcher-kva.example', accessGroupIds: [group.id] },
        { domain: 'sub.example.com', accessGroupIds: [] },
      ];
      const { signUp } = await update(site, { signUp: { policy: 'allowed_domains', domains } });
      expect(signUp).toEqual({ policy: 'allowed_domains', domains: stored });
      expect(await lastChanges(site)).toEqual([
        { field: 'signUpPolicy', from: 'members_only', to: 'allowed_domains' },
        { field: 'signUpDomains', from: '[]', to: JSON.stringify(stored) },
      ]);
      const other = await update(site, { signUp: { policy: 'members_only', domains } });
      expect(other.signUp.domains).toEqual(stored);
    });

    test('accepts only custom groups of the site', async () => {
      const site = await server.createSite();
      const scope = await aScopeGroup(server, site);
      const before = await dumpSite(server.database, site.siteId);
      for (const [groupId, status, code] of [
        [unknownId(), 404, 'access_group_not_found'],
        [scope.id, 403, 'scope_group_read_only'],
      ] as const) {
        const domains = [{ domain: 'example.com', accessGroupIds: [groupId] }];
        for (const policy of ['allowed_domains', 'members_only', 'open']) {
          const answer = await site.patch('/site', { title: 'Never', signUp: { policy, domains } });
          expectResponse('updateSite', answer, status, code);
        }
      }
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    const domain = (name: string) => ({ domain: name, accessGroupIds: [] });
    test.each([
      [{ policy: 'allowed_domains', domains: [] }, '/signUp/domains'],
      [
        { policy: 'open', domains: [domain('a.example'), domain('b.example'), domain('@A.EXAMPLE')] },
        '/signUp/domains/2/domain',
      ],
      [{ policy: 'open', domains: [domain('a.example'), domain('b@c.example')] }, '/signUp/domains/1/domain'],
      [{ policy: 'open', domains: [domain('a.example:25')] }, '/signUp/domains/0/domain'],
      [{ policy: 'open', domains: [domain('*.example')] }, '/signUp/domains/0/domain'],
      [{ policy: 'open', domains: [domain(' ')] }, '/signUp/domains/0/domain'],
      [{ policy: 'open', domains: [{ domain: 'a.example' }] }, '/signUp/domains/0/accessGroupIds'],
      [
        { policy: 'open', domains: [{ domain: 'a.example', accessGroupIds: ['x'] }] },
        '/signUp/domains/0/accessGroupIds/0',
      ],
      [{ policy: 'everybody', domains: [] }, '/signUp/policy'],
      [{ policy: 'open' }, '/signUp/domains'],
      [
        { policy: 'open', domains: Array.from({ length: 101 }, (_, index) => domain(`d${index}.example`)) },
        '/signUp/domains',
      ],
      [null, '/signUp'],
    ])('is validated in every field (%#)', async (signUp, path) => {
      await expectError(await server.createSite(), { signUp }, path);
    });
  });

  describe('the color', () => {
    test('has six digits, stored in lowercase, and null restores the default color', async () => {
      const site = await server.createSite();
      expect((await site.get('/site')).body.data.color).toBeNull();
      expect((await update(site, { color: '#0F766E' })).color).toBe('#0f766e');
      expect((await update(site, { color: null })).color).toBeNull();
      expect(await lastChanges(site)).toEqual([{ field: 'color', from: '#0f766e', to: null }]);
    });

    test.each(['#fff', 'red', '#0f766', '#0f766e0', '0f766ee', '#0f766g', '', '#0f766e\n', 7])(
      'cannot be %j',
      async (color) => {
        await expectError(await server.createSite(), { color }, '/color');
      },
    );
  });

  describe('links', () => {
    const none = { contact: null, upgrade: null, imprint: null, privacy: null };

    test.each([
      ['contact', 'mailto:Office+info@Example.ORG', 'mailto:office+info@example.org'],
      ['contact', 'https://www.example.org/contact', 'https://www.example.org/contact'],
      ['upgrade', ' https://www.example.org ', 'https://www.example.org/'],
      [
        'imprint',
        'HTTPS://bücher.example/über uns'.replace(' ', '%20'),
        'https://xn--bcher-kva.example/%C3%BCber%20uns',
      ],
      [
        'privacy',
        'https://www.example.org/\u202egro.elpmaxe#top',
        'https://www.example.org/%E2%80%AEgro.elpmaxe#top',
      ],
      ['privacy', 'https://192.0.2.7:8443/privacy', 'https://192.0.2.7:8443/privacy'],
      ['privacy', 'http://localhost:8080/privacy', 'http://localhost:8080/privacy'],
    ])('%s can be %j', async (name, link, stored) => {
      const site = await server.createSite();
      expect((await update(site, { links: { ...none, [name]: link } })).links).toEqual({
        ...none,
        [name]: stored,
      });
      expect(await lastChanges(site)).toEqual([{ field: 'links', from: null, to: `${name}: ${stored}` }]);
      expect((await update(site, { links: none })).links).toEqual(none);
    });

    test.each([
      ['imprint', 'javascript:alert(1)'],
      ['imprint', 'data:text/html,hello'],
      ['imprint', 'http://www.example.org'],
      ['imprint', 'http://localhost.example.org'],
      ['imprint', 'https:/www.example.org'],
      ['imprint', '//www.example.org'],
      ['imprint', 'www.example.org'],
      ['imprint', 'https://club.example.org@www.example.com/'],
      ['imprint', 'https://@www.example.com/'],
      ['imprint', 'https://club.example.org\\@www.example.com/'],
      ['imprint', 'https://www.example.org/\nabc'],
      ['imprint', 'mailto:office@example.org'],
      ['imprint', ''],
      ['imprint', `https://www.example.org/${'x'.repeat(477)}`],
      ['imprint', `https://www.example.org/${'ü'.repeat(100)}`],
      ['imprint', 'https://3405803783'],
      ['imprint', 'https://0xcb007107/'],
      ['imprint', 'https://203.0.29051/'],
      ['imprint', 'https://www..example.org/'],
      ['imprint', 'https://www.example.org./'],
      ['contact', 'mailto:'],
      ['contact', 'mailto:/office@example.org'],
      ['contact', 'mailto://office@example.org'],
      ['contact', 'mailto:office@example.org?cc=other@example.org'],
      ['contact', 'mailto:office@example.org,other@example.org'],
      ['contact', 'mailto:a%0d%0aBcc:b@example.org'],
      ['contact', 'mailto:a?cc=b@example.org'],
      ['contact', 'sms:+1234'],
    ])('%s cannot be %j', async (name, link) => {
      await expectError(await server.createSite(), { links: { ...none, [name]: link } }, `/links/${name}`);
    });

    test('are replaced together', async () => {
      const site = await server.createSite();
      await expectError(site, { links: { contact: null } }, '/links/upgrade');
      await expectError(site, { links: { ...none, shop: null } }, '/links/shop');
    });
  });

  describe('the logo', () => {
    const maxBytes = 128 * 1024;
    const beginnings = {
      png: Buffer.from('89504e470d0a1a0a', 'hex'),
      jpeg: Buffer.from('ffd8ffe0', 'hex'),
      webp: Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'),
    };
    type Kind = keyof typeof beginnings;
    const kinds = Object.keys(beginnings) as Kind[];
    const picture = (kind: Kind, size = 100) => Buffer.concat([beginnings[kind]], size);
    const dataUrl = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`;
    const served = (site: TestSite) => fetchLogo(server.address, site);

    test.each(kinds)('may be a %s, and visitors get it unchanged', async (kind) => {
      const site = await server.createSite();
      const domain = await aDomain(site);
      const bytes = picture(kind, maxBytes);
      const { logoUrl } = await update(site, { logo: dataUrl(kind, bytes) });
      expect(logoUrl).toMatch(/^https:\/\/[^/]+\/_gatehouse\/logo\?v=[0-9a-f]{8}$/);
      expect(new URL(logoUrl).host).toBe(domain);
      const answer = await served(site);
      expect([answer.status, answer.type, answer.nosniff]).toEqual([200, `image/${kind}`, 'nosniff']);
      expect(answer.bytes.equals(bytes)).toBe(true);
    });

    test('is stored while the site has no domain, and has a URL as soon as there is one', async () => {
      const site = await server.createSite();
      expect((await update(site, { logo: dataUrl('png', picture('png')) })).logoUrl).toBeNull();
      expect(await lastChanges(site)).toEqual([{ field: 'logo', from: null, to: expect.any(String) }]);
      await aDomain(site);
      expect((await site.get('/site')).body.data.logoUrl).toContain('/_gatehouse/logo?v=');
      expect((await served(site)).status).toBe(200);
    });

    test('has another URL when it changes, and null removes it', async () => {
      const site = await server.createSite();
      await aDomain(site);
      expect((await served(site)).status).toBe(404);
      const first = await update(site, { logo: dataUrl('png', picture('png', 100)) });
      const second = await update(site, { logo: dataUrl('png', picture('png', 101)) });
      expect(second.logoUrl).not.toBe(first.logoUrl);
      const version = (url: string) => url.split('=')[1];
      expect(await lastChanges(site)).toEqual([
        { field: 'logo', from: version(first.logoUrl), to: version(second.logoUrl) },
      ]);
      await update(site, { logo: dataUrl('png', picture('png', 101)) });
      expect((await update(site, { logo: null })).logoUrl).toBeNull();
      expect(await lastChanges(site)).toEqual([{ field: 'logo', from: version(second.logoUrl), to: null }]);
      expect((await served(site)).status).toBe(404);
      const { site_logos } = await dumpSite(server.database, site.siteId);
      expect(site_logos).toEqual([]);
      expect(await everyItem(site, '/events?type=site.updated')).toHaveLength(4);
    });

    test.each([
      ['an image that is one byte too large', dataUrl('png', picture('png', maxBytes + 1))],
      ['a PNG declared as JPEG', dataUrl('jpeg', picture('png'))],
      ['a WebP declared as PNG', dataUrl('png', picture('webp'))],
      ['an audio file declared as WebP', dataUrl('webp', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'))],
      ['an HTML page declared as PNG', dataUrl('png', Buffer.from('<html><script>alert(1)</script>'))],
      ['an SVG', dataUrl('svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
      ['an SVG declared as PNG', dataUrl('png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
      ['a GIF', dataUrl('gif', Buffer.from('GIF89a'))],
      ['nothing', 'data:image/png;base64,'],
      ['a URL', 'https://example.com/logo.png'],
      ['an image with parameters', dataUrl('png;charset=utf-8', picture('png'))],
      ['text', `data:image/png,${picture('png').toString('latin1')}`],
    ])('cannot be %s', async (_, logo) => {
      await expectError(await server.createSite(), { logo }, '/logo');
    });

    test('fits into the body limit of one mebibyte', async () => {
      const site = await server.createSite();
      const body = (bytes: number) => {
        const text = JSON.stringify({ title: 'Academy' });
        return text + ' '.repeat(bytes - text.length);
      };
      expectResponse('updateSite', await site.patch('/site', body(1024 * 1024)), 200);
      expectResponse('updateSite', await site.patch('/site', body(1024 * 1024 + 1)), 413, 'body_too_large');
    });
  });
});

async function fetchLogo(origin: string, site: TestSite) {
  const host = (await site.get('/site')).body.data.domain;
  const sent = request(new URL(origin), { path: '/_gatehouse/logo', headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { 'content-type': type, 'x-content-type-options': nosniff } = response.headers;
  return { status: response.statusCode, type, nosniff, bytes: await buffer(response) };
}
