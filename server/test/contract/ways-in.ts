import { randomUUID } from 'node:crypto';
import type {
  CreateInvitation,
  CreateLoginProvider,
  CreatePageCode,
  Identity,
  Invitation,
  LoginProvider,
  PageCode,
} from '@gatehouse/contract';
import type { TestSite } from '../test-server.ts';
import { expectResponse } from './answers.ts';
import { aDomain } from './given.ts';

/** An invitation; by default for everyone who has its link. */
export async function anInvitation(site: TestSite, values: CreateInvitation = {}): Promise<Invitation> {
  await aDomain(site);
  return expectResponse('createInvitation', await site.post('/invitations', values), 201).data;
}

/** An invitation for an email address of its own, which was not sent. */
export function aPersonalInvitation(site: TestSite): Promise<Invitation> {
  return anInvitation(site, { email: `i-${randomUUID()}@example.com`, send: false });
}

/** A page code, created through the API. */
export async function aPageCode(site: TestSite, values: Partial<CreatePageCode> = {}): Promise<PageCode> {
  const answer = await site.post('/page-codes', { label: 'Class 7b', ...values });
  return expectResponse('createPageCode', answer, 201).data;
}

/** The fields of a new login provider, by default at an issuer that does not respond. */
export function loginProviderFields(values: Partial<CreateLoginProvider> = {}): CreateLoginProvider {
  const { type = 'oidc' } = values;
  return {
    type,
    name: 'Club account',
    ...(type === 'oidc' && { issuer: `http://127.0.0.1:65535/${randomUUID()}` }),
    clientId: 'gatehouse',
    secret: 'a-secret-of-the-provider',
    ...values,
  };
}

/** A login provider, created with a key that may do so. */
export async function aLoginProvider(
  site: TestSite,
  values: Partial<CreateLoginProvider> = {},
): Promise<LoginProvider> {
  const { secret } = await site.createKey({ permissions: ['login-providers:write', 'login-links:write'] });
  const answer = await site.request('POST', '/login-providers', {
    body: loginProviderFields(values),
    headers: { authorization: `Bearer ${secret}` },
  });
  return expectResponse('createLoginProvider', answer, 201).data;
}

/** An account of a member at a login provider, which was linked as by a login. */
export async function anIdentity(site: TestSite, memberId: string): Promise<Identity> {
  await site.storeIdentity(memberId, await aLoginProvider(site));
  const answer = await site.get(`/members/${memberId}/identities`);
  return expectResponse('listMemberIdentities', answer, 200).data[0];
}
