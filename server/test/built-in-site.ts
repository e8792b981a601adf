import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AccessRule, permissions } from '@gatehouse/contract';
import { afterAll, expect } from 'vitest';
import type { Settings } from '../src/app/settings/settings.ts';
import { makeSite } from './faults/gatehouse-process.ts';
import type { Api } from './gate/club.ts';
import { type ProxiedSite, Visitor } from './gate/visitor.ts';
import type { Store } from './stores.ts';
import { send, startTestServer, type TestServer } from './test-server.ts';

export const siteHost = 'club.example.org';

/** A site that Gatehouse serves itself, at `http://club.example.org`. */
export interface BuiltInSite {
  readonly server: TestServer;
  readonly site: ProxiedSite;
  readonly api: Api;
  setRules(...rules: AccessRule[]): Promise<void>;
  anonymous(): Visitor;
  /** A new member, with a browser in which the member is logged in. */
  memberWith(fields?: object): Promise<{ id: string; visitor: Visitor }>;
}

export async function startBuiltInSite(
  store: Store,
  settings: Partial<Settings>,
  log?: (line: string) => void,
): Promise<BuiltInSite> {
  const databaseUrl = await store.freshUrl();
  const { key } = await makeSite(databaseUrl, { permissions });
  const options = { rateLimit: 0, loginLimitClient: 0, ...settings };
  const server = await startTestServer(store, { databaseUrl, settings: options, ...(log && { log }) });
  const api: Api = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await send(server.apiUrl + path, method, { headers, ...(body !== undefined && { body }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  await api('PATCH', '/site', { domain: siteHost, scheme: 'http' });
  const site = { port: server.sitePort!, host: siteHost };
  let members = 0;
  return {
    server,
    site,
    api,
    setRules: async (...rules) => void (await api('PUT', '/access-rules', { rules })),
    anonymous: () => new Visitor(site),
    memberWith: async (fields = {}) => {
      members += 1;
      const created = await api('POST', '/members', { email: `member-${members}@example.com`, ...fields });
      const { id } = created.body.data;
      const link = await api('POST', `/members/${id}/login-links`, { send: false });
      const visitor = new Visitor(site);
      const pressed = await visitor.post(new URL(link.body.data.url).pathname, {});
      expect(pressed.status, pressed.text).toBe(303);
      return { id, visitor };
    },
  };
}

/** An empty folder for the tests of a file. */
export function folderOfTests(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-site-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
