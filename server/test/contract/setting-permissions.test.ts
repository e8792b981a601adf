import { isDeepStrictEqual } from 'node:util';
import {
  type Operation,
  type OperationId,
  operations,
  type Permission,
  permissions,
  rolePermissions,
} from '@gatehouse/contract';
import { defaultIdentityHeaders } from '@gatehouse/contract/identity-headers';
import type { TObject } from 'typebox';
import { describe, expect, test } from 'vitest';
import { forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { expectResponse } from './answers.ts';
import { dumpSite } from './dump.ts';
import { aListSource } from './given.ts';

interface Setting {
  /** Values that need the permissions: another one than before, and each that removes or resets something. */
  readonly values: readonly unknown[];
  /** What a change of it needs. */
  readonly needs: readonly Permission[];
}

/** What decides where the credentials of members go, or whom a program takes a visitor for. */
const secrets: readonly Permission[] = ['site:write', 'login-links:write'];
const plain: readonly Permission[] = ['site:write'];
const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')}`;
const noLinks = { contact: null, upgrade: null, imprint: null, privacy: null };
const noSignUp = { policy: 'members_only', domains: [] };

/** Every setting of a site. A new one is `plain` only if it sends no one's secrets anywhere. */
const siteSettings: Readonly<Record<string, Setting>> = {
  domain: { values: ['setting.example.org', null], needs: secrets },
  hosts: { values: [[{ domain: 'setting.example.net' }], []], needs: secrets },
  // Over http, anyone on the way reads cookies and links.
  scheme: { values: ['http', 'https'], needs: secrets },
  // A program may read a header that a member has a say in, such as the name, as the name of a user.
  identityHeaders: {
    values: [{ ...defaultIdentityHeaders, user: null, name: 'remote-user' }, defaultIdentityHeaders],
    needs: secrets,
  },
  // It decides who becomes a member, with which groups.
  signUp: {
    values: [{ ...noSignUp, policy: 'open' }, { ...noSignUp, policy: 'approval' }, noSignUp],
    needs: ['site:write', 'access-groups:write', 'members:write'],
  },
  // Shown on pages of Gatehouse and in emails. The logo is part of them, without an address from which it is loaded.
  title: { values: ['Setting'], needs: plain },
  languages: { values: [['en']], needs: plain },
  color: { values: ['#123456', null], needs: plain },
  logo: { values: [png, null], needs: plain },
  // Visitors follow them away from the pages of Gatehouse; nothing is sent along.
  links: { values: [{ ...noLinks, imprint: 'https://www.example.org/imprint' }, noLinks], needs: plain },
  timeZone: { values: ['Europe/Berlin'], needs: plain },
  maxSessions: { values: [3], needs: plain },
  // Each member creates them for programs of their own, with no more than their own access.
  membersCreateTokens: { values: [true, false], needs: plain },
  // An operator decides each request.
  allowsAccessRequests: { values: [true, false], needs: plain },
  // Each member adds them after a login by email.
  allowsPasskeys: { values: [true, false], needs: plain },
  showsSetUpSteps: { values: [true, false], needs: plain },
};

/** The settings of a source. Each token or address is sent with one of its own and replaced by it, never passed on. */
const sourceSettings = [
  'type',
  'name',
  'token',
  'address',
  'collections',
  'enabled',
  'intervalMinutes',
  'maxRemovedPeople',
  'maxRemovedPercent',
  'graceDays',
  'onLeave',
];

/** The fields of rules. With `acceptsTokenInUrl`, programs may send a token in the query, to this path alone. */
const ruleSettings = [
  'path',
  'appliesTo',
  'queryParameters',
  'hosts',
  'acceptsTokenInUrl',
  'programPaths',
  'preflights',
  'access',
  'groupIds',
  'match',
  // A code has no secret of members: whoever has it sees the page.
  'pageCodeIds',
  'anyOf',
];

// Permissions are compared before the store is used.
forOneStore((store) => {
  const server = useTestServer(store);

  /** The change of a setting with a key that has these permissions, and whether it changed anything. */
  const update = async (site: TestSite, granted: readonly Permission[], body: object) => {
    const { secret } = await site.createKey({ permissions: [...granted] });
    const before = await dumpSite(server.database, site.siteId);
    const answer = await site.patch('/site', body, { authorization: `Bearer ${secret}` });
    const after = await dumpSite(server.database, site.siteId);
    return { answer, changed: !isDeepStrictEqual(before, after) };
  };

  describe('what a setting of the site decides about', () => {
    test('is known for every one', () => {
      const { properties } = operations.updateSite.body;
      expect(Object.keys(siteSettings).sort()).toEqual(Object.keys(properties).sort());
    });

    test.each(Object.entries(siteSettings))(
      '%s needs these permissions, and no other',
      async (field, setting) => {
        const site = await server.createSite();
        for (const value of setting.values) {
          for (const lacking of setting.needs) {
            const rest = permissions.filter((permission) => permission !== lacking);
            const { answer, changed } = await update(site, rest, { title: 'Other', [field]: value });
            const { message } = expectResponse('updateSite', answer, 403, 'permission_denied');
            expect([message.includes(lacking), changed]).toEqual([true, false]);
          }
          const { answer } = await update(site, setting.needs, { [field]: value });
          expectResponse('updateSite', answer, 200);
        }
      },
    );
  });

  test('who changes settings in the dashboard has the permissions for all of them', () => {
    const needed = Object.values(siteSettings).flatMap(({ needs }) => needs);
    for (const granted of Object.values(rolePermissions).filter((each) => each.includes('site:write')))
      expect(granted).toEqual(expect.arrayContaining(needed));
  });

  test('no setting of a source sends a stored secret elsewhere', async () => {
    const fields = [operations.createSource, operations.updateSource].flatMap(({ body }) =>
      Object.keys(body.properties),
    );
    expect([...new Set(fields)].sort()).toEqual(sourceSettings.toSorted());
    const site = await server.createSite();
    const { id, host } = await aListSource(site);
    // A list has an address and no other secret, and a token goes only to the workspace of its kind.
    const answer = await site.patch(`/sources/${id}`, { token: 'ntn_123456789' });
    expectResponse('updateSource', answer, 400, 'invalid_request');
    expect((await site.get(`/sources/${id}`)).body.data.host).toBe(host);
  });

  test('no field of an access rule sends a secret elsewhere', () => {
    const { items } = operations.replaceAccessRules.body.properties.rules;
    const kinds: readonly TObject[] = Reflect.get(items, 'oneOf');
    const fields = kinds.flatMap(({ properties }) => Object.keys(properties));
    expect([...new Set(fields)].sort()).toEqual(ruleSettings.toSorted());
  });

  test('other operations that change the site itself have no settings', () => {
    const ids = Object.values<Operation>(operations)
      .filter(({ permission, readOnly }) => permission === 'site:write' && !readOnly)
      .filter(({ path }) => !path.startsWith('/page-codes'))
      .map(({ id }) => id as OperationId);
    expect(ids.sort()).toEqual([
      'replaceAccessRules',
      'replaceEmailTexts',
      'rotateSigningKeys',
      'updateSite',
    ]);
  });
});
