import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LoopbackServers, listenOnLoopback } from '../../../test/loopback-servers.ts';
import { startNameServer } from '../../../test/name-server.ts';
import { checkedConnector, type ResolveName } from '../../connectors/outgoing/checked-connector.ts';
import { OutgoingHttp, type OutgoingSurroundings } from '../../connectors/outgoing/outgoing-http.ts';

const answer = (_request: unknown, response: { end(text: string): void }) => response.end('reached');

/** Also http is allowed, so that nothing but the address can be the reason. */
function outgoingHttp(allowedNetworks: readonly string[], surroundings: OutgoingSurroundings = {}) {
  const http = new OutgoingHttp({ allowedNetworks, allowsHttp: true }, surroundings);
  onTestFinished(() => http.close());
  return http;
}

const reasonOf = (request: Promise<Response>) =>
  request.then(
    (response) => `status ${response.status}`,
    (error) => `${error.name}: ${error.reason}`,
  );

const notAllowed = 'OutgoingRequestRejected: address_not_allowed';

/** A connection that was opened although the request was rejected must be counted too. */
async function connectionsOf({ connections }: LoopbackServers) {
  await delay(0);
  await new Promise(setImmediate);
  return connections;
}

/** Ways to write the address of a loopback, or of another network that is not public. */
const hosts = `
  127.0.0.1 127.0.0.2 127.1.2.3 127.255.255.254 127.1 127.0.1 127.2 127.65535 127.16777214 2130706433 2130706434
  017700000001 0177.0.0.1 0177.1 0177.0.0.02 00000177.0.0.1 0x7f000001 0x7f.1 0X7F.0.0.1 0x7f.0x0.0x0.0x2 0x7f.00.0x0.1
  127.0.0.1. 127.1. 2130706433. 0x7f.1. %31%32%37.0.0.1 127%2e0%2e0%2e1 %30x7f.1 127.0.0.%31 127.0.0.1%2e
  １２７.０.０.１ １２７。０。０。１ 127｡0｡0｡1 127．1 ①②⑦.⓪.⓪.① ２１３０７０６４３３ ０x7f.1 127.0.0.１。 1\u200b27.0.0.1 127.0.0.1\u00ad
  0.0.0.0 0 0x0 00 0.0 0.0.0.1 [::] [::0] [0:0:0:0:0:0:0:0] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::0001] [::0.0.0.1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.2] [::ffff:0.0.0.0] [::ffff:0:0]
  [::ffff:169.254.169.254] [::ffff:10.0.0.1] [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1]
  [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::10.0.0.1] [64:ff9b:1::7f00:1] [64:ff9b:1:7f00:0:100::]
  [2002:7f00:1::] [2002:7f00:1::1] [2002:a9fe:a9fe::] [2001:0:7f00:1::] [2001:0:1:1:0:0:80ff:fffe]
  169.254.169.254 0xa9fea9fe 2852039166 169.254.43518 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16
  [fd00:ec2::254] [fd20:ce::254] [fd00::] [fd00::1] [fc00::1] [fe80::] [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1]
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 100.64.0.1 100.127.255.255 198.18.0.1
  198.19.255.255 192.0.2.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  [100::1] [100:0:0:1::1] [2001:db8::1] [2001:2::1] [2001:10::1] [2001:20::1] [3fff::1] [5f00::1] [4000::1] [1::1]
  localhost LOCALHOST LocalHost localhost. ｌｏｃａｌｈｏｓｔ local%68ost ℓocalhost a.localhost a.b.localhost. a.LOCALHOST
  loopback.example metadata.google.internal metadata.google.internal. METADATA.google.internal instance-data metadata
  127.0.0.1.nip.example intranet printer.local mapped.example
  zone.example text.example empty.example`
  .split(/\s+/)
  .filter(Boolean);

/** What the names among the hosts lead to. Those of localhost lead to loopback on every machine (RFC 6761). */
const names: Readonly<Record<string, readonly string[]>> = {
  'good.example': ['10.0.0.9'],
  'loopback.example': ['127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'instance-data': ['169.254.169.254'],
  metadata: ['fd00:ec2::254'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  intranet: ['10.0.0.7'],
  'printer.local': ['192.168.1.20', 'fe80::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'zone.example': ['fe80::1%lo'],
  'text.example': ['127.1'],
  'empty.example': [''],
};

const resolveNames: ResolveName = async (name) =>
  /(?:^|\.)localhost$/.test(name) ? ['127.0.0.1', '::1'] : (names[name] ?? []);

test('every host of the list is different', () => {
  expect(new Set(hosts).size).toBe(hosts.length);
});

describe.each(['http', 'https'] as const)('over %s', (scheme) => {
  test('no way to write an address or a name leads to a connection', async () => {
    const servers = await listenOnLoopback(answer);
    const http = outgoingHttp([], { resolve: resolveNames, certificateAuthority: servers.certificate });
    const port = scheme === 'http' ? servers.port : servers.tlsPort;
    const results = await Promise.all(
      hosts.map(async (host) => [host, await reasonOf(http.fetch(`${scheme}://${host}:${port}/`))]),
    );
    expect(Object.fromEntries(results)).toEqual(Object.fromEntries(hosts.map((host) => [host, notAllowed])));
    expect(await connectionsOf(servers)).toEqual([]);
  });

  test('no trick in a URL leads to a connection', async () => {
    const servers = await listenOnLoopback(answer);
    const http = outgoingHttp([], { resolve: resolveNames });
    const port = scheme === 'http' ? servers.port : servers.tlsPort;
    const local = `127.0.0.1:${port}`;
    const tricks = [
      `//good.example@${local}`,
      `//good.example:443@${local}`,
      `//a:b@${local}/`,
      `//@${local}`,
      `//:@${local}`,
      `//${local}#@good.example`,
      `//${local}/@good.example`,
      `//${local}?@good.example`,
      `//${local}\\@good.example`,
      `//good.example\\@${local}`,
      `//good.example#@${local}@${local}`,
      `//good.example%40@${local}`,
      `\\\\${local}`,
      `/\\${local}`,
      `/${local}`,
      `///${local}`,
      `////${local}`,
      local,
      `//${local}\\`,
      `//127.0\t.0.1:${port}`,
      `//127.0.0.1\n:${port}`,
      `//\r\n127.0.0.1:${port}/`,
      ` //${local}`,
      `//${local}/ `,
      `//127.0.0.1:\t${port}`,
      `//127.0.0.1 :${port}`,
      `//127.0.0.1%00:${port}`,
      `//127.0.0.1%20:${port}`,
      `//127.0.0.1%0d%0aHost:good.example:${port}`,
      `//127.0.0.1:${port}%2f`,
      `//127.0.0.1:0${port}/`,
      `//127.0.0.1:+${port}`,
      `//127.0.0.1:${port + 65_536}`,
      `//127.0.0.1:${port}@good.example:80@127.0.0.1:${port}`,
      `//[::1%25lo]:${port}`,
      `//[::1%lo]:${port}`,
      `//[fe80::1%25lo]:${port}`,
      `//[::1]%25lo:${port}`,
      `//::1:${port}`,
      `//[127.0.0.1]:${port}`,
      `//[::ffff:127.1]:${port}`,
      `//[::ffff:0x7f.0.0.1]:${port}`,
      `//127.0.0.1..:${port}`,
      `//.127.0.0.1:${port}`,
      `//localhost..:${port}`,
      `//localhost%00.good.example:${port}`,
      `//localhost%23:${port}`,
      `//0x7f000001.:${port}`,
      `//0x100000000000000007f000001:${port}`,
      `//4294967297:${port}`,
      `//127.0.0.256:${port}`,
    ];
    const urls = tricks.map((trick) => `${scheme}:${trick}`);
    const results = await Promise.all(urls.map((url) => reasonOf(http.fetch(url))));
    for (const [index, result] of results.entries()) {
      expect(`${urls[index]} ${result}`).toMatch(/OutgoingRequestRejected: (?:url|address)_not_allowed$/);
    }
    expect(await connectionsOf(servers)).toEqual([]);
  });

  test('the same servers are reached when their networks are allowed', async () => {
    const servers = await listenOnLoopback(answer);
    const http = outgoingHttp(['127.0.0.0/8', '0.0.0.0/32', '::1', '::'], {
      resolve: resolveNames,
      certificateAuthority: servers.certificate,
    });
    const port = scheme === 'http' ? servers.port : servers.tlsPort;
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '127.0.0.2',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      'a.localhost',
    ]) {
      await reasonOf(http.fetch(`${scheme}://${host}:${port}/`));
    }
    expect(new Set(await connectionsOf(servers))).toEqual(new Set(['127.0.0.1', '127.0.0.2', '::1']));
  });
});

// An allowed address of loopback stands for a public one: even if a test fails, it sends nothing to such a server.
describe('a name server', () => {
  test('that changes its answer is asked once, and the checked address is connected to', async () => {
    const servers = await listenOnLoopback(answer);
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    const { resolve, questions } = await startNameServer(() => answers[0]!);
    const rebinding: ResolveName = async (name) => {
      const found = await resolve(name);
      if (answers.length > 1) answers.shift();
      return found;
    };
    const http = outgoingHttp(['127.0.0.2'], { resolve: rebinding });
    const url = `http://rebinding.example:${servers.port}/`;
    expect(await (await http.fetch(url)).text()).toBe('reached');
    expect(questions.toSorted()).toEqual(['A rebinding.example', 'AAAA rebinding.example']);
    expect(await connectionsOf(servers)).toEqual(['127.0.0.2']);

    // The open connection can be used again, but a new one leads to the second answer.
    for (const socket of servers.sockets) socket.destroy();
    await expect.poll(() => servers.sockets.size).toBe(0);
    await expect.poll(() => reasonOf(http.fetch(url))).toBe(notAllowed);
    expect(await connectionsOf(servers)).toEqual(['127.0.0.2']);
  });

  test('that answers with one address that is not allowed leads to no connection, in any order', async () => {
    const servers = await listenOnLoopback(answer);
    const http = (resolve: ResolveName) => outgoingHttp(['127.0.0.2', '127.1.2.3', '::1'], { resolve });
    const url = `http://rebinding.example:${servers.port}/`;
    const answers = [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['::1', '127.0.0.1'],
      ['127.0.0.2', '::ffff:127.0.0.1'],
      ['127.0.0.2', '64:ff9b::7f00:1'],
      [...Array<string>(20).fill('127.0.0.2'), '127.0.0.1'],
    ];
    for (const addresses of answers) {
      const { resolve, questions } = await startNameServer(() => addresses);
      expect(await reasonOf(http(resolve).fetch(url))).toBe(notAllowed);
      expect(questions).toHaveLength(2);
    }
    expect(await connectionsOf(servers)).toEqual([]);

    const { resolve } = await startNameServer(() => ['127.0.0.2', '127.1.2.3', '::1']);
    expect(await reasonOf(http(resolve).fetch(url))).toBe('status 200');
  });

  test('that knows no address is an error of its own', async () => {
    const { resolve } = await startNameServer(() => []);
    const request = outgoingHttp([], { resolve }).fetch('https://nowhere.example/secret');
    expect(await reasonOf(request)).toBe('OutgoingRequestFailed: name_not_found');
    await expect(request).rejects.toThrow('The name nowhere.example was not found. Check the URL');
  });
});

test('the names of this machine are checked too', async () => {
  const servers = await listenOnLoopback(answer);
  const http = outgoingHttp([]);
  for (const host of ['localhost', 'LOCALHOST', 'localhost.']) {
    expect(await reasonOf(http.fetch(`http://${host}:${servers.port}/`))).toBe(notAllowed);
  }
  expect(await connectionsOf(servers)).toEqual([]);
});

test('a connection to an address is rejected even if its URL was not checked', async () => {
  const servers = await listenOnLoopback(answer);
  const connect = checkedConnector([], resolveNames, undefined);
  for (const hostname of ['127.0.0.1', '::1', '::ffff:127.0.0.1', 'localhost']) {
    const error = await new Promise((resolve) => {
      connect({ hostname, protocol: 'http:', port: String(servers.port) }, (...[error]) => resolve(error));
    });
    expect(error).toMatchObject({ reason: 'address_not_allowed' });
  }
  expect(await connectionsOf(servers)).toEqual([]);
});

test('an error shows neither the address that a name leads to nor the rest of the URL', async () => {
  const http = outgoingHttp([], { resolve: resolveNames });
  const error = await http.fetch('https://intranet/secret?key=secret').catch((thrown) => thrown);
  expect(String(error)).toBe(
    'OutgoingRequestRejected: intranet leads to an IP address that is not public. Use a public one, or add its network to GATEHOUSE_ALLOWED_NETWORKS.',
  );
  expect(error.cause).toBeUndefined();
});
