import type { Site, SiteScheme } from '@gatehouse/client';
import { defaultScheme } from '@gatehouse/contract/domains';
import { displayDomain, readDomain, toAsciiDomain } from '../../../format/addresses/domain.ts';
import { changedFields, type FormSection } from '../form/form-section.ts';

export interface HostsValues {
  domain: string;
  scheme: SiteScheme;
  /** The domain that was parsed last. What is typed next is compared with it. */
  parsedDomain: string;
  /** The hosts after the domain. */
  hosts: FurtherHost[];
}

export interface FurtherHost {
  /** Identifies the row, independent of its content. */
  key: string;
  domain: string;
  /** Null for the default scheme of the domain. */
  scheme: SiteScheme | null;
  use: 'pages' | 'redirect';
}

export type DomainValues = Omit<HostsValues, 'hosts'>;

export const hostsSection: FormSection<HostsValues> = {
  fields: ['domain', 'scheme', 'hosts'],
  toValues,
  toChanges,
  normalize: (values) => ({ ...values, ...parseDomain(values.domain, values) }),
  validate: (t) => ({
    domain: (domain, { hosts }) => (domain.trim() === '' && hosts.length > 0 ? t('domainMissing') : null),
    hosts: { domain: (domain) => (domain.trim() === '' ? t('hostMissing') : null) },
  }),
  fieldOf: (pointer) => {
    const [first, index] = pointer.slice(1).split('/');
    if (first !== 'hosts') return first!;
    return index === undefined || index === '0' ? 'domain' : `hosts.${Number(index) - 1}.domain`;
  },
};

/**
 * Parses a typed domain. A typed scheme is used; a default one becomes the default of the new domain; a chosen one
 * stays.
 */
export function parseDomain(
  typed: string,
  { parsedDomain, scheme }: Pick<HostsValues, 'parsedDomain' | 'scheme'>,
): DomainValues {
  const { domain, scheme: typedScheme } = readDomain(typed);
  const isDefault = scheme === defaultScheme(parsedDomain);
  return {
    domain,
    parsedDomain: domain,
    scheme: typedScheme ?? (isDefault && domain !== '' ? defaultScheme(domain) : scheme),
  };
}

function toValues({ domain, scheme, hosts }: Site): HostsValues {
  const shown = displayDomain(domain ?? '');
  return {
    domain: shown,
    scheme,
    parsedDomain: shown,
    hosts: hosts.slice(1).map((host) => ({
      key: host.domain,
      domain: displayDomain(host.domain),
      scheme: host.scheme,
      use: host.redirect ? 'redirect' : 'pages',
    })),
  };
}

/** A new domain is sent with the scheme shown beside it, and other hosts together with the domain. */
function toChanges(site: Site, values: HostsValues) {
  const before = toFields(toValues(site));
  const fields = toFields(values);
  const { domain, scheme, hosts } = fields;
  const changed = changedFields(before, fields);
  if (!changed) return undefined;
  if (!changed.hosts) return domain === before.domain ? changed : { domain, scheme };
  return { hosts: [...(domain === null ? [] : [{ domain, scheme }]), ...hosts] };
}

function toFields(values: HostsValues) {
  return {
    domain: toAsciiDomain(values.domain) || null,
    scheme: values.scheme,
    hosts: values.hosts.map((host) => {
      const domain = toAsciiDomain(host.domain);
      return { domain, scheme: host.scheme ?? defaultScheme(domain), redirect: host.use === 'redirect' };
    }),
  };
}
