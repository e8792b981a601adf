import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/**
 * The network of a CIDR or of a single address, such as `10.0.0.0/8` or `::1/128`. Undefined for anything else, also
 * for a CIDR with bits after its prefix, which may be meant as a single address.
 */
export function normalizeNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return undefined;
  const maxBits = family === 4 ? 32 : 128;
  const bits = prefix ?? String(maxBits);
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > maxBits) return undefined;
  const read = parseAddress(address);
  // Such addresses are compared as IPv4 addresses, so the network would have no effect.
  if (withoutTranslation(read) !== read) return undefined;
  return hasBitsAfter(read, Number(bits)) ? undefined : `${read}/${Number(bits)}`;
}

/** Computed, because reading the network again as a CIDR takes most of the time of checking rules with many networks. */
function hasBitsAfter(address: IPv4 | IPv6, prefixBits: number): boolean {
  return address.toByteArray().some((byte, index) => {
    const ownBits = Math.max(0, Math.min(8, prefixBits - 8 * index));
    return (byte & (0xff >> ownBits)) !== 0;
  });
}

export type Network = [first: IPv4 | IPv6, bits: number];

/** Reads a network in the form of `normalizeNetwork`. */
export function readNetwork(normalized: string): Network {
  return ipaddr.parseCIDR(normalized);
}

/** Whether a network that `normalizeNetwork` accepts contains an address. */
export function contains(network: string, address: IPv4 | IPv6): boolean {
  const normalized = normalizeNetwork(network);
  return normalized !== undefined && isIn(ipaddr.parseCIDR(normalized), address);
}

/**
 * Reads an IP address. An IPv6 address that stands for an IPv4 address becomes the IPv4 address.
 * @param address for which `isIP` of Node is not 0
 */
export function readAddress(address: string): IPv4 | IPv6 {
  return withoutTranslation(parseAddress(address));
}

/** IPv4 addresses in IPv6: mapped (RFC 4291, section 2.5.5.2), and NAT64 with its well-known prefix (RFC 6052). */
const translations = ['::ffff:0:0/96', '64:ff9b::/96'].map((network) => ipaddr.parseCIDR(network));

/**
 * The library reads `::8.8.8.8` as `::ffff:8.8.8.8`, but a connection goes to `::808:808`. So it gets IPv6 addresses with
 * hexadecimal numbers only.
 */
function parseAddress(address: string): IPv4 | IPv6 {
  if (isIP(address) === 4) return ipaddr.IPv4.parse(address);
  const [withoutZone] = address.split('%') as [string];
  if (!withoutZone.includes('.')) return ipaddr.IPv6.parse(withoutZone);
  return ipaddr.IPv6.parse(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
}

function withoutTranslation(address: IPv4 | IPv6): IPv4 | IPv6 {
  const isTranslation = translations.some((network) => isIn(network, address));
  return isTranslation ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** Whether a network contains an address as of `readAddress`. */
export function isIn([network, bits]: Network, address: IPv4 | IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
