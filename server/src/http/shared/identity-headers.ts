import type { Visitor } from '../../domain/access-rules/visitor.ts';

/**
 * The maximum length of a member's groups in one header: proxies accept about 4 KiB of headers from the gate in
 * total.
 */
const maxGroupsLength = 2_000;
/** Part of the same limit: a member's name can have 200 characters of up to 12 bytes each. */
const maxNameLength = 1_000;

/** The names of the headers in which a site receives its logged-in member. */
export const identityHeaderNames = ['remote-user', 'remote-email', 'remote-name', 'remote-groups'] as const;

export type IdentityHeaders = Partial<Record<(typeof identityHeaderNames)[number], string>>;

/** The headers that tell the site who requests a page; none for an anonymous or blocked visitor. */
export function identityHeaders(visitor: Visitor | undefined): IdentityHeaders {
  if (visitor?.status !== 'active') return {};
  return {
    'remote-user': visitor.memberId,
    'remote-email': visitor.email,
    'remote-name': nameHeader(visitor.displayName ?? ''),
    'remote-groups': groupsHeader(visitor.groupNames),
  };
}

/**
 * Percent-encoded UTF-8 (RFC 3986, section 2.1), so that a name cannot end the header or contain the comma that
 * separates names.
 */
function encode(text: string): string {
  return encodeURIComponent(text);
}

function nameHeader(name: string): string {
  const whole = encode(name);
  if (whole.length <= maxNameLength) return whole;
  let header = '';
  for (const character of name) {
    const next = header + encode(character);
    if (next.length > maxNameLength) break;
    header = next;
  }
  return header;
}

function groupsHeader(names: readonly string[]): string {
  let header = '';
  for (const name of names) {
    const next = header === '' ? encode(name) : `${header},${encode(name)}`;
    if (next.length > maxGroupsLength) break;
    header = next;
  }
  return header;
}
