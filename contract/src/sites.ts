import Type, { type Static } from 'typebox';
import type { Operation } from './operation.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  longestRawValue,
  noNull,
  nothing,
  nullable,
  single,
  uuid,
} from './schemas.ts';

export const siteStatuses = ['active', 'suspended'] as const;
export type SiteStatus = (typeof siteStatuses)[number];

export const Site = Type.Object(
  {
    id: uuid('The site.', exampleIds.site),
    slug: Type.String({ description: 'Short name, unique in this installation.', examples: ['academy'] }),
    title: Type.String({ description: 'Display name.', examples: ['Example Academy'] }),
    domain: nullable(
      Type.String({
        description: 'Host name at which visitors reach the site; null when not set.',
        examples: ['academy.example.com'],
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
            'Host name at which visitors reach the site, unique in this installation; null clears it.',
          examples: ['academy.example.com'],
        }),
      ),
    ),
  },
  {
    title: 'UpdateSite',
    description: 'The fields to change, at least one. Fields that are left out keep their value.',
    additionalProperties: false,
    minProperties: 1,
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
  params: nothing,
  query: nothing,
  body: UpdateSite,
  success: { status: 200, description: 'The site after the change.', body: single(Site), headers: ['ETag'] },
  errors: ['site_domain_taken'],
} as const satisfies Operation;
