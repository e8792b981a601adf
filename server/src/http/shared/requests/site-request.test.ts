import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TrustedProxies } from './site-request.ts';

const proxies = new TrustedProxies(['127.0.0.1', '10.0.0.0/8']);

function requestFrom(remoteAddress: string, forwardedFor: string | undefined): IncomingMessage {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

const trusted = fc.constantFrom('127.0.0.1', '10.0.0.1', '10.255.3.4');
const untrusted = fc.constantFrom('203.0.113.7', '198.51.100.9', '2001:db8::7');

test('the address of a visitor is the last one that is not of a trusted proxy, however often it is read', () => {
  const anyAddress = fc.oneof(trusted, untrusted);
  // Up to 20 addresses: short headers are remembered, long ones are not.
  const chain = fc.array(anyAddress, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(anyAddress, chain, (peer, addresses) => {
      const request = requestFrom(peer, addresses.join(', '));
      const isTrusted = (address: string) => address.startsWith('1') && !address.startsWith('198');
      const expected = [...addresses, peer].findLast((address) => !isTrusted(address));
      for (let reading = 0; reading < 2; reading += 1) expect(proxies.ipAddressOf(request)).toBe(expected);
    }),
  );
});

test('without a visitor in the header the address is unknown', () => {
  for (const header of [undefined, '', ' ', '10.0.0.1'])
    expect(proxies.ipAddressOf(requestFrom('127.0.0.1', header))).toBeUndefined();
});
