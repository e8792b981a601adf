import { type Static, Type } from 'typebox';
import {
  maxAccessGroupIds,
  maxDomainLength,
  maxSessionLimit,
  maxSignUpDomains,
  maxSiteHosts,
} from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  changes,
  dateTime,
  enumeration,
  exampleIds,
  flag,
  integer,
  languageTag,
  maxRawValueLength,
  noNull,
  nullable,
  request,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';
import { IdentityHeaders } from './identity-headers.ts';
import { SiteLinks } from './site-links.ts';

export const siteStatuses = ['active', 'suspended'] as const;
export type SiteStatus = (typeof siteStatuses)[number];

export const siteSchemes = ['https', 'http'] as const;
export type SiteScheme = (typeof siteSchemes)[number];

export const signUpPolicies = ['members_only', 'allowed_domains', 'approval', 'open'] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

export const SignUp = request(
  'SignUp',
  {
    policy: enumeration(
      signUpPolicies,
      'Who can sign up on the login page. `members_only`: no one; members have to be added. `allowed_domains`: ' +
        'anyone with an email address at one of `domains`. `approval`: they too, and others can ask to join, which an ' +
        'operator decides. `open`: anyone.',
      'allowed_domains',
    ),
    domains: Type.Array(
      request('SignUpDomain', {
        domain: text('The part after the `@`. Subdomains do not match.', 'example.com', {
          minLength: 1,
          maxLength: maxDomainLength,
          pattern: noNull,
        }),
        accessGroupIds: Type.Array(uuid('A custom access group of the site.', exampleIds.group), {
          maxItems: maxAccessGroupIds,
          description: 'The groups that new members are added to.',
        }),
      }),
      { maxItems: maxSignUpDomains, description: 'Email domains, each with its groups.' },
    ),
  },
  { description: 'Who can sign up on the login page.' },
);
export type SignUp = Static<typeof SignUp>;

const hostScheme = enumeration(siteSchemes, 'The URL scheme of the host.', 'https');

export const SiteHost = shape('SiteHost', 'A host at which visitors reach the site.', {
  domain: text('The host, with the port if it is not the default port.', 'academy.example.com'),
  scheme: hostScheme,
  redirect: flag(
    'Whether every visit is redirected to the same path on the primary host. Always false for the primary host.',
    false,
  ),
});
export type SiteHost = Static<typeof SiteHost>;

export const Site = shape('Site', 'A website and its settings.', {
  id: uuid('The site.', exampleIds.site),
  slug: text('Short name, unique in this installation.', 'academy'),
  title: text('Display name.', 'Example Academy'),
  domain: nullable(
    text(
      'The primary host, with the port if it is not the default port; null when not set.',
      'academy.example.com',
    ),
  ),
  scheme: enumeration(
    siteSchemes,
    'The URL scheme of the primary host, also in the links of emails.',
    'https',
  ),
  hosts: Type.Array(SiteHost, {
    description:
      'The hosts of the site. The first one is the primary host, on which members log in; one login is valid on all ' +
      'hosts. Empty if the site has no domain. The primary host with `www.` added or removed needs no entry here: it ' +
      'is redirected.',
    examples: [
      [
        { domain: 'academy.example.com', scheme: 'https', redirect: false },
        { domain: 'forum.example.com', scheme: 'https', redirect: false },
      ],
    ],
  }),
  languages: Type.Array(text('A language tag (RFC 5646).', 'en'), {
    description:
      'The languages of login pages and emails. A visitor sees the first of their preferred languages that is in ' +
      'this list, or else the first language of this list.',
    examples: [['en', 'de', 'fr', 'es', 'ja']],
  }),
  timeZone: text(
    'The time zone of the site, as a name of the IANA database. A date without a time, such as the last day of a ' +
      'membership, means that day in this zone: it ends with the first instant of the next day. Pages and the ' +
      'command line show days in it.',
    'Europe/Berlin',
  ),
  signUp: SignUp,
  maxSessions: integer(
    'How many sessions a member may have at the same time. The next login ends the oldest ones. Access groups may ' +
      'have limits of their own.',
    50,
    { minimum: 1, maximum: maxSessionLimit },
  ),
  color: nullable(
    text(
      'The color of buttons and links on login pages and in emails; null for the default color.',
      '#0f766e',
    ),
  ),
  logoUrl: nullable(
    text(
      'The URL of the logo on login pages and in emails; null if the site has no logo or no domain.',
      'https://academy.example.com/_gatehouse/logo?v=5f2b8c1d',
    ),
  ),
  identityHeaders: IdentityHeaders,
  membersCreateTokens: flag('Whether members can create access tokens on their account page.', false),
  allowsAccessRequests: flag(
    'Whether people can ask for access on the page that denies it to them. See join requests.',
    false,
  ),
  allowsPasskeys: flag(
    'Whether members can add passkeys on their account page and log in with them. Only sites with https offer them.',
    true,
  ),
  links: SiteLinks,
  showsSetUpSteps: flag(
    'Whether the dashboard shows the steps of setting up the site until all are completed.',
    true,
  ),
  status: enumeration(
    siteStatuses,
    '`active`: in service. `suspended`: closed to all visitors by the administrator of this installation.',
  ),
  createdAt: dateTime('When the site was created.', '2026-01-05T08:00:00.000Z'),
});
export type Site = Static<typeof Site>;

/** Patterns for the values of settings. */
export const imageUrl = '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$';
export const hexColor = '^#[0-9A-Fa-f]{6}$';

export const submittedTimeZone = Type.String({
  // The service checks the name with a message of its own.
  maxLength: maxRawValueLength,
  pattern: noNull,
  description:
    'The time zone of the site, as a name of the IANA database. A change affects how ends are shown, and moves none.',
  examples: ['Europe/Berlin'],
});

export const submittedTitle = Type.String({
  minLength: 1,
  // The cap is higher than the limit, because the limit applies after trimming.
  maxLength: maxRawValueLength,
  pattern: noNull,
  description: 'Display name, 1 to 100 characters after trimming.',
  examples: ['Example Academy'],
});

export function submittedDomain(description: string) {
  return nullable(
    text(description, 'academy.example.com', { minLength: 1, maxLength: maxDomainLength, pattern: noNull }),
  );
}

/** 128 KiB in base64, with the prefix of the `data:` URL, in characters. */
const maxLogoLength = 175_000;

export const UpdateSite = changes(
  'UpdateSite',
  {
    title: submittedTitle,
    domain: submittedDomain(
      'The primary host, with the port if it is not the default port; unique in this installation. ' +
        'Null removes it. A short form for a change of the first of `hosts`.',
    ),
    scheme: enumeration(
      siteSchemes,
      'The scheme of `domain`; `http` only for tests and in networks without certificates. If `domain` is changed without it, it is ' +
        'set to `https`, or to `http` for the local machine (localhost).',
      'https',
    ),
    hosts: Type.Array(
      request('SubmittedSiteHost', {
        domain: text(
          'The host, with the port if it is not the default port; unique in this installation.',
          'forum.example.com',
          { minLength: 1, maxLength: maxDomainLength, pattern: noNull },
        ),
        scheme: Type.Optional(hostScheme),
        redirect: Type.Optional(
          flag('Whether every visit is redirected to the primary host. Defaults to false.', false),
        ),
      }),
      {
        maxItems: maxSiteHosts,
        description:
          'All hosts of the site, the primary host first. Not together with `domain` or `scheme`. A host that an ' +
          'access rule names cannot be removed.',
      },
    ),
    languages: Type.Array(text('A language tag (RFC 5646).', 'en', { maxLength: 35, pattern: languageTag }), {
      minItems: 1,
      maxItems: 100,
      description: 'The languages of login pages and emails, the default language first.',
    }),
    timeZone: submittedTimeZone,
    signUp: SignUp,
    maxSessions: integer('How many sessions a member may have at the same time, from the next login on.', 5, {
      minimum: 1,
      maximum: maxSessionLimit,
    }),
    membersCreateTokens: flag(
      'Whether members can create access tokens on their account page. Existing tokens keep working in any case.',
      true,
    ),
    allowsAccessRequests: flag('Whether people can ask for access on the page that denies it to them.', true),
    allowsPasskeys: flag(
      'Whether members can add passkeys and log in with them. Existing passkeys stay, but cannot be used meanwhile.',
      false,
    ),
    showsSetUpSteps: flag('Whether the dashboard shows the steps of setting up the site.', false),
    color: nullable(
      text('The color of buttons and links, as `#rrggbb`; null for the default color.', '#0f766e', {
        maxLength: 7,
        pattern: hexColor,
      }),
    ),
    logo: nullable(
      text(
        'A PNG, JPEG or WebP image of at most 128 KiB as a `data:` URL (RFC 2397); null removes it.',
        'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
        { maxLength: maxLogoLength, pattern: imageUrl },
      ),
    ),
    identityHeaders: IdentityHeaders,
    links: SiteLinks,
  },
  {
    // The example does not change the domain, because the reference can send it to a real site.
    examples: [{ title: 'Example Academy', color: '#0f766e' }],
  },
);
export type UpdateSite = Static<typeof UpdateSite>;

const site = new Resource({
  tag: 'Site',
  name: 'site',
  read: 'site:read',
  write: 'site:write',
});

export const siteOperations = named({
  getSite: site.get({
    path: '/site',
    summary: 'Get the site',
    description: 'The site that the API key belongs to. Useful to check that a key works.',
    returns: Site,
  }),
  updateSite: site.update({
    path: '/site',
    summary: 'Update the site',
    description:
      'Changes the given fields, at least one. Other fields keep their value. Another primary host logs all ' +
      'members out and closes their login links. Another host that is removed or changed logs members out there.',
    furtherPermissions: [
      // Sign-up rules decide who becomes a member, and which groups new members join, even if they no longer name any group.
      { permission: 'access-groups:write', path: '/signUp' },
      { permission: 'members:write', path: '/signUp' },
      // Whoever owns a host receives the sessions and login links of members, and can give up a host to another site.
      { permission: 'login-links:write', path: '/domain', values: 'any' },
      { permission: 'login-links:write', path: '/hosts', values: 'any' },
      // With http, anyone in between could read them.
      { permission: 'login-links:write', path: '/scheme', values: 'any' },
      // By these a program takes a visitor for a member.
      { permission: 'login-links:write', path: '/identityHeaders', values: 'any' },
    ],
    body: UpdateSite,
    returns: Site,
    errors: ['site_domain_taken', 'signing_key_missing', 'scope_group_read_only', 'access_group_not_found'],
  }),
});
