import { existsSync } from 'node:fs';
import path from 'node:path';
import { loginProviderTypes } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { helpAddress } from '../../app/shell/help-pages.ts';
import { providerTypeNames, providerTypes } from './provider-types.ts';
import { correctedIssuer, fieldOf, newProviderValues, toNewProvider, toSettings } from './provider-values.ts';

const docs = path.resolve(import.meta.dirname, '../../../../docs');

test('every type of the contract can be set up', () => {
  expect([...providerTypeNames].sort()).toEqual([...loginProviderTypes].sort());
});

test.each(providerTypeNames)('the guides for %s are pages of the documentation', (type) => {
  const { guide, servers = [] } = providerTypes[type];
  for (const page of [guide, ...servers.map((server) => server.guide)])
    expect(existsSync(path.join(docs, page.replace(/\.html$/, '.md')))).toBe(true);
});

test('the guide that the set-up of a type shows is its help, too', () => {
  for (const [type, { guide }] of Object.entries(providerTypes))
    expect(helpAddress('/$site/settings/login/new', type)).toBe(`/help/${guide}`);
});

test('a new provider is sent with the fields of its type only, without spaces around them', () => {
  const values = {
    ...newProviderValues('Google'),
    clientId: ' gatehouse ',
    secret: 's3cret\n',
    issuer: 'https://id.example.org',
    tenant: 'left over',
  };
  const shared = {
    name: 'Google',
    clientId: 'gatehouse',
    secret: 's3cret',
    emailTrust: 'claim',
    groupsClaim: null,
    groupMap: [],
  };
  expect(toNewProvider('google', values)).toEqual({ type: 'google', ...shared });
  const withIssuer = { type: 'oidc', ...shared, issuer: 'https://id.example.org' };
  expect(toNewProvider('oidc', values)).toEqual(withIssuer);
  const issuer = ' https://id.example.org/.well-known/openid-configuration ';
  expect(toNewProvider('oidc', { ...values, issuer })).toEqual(withIssuer);
});

test('an issuer is corrected by a slash at its end, and by nothing else', () => {
  const url = 'https://club.auth0.com/.well-known/openid-configuration';
  expect(correctedIssuer(url, 'https://club.auth0.com/')).toBe('https://club.auth0.com/');
  expect(correctedIssuer('https://id.example.org/', 'https://id.example.org')).toBe('https://id.example.org');
  for (const named of [null, 'https://club.auth0.com', 'https://other.auth0.com/']) {
    expect(correctedIssuer(url, named)).toBeUndefined();
  }
});

test('groups are sent only with the claim that they follow', () => {
  const row = { key: '1', value: ' rowers ', accessGroupId: 'group-1' };
  const values = { ...newProviderValues('Club'), groupMap: [row] };
  expect(toSettings('oidc', values)).toMatchObject({ groupsClaim: null, groupMap: [] });
  expect(toSettings('oidc', { ...values, groupsClaim: ' groups ' })).toMatchObject({
    groupsClaim: 'groups',
    groupMap: [{ value: 'rowers', accessGroupId: 'group-1' }],
  });
});

test('an error is shown at the field that it is about, if the type has it', () => {
  expect(fieldOf('oidc', '/issuer')).toBe('issuer');
  expect(fieldOf('microsoft', '/issuer')).toBe('tenant');
  expect(fieldOf('google', '/issuer')).toBeUndefined();
  expect(fieldOf('apple', '/privateKeyId')).toBe('privateKeyId');
  expect(fieldOf('oidc', '/groupMap/2/value')).toBe('groupMap.2.value');
  expect(fieldOf('oidc', '/groupMap/2')).toBe('groupMap.2.value');
});
