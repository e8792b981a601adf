import { type Static, Type } from 'typebox';
import { submittedDisplayName } from '../members/member.ts';
import { named } from '../shared/resource.ts';
import { exampleIds, flag, nullable, request, shape, single, text, uuid } from '../shared/schemas.ts';
import { Operator } from '../sites/operators.ts';
import { dashboardOperation } from './operation.ts';
import { OperatedSite } from './sites.ts';

const { email, displayName } = Operator.properties;
const id = uuid(
  'The person. Only the operator sees this id: each site knows the operator by another one.',
  exampleIds.person,
);

export const Me = shape('Me', 'The logged-in operator and their sites.', {
  operator: shape('LoggedInOperator', 'The operator that the session belongs to.', {
    id,
    email,
    displayName,
  }),
  sites: Type.Array(OperatedSite, {
    description: 'The sites that the operator has a role on, oldest first.',
  }),
  folderSiteId: nullable(
    uuid(
      'The site whose pages the built-in server of the service takes from a folder; null if there is none, or if the ' +
        'operator has no role on it. Files have no other URLs than their paths; the pages of a program may.',
      exampleIds.site,
    ),
  ),
  version: text('The version of the service, with which a page detects that it is outdated.', '0.1.0'),
  commit: nullable(text('The commit of the service, if it is known.', 'abcdef123456')),
  newerVersion: nullable(
    text(
      'The newer version that has migrated the database while the service still is `version`, and has to be restarted with ' +
        'the newer one; null if there is none.',
      '0.2.0',
    ),
  ),
  needsPasskey: flag(
    'Whether the operator has to log in with a passkey, or add the first one, before anything else is possible. ' +
      '`sites` is then empty.',
    false,
  ),
  requiresPasskeys: flag('Whether operators of this installation can log in only with a passkey.', false),
  mayCreateSites: flag('Whether the operator may create sites, as the owner of at least one site.', true),
});
export type Me = Static<typeof Me>;

export const UpdateMe = request('UpdateMe', { displayName: submittedDisplayName });
export type UpdateMe = Static<typeof UpdateMe>;

export const meOperations = named({
  getMe: dashboardOperation({
    method: 'GET',
    path: '/me',
    tag: 'Operator',
    summary: 'Get the operator',
    description: 'The logged-in operator and their sites.',
    withoutPasskey: true,
    returns: single(Me),
    success: 'The operator.',
  }),
  updateMe: dashboardOperation({
    method: 'PATCH',
    path: '/me',
    tag: 'Operator',
    summary: 'Change the name of the operator',
    description: 'Changes the display name of the operator on all sites.',
    body: UpdateMe,
    returns: single(Me),
    success: 'The operator after the change.',
  }),
});
