/**
 * Whether the host of a URL is this machine itself, by its name or address (RFC 6761, section 6.3; RFC 6890): what is
 * sent to it crosses no network.
 * @param host an IPv6 address with or without its brackets
 */
export function isThisMachine(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}
