import { type Static, Type } from 'typebox';
import { operatorRoles } from '../credentials/permissions.ts';
import { submittedDisplayName, submittedEmail } from '../members/member.ts';
import { named, Resource } from '../shared/resource.ts';
import {
  count,
  dateTime,
  enumeration,
  exampleIds,
  nullable,
  openEnumeration,
  request,
  shape,
  text,
  uuid,
} from '../shared/schemas.ts';

const roleText =
  'What the operator may do. `owner`: all permissions. `admin`: all permissions except managing operators. `support`: can view everything ' +
  'except API keys, block members and send login links. `viewer`: can view everything except API keys.';

export const operatorStatuses = ['invited', 'active'] as const;
export type OperatorStatus = (typeof operatorStatuses)[number];

export const Operator = shape('Operator', 'A person who manages the site in the dashboard.', {
  id: uuid(
    'The operator on this site. The same person has another id on each site, and a new one when invited again.',
    exampleIds.operator,
  ),
  email: text(
    'The email address that login links are sent to, normalized to lowercase.',
    'grace@example.com',
    { format: 'email' },
  ),
  displayName: nullable(
    text(
      'Until the operator has opened this site in the dashboard, the name in the invitation; from then on, the name of ' +
        'the operator on all sites. Null when not set.',
      'Grace Hopper',
    ),
  ),
  role: enumeration(operatorRoles, roleText, 'admin'),
  status: openEnumeration(
    operatorStatuses,
    '`invited`: has never opened this site in the dashboard. `active`: has opened it.',
    'active',
  ),
  lastLoginAt: nullable(dateTime('When the operator last opened this site after logging in; null if never.')),
  passkeys: nullable(
    count(
      'How many passkeys the operator has, with which one can log in to all sites. 0 while the status is `invited`; null ' +
        'for callers who lack `operators:write`.',
      1,
    ),
  ),
  createdAt: dateTime('When the operator was given a role on this site.', '2026-01-05T08:00:00.000Z'),
});
export type Operator = Static<typeof Operator>;

export const InviteOperator = request('InviteOperator', {
  email: submittedEmail,
  role: enumeration(operatorRoles, roleText, 'admin'),
  displayName: Type.Optional(submittedDisplayName),
});
export type InviteOperator = Static<typeof InviteOperator>;

export const UpdateOperator = request('UpdateOperator', {
  role: enumeration(operatorRoles, roleText, 'support'),
});
export type UpdateOperator = Static<typeof UpdateOperator>;

const operators = new Resource({
  tag: 'Operators',
  name: 'operator',
  read: 'operators:read',
  write: 'operators:write',
});

export const operatorOperations = named({
  listOperators: operators.list({
    path: '/operators',
    summary: 'List operators',
    description: 'The operators of the site, those who were given a role most recently first.',
    returns: Operator,
  }),
  inviteOperator: operators.create({
    path: '/operators',
    summary: 'Invite an operator',
    description:
      'Gives a person a role on the site and emails a link to the dashboard. The email contains no secret: logging in ' +
      'proves that the email address belongs to the operator. An operator of another site of this installation keeps their ' +
      'existing name.',
    recentLogin: true,
    body: InviteOperator,
    returns: Operator,
    success: 'The operator.',
    headers: [],
    errors: ['operator_exists', 'email_budget_exhausted'],
  }),
  updateOperator: operators.update({
    path: '/operators/{operatorId}',
    summary: 'Change the role of an operator',
    description:
      'The new role takes effect immediately. The open invitations of an operator who may no longer invite people are ' +
      'revoked. The last owner of a site keeps the role.',
    recentLogin: true,
    unconditional: true,
    body: UpdateOperator,
    returns: Operator,
    errors: ['last_owner'],
  }),
  removeOperator: operators.delete({
    path: '/operators/{operatorId}',
    summary: 'Remove an operator',
    description:
      'Removes the role, effective immediately. An operator without a role on any site of this installation is deleted. ' +
      'The open invitations of the operator are revoked. The last owner of a site cannot be removed.',
    unconditional: true,
    success: 'The operator has no role on the site.',
    errors: ['last_owner'],
  }),
});
