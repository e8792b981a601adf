import { randomUUID } from 'node:crypto';
import type { CreateInvitation, Invitation, JoinRequest, Site } from '@gatehouse/contract';
import { expect } from 'vitest';
import { expectResponse } from './contract/answers.ts';
import { aDomain, everyItem } from './contract/given.ts';
import { noEmailLimits, type TestServer, type TestSite, type VisitResponse } from './test-server.ts';
import { emailTo, Visitor } from './visitor.ts';

/** For servers of tests in which many people join. */
export const unlimitedJoining = {
  loginLimit: 0,
  loginLimitClient: 0,
  emailLimits: noEmailLimits,
} as const;

export const anAddress = () => `j-${randomUUID()}@example.com`;

/** A site where people can ask to join. */
export async function anOpenSite(
  server: Pick<TestServer, 'createSite'>,
  changes: Partial<Pick<Site, 'allowsAccessRequests' | 'signUp'>> = {},
): Promise<TestSite> {
  const site = await server.createSite();
  await aDomain(site);
  const signUp = { policy: 'approval', domains: [] } as const;
  expectResponse('updateSite', await site.patch('/site', { signUp, ...changes }), 200);
  return site;
}

export async function anInvitation(site: TestSite, values: CreateInvitation = {}): Promise<Invitation> {
  await aDomain(site);
  return expectResponse('createInvitation', await site.post('/invitations', values), 201).data;
}

/** The path of the page of an invitation for everyone. */
export function pathOf({ url }: Invitation): string {
  return new URL(url!).pathname;
}

/** Opens a page on which people join, and sends its form. */
export async function sendJoinForm(
  visitor: Visitor,
  path: string,
  form: Record<string, string>,
): Promise<VisitResponse> {
  expect((await visitor.get(path)).status).toBe(200);
  return visitor.post(path.split('?')[0]!, form);
}

/** Opens the link in the newest email to an address, and presses its button. */
export async function pressLink(
  server: Pick<TestServer, 'database'>,
  visitor: Visitor,
  email: string,
  form: Record<string, string> = {},
): Promise<VisitResponse> {
  const { path } = await emailTo(server, email);
  expect((await visitor.get(path)).status).toBe(200);
  return visitor.post(path, form);
}

/** A person who asks to join, and confirms the address. */
export async function aJoinRequest(
  server: Pick<TestServer, 'database'>,
  site: TestSite,
  { email = anAddress(), path = '/_gatehouse/join', ...fields }: Record<string, string> = {},
): Promise<JoinRequest> {
  const visitor = new Visitor(site);
  await sendJoinForm(visitor, path, { email, ...fields });
  expect((await pressLink(server, visitor, email)).status).toBe(200);
  const request = (await joinRequestsOf(site)).find((each) => each.email === email);
  return request!;
}

export async function joinRequestsOf(site: TestSite): Promise<JoinRequest[]> {
  return everyItem(site, '/join-requests');
}
