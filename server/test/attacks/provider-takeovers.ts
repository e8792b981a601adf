import { createHmac, randomUUID } from 'node:crypto';
import type { MemberWithGroups } from '@gatehouse/contract';
import { providerCallbackPath } from '@gatehouse/contract/provider-issuers';
import { exportPKCS8, generateKeyPair } from 'jose';
import sql from 'sql-template-tag';
import { expectResponse } from '../contract/answers.ts';
import { aGroup, aMember, aScopeGroup } from '../contract/given.ts';
import type { Claims, MockAccount, TokenResponse } from '../login-providers/mock-provider.ts';
import {
  anEnabledProvider,
  aProviderSite,
  outcomeOf,
  ProviderBrowser,
  pathOf,
  type TestProvider,
  unverified,
  verified,
} from '../login-providers/provider-site.ts';
import type { TestServer, TestSite } from '../test-server.ts';

/** A site with two login providers, one of its members, and somebody who wants to be this member. */
export interface Scene {
  readonly server: TestServer;
  readonly site: TestSite;
  readonly a: TestProvider;
  readonly b: TestProvider;
  readonly victim: MemberWithGroups;
  readonly victimBrowser: ProviderBrowser;
  readonly attacker: ProviderBrowser;
}

/** What somebody tries, and how the service answers in the end: `outcomeOf` the response, or what is found afterwards. */
export interface Attack {
  readonly name: string;
  readonly run: (scene: Scene) => Promise<string>;
  readonly expected: string;
}

const newAddress = () => `x-${randomUUID()}@example.com`;

/** The account of the attacker with an address of the victim, for which the provider does not vouch. */
const claiming = ({ victim }: Scene) => unverified('mallory', victim.email);

/** A member who is the attacker. */
async function anAttackingMember({ site }: Scene, email = newAddress()): Promise<MemberWithGroups> {
  return aMember(site, { email });
}

/** An account of the victim that is linked, with the subject. */
async function linkVictim({ a, victim, victimBrowser }: Scene, subject = 'vera'): Promise<void> {
  await victimBrowser.logInWith(a, verified(subject, victim.email));
  await victimBrowser.post('/_gatehouse/logout');
}

const attempt = async (scene: Scene, account: MockAccount, provider = scene.a) =>
  outcomeOf(await scene.attacker.logInWith(provider, account));

/** A login of the attacker whose ID token is changed. The account is that of the victim, which is linked. */
async function forge(scene: Scene, claims: Claims, change?: MockAccount['change']): Promise<string> {
  await linkVictim(scene);
  const account = { claims: { ...verified('vera', scene.victim.email).claims, ...claims } };
  return attempt(scene, change ? { ...account, change } : account);
}

const withIdToken = (change: (idToken: string) => string) => (response: TokenResponse) => {
  response.body.id_token = change(String(response.body.id_token));
};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (token: string) => token.split('.')[1]!;

/** Claims about the address that no provider vouches for, or only seems to. */
const unverifiedAddresses: readonly Attack[] = (
  [
    ['is not verified', { email_verified: false }],
    ['is not said to be verified', { email_verified: undefined }],
    ['is verified by a text', { email_verified: 'true' }],
    ['is verified by a number', { email_verified: 1 }],
    ['is verified by a list', { email_verified: [true] }],
    ['is verified by another claim', { email_verified: false, xms_edov: true, verified: true }],
    ['is in capital letters', { email_verified: false, capitals: true }],
  ] as const
).map(([what, claims]) => ({
  name: `an address of the victim that ${what}`,
  run: (scene) => {
    const { email } = scene.victim;
    return attempt(scene, {
      claims: { sub: 'mallory', email: 'capitals' in claims ? email.toUpperCase() : email, ...claims },
    });
  },
  expected: 'check',
}));

/** Addresses that look like that of the victim. The provider vouches for them, and they belong to the attacker. */
const similarAddresses: readonly Attack[] = (
  [
    ['with a tag', (email) => email.replace('@', '+x@')],
    ['with a letter of another alphabet', (email) => email.replace('e', 'е')],
    ['with a dotless i', (email) => email.replace('@', 'ı@')],
    ['with a zero-width space', (email) => email.replace('@', '\u200b@')],
    ['with full-width letters', (email) => email.replace('x', 'ｘ')],
    ['with a second address', (email) => `${email}, mallory@example.net`],
    ['with a second address before it', (email) => `mallory@example.net,${email}`],
    ['with a header of an email', (email) => `${email}\r\nBcc: mallory@example.net`],
    ['with a name', (email) => `Vera <${email}>`],
    ['with an end of the text', (email) => `${email}\0@example.net`],
    ['in a list', (email) => [email]],
    ['in an object', (email) => ({ toString: email })],
    ['with a dot at the end', (email) => `${email}.`],
  ] satisfies [string, (email: string) => unknown][]
).map(([what, change]) => ({
  name: `a verified address like that of the victim ${what}`,
  run: (scene) =>
    attempt(scene, {
      claims: { sub: 'mallory', email: change(scene.victim.email), email_verified: true },
    }),
  expected: 'refused',
}));

/** ID tokens that are not of the provider, or not of this login. */
const forgedTokens: readonly Attack[] = [
  {
    name: 'a token of another issuer',
    run: (scene) => forge(scene, { iss: scene.b.mock.issuer }),
    expected: 'rejected',
  },
  {
    name: 'a token of the issuer with a slash',
    run: (scene) => forge(scene, { iss: `${scene.a.mock.issuer}/` }),
    expected: 'rejected',
  },
  {
    name: 'a token for another client',
    run: (scene) => forge(scene, { aud: 'another' }),
    expected: 'rejected',
  },
  {
    name: 'a token for two clients',
    run: (scene) => forge(scene, { aud: ['gatehouse', 'another'], azp: 'another' }),
    expected: 'rejected',
  },
  { name: 'a token with an old nonce', run: (scene) => forge(scene, { nonce: 'old' }), expected: 'rejected' },
  {
    name: 'a token without a nonce',
    run: (scene) => forge(scene, { nonce: undefined }),
    expected: 'rejected',
  },
  {
    name: 'a token that has expired',
    run: (scene) => forge(scene, { exp: 1_000_000_000 }),
    expected: 'rejected',
  },
  {
    name: 'a token without a signature',
    run: (scene) =>
      forge(
        scene,
        {},
        withIdToken((token) => `${encoded({ alg: 'none' })}.${payloadOf(token)}.`),
      ),
    expected: 'rejected',
  },
  {
    name: 'a token that is signed with the public key as a secret',
    run: (scene) => {
      const key = scene.a.mock.publicKey;
      return forge(
        scene,
        {},
        withIdToken((token) => {
          const signed = `${encoded({ alg: 'HS256', kid: key.kid })}.${payloadOf(token)}`;
          return `${signed}.${createHmac('sha256', JSON.stringify(key)).update(signed).digest('base64url')}`;
        }),
      );
    },
    expected: 'rejected',
  },
  {
    name: 'a token with changed claims',
    run: async (scene) => {
      await linkVictim(scene);
      const asVictim = withIdToken((token) => {
        const [header, payload, signature] = token.split('.');
        const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString());
        return `${header}.${encoded({ ...claims, sub: 'vera' })}.${signature}`;
      });
      return attempt(scene, { ...verified('mallory', newAddress()), change: asVictim });
    },
    expected: 'rejected',
  },
];

/** Accounts that are like that of the victim, or were it. */
const otherAccounts: readonly Attack[] = [
  {
    name: 'the subject of the victim at another provider',
    run: async (scene) => {
      await linkVictim(scene);
      return attempt(scene, verified('vera', newAddress()), scene.b);
    },
    expected: 'refused',
  },
  {
    name: 'the address of the victim at a second provider, which does not vouch for it',
    run: async (scene) => {
      await linkVictim(scene);
      return attempt(scene, claiming(scene), scene.b);
    },
    expected: 'check',
  },
  {
    name: 'a subject in other letters',
    run: async (scene) => {
      await linkVictim(scene, 'Vera');
      return attempt(scene, verified('vera', newAddress()));
    },
    expected: 'refused',
  },
  {
    name: 'a subject in another Unicode form',
    run: async (scene) => {
      await linkVictim(scene, 'v\u00e9ra');
      return attempt(scene, verified('ve\u0301ra', newAddress()));
    },
    expected: 'refused',
  },
  {
    name: 'a subject with a space',
    run: async (scene) => {
      await linkVictim(scene);
      return attempt(scene, verified('vera ', newAddress()));
    },
    expected: 'refused',
  },
  {
    name: 'an account that was deleted at the provider and created again by somebody else',
    run: async (scene) => {
      await linkVictim(scene);
      return attempt(scene, unverified('mallory-as-vera', scene.victim.email));
    },
    expected: 'check',
  },
  {
    name: 'a name and a label of the victim',
    run: async (scene) => {
      await linkVictim(scene);
      const claims = {
        preferred_username: scene.victim.email,
        name: scene.victim.email,
        upn: scene.victim.email,
      };
      return attempt(scene, { claims: { sub: 'mallory', ...claims } });
    },
    expected: 'refused',
  },
  {
    name: 'a verified address in one document, and the address of the victim in the other',
    run: (scene) =>
      attempt(scene, {
        claims: { sub: 'mallory', email: scene.victim.email },
        userInfo: { email: newAddress(), email_verified: true },
      }),
    expected: 'refused',
  },
  {
    name: 'claims of another account from the second document',
    run: async (scene) => {
      await linkVictim(scene);
      return attempt(scene, {
        claims: { sub: 'mallory' },
        userInfo: { sub: 'vera', email: scene.victim.email },
      });
    },
    expected: 'rejected',
  },
  {
    name: 'an address of the victim, verified, where addresses are never trusted',
    run: async (scene) => {
      await scene.site.patch(`/login-providers/${scene.a.id}`, { emailTrust: 'never' });
      return attempt(scene, verified('mallory', scene.victim.email));
    },
    expected: 'check',
  },
];

/** The attacker is a member too, whose account changes. */
const changedMembers: readonly Attack[] = [
  {
    name: 'the address of the account is changed to that of the victim, verified',
    run: async (scene) => {
      const { email } = await anAttackingMember(scene);
      await scene.attacker.logInWith(scene.a, verified('mallory', email));
      await scene.attacker.logInWith(scene.a, verified('mallory', scene.victim.email));
      return (await scene.attacker.email()) === email ? 'own account' : 'another account';
    },
    expected: 'own account',
  },
  {
    name: 'the address of the account is changed to that of the victim, not verified',
    run: async (scene) => {
      const { email } = await anAttackingMember(scene);
      await scene.attacker.logInWith(scene.a, verified('mallory', email));
      await scene.attacker.logInWith(scene.a, claiming(scene));
      return (await scene.attacker.email()) === email ? 'own account' : 'another account';
    },
    expected: 'own account',
  },
  {
    name: 'the attacker had the address before the victim was created with it',
    run: async (scene) => {
      const former = await anAttackingMember(scene);
      await scene.attacker.logInWith(scene.a, verified('mallory', former.email));
      await scene.site.delete(`/members/${former.id}`);
      expectResponse(
        'updateMember',
        await scene.site.patch(`/members/${scene.victim.id}`, { email: former.email }),
        200,
      );
      return attempt(scene, verified('mallory', newAddress()));
    },
    expected: 'refused',
  },
  {
    name: 'the victim gets the former address of the attacker',
    run: async (scene) => {
      const member = await anAttackingMember(scene);
      await scene.attacker.logInWith(scene.a, verified('mallory', member.email));
      await scene.site.patch(`/members/${member.id}`, { email: newAddress() });
      const change = { email: member.email };
      expectResponse('updateMember', await scene.site.patch(`/members/${scene.victim.id}`, change), 200);
      return attempt(scene, unverified('mallory', member.email));
    },
    expected: 'check',
  },
  {
    name: 'a blocked member logs in with a linked account',
    run: async (scene) => {
      const member = await anAttackingMember(scene);
      await scene.attacker.logInWith(scene.a, verified('mallory', member.email));
      await scene.site.patch(`/members/${member.id}`, { status: 'blocked' });
      return attempt(scene, verified('mallory', member.email));
    },
    expected: 'refused',
  },
  {
    name: 'an account is linked to a blocked member, who is then unblocked',
    run: async (scene) => {
      const member = await anAttackingMember(scene);
      await scene.site.patch(`/members/${member.id}`, { status: 'blocked' });
      await scene.attacker.logInWith(scene.a, verified('mallory', member.email));
      await scene.site.patch(`/members/${member.id}`, { status: 'active' });
      return attempt(scene, unverified('mallory', member.email));
    },
    expected: 'check',
  },
  {
    name: 'a provider that was deleted and created again',
    run: async (scene) => {
      const { email } = await anAttackingMember(scene);
      await scene.attacker.logInWith(scene.a, verified('mallory', email));
      await scene.site.delete(`/login-providers/${scene.a.id}`);
      const { id } = await anEnabledProvider(scene.site, { issuer: scene.a.mock.issuer });
      return attempt(scene, verified('mallory', newAddress()), { ...scene.a, id });
    },
    expected: 'refused',
  },
  {
    name: 'an account that is linked on another site',
    run: async (scene) => {
      await linkVictim(scene);
      const { site, providers } = await aProviderSite(scene.server, [scene.a.mock]);
      const elsewhere = new ProviderBrowser(site, scene.attacker.userAgent);
      return outcomeOf(await elsewhere.logInWith(providers[0]!, verified('vera', newAddress())));
    },
    expected: 'refused',
  },
];

/** Logins that are continued by another browser, twice, or with what belongs to another login. */
const foreignCallbacks: readonly Attack[] = [
  {
    name: 'the victim opens the callback of the attacker, to be logged in as the attacker',
    run: async (scene) => {
      const { email } = await anAttackingMember(scene);
      const callback = await scene.attacker.logInThere(scene.a, verified('mallory', email));
      return outcomeOf(await scene.victimBrowser.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'the victim opens the callback of the attacker, in the middle of an own login',
    run: async (scene) => {
      const callback = await scene.attacker.logInThere(scene.a, claiming(scene));
      await scene.victimBrowser.begin(scene.a);
      return outcomeOf(await scene.victimBrowser.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'the attacker opens the callback of the victim',
    run: async (scene) => {
      const { a, victim, victimBrowser, attacker } = scene;
      const callback = await victimBrowser.logInThere(a, verified('vera', victim.email));
      await attacker.begin(a);
      return outcomeOf(await attacker.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'a callback of the victim that the attacker has opened before still works for the victim',
    run: async (scene) => {
      const { a, victim, victimBrowser, attacker } = scene;
      const callback = await victimBrowser.logInThere(a, verified('vera', victim.email));
      await attacker.get(callback);
      return outcomeOf(await victimBrowser.get(callback));
    },
    expected: 'to /',
  },
  {
    name: 'the code of the victim in a login of the attacker',
    run: async (scene) => {
      const { a, victim, victimBrowser, attacker } = scene;
      const ofVictim = await victimBrowser.logInThere(a, verified('vera', victim.email));
      const own = await attacker.logInThere(a, verified('mallory', newAddress()));
      return outcomeOf(await attacker.get(withParameter(own, 'code', parameter(ofVictim, 'code'))));
    },
    expected: 'rejected',
  },
  {
    name: 'the state of the victim with the code of the attacker',
    run: async (scene) => {
      const { a, victim, victimBrowser, attacker } = scene;
      const ofVictim = await victimBrowser.logInThere(a, verified('vera', victim.email));
      const own = await attacker.logInThere(a, verified('mallory', newAddress()));
      return outcomeOf(await attacker.get(withParameter(own, 'state', parameter(ofVictim, 'state'))));
    },
    expected: 'expired',
  },
  {
    name: 'the code of the attacker is put into a login of the victim',
    run: async (scene) => {
      const { a, victim, victimBrowser, attacker } = scene;
      const { email } = await anAttackingMember(scene);
      const own = await attacker.logInThere(a, verified('mallory', email));
      const ofVictim = await victimBrowser.logInThere(a, verified('vera', victim.email));
      return outcomeOf(await victimBrowser.get(withParameter(ofVictim, 'code', parameter(own, 'code'))));
    },
    expected: 'rejected',
  },
  {
    name: 'a callback that was used before, after a logout',
    run: async (scene) => {
      const { email } = await anAttackingMember(scene);
      const callback = await scene.attacker.logInThere(scene.a, verified('mallory', email));
      await scene.attacker.get(callback);
      await scene.attacker.post('/_gatehouse/logout');
      return outcomeOf(await scene.attacker.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'a code that was used before, in a new login',
    run: async (scene) => {
      const { a, victim, victimBrowser, attacker } = scene;
      const used = await victimBrowser.logInThere(a, verified('vera', victim.email));
      await victimBrowser.get(used);
      const own = await attacker.logInThere(a, verified('mallory', newAddress()));
      return outcomeOf(await attacker.get(withParameter(own, 'code', parameter(used, 'code'))));
    },
    expected: 'rejected',
  },
  {
    name: 'the callback of one provider with the code of another',
    run: async (scene) => {
      await linkVictim(scene);
      const atA = await scene.attacker.logInThere(scene.a, verified('mallory', newAddress()));
      const atB = await scene.attacker.logInThere(scene.b, verified('vera', scene.victim.email));
      return outcomeOf(await scene.attacker.get(withParameter(atA, 'code', parameter(atB, 'code'))));
    },
    expected: 'rejected',
  },
  {
    name: 'the callback of one provider that names another (RFC 9207)',
    run: async (scene) => {
      const callback = await scene.attacker.logInThere(scene.a, verified('mallory', newAddress()));
      return outcomeOf(
        await scene.attacker.get(`${callback}&iss=${encodeURIComponent(scene.b.mock.issuer)}`),
      );
    },
    expected: 'rejected',
  },
  {
    name: 'a callback with two codes',
    run: async (scene) => {
      const { a, victim, victimBrowser, attacker } = scene;
      const ofVictim = await victimBrowser.logInThere(a, verified('vera', victim.email));
      const own = await attacker.logInThere(a, verified('mallory', newAddress()));
      return outcomeOf(await attacker.get(`${own}&code=${parameter(ofVictim, 'code')}`));
    },
    expected: 'rejected',
  },
  {
    name: 'a callback without the cookie of the browser',
    run: async (scene) => {
      const callback = await scene.attacker.logInThere(scene.a, verified('mallory', scene.victim.email));
      scene.attacker.cookies.clear();
      return outcomeOf(await scene.attacker.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'a callback with the cookie twice',
    run: async (scene) => {
      const callback = await scene.attacker.logInThere(scene.a, verified('mallory', newAddress()));
      const name = '__Host-gatehouse_login';
      const cookie = `${name}=${scene.attacker.cookies.get(name)}; ${name}=${'x'.repeat(43)}`;
      return outcomeOf(await scene.attacker.get(callback, { cookie }));
    },
    expected: 'expired',
  },
  {
    name: 'a callback on another site',
    run: async (scene) => {
      const { site } = await aProviderSite(scene.server, [scene.a.mock]);
      const callback = await scene.attacker.logInThere(scene.a, claiming(scene));
      const elsewhere = new ProviderBrowser(site, scene.attacker.userAgent);
      for (const [name, value] of scene.attacker.cookies) elsewhere.cookies.set(name, value);
      return outcomeOf(await elsewhere.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'a callback after ten minutes',
    run: async (scene) => {
      const callback = await scene.attacker.logInThere(scene.a, verified('mallory', newAddress()));
      await expire(scene, 'provider_logins');
      return outcomeOf(await scene.attacker.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'a callback that a script of another page fetches',
    run: async (scene) => {
      const callback = await scene.victimBrowser.logInThere(scene.a, verified('mallory', newAddress()));
      const headers = {
        'sec-fetch-dest': 'empty',
        'sec-fetch-mode': 'cors',
        'sec-fetch-site': 'same-origin',
      };
      return outcomeOf(await scene.victimBrowser.get(callback, headers));
    },
    expected: 'forbidden',
  },
  {
    name: 'a login that another site begins',
    run: async ({ victimBrowser, a }) =>
      outcomeOf(
        await victimBrowser.post(`/_gatehouse/login/with/${a.id}`, {}, { 'sec-fetch-site': 'cross-site' }),
      ),
    expected: 'forbidden',
  },
  {
    name: 'a callback with a code that nobody gave, which does not tell whether the state exists',
    run: async ({ a, attacker }) =>
      outcomeOf(await attacker.get(`${providerCallbackPath(a.mock.issuer)}?code=x&state=${'x'.repeat(43)}`)),
    expected: 'expired',
  },
];

/** What an operator changes while a login is under way. */
const changedProviders: readonly Attack[] = [
  {
    name: 'a provider that was disabled meanwhile',
    run: async (scene) => {
      await linkVictim(scene);
      const callback = await scene.attacker.logInThere(scene.a, verified('vera', scene.victim.email));
      await scene.site.patch(`/login-providers/${scene.a.id}`, { enabled: false });
      return outcomeOf(await scene.attacker.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'a provider that was deleted meanwhile',
    run: async (scene) => {
      await linkVictim(scene);
      const callback = await scene.attacker.logInThere(scene.a, verified('vera', scene.victim.email));
      await scene.site.delete(`/login-providers/${scene.a.id}`);
      return outcomeOf(await scene.attacker.get(callback));
    },
    expected: 'expired',
  },
  {
    name: 'a secret that was changed meanwhile',
    run: async (scene) => {
      const callback = await scene.attacker.logInThere(scene.a, verified('mallory', newAddress()));
      await scene.site.patch(`/login-providers/${scene.a.id}`, { secret: 'another-secret' });
      return outcomeOf(await scene.attacker.get(callback));
    },
    expected: 'rejected',
  },
  {
    name: 'a trust in addresses that was withdrawn meanwhile',
    run: async (scene) => {
      const callback = await scene.attacker.logInThere(scene.a, verified('mallory', scene.victim.email));
      await scene.site.patch(`/login-providers/${scene.a.id}`, { emailTrust: 'never' });
      return outcomeOf(await scene.attacker.get(callback));
    },
    expected: 'check',
  },
];

/** An account with the address of the victim waits for a press by the victim. */
const waitingAccounts: readonly Attack[] = [
  {
    name: 'the victim presses the link of the email elsewhere',
    run: async (scene) => {
      const { server, a, victim, victimBrowser, attacker } = scene;
      await attacker.logInWith(a, claiming(scene));
      await victimBrowser.useLinkTo(server, victim.email);
      return attempt(scene, claiming(scene));
    },
    expected: 'check',
  },
  {
    name: 'the victim presses the link elsewhere, and the attacker opens the page that links',
    run: async (scene) => {
      const { server, a, victim, victimBrowser, attacker } = scene;
      await attacker.logInWith(a, claiming(scene));
      await victimBrowser.useLinkTo(server, victim.email);
      return outcomeOf(await attacker.answerLinking('link'));
    },
    expected: 'to /',
  },
  {
    name: 'the victim is asked nothing after a press elsewhere',
    run: async (scene) => {
      await scene.attacker.logInWith(scene.a, claiming(scene));
      return outcomeOf(await scene.victimBrowser.useLinkTo(scene.server, scene.victim.email));
    },
    expected: 'to /',
  },
  {
    name: 'the victim sends the form that links, with an account that waits in another browser',
    run: async (scene) => {
      await scene.attacker.logInWith(scene.a, claiming(scene));
      await scene.victimBrowser.useLinkTo(scene.server, scene.victim.email);
      const { text } = await scene.victimBrowser.get('/_gatehouse/account');
      const [, formKey = ''] = /name="formKey" value="([^"]*)"/.exec(text) ?? [];
      return outcomeOf(
        await scene.victimBrowser.post('/_gatehouse/link-account', { formKey, answer: 'link' }),
      );
    },
    expected: 'account taken',
  },
  {
    name: 'the attacker guesses the code of the email',
    run: async (scene) => {
      await scene.attacker.logInWith(scene.a, claiming(scene));
      return outcomeOf(await scene.attacker.post('/_gatehouse/code', { code: '000000' }));
    },
    expected: 'bad request',
  },
  {
    name: 'an account that has waited for too long in the browser of the victim',
    run: async (scene) => {
      await scene.victimBrowser.logInWith(scene.a, claiming(scene));
      await expire(scene, 'pending_identities');
      return outcomeOf(await scene.victimBrowser.useLinkTo(scene.server, scene.victim.email));
    },
    expected: 'to /',
  },
  {
    name: 'an account with the address of the victim in a session of another member',
    run: async (scene) => {
      const { server, a, attacker } = scene;
      const { email } = await anAttackingMember(scene);
      await attacker.logInWith(a, claiming(scene));
      const name = '__Host-gatehouse_login';
      const token = attacker.cookies.get(name)!;
      await attacker.logInByEmail(server, email);
      attacker.cookies.set(name, token);
      const { text } = await attacker.get('/_gatehouse/account');
      const [, formKey = ''] = /name="formKey" value="([^"]*)"/.exec(text) ?? [];
      return outcomeOf(await attacker.post('/_gatehouse/link-account', { formKey, answer: 'link' }));
    },
    expected: 'account taken',
  },
  {
    name: 'an account that somebody uses in the browser in which the victim is logged in',
    run: async (scene) => {
      const { server, a, victim, victimBrowser } = scene;
      await victimBrowser.logInByEmail(server, victim.email);
      await sleepOneMillisecond();
      await victimBrowser.logInWith(a, claiming(scene));
      const { text } = await victimBrowser.get('/_gatehouse/account');
      const [, formKey = ''] = /name="formKey" value="([^"]*)"/.exec(text) ?? [];
      return outcomeOf(await victimBrowser.post('/_gatehouse/link-account', { formKey, answer: 'link' }));
    },
    expected: 'account taken',
  },
  {
    name: 'the form that links, without the key of the page',
    run: async (scene) => {
      await scene.victimBrowser.logInWith(scene.a, claiming(scene));
      await scene.victimBrowser.useLinkTo(scene.server, scene.victim.email);
      return outcomeOf(await scene.victimBrowser.post('/_gatehouse/link-account', { answer: 'link' }));
    },
    expected: 'forbidden',
  },
  {
    name: 'an account that the victim does not want to link',
    run: async (scene) => {
      await scene.victimBrowser.logInWith(scene.a, claiming(scene));
      await scene.victimBrowser.useLinkTo(scene.server, scene.victim.email);
      await scene.victimBrowser.answerLinking('not_now');
      return attempt(scene, claiming(scene));
    },
    expected: 'check',
  },
];

/** Links that begin on the account page. */
const accountPages: readonly Attack[] = [
  {
    name: 'the victim opens the callback of an account that the attacker links',
    run: async (scene) => {
      const { server, a, victim, victimBrowser, attacker } = scene;
      const { email } = await anAttackingMember(scene);
      await attacker.logInByEmail(server, email);
      const callback = await attacker.linkThere(a, verified('mallory', email));
      await victimBrowser.logInByEmail(server, victim.email);
      return outcomeOf(await victimBrowser.get(callback));
    },
    expected: 'to /',
  },
  {
    name: 'the victim logs in in the browser in which the attacker has begun to link',
    run: async (scene) => {
      const { server, a, victim } = scene;
      const shared = scene.victimBrowser;
      const { email } = await anAttackingMember(scene);
      await shared.logInByEmail(server, email);
      const callback = await shared.linkThere(a, verified('mallory', email));
      const cookie = shared.cookies.get('__Host-gatehouse_login')!;
      await shared.post('/_gatehouse/logout');
      await shared.logInByEmail(server, victim.email);
      shared.cookies.set('__Host-gatehouse_login', cookie);
      return outcomeOf(await shared.get(callback));
    },
    expected: 'account taken',
  },
  {
    name: 'an account of the victim, linked by another member',
    run: async (scene) => {
      const { server, a, victim, attacker } = scene;
      await linkVictim(scene);
      const { email } = await anAttackingMember(scene);
      await attacker.logInByEmail(server, email);
      return outcomeOf(await attacker.get(await attacker.linkThere(a, verified('vera', victim.email))));
    },
    expected: 'account taken',
  },
  {
    name: 'a link that begins in a session of a provider',
    run: async (scene) => {
      const { a, b, attacker } = scene;
      const { email } = await anAttackingMember(scene);
      await attacker.logInWith(a, verified('mallory', email));
      return outcomeOf(await attacker.submit('/_gatehouse/account/identities/link', { provider: b.id }));
    },
    expected: 'account login_not_recent',
  },
  {
    name: 'a link that begins without the key of the page',
    run: async (scene) => {
      const { server, a, victim, victimBrowser } = scene;
      await victimBrowser.logInByEmail(server, victim.email);
      return outcomeOf(await victimBrowser.post('/_gatehouse/account/identities/link', { provider: a.id }));
    },
    expected: 'forbidden',
  },
  {
    name: 'the removal of an account of another member',
    run: async (scene) => {
      const { server, attacker, victim } = scene;
      await linkVictim(scene);
      const { email } = await anAttackingMember(scene);
      await attacker.logInByEmail(server, email);
      const [identity] = await server.database.all<{ id: string }>(
        sql`SELECT id FROM member_identities WHERE site_id = ${scene.site.siteId} AND member_id = ${victim.id}`,
      );
      await attacker.submit('/_gatehouse/account/identities/delete', { id: identity!.id });
      const left = await server.database.all(
        sql`SELECT id FROM member_identities WHERE site_id = ${scene.site.siteId} AND member_id = ${victim.id}`,
      );
      return `${left.length} left`;
    },
    expected: '1 left',
  },
];

/** Apple posts its result without the cookies of the browser. */
const postedCodes: readonly Attack[] = [
  {
    name: 'Apple: the attacker posts a code to a login of the victim',
    run: async (scene) => {
      const { victim, victimBrowser, attacker } = scene;
      const apple = await likeApple(scene);
      const ofVictim = await victimBrowser.logInThere(apple, verified('vera', victim.email));
      const own = await attacker.logInThere(apple, verified('mallory', newAddress()));
      return postAndReturn(attacker, victimBrowser, parameter(own, 'code'), ofVictim);
    },
    expected: 'rejected',
  },
  {
    name: 'Apple: the attacker posts a second code after the first',
    run: async (scene) => {
      const { victim, victimBrowser, attacker } = scene;
      const apple = await likeApple(scene);
      const ofVictim = await victimBrowser.logInThere(apple, verified('vera', victim.email));
      const own = await attacker.logInThere(apple, verified('mallory', newAddress()));
      await post(victimBrowser, parameter(ofVictim, 'code'), ofVictim);
      return postAndReturn(attacker, victimBrowser, parameter(own, 'code'), ofVictim);
    },
    expected: 'to /',
  },
  {
    name: 'Apple: the victim opens the page after a post of the attacker',
    run: async (scene) => {
      const { victimBrowser, attacker } = scene;
      const apple = await likeApple(scene);
      const own = await attacker.logInThere(apple, claiming(scene));
      return postAndReturn(attacker, victimBrowser, parameter(own, 'code'), own);
    },
    expected: 'expired',
  },
  {
    name: 'a code that is posted to a login at another provider',
    run: async (scene) => {
      const { a, victim, victimBrowser, attacker } = scene;
      const ofVictim = await victimBrowser.logInThere(a, verified('vera', victim.email));
      const own = await attacker.logInThere(a, verified('mallory', newAddress()));
      return postAndReturn(attacker, victimBrowser, parameter(own, 'code'), ofVictim);
    },
    expected: 'rejected',
  },
];

/** The first provider leads the victim, who logs in with it, on to the second one (RFC 9700, section 4.4.1). */
const mixedUpProviders: readonly Attack[] = [
  {
    name: 'a mix-up: the code of the second provider, at its own path, with the state of the first',
    run: async (scene) => outcomeOf(await scene.victimBrowser.get(await mixUp(scene))),
    expected: 'expired',
  },
  {
    name: 'a mix-up: the code of the second provider, at the path of the first, with the state of the first',
    run: async (scene) => {
      const callback = await mixUp(scene);
      return outcomeOf(await scene.victimBrowser.get(atPathOf(scene.a, callback)));
    },
    expected: 'rejected',
  },
  {
    name: 'a mix-up that was refused, once more at the path of the first',
    run: async (scene) => {
      const callback = await mixUp(scene);
      await scene.victimBrowser.get(callback);
      return outcomeOf(await scene.victimBrowser.get(atPathOf(scene.a, callback)));
    },
    expected: 'expired',
  },
  {
    name: 'a mix-up at a path that only begins like that of the first',
    run: async (scene) => {
      const [path, query] = atPathOf(scene.a, await mixUp(scene)).split('?');
      return outcomeOf(await scene.victimBrowser.get(`${path}/?${query}`));
    },
    expected: 'expired',
  },
  {
    name: 'Apple: a mix-up whose code is posted to the path of the second provider',
    run: async (scene) => {
      const { b, victim, victimBrowser } = scene;
      const apple = await likeApple(scene);
      const ofVictim = await victimBrowser.logInThere(apple, verified('vera', victim.email));
      const callback = atPathOf(b, ofVictim);
      return postAndReturn(victimBrowser, victimBrowser, parameter(ofVictim, 'code'), callback);
    },
    expected: 'expired',
  },
];

/** Groups that a provider names. */
const namedGroups: readonly Attack[] = [
  {
    name: 'groups that are not mapped, by name and by id',
    run: async (scene) => {
      const [mapped, board] = [await aGroup(scene.site), await aGroup(scene.site)];
      return groupsOf(scene, mapped.id, ['staff', board.id, board.name, '*', 'STAFF', ' staff']);
    },
    expected: '1 group',
  },
  {
    name: 'a group of a source',
    run: async (scene) => {
      const [mapped, scope] = [await aGroup(scene.site), await aScopeGroup(scene.server, scene.site)];
      return groupsOf(scene, mapped.id, ['staff', scope.id, scope.name]);
    },
    expected: '1 group',
  },
  {
    name: 'groups in a claim that stands elsewhere',
    run: async (scene) => {
      const mapped = await aGroup(scene.site);
      return groupsOf(scene, mapped.id, ['staff'], { _claim_names: { groups: 'src1' } });
    },
    expected: '0 groups',
  },
  {
    name: 'a group that only the other provider maps',
    run: async (scene) => {
      const mapped = await aGroup(scene.site);
      return groupsOf(scene, mapped.id, ['staff'], {}, scene.b);
    },
    expected: '0 groups',
  },
];

export const providerTakeovers: readonly Attack[] = [
  ...unverifiedAddresses,
  ...similarAddresses,
  ...forgedTokens,
  ...otherAccounts,
  ...changedMembers,
  ...foreignCallbacks,
  ...changedProviders,
  ...waitingAccounts,
  ...accountPages,
  ...postedCodes,
  ...mixedUpProviders,
  ...namedGroups,
];

function parameter(path: string, name: string): string {
  return new URL(path, 'https://site.example').searchParams.get(name)!;
}

/** Where the second provider sends the victim back to, whom the first has led there with the state of its own login. */
async function mixUp({ a, b, victim, victimBrowser }: Scene): Promise<string> {
  const page = new URL(await victimBrowser.begin(a));
  page.host = new URL(b.mock.issuer).host;
  const { origin } = new URL(page.searchParams.get('redirect_uri')!);
  page.searchParams.set('redirect_uri', origin + providerCallbackPath(b.mock.issuer));
  return pathOf(await b.mock.authorize(page.href, verified('vera', victim.email)));
}

/** A callback that comes to the path of a provider. */
function atPathOf({ mock }: TestProvider, callback: string): string {
  return providerCallbackPath(mock.issuer) + callback.slice(callback.indexOf('?'));
}

function withParameter(path: string, name: string, value: string): string {
  const url = new URL(path, 'https://site.example');
  url.searchParams.set(name, value);
  return pathOf(url);
}

async function expire(
  { server, site }: Scene,
  table: 'provider_logins' | 'pending_identities',
): Promise<void> {
  const past = '2020-01-01T00:00:00.000Z';
  const { siteId } = site;
  await server.database.run(
    table === 'provider_logins'
      ? sql`UPDATE provider_logins SET expires_at = ${past} WHERE site_id = ${siteId}`
      : sql`UPDATE pending_identities SET expires_at = ${past} WHERE site_id = ${siteId}`,
  );
}

/** A session and an account of the same millisecond would count as one after the other. */
async function sleepOneMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
}

let appleKey: Promise<string> | undefined;

/** A provider of Apple's type, whose servers are those of the first provider. */
async function likeApple({ server, site, a }: Scene): Promise<TestProvider> {
  appleKey ??= generateKeyPair('ES256', { extractable: true }).then(({ privateKey }) =>
    exportPKCS8(privateKey),
  );
  await site.delete(`/login-providers/${a.id}`);
  const values = {
    type: 'apple',
    secret: await appleKey,
    teamId: 'TEAM123456',
    privateKeyId: 'KEY1234567',
  } as const;
  const { id } = await anEnabledProvider(site, values);
  await server.database.run(
    sql`UPDATE login_providers SET issuer = ${a.mock.issuer} WHERE site_id = ${site.siteId} AND id = ${id}`,
  );
  return { ...a, id };
}

/** As the page of Apple does it in a browser: from another site, so without cookies. */
function post(browser: ProviderBrowser, code: string, callback: string) {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://appleid.apple.com', cookie: '' };
  const [path] = callback.split('?');
  return browser.post(path!, { code, state: parameter(callback, 'state') }, headers);
}

/** One browser posts a code with the state of a callback; the other opens the page that follows. */
async function postAndReturn(
  posting: ProviderBrowser,
  returning: ProviderBrowser,
  code: string,
  callback: string,
): Promise<string> {
  const { headers } = await post(posting, code, callback);
  return outcomeOf(await returning.get(headers.location!));
}

/** In how many groups a member is after a login with groups, of which `staff` is mapped by the first provider. */
async function groupsOf(
  scene: Scene,
  mappedId: string,
  groups: readonly string[],
  more: Claims = {},
  provider = scene.a,
): Promise<string> {
  const { site, attacker } = scene;
  const { id, email } = await anAttackingMember(scene);
  const groupMap = [{ value: 'staff', accessGroupId: mappedId }];
  const { a, b } = scene;
  expectResponse(
    'updateLoginProvider',
    await site.patch(`/login-providers/${a.id}`, { groupsClaim: 'groups', groupMap }),
    200,
  );
  await site.patch(`/login-providers/${b.id}`, { groupsClaim: 'groups' });
  await attacker.logInWith(provider, verified('mallory', email, { groups, ...more }));
  const member: MemberWithGroups = (await site.get(`/members/${id}`)).body.data;
  const count = member.accessGroups.length;
  return count === 1 && member.accessGroups[0]!.id === mappedId ? '1 group' : `${count} groups`;
}
