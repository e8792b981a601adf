import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeNetwork } from './networks.ts';
import { isReachable } from './public-networks.ts';

/**
 * The blocks of the registries of IANA: special-purpose addresses (RFC 6890, as of 2025), multicast, and the space that
 * is reserved or not in use. `public` is their column "Globally Reachable", in which N/A counts as no.
 */
const blocks: readonly [cidr: string, kind: 'public' | 'special' | 'IPv4 inside'][] = [
  ['0.0.0.0/0', 'public'],
  ['0.0.0.0/8', 'special'],
  ['10.0.0.0/8', 'special'],
  ['100.64.0.0/10', 'special'],
  ['127.0.0.0/8', 'special'],
  ['169.254.0.0/16', 'special'],
  ['172.16.0.0/12', 'special'],
  ['192.0.0.0/24', 'special'],
  ['192.0.0.9/32', 'public'],
  ['192.0.0.10/32', 'public'],
  ['192.0.2.0/24', 'special'],
  ['192.31.196.0/24', 'public'],
  ['192.52.193.0/24', 'public'],
  ['192.88.99.0/24', 'special'],
  ['192.168.0.0/16', 'special'],
  ['192.175.48.0/24', 'public'],
  ['198.18.0.0/15', 'special'],
  ['198.51.100.0/24', 'special'],
  ['203.0.113.0/24', 'special'],
  ['224.0.0.0/4', 'special'],
  ['240.0.0.0/4', 'special'],
  ['255.255.255.255/32', 'special'],
  ['::/0', 'special'],
  ['2000::/3', 'public'],
  ['::/128', 'special'],
  ['::1/128', 'special'],
  ['::ffff:0:0/96', 'IPv4 inside'],
  ['64:ff9b::/96', 'IPv4 inside'],
  ['64:ff9b:1::/48', 'special'],
  ['100::/64', 'special'],
  ['100:0:0:1::/64', 'special'],
  ['2001::/23', 'special'],
  ['2001::/32', 'special'],
  ['2001:1::1/128', 'public'],
  ['2001:1::2/128', 'public'],
  ['2001:1::3/128', 'public'],
  ['2001:2::/48', 'special'],
  ['2001:3::/32', 'public'],
  ['2001:4:112::/48', 'public'],
  ['2001:10::/28', 'special'],
  ['2001:20::/28', 'public'],
  ['2001:30::/28', 'public'],
  ['2001:db8::/32', 'special'],
  ['2002::/16', 'special'],
  ['2620:4f:8000::/48', 'public'],
  ['3fff::/20', 'special'],
  ['5f00::/16', 'special'],
  ['fc00::/7', 'special'],
  ['fe80::/10', 'special'],
  ['fec0::/10', 'special'],
  ['ff00::/8', 'special'],
];

/** Public blocks in which no website can be, and the host of Azure's machines. */
const rejectedAlthoughPublic = [
  '192.0.0.9/32',
  '192.0.0.10/32',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
  '168.63.129.16/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/28',
  '2001:30::/28',
  '2620:4f:8000::/48',
];

interface Block {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly last: bigint;
}

const registeredBlocks = blocks.map(([cidr, kind]) => ({ ...blockOf(cidr), kind }));
const rejectedBlocks = rejectedAlthoughPublic.map(blockOf);

/** The decision by the most specific block, without the library. */
function isPublicByRegistry(bits: 32 | 128, value: bigint): boolean {
  const holds = (block: Block) => block.bits === bits && block.first <= value && value <= block.last;
  if (rejectedBlocks.some(holds)) return false;
  const found = registeredBlocks
    .filter(holds)
    .reduce((best, each) => (each.last - each.first < best.last - best.first ? each : best));
  return found.kind === 'IPv4 inside'
    ? isPublicByRegistry(32, value & 0xffff_ffffn)
    : found.kind === 'public';
}

function blockOf(cidr: string): Block {
  const [address = '', prefix] = cidr.split('/');
  const bits = address.includes(':') ? 128 : 32;
  const first = bits === 32 ? valueOf4(address) : valueOf6(address);
  return { bits, first, last: first + (1n << BigInt(bits - Number(prefix))) - 1n };
}

function valueOf4(address: string): bigint {
  return address.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function valueOf6(address: string): bigint {
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce((value, part) => value * 65_536n + BigInt(`0x${part}`), 0n);
}

function textOf(bits: 32 | 128, value: bigint): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  return Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  ).join(':');
}

function expectDecisionOfRegistry(bits: 32 | 128, value: bigint): void {
  const address = textOf(bits, value);
  expect(`${address} ${isReachable(address, [])}`).toBe(`${address} ${isPublicByRegistry(bits, value)}`);
}

describe('an address is reachable as the registries of IANA say', () => {
  const cidrs = [...blocks.map(([cidr]) => cidr), ...rejectedAlthoughPublic];

  test.each(cidrs)('around %s', (cidr) => {
    const { bits, first, last } = blockOf(cidr);
    const max = (1n << BigInt(bits)) - 1n;
    for (const value of [first - 1n, first, first + 1n, last - 1n, last, last + 1n]) {
      if (value >= 0n && value <= max) expectDecisionOfRegistry(bits, value);
    }
  });

  test('anywhere', () => {
    const anywhere = fc
      .constantFrom(...cidrs.map(blockOf))
      .chain(({ bits, first, last }) => fc.tuple(fc.constant(bits), fc.bigInt({ min: first, max: last })));
    fc.assert(
      fc.property(anywhere, ([bits, value]) => expectDecisionOfRegistry(bits, value)),
      { numRuns: 5_000 },
    );
  });

  test('also for IPv4 addresses inside of IPv6 addresses', () => {
    const anyIPv4 = fc
      .constantFrom(...cidrs.map(blockOf).filter(({ bits }) => bits === 32))
      .chain(({ first, last }) => fc.bigInt({ min: first, max: last }));
    fc.assert(
      fc.property(anyIPv4, fc.constantFrom('::ffff:0:0/96', '64:ff9b::/96'), (value, around) => {
        const wrapped = blockOf(around).first + value;
        expectDecisionOfRegistry(128, wrapped);
        expect(isReachable(textOf(128, wrapped), [])).toBe(isReachable(textOf(32, value), []));
      }),
      { numRuns: 2_000 },
    );
  });
});

test('obsolete ways to write an IPv4 address in an IPv6 address are never public', () => {
  // Compatible, 6to4, Teredo with the server and with the client, SIIT, and NAT64 with a prefix for local use.
  const wraps = (a: string, b: string) => [
    `::${a}:${b}`,
    `2002:${a}:${b}::1`,
    `2001:0:${a}:${b}::1`,
    `2001:0:1:1:0:0:${a}:${b}`,
    `::ffff:0:${a}:${b}`,
    `64:ff9b:1::${a}:${b}`,
  ];
  // The operating system writes the first ones with an IPv4 address at the end.
  const dotted = ['::127.0.0.1', '::8.8.8.8', '::ffff:0:8.8.8.8', '64:ff9b:1::8.8.8.8'];
  for (const address of [...wraps('7f00', '1'), ...wraps('808', '808'), ...dotted]) {
    expect(`${address} ${isReachable(address, [])}`).toBe(`${address} false`);
  }
});

test('nothing but an address is reachable', () => {
  const texts = [
    '',
    'example.org',
    '8.8.8',
    '134744072',
    '0x8.8.8.8',
    '8.8.8.8/32',
    '[2606:4700::1]',
    ' 8.8.8.8',
  ];
  for (const text of texts) expect(isReachable(text, ['0.0.0.0/0', '::/0'])).toBe(false);
});

describe('an allowed network', () => {
  test('makes exactly its addresses reachable', () => {
    const networks = ['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1/32'];
    const reachable = ['10.1.0.0', '10.1.255.255', 'fd00:1::1', 'fd00:1:ffff::', '127.0.0.1'];
    const other = ['10.0.255.255', '10.2.0.0', 'fd00::ffff', 'fd00:2::', '127.0.0.2', '::1', 'fe80::1'];
    for (const address of reachable) expect(isReachable(address, networks)).toBe(true);
    for (const address of other) expect(isReachable(address, networks)).toBe(false);
  });

  test('of IPv4 also holds for its addresses in IPv6, and one of IPv6 not for addresses of IPv4', () => {
    expect(isReachable('::ffff:10.0.0.1', ['10.0.0.0/8'])).toBe(true);
    expect(isReachable('::10.0.0.1', ['10.0.0.0/8'])).toBe(false);
    expect(isReachable('64:ff9b::a00:1', ['10.0.0.0/8'])).toBe(true);
    expect(isReachable('2002:a00:1::', ['10.0.0.0/8'])).toBe(false);
    expect(isReachable('::ffff:10.0.0.1', ['::/0'])).toBe(false);
    expect(isReachable('64:ff9b::a00:1', ['::/0'])).toBe(false);
  });

  test('is written as CIDR or as an address', () => {
    expect(normalizeNetwork('10.0.0.0/8')).toBe('10.0.0.0/8');
    expect(normalizeNetwork('10.1.2.3')).toBe('10.1.2.3/32');
    expect(normalizeNetwork('FD00:0:0:0::/08')).toBe('fd00::/8');
    expect(normalizeNetwork('::1')).toBe('::1/128');
    expect(normalizeNetwork('0.0.0.0/0')).toBe('0.0.0.0/0');
  });

  const invalid = [
    '',
    '/',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10',
    '10.0.0',
    '010.0.0.0/8',
    '0xa.0.0.0/8',
    '10.0.0.0 /8',
    'localhost',
    '*',
    'fe80::1%lo',
    '[::1]',
    // Bits after the prefix, and networks that are compared as IPv4.
    '10.0.0.1/8',
    'fd00::1/8',
    '::ffff:10.0.0.0/104',
    '64:ff9b::/96',
    '::ffff:127.0.0.1',
  ];
  test.each(invalid)('is not %j', (text) => {
    expect(normalizeNetwork(text)).toBeUndefined();
  });
});
