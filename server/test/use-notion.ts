import type { Source } from '@gatehouse/contract';
import { afterAll, beforeAll } from 'vitest';
import { expectResponse } from './contract/answers.ts';
import { type NotionServer, startNotionServer } from './notion-server.ts';
import type { Store } from './stores.ts';
import type { TestServer, TestServerOptions, TestSite } from './test-server.ts';
import { useTestServer } from './use-server.ts';

/** A workspace of Notion for the tests of a file on one store, and a server that reads it. */
export function useNotion(store: Store, options: Pick<TestServerOptions, 'log'> = {}) {
  let started: NotionServer | undefined;
  beforeAll(async () => {
    started = await startNotionServer();
  });
  afterAll(() => started?.close());
  const server: TestServer = useTestServer(store, {
    ...options,
    settings: {
      get notionUrl() {
        return started!.url;
      },
    },
  });
  const notion = new Proxy({} as NotionServer, {
    get: (_, name) => {
      const value = Reflect.get(started!, name);
      return typeof value === 'function' ? value.bind(started) : value;
    },
    set: (_, name, value) => Reflect.set(started!, name, value),
  });

  async function aSource(site: TestSite): Promise<Source> {
    const body = { type: 'notion', name: 'Workspace', token: notion.token };
    return expectResponse('createSource', await site.post('/sources', body), 201).data;
  }

  return { server, notion, aSource };
}
