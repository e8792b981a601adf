import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/**
 * Whether a connection to an IP address is allowed: if it is public, or in one of the allowed networks. For an IPv6
 * address that stands for an IPv4 address, the IPv4 address decides.
 * @param allowedNetworks CIDRs and addresses, as in `GATEHOUSE_ALLOWED_NETWORKS`
 */
export function isReachable(address: string, allowedNetworks: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  const read = withoutTranslation(parseAddress(address));
  return isPublic(read) || allowedNetworks.some((network) => contains(network, read));
}

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
  const kind = family === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  const normalized = `${read}/${Number(bits)}`;
  return kind.networkAddressFromCIDR(normalized).toString() === read.toString() ? normalized : undefined;
}

/** IPv4 addresses in IPv6: mapped (RFC 4291, section 2.5.5.2), and NAT64 with its well-known prefix (RFC 6052). */
const translations = ['::ffff:0:0/96', '64:ff9b::/96'].map((network) => ipaddr.parseCIDR(network));

/**
 * IPv6 has far more ranges without a use than IPv4, and only this one has global addresses (RFC 4291, section 2.4). In
 * it, the library knows the exceptions of the registry of IANA, which include the tunnels 6to4 and Teredo.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** A public address by its number, at which every machine of Azure reaches services of its host. */
const azureHost = '168.63.129.16';

/**
 * The library reads `::8.8.8.8` as `::ffff:8.8.8.8`, but a connection goes to `::808:808`. So it gets IPv6 addresses with
 * hexadecimal numbers only.
 */
function parseAddress(address: string): IPv4 | IPv6 {
  if (isIP(address) === 4) return ipaddr.IPv4.parse(address);
  const [withoutZone] = address.split('%');
  return ipaddr.IPv6.parse(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
}

function isPublic(address: IPv4 | IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(globalUnicast) : address.toString() !== azureHost;
}

function withoutTranslation(address: IPv4 | IPv6): IPv4 | IPv6 {
  const isTranslation = translations.some((network) => isIn(network, address));
  return isTranslation ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function contains(network: string, address: IPv4 | IPv6): boolean {
  const normalized = normalizeNetwork(network);
  return normalized !== undefined && isIn(ipaddr.parseCIDR(normalized), address);
}

function isIn([network, bits]: [IPv4 | IPv6, number], address: IPv4 | IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}
