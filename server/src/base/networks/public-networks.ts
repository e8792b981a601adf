import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { contains, readAddress } from './networks.ts';

/**
 * Whether a connection to an IP address is allowed: if it is public, or in one of the allowed networks. For an IPv6
 * address that stands for an IPv4 address, the IPv4 address decides.
 * @param allowedNetworks CIDRs and addresses, as in `GATEHOUSE_ALLOWED_NETWORKS`
 */
export function isReachable(address: string, allowedNetworks: readonly string[]): boolean {
  if (isIP(address) === 0) return false;
  const read = readAddress(address);
  return isPublic(read) || allowedNetworks.some((network) => contains(network, read));
}

/**
 * IPv6 has far more ranges without a use than IPv4, and only this one has global addresses (RFC 4291, section 2.4). In
 * it, the library knows the exceptions of the registry of IANA, which include the tunnels 6to4 and Teredo.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** A public address by its number, at which every machine of Azure reaches services of its host. */
const azureHost = '168.63.129.16';

function isPublic(address: IPv4 | IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(globalUnicast) : address.toString() !== azureHost;
}
