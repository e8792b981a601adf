import Type, { type Static } from 'typebox';
import type { Operation } from './operation.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  longestRawValue,
  mostAccessGroupIds,
  noNull,
  nothing,
  nullable,
  single,
  uuid,
} from './schemas.ts';

export const siteStatuses = ['active', 'suspended'] as const;
export type SiteStatus = (typeof siteStatuses)[number];

export const siteSchemes = ['https', 'http'] as const;
export type SiteScheme = (typeof siteSchemes)[number];

export const signUpPolicies = ['members_only', 'allowed_domains', 'open'] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

/** Most domains whose addresses may enrol by themselves. */
const mostSignUpDomains = 100;

export const SignUp = Type.Object(
  {
    policy: enumeration(signUpPolicies, {
      description:
        'Who becomes a member by logging in. `members_only`: nobody, people are added beforehand. `allowed_domains`: ' +
        'whoever has an address at one of `domains`. `open`: everybody.',
      examples: ['allowed_domains'],
    }),
    domains: Type.Array(
      Type.Object(
        {
          domain: Type.String({
            minLength: 1,
            maxLength: 253,
            pattern: noNull,
            description: 'What stands after the `@`, exactly: a subdomain is another domain.',
            examples: ['example.com'],
          }),
          accessGroupIds: Type.Array(uuid('A custom access group of the site.', exampleIds.group), {
            maxItems: mostAccessGroupIds,
            description: 'The groups that they are added to.',
          }),
        },
        { title: 'SignUpDomain', additionalProperties: false },
      ),
      { maxItems: mostSignUpDomains, description: 'Mail domains, each with its groups.' },
    ),
  },
  {
    title: 'SignUp',
    description: 'Who may enrol on the login page without having been added.',
    additionalProperties: false,
  },
);
export type SignUp = Static<typeof SignUp>;

export const Site = Type.Object(
  {
    id: uuid('The site.', exampleIds.site),
    slug: Type.String({ description: 'Short name, unique in this installation.', examples: ['academy'] }),
    title: Type.String({ description: 'Display name.', examples: ['Example Academy'] }),
    domain: nullable(
      Type.String({
        description:
          'Host name at which visitors reach the site, with a port only where it is not the usual one; null when not set.',
        examples: ['academy.example.com'],
      }),
    ),
    scheme: enumeration(siteSchemes, {
      description: 'How visitors reach the domain. Links in mails begin with it.',
      examples: ['https'],
    }),
    languages: Type.Array(Type.String({ description: 'A language tag (RFC 5646).', examples: ['en'] }), {
      description:
        'The languages of login pages and mails. A visitor is answered in the first of his or her own that is among ' +
        'them, and otherwise in the first of these.',
      examples: [['en', 'de', 'fr', 'es', 'ja']],
    }),
    signUp: SignUp,
    colour: nullable(
      Type.String({
        description:
          'The colour of buttons and links on login pages and in mails; null for that of Gatehouse.',
        examples: ['#0f766e'],
      }),
    ),
    logoUrl: nullable(
      Type.String({
        description:
          'Where the logo of login pages and mails is found; null while there is none, or no domain.',
        examples: ['https://academy.example.com/_gatehouse/logo?v=5f2b8c1d'],
      }),
    ),
    status: enumeration(siteStatuses, {
      description: '`active`: in service. `suspended`: closed to visitors by whoever runs this installation.',
    }),
    createdAt: dateTime('When the site was created.', '2026-01-05T08:00:00.000Z'),
  },
  { title: 'Site', description: 'The website whose members these are.' },
);
export type Site = Static<typeof Site>;

/** Characters of 128 KiB in base 64, and what stands before them. */
const longestLogo = 175_000;

export const UpdateSite = Type.Object(
  {
    title: Type.Optional(
      Type.String({
        minLength: 1,
        // The cap is wider than the limit, because the limit holds after trimming.
        maxLength: longestRawValue,
        pattern: noNull,
        description: 'Display name, 1 to 100 characters after trimming.',
        examples: ['Example Academy'],
      }),
    ),
    domain: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 253,
          pattern: noNull,
          description:
            'Host name at which visitors reach the site, with a port only where it is not the usual one, unique in this ' +
            'installation; null clears it.',
          examples: ['academy.example.com'],
        }),
      ),
    ),
    scheme: Type.Optional(
      enumeration(siteSchemes, {
        description:
          '`http` is for trying things out, and for a network that cannot have certificates. Left out beside a new domain, it ' +
          'becomes `https`, or `http` for this machine itself (localhost).',
        examples: ['https'],
      }),
    ),
    languages: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 35,
          pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
          description: 'A language tag (RFC 5646).',
          examples: ['en'],
        }),
        {
          minItems: 1,
          maxItems: 100,
          description: 'The languages of login pages and mails, the usual one first.',
        },
      ),
    ),
    signUp: Type.Optional(SignUp),
    colour: Type.Optional(
      nullable(
        Type.String({
          maxLength: 7,
          pattern: '^#[0-9A-Fa-f]{6}$',
          description: 'The colour of buttons and links, as `#rrggbb`; null for that of Gatehouse.',
          examples: ['#0f766e'],
        }),
      ),
    ),
    logo: Type.Optional(
      nullable(
        Type.String({
          maxLength: longestLogo,
          pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
          description:
            'A PNG, JPEG or WebP image of at most 128 KiB as a `data:` URL (RFC 2397); null removes it.',
          examples: [
            'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
          ],
        }),
      ),
    ),
  },
  {
    title: 'UpdateSite',
    description: 'The fields to change, at least one. Fields that are left out keep their value.',
    additionalProperties: false,
    minProperties: 1,
    // The example changes no domain: the reference can be tried out on a real site.
    examples: [{ title: 'Example Academy', colour: '#0f766e' }],
  },
);
export type UpdateSite = Static<typeof UpdateSite>;

export const getSite = {
  id: 'getSite',
  method: 'GET',
  path: '/site',
  tag: 'Site',
  summary: 'Get the site',
  description: 'The site that the API key belongs to. Good for checking that a key works.',
  permission: 'site:read',
  params: nothing,
  query: nothing,
  body: null,
  success: { status: 200, description: 'The site.', body: single(Site), headers: ['ETag'] },
  errors: [],
} as const satisfies Operation;

export const updateSite = {
  id: 'updateSite',
  method: 'PATCH',
  path: '/site',
  tag: 'Site',
  summary: 'Update the site',
  description: 'Changes the fields that are given, at least one, and leaves the others as they are.',
  permission: 'site:write',
  // Sign-up rules say which groups people join, also where they name none any more.
  furtherPermissions: [{ permission: 'access-groups:write', path: '/signUp' }],
  params: nothing,
  query: nothing,
  body: UpdateSite,
  success: { status: 200, description: 'The site after the change.', body: single(Site), headers: ['ETag'] },
  errors: ['site_domain_taken', 'scope_group_read_only', 'access_group_not_found'],
} as const satisfies Operation;
