import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { defaultIdentityHeaders, type HeaderEncoding } from '@gatehouse/contract/identity-headers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aDomain, aGroup, aMember, aSession } from '../../../../test/contract/given.ts';
import { forOneStore } from '../../../../test/stores.ts';
import { visit } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';

const guide = readFileSync(
  new URL('../../../../../docs/guides/identity-headers.md', import.meta.url),
  'utf8',
);
const expected = { name: 'Zoë 100 % + コース', groups: ['0', 'Rudern, früh', 'a%2Cb + c'] };

interface ReceivedHeaders {
  readonly name: string;
  readonly groups: string;
}

/** The example of the guide for `percent`, or the one for `utf8`. */
function exampleOf(language: string, encoding: HeaderEncoding): string {
  const examples = guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  const [percent, utf8] = [...examples].map(([, code]) => code!);
  return encoding === 'percent' ? percent! : utf8!;
}

/** Runs an example with headers as Node and WSGI read them, in Latin-1. */
const programs: Readonly<Record<string, (code: string, headers: ReceivedHeaders) => unknown>> = {
  js: (code, { name, groups }) => {
    const values: Record<string, string> = { 'Remote-Name': name, 'Remote-Groups': groups };
    const request = { get: (header: string) => values[header] };
    const result = runInNewContext(`${code}\nJSON.stringify({ name, groups })`, { request, Buffer });
    return JSON.parse(result);
  },
  php: (code, { name, groups }) => {
    const bytes = (value: string) => `base64_decode('${Buffer.from(value, 'latin1').toString('base64')}')`;
    const server = `$_SERVER['HTTP_REMOTE_NAME'] = ${bytes(name)}; $_SERVER['HTTP_REMOTE_GROUPS'] = ${bytes(groups)};`;
    const result = "echo json_encode(['name' => $name, 'groups' => array_values($groups)]);";
    return JSON.parse(execFileSync('php', ['-r', `${server}\n${code}\n${result}`], { encoding: 'utf8' }));
  },
  python: (code, { name, groups }) => {
    const environ = JSON.stringify({ HTTP_REMOTE_NAME: name, HTTP_REMOTE_GROUPS: groups });
    const script = `import json, sys\nenviron = json.load(sys.stdin)\n${code}\nprint(json.dumps({'name': name, 'groups': groups}))`;
    return JSON.parse(execFileSync('python3', ['-c', script], { input: environ, encoding: 'utf8' }));
  },
};

const isMissing: Readonly<Record<string, boolean>> = {
  js: false,
  php: spawnSync('php', ['-v']).error !== undefined,
  python: spawnSync('python3', ['-c', 'import json']).status !== 0,
};

forOneStore((store) => {
  const server = useTestServer(store, { settings: { trustedProxies: ['127.0.0.1'] } });
  const received = new Map<HeaderEncoding, ReceivedHeaders>();
  beforeAll(async () => {
    const site = await server.createSite();
    const host = await aDomain(site);
    const groups = await Promise.all(expected.groups.map((name) => aGroup(site, { name })));
    const accessGroupIds = groups.map(({ id }) => id);
    const { id } = await aMember(site, { displayName: expected.name, accessGroupIds });
    const { token } = await aSession(site, id);
    for (const encoding of ['percent', 'utf8'] as const) {
      await site.patch('/site', { identityHeaders: { ...defaultIdentityHeaders, encoding } });
      const answer = await visit(server.address, 'GET', '/_gatehouse/auth', {
        headers: {
          'x-forwarded-host': host,
          'x-original-uri': '/',
          cookie: `__Host-gatehouse_session=${token}`,
        },
      });
      const headers = answer.headers as Record<string, string>;
      received.set(encoding, { name: headers['remote-name']!, groups: headers['remote-groups']! });
    }
  });

  describe.each(Object.keys(programs))('the example in %s', (language) => {
    test.skipIf(isMissing[language]).each(['percent', 'utf8'] as const)('reads names in %s', (encoding) => {
      const read = programs[language]!(exampleOf(language, encoding), received.get(encoding)!);
      const { name, groups } = read as typeof expected;
      expect({ name, groups: [...groups].sort() }).toEqual({
        ...expected,
        groups: [...expected.groups].sort(),
      });
    });
  });
});
