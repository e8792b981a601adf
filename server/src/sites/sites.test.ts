import { describe, expect, test } from 'vitest';
import { expectAnswer } from '../../test/contract/answers.ts';
import { dumpSite } from '../../test/contract/dump.ts';
import { everyItem } from '../../test/contract/given.ts';
import { useTestServer } from '../../test/contract/use-server.ts';
import { forEachStore } from '../../test/stores.ts';

const label63 = 'd'.repeat(63);
let lastNumber = 0;
/** A domain that no other test has taken, as domains are unique in an installation. */
const freshDomain = () => `site-${++lastNumber}.example.org`;

forEachStore((store) => {
  const server = useTestServer(store);

  test('a key shows its site', async () => {
    const site = await server.createSite();
    const { data } = expectAnswer('getSite', await site.get('/site'), 200);
    expect(data).toMatchObject({ id: site.siteId, domain: null, status: 'active' });
    expect(data.title).toBe(data.slug);
  });

  test('the title is trimmed, NFC, of 1 to 100 characters on one line', async () => {
    const site = await server.createSite();
    for (const [written, kept] of [
      ['  My\u00a0Academy ', 'My\u00a0Academy'],
      ['Cafe\u0301', 'Café'],
      ['x'.repeat(100), 'x'.repeat(100)],
      ['𝔸'.repeat(100), '𝔸'.repeat(100)],
    ]) {
      const answer = await site.patch('/site', { title: written });
      expect(expectAnswer('updateSite', answer, 200).data.title).toBe(kept);
    }
    const before = await dumpSite(server.database, site.siteId);
    for (const title of ['', '  ', 'x'.repeat(101), '𝔸'.repeat(101), 'a\nb', 'a\u0000b', null, 5]) {
      const error = expectAnswer('updateSite', await site.patch('/site', { title }), 400, 'invalid_request');
      expect(error.details[0].path).toBe('/title');
    }
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
  });

  describe('the domain', () => {
    test('is a host name, kept in lower case and ASCII, and null clears it', async () => {
      const site = await server.createSite();
      const [name, other] = [freshDomain(), freshDomain()];
      for (const [written, kept] of [
        [` ${name.toUpperCase()} `, name],
        [`bücher.${other}`, `xn--bcher-kva.${other}`],
        [`${label63}.${other}`, `${label63}.${other}`],
        [null, null],
        ['127.0.0.1', '127.0.0.1'],
      ] as const) {
        const answer = await site.patch('/site', { domain: written });
        expect(expectAnswer('updateSite', answer, 200).data.domain).toBe(kept);
      }
    });

    test.each([
      '',
      ' ',
      'https://example.com',
      'example.com/path',
      'example.com:8080',
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
      const error = expectAnswer('updateSite', await site.patch('/site', { domain }), 400, 'invalid_request');
      expect(error.details[0].path).toBe('/domain');
      expect((await site.get('/site')).body.data.domain).toBeNull();
    });

    test('of another site is taken, in any spelling, until that one gives it up', async () => {
      const [site, other] = [await server.createSite(), await server.createSite()];
      const domain = freshDomain();
      expectAnswer('updateSite', await other.patch('/site', { domain }), 200);
      const before = await dumpSite(server.database, site.siteId);
      for (const written of [domain, domain.toUpperCase()]) {
        const answer = await site.patch('/site', { title: 'New', domain: written });
        expectAnswer('updateSite', answer, 409, 'site_domain_taken');
      }
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
      await other.patch('/site', { domain: null });
      expectAnswer('updateSite', await site.patch('/site', { domain }), 200);
    });

    test('may be missing on any number of sites', async () => {
      for (let index = 0; index < 2; index += 1) {
        const site = await server.createSite();
        expectAnswer('updateSite', await site.patch('/site', { domain: null }), 200);
      }
    });
  });

  test('a change changes what is named and leaves the rest', async () => {
    const site = await server.createSite();
    const { data: before } = expectAnswer('getSite', await site.get('/site'), 200);
    const domain = freshDomain();
    const first = expectAnswer('updateSite', await site.patch('/site', { title: 'Academy' }), 200).data;
    expect(first).toEqual({ ...before, title: 'Academy' });
    const second = expectAnswer('updateSite', await site.patch('/site', { domain }), 200).data;
    expect(second).toEqual({ ...first, domain });
    expect(expectAnswer('getSite', await site.get('/site'), 200).data).toEqual(second);
  });

  test('a change needs at least one field, and only known ones', async () => {
    const site = await server.createSite();
    for (const body of [{}, { slug: 'x' }, { title: 'x', status: 'suspended' }, { id: site.siteId }]) {
      expectAnswer('updateSite', await site.patch('/site', body), 400, 'invalid_request');
    }
  });

  test('a change that changes nothing has no event', async () => {
    const site = await server.createSite();
    await site.patch('/site', { title: 'Academy' });
    await site.patch('/site', { title: ' Academy ' });
    expect(await everyItem(site, '/events?type=site.updated')).toHaveLength(1);
  });
});
