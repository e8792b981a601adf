import type { Site, SiteScheme, UpdateSite } from '@gatehouse/client';
import { defaultScheme } from '@gatehouse/contract/domains';
import { displayDomain, readDomain, toAsciiDomain } from '../../format/addresses/domain.ts';

/** The values of the settings form. */
export interface SettingsValues {
  title: string;
  timeZone: string;
  domain: string;
  scheme: SiteScheme;
  /** The hosts after the domain. */
  hosts: FurtherHost[];
  languages: string[];
  /** A number, or the text that was entered instead. */
  maxSessions: number | string;
  membersCreateTokens: boolean;
  allowsAccessRequests: boolean;
  policy: Site['signUp']['policy'];
  domains: SignUpDomain[];
  color: string;
  /** A new logo as a `data:` URL, null to remove it, undefined to keep it. */
  logo: string | null | undefined;
  headers: HeaderValues;
}

export interface FurtherHost {
  /** Identifies the row, independent of its content. */
  key: string;
  domain: string;
  /** Null for the default scheme of the domain. */
  scheme: SiteScheme | null;
  use: 'pages' | 'redirect';
}

/** The fields of identity headers, in the order of the form. */
export const headerFields = ['user', 'email', 'name', 'groups', 'signed'] as const;
export type HeaderField = (typeof headerFields)[number];

/** The names of the headers; empty for one that is not sent. */
export type HeaderValues = Record<HeaderField, string> & {
  encoding: Site['identityHeaders']['encoding'];
};

export interface SignUpDomain {
  /** Identifies the row, independent of its content. */
  key: string;
  domain: string;
  accessGroupIds: string[];
}

export function toValues(site: Site): SettingsValues {
  return {
    title: site.title,
    timeZone: site.timeZone,
    domain: displayDomain(site.domain ?? ''),
    scheme: site.scheme,
    hosts: site.hosts.slice(1).map((host) => ({
      key: host.domain,
      domain: displayDomain(host.domain),
      scheme: host.scheme,
      use: host.redirect ? 'redirect' : 'pages',
    })),
    languages: site.languages,
    maxSessions: site.maxSessions,
    membersCreateTokens: site.membersCreateTokens,
    allowsAccessRequests: site.allowsAccessRequests,
    policy: site.signUp.policy,
    domains: site.signUp.domains.map((each) => ({
      ...each,
      domain: displayDomain(each.domain),
      key: each.domain,
    })),
    color: site.color ?? '',
    logo: undefined,
    headers: mapHeaders(site.identityHeaders, (name) => name ?? ''),
  };
}

/** Whether people with certain email domains sign up by themselves. */
export function hasDomains({ policy }: Pick<SettingsValues, 'policy'>): boolean {
  return policy === 'allowed_domains' || policy === 'approval';
}

/** The values that differ from the site; undefined if none do. A new domain is sent with the scheme shown beside it. */
export function toChanges(site: Site, values: SettingsValues): UpdateSite | undefined {
  const before = toFields(toValues(site));
  const fields = toFields(values);
  if (JSON.stringify(fields.hosts) !== JSON.stringify(before.hosts)) {
    const { domain, scheme, hosts } = fields;
    const saved = toValues(site);
    const { domain: known, scheme: knownScheme, hosts: knownHosts } = saved;
    const others = toChanges(site, { ...values, domain: known, scheme: knownScheme, hosts: knownHosts });
    const primary = domain === null ? [] : [{ domain, scheme }];
    return { ...others, hosts: [...primary, ...hosts] };
  }
  const changes = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  if (changes.length === 0) return undefined;
  const isMoved = fields.domain !== before.domain;
  return { ...Object.fromEntries(changes), ...(isMoved && { scheme: fields.scheme }) };
}

/**
 * Parses a typed domain. A typed scheme is used; a default one becomes the default of the new domain; a chosen one is
 * kept.
 */
export function parseDomain(
  typed: string,
  { domain, scheme }: Pick<SettingsValues, 'domain' | 'scheme'>,
): Pick<SettingsValues, 'domain' | 'scheme'> {
  const read = readDomain(typed);
  const isDefault = scheme === defaultScheme(domain);
  return {
    domain: read.domain,
    scheme: read.scheme ?? (isDefault && read.domain !== '' ? defaultScheme(read.domain) : scheme),
  };
}

/** The version that was just saved, with the input typed since it was sent. */
export function withTyped(
  saved: SettingsValues,
  sent: SettingsValues,
  typed: SettingsValues,
): SettingsValues {
  const since = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(sent[name as keyof SettingsValues]),
  );
  return { ...saved, ...Object.fromEntries(since) };
}

/** The form field for a JSON pointer in an error of the service. */
export function fieldOf(pointer: string): string {
  const [first, second, index, ...rest] = pointer.slice(1).split('/');
  if (first === 'hosts')
    return second === undefined || second === '0' ? 'domain' : `hosts.${Number(second) - 1}.domain`;
  if (first === 'identityHeaders') return `headers.${second}`;
  if (first !== 'signUp') return first!;
  return second === 'domains' && index ? ['domains', index, rest[0] ?? 'domain'].join('.') : 'policy';
}

function toFields(values: SettingsValues) {
  return {
    title: values.title.trim(),
    timeZone: values.timeZone,
    domain: toAsciiDomain(values.domain) || null,
    scheme: values.scheme,
    hosts: values.hosts.map((host) => {
      const domain = toAsciiDomain(host.domain);
      return { domain, scheme: host.scheme ?? defaultScheme(domain), redirect: host.use === 'redirect' };
    }),
    languages: values.languages,
    maxSessions: Number(values.maxSessions),
    membersCreateTokens: values.membersCreateTokens,
    allowsAccessRequests: values.allowsAccessRequests,
    signUp: {
      policy: values.policy,
      domains: values.domains
        .map(({ domain, accessGroupIds }) => ({ domain: toAsciiDomain(domain), accessGroupIds }))
        // An incomplete row is not visible with another policy.
        .filter(({ domain }) => domain !== '' || hasDomains(values)),
    },
    color: values.color.toLowerCase() || null,
    logo: values.logo,
    identityHeaders: mapHeaders(values.headers, (name) => name.trim().toLowerCase() || null),
  };
}

function mapHeaders<From, To>(
  { encoding, user, email, name, groups, signed }: Record<HeaderField, From> & Pick<HeaderValues, 'encoding'>,
  map: (name: From) => To,
): Record<HeaderField, To> & Pick<HeaderValues, 'encoding'> {
  return {
    encoding,
    user: map(user),
    email: map(email),
    name: map(name),
    groups: map(groups),
    signed: map(signed),
  };
}
