import { type Static, Type } from 'typebox';
import { operatorRoles, permissions } from '../credentials/permissions.ts';
import { named } from '../shared/resource.ts';
import {
  enumeration,
  exampleIds,
  integer,
  maxRawValueLength,
  noNull,
  openEnumeration,
  request,
  shape,
  single,
  text,
  uuid,
} from '../shared/schemas.ts';
import { Site, submittedDomain, submittedTimeZone, submittedTitle } from '../sites/sites.ts';
import { dashboardOperation } from './operation.ts';

const role = enumeration(operatorRoles, 'The role of the operator on the site.', 'owner');
const { id, slug, title, domain, timeZone } = Site.properties;
const operatorId = uuid(
  'The operator on the site, as in its list of operators and its events.',
  exampleIds.operator,
);

export const OperatedSite = shape('OperatedSite', 'A site and the role of the operator on it.', {
  id,
  slug,
  title,
  domain,
  timeZone,
  role,
  operatorId,
});
export type OperatedSite = Static<typeof OperatedSite>;

export const CreateSite = request('CreateSite', {
  slug: Type.String({
    minLength: 1,
    // The cap is higher than the limit: the service checks the form of a slug with a message of its own.
    maxLength: maxRawValueLength,
    pattern: noNull,
    description:
      'Short name, unique in this installation: 1 to 63 lowercase letters, digits and hyphens; ' +
      'it must not begin or end with a hyphen.',
    examples: ['academy'],
  }),
  title: submittedTitle,
  domain: Type.Optional(
    submittedDomain(
      'The primary host of the site, with the port if it is not the default port; unique in this installation. Null or ' +
        'left out for none.',
    ),
  ),
  timeZone: Type.Optional(submittedTimeZone),
});
export type CreateSite = Static<typeof CreateSite>;

export const CreateOperatorToken = request('CreateOperatorToken', {
  siteId: uuid('A site that the operator has a role on.', exampleIds.site),
});
export type CreateOperatorToken = Static<typeof CreateOperatorToken>;

export const OperatorToken = shape(
  'OperatorToken',
  'The credential of the dashboard for the public API of one site.',
  {
    token: text(
      'The token, sent to the public API as `Authorization: Bearer …`. It is returned only this once.',
      `gateop_${'A'.repeat(43)}`,
    ),
    expiresInSeconds: integer(
      'How long the token works, as long as session and role exist. A duration, because the clock of a browser may ' +
        'be wrong.',
      900,
    ),
    role,
    permissions: Type.Array(openEnumeration(permissions, 'A permission.', 'members:read'), {
      description: 'The permissions of the role.',
    }),
    lastEventId: uuid(
      'The last event of the site before the token was created, from which on the page follows the changes; ' +
        '`00000000-0000-0000-0000-000000000000` for none.',
      exampleIds.event,
    ),
  },
);
export type OperatorToken = Static<typeof OperatorToken>;

export const siteOperations = named({
  createOperatorToken: dashboardOperation({
    method: 'POST',
    path: '/token',
    tag: 'Sites',
    summary: 'Create a token for a site',
    description:
      'Creates a token with which the operator can use the public API of one site. For a site without a role of the ' +
      'operator, the response is the same as for a site that does not exist.',
    body: CreateOperatorToken,
    status: 201,
    returns: single(OperatorToken),
    success: 'The token.',
  }),
  createSite: dashboardOperation({
    method: 'POST',
    path: '/sites',
    tag: 'Sites',
    summary: 'Create a site',
    description: 'Creates a site with the operator as its owner. Only owners of a site can create sites.',
    body: CreateSite,
    status: 201,
    returns: single(OperatedSite),
    success: 'The site.',
    errors: ['site_slug_taken', 'site_domain_taken'],
  }),
});
