import type { Site, SiteScheme, UpdateSite } from '@gatehouse/client';
import { defaultScheme } from '@gatehouse/contract/domains';
import { readDomain, shownDomain, toAsciiDomain } from '../../parts/domain.ts';

/** The settings as the form has them. */
export interface SettingsValues {
  title: string;
  domain: string;
  scheme: SiteScheme;
  languages: string[];
  policy: Site['signUp']['policy'];
  domains: SignUpDomain[];
  colour: string;
  /** A new one as a `data:` URL, null to have none; undefined while it stays as it is. */
  logo: string | null | undefined;
}

export interface SignUpDomain {
  /** Names the row, whatever is typed into it. */
  key: string;
  domain: string;
  accessGroupIds: string[];
}

export function toValues({ title, domain, scheme, languages, signUp, colour }: Site): SettingsValues {
  return {
    title,
    domain: shownDomain(domain ?? ''),
    scheme,
    languages,
    policy: signUp.policy,
    domains: signUp.domains.map((each) => ({
      ...each,
      domain: shownDomain(each.domain),
      key: each.domain,
    })),
    colour: colour ?? '',
    logo: undefined,
  };
}

/** What differs from the site; undefined when nothing does. A new domain goes with the scheme that is shown beside it. */
export function toChanges(site: Site, values: SettingsValues): UpdateSite | undefined {
  const before = toFields(toValues(site));
  const fields = toFields(values);
  const changes = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  if (changes.length === 0) return undefined;
  const isMoved = fields.domain !== before.domain;
  return { ...Object.fromEntries(changes), ...(isMoved && { scheme: fields.scheme }) };
}

/**
 * A domain as it was typed, understood. The scheme is the one that was typed with it; a default one becomes that of the
 * new domain, and one that was chosen stays.
 */
export function understandDomain(
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

/** A version that was just saved, with what has been typed since it was sent. */
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

/** The field of the form that a place in the request is about, as the service names it in an error. */
export function fieldOf(pointer: string): string {
  const [first, second, index, ...rest] = pointer.slice(1).split('/');
  if (first !== 'signUp') return first!;
  return second === 'domains' && index ? ['domains', index, rest[0] ?? 'domain'].join('.') : 'policy';
}

function toFields({ title, domain, scheme, languages, policy, domains, colour, logo }: SettingsValues) {
  return {
    title: title.trim(),
    domain: toAsciiDomain(domain) || null,
    scheme,
    languages,
    signUp: {
      policy,
      domains: domains
        .map(({ domain, accessGroupIds }) => ({ domain: toAsciiDomain(domain), accessGroupIds }))
        // A row that was begun is out of sight with another policy.
        .filter(({ domain }) => domain !== '' || policy === 'allowed_domains'),
    },
    colour: colour.toLowerCase() || null,
    logo,
  };
}
