import type { Site } from '@gatehouse/contract';
import { identityHeaderFields } from '@gatehouse/contract/identity-headers';
import type { Command } from 'commander';
import { WrongUsage } from '../../app/failure.ts';
import type { Addition } from '../api/addition.ts';
import { parseJson } from '../api/flags/flag-values.ts';

export const siteChanges: Addition = {
  replaces: ['signUp'],
  addOptions: addSiteOptions,
  fieldsOf: ({ options, api }, fields) =>
    siteFieldsOf(options, async () => ((await api.send('getSite', {})) as { data: Site }).data, fields),
};

/** Options of `site update` for single values of the fields that have several. */
interface SiteOptions {
  /** False for `--no-host`. */
  readonly host?: string[] | false;
  readonly redirect?: string[];
  readonly signUp?: string;
  readonly signUpDomain?: string[];
  readonly headerEncoding?: string;
  /** As `<field>=<name>`. */
  readonly header?: string[];
}

function addSiteOptions(update: Command): void {
  update
    .argument('[site]', 'the site in the configured database, as --site')
    .option('--host <domain...>', 'other hosts, each with pages of its own; one login is valid on all')
    .option('--redirect <domain...>', 'other hosts, whose visits are redirected to the domain')
    .option('--no-host', 'remove all other hosts')
    .option(
      '--sign-up <policy>',
      'who becomes a member by logging in: members_only, allowed_domains, approval, open; or JSON with the groups of domains',
    )
    .option('--sign-up-domain <domain...>', 'email domains for the policy allowed_domains')
    .option('--header-encoding <encoding>', 'how names are written in identity headers: percent or utf8')
    .option(
      '--header <name...>',
      'names of identity headers, such as user=X-WebAuth-User; a header without a name is not sent: email=',
    );
}

interface Fields {
  readonly domain?: string | null;
  readonly scheme?: string;
}

/** The fields that the options set. What they do not name stays as it is. */
async function siteFieldsOf(
  options: SiteOptions,
  findSite: () => Promise<Site>,
  fields: Fields,
): Promise<object> {
  if (Object.keys(namedIn(options)).length === 0) return {};
  const before = await findSite();
  return {
    ...hostsOf(options, before, fields),
    ...signUpOf(options, before),
    ...identityHeadersOf(options, before),
  };
}

function namedIn({ host, redirect, signUp, signUpDomain, headerEncoding, header }: SiteOptions): object {
  const all = { host, redirect, signUp, signUpDomain, headerEncoding, header };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Hosts of one kind that are not given stay as they are, and known ones keep their scheme. */
function hostsOf({ host, redirect }: SiteOptions, before: Site, { domain, scheme }: Fields): object {
  if (host === undefined && redirect === undefined) return {};
  const primary = domain === undefined ? before.domain : domain;
  if (!primary) throw new WrongUsage('Other hosts need a domain first. Set it: --domain <domain>');
  const [known, ...further] = before.hosts;
  const ofKind = (kind: boolean, given: string[] | false | undefined) =>
    given === undefined
      ? further.filter((each) => each.redirect === kind)
      : (given || []).map((each) => {
          const same = further.find(({ domain }) => domain === each.toLowerCase());
          return { domain: each, ...(same && { scheme: same.scheme }), redirect: kind };
        });
  const own = scheme ?? (primary === before.domain ? known?.scheme : undefined);
  const pages = ofKind(false, host);
  const redirected = host === false && redirect === undefined ? [] : ofKind(true, redirect);
  const hosts = [{ domain: primary, ...(own !== undefined && { scheme: own }) }, ...pages, ...redirected];
  // The API takes either the list of hosts or these two.
  return { domain: undefined, scheme: undefined, hosts };
}

/** Known domains keep their groups. */
function signUpOf({ signUp: given, signUpDomain }: SiteOptions, { signUp }: Site): object {
  if (given === undefined && signUpDomain === undefined) return {};
  if (given?.startsWith('{')) return { signUp: parseJson(given, '--sign-up') };
  const domains = signUpDomain?.map(
    (domain) => signUp.domains.find((each) => each.domain === domain) ?? { domain, accessGroupIds: [] },
  );
  return { signUp: { policy: given ?? signUp.policy, domains: domains ?? signUp.domains } };
}

/** Fields that are not named keep their header. */
function identityHeadersOf({ headerEncoding, header }: SiteOptions, { identityHeaders }: Site): object {
  if (headerEncoding === undefined && header === undefined) return {};
  const names = (header ?? []).map((each) => {
    const [, field = '', name = ''] = /^(\w+)=(.*)$/s.exec(each) ?? [];
    if ((identityHeaderFields as readonly string[]).includes(field)) return [field, name || null];
    throw new WrongUsage(`--header must be ${identityHeaderFields.join('=…, ')}=…, not "${each}".`);
  });
  const encoding = headerEncoding ?? identityHeaders.encoding;
  return { identityHeaders: { ...identityHeaders, ...Object.fromEntries(names), encoding } };
}
