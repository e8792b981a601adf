import { randomUUID } from 'node:crypto';
import type { CreateInvitation, Invitation } from '@gatehouse/contract';
import { type Redemption, redeemInvitation } from '../src/domain/invitations/redemption.ts';
import { lockMemberByEmail } from '../src/domain/members/member-lookup.ts';
import { changing } from './change.ts';
import { expectResponse } from './contract/answers.ts';
import { aDomain } from './contract/given.ts';
import type { TestServer, TestSite } from './test-server.ts';

/** A site to which links can lead. */
export async function aSiteWithDomain(server: TestServer): Promise<TestSite> {
  const site = await server.createSite();
  await aDomain(site);
  return site;
}

/** An invitation on a site with a domain, made with a key of the site. */
export async function invite(
  site: TestSite,
  values: CreateInvitation = {},
  headers?: Record<string, string>,
): Promise<Invitation> {
  return expectResponse('createInvitation', await site.post('/invitations', values, headers), 201).data;
}

/** An invitation as the API shows it now. */
export async function readInvitation(site: TestSite, { id }: { readonly id: string }): Promise<Invitation> {
  return expectResponse('getInvitation', await site.get(`/invitations/${id}`), 200).data;
}

export function anAddress(): string {
  return `${randomUUID()}@example.com`;
}

/** Joins as the login does once the address is verified. */
export function redeem(
  { database }: Pick<TestServer, 'database'>,
  { siteId }: Pick<TestSite, 'siteId'>,
  { id }: { readonly id: string },
  email: string,
): Promise<Redemption> {
  return changing(database, siteId, async (change) =>
    redeemInvitation(change, id, email, await lockMemberByEmail(change, email)),
  );
}
