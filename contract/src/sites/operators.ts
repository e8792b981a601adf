import type { Static } from 'typebox';
import { operatorRoles } from '../credentials/permissions.ts';
import { submittedDisplayName, submittedEmail } from '../members/member.ts';
import type { Operation } from '../shared/operation.ts';
import {
  dateTime,
  enumeration,
  exampleIds,
  nothing,
  nullable,
  openEnumeration,
  page,
  pageParameters,
  single,
  uuid,
} from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';

const roleText =
  '`owner`: all permissions. `admin`: all permissions except managing operators. `support`: can view everything ' +
  'except API keys, block members and send login links. `viewer`: can view everything except API keys.';

export const operatorStatuses = ['invited', 'active'] as const;
export type OperatorStatus = (typeof operatorStatuses)[number];

export const Operator = Type.Object(
  {
    id: uuid(
      'The operator on this site. The same person has another id on each site, and a new one when invited again.',
      exampleIds.operator,
    ),
    email: Type.String({
      format: 'email',
      description: 'The email address that login links are sent to, normalized to lowercase.',
      examples: ['grace@example.com'],
    }),
    displayName: nullable(
      Type.String({
        description:
          'The name that the invitation gave, until the operator has opened this site in the dashboard; null when not ' +
          'set.',
        examples: ['Grace Hopper'],
      }),
    ),
    role: enumeration(operatorRoles, { description: roleText, examples: ['admin'] }),
    status: openEnumeration(operatorStatuses, {
      description: '`invited`: has never opened this site in the dashboard. `active`: has opened it.',
      examples: ['active'],
    }),
    lastLoginAt: nullable(
      dateTime('When the operator last opened this site after logging in; null if never.'),
    ),
    createdAt: dateTime('When the operator was given a role on this site.', '2026-01-05T08:00:00.000Z'),
  },
  { title: 'Operator', description: 'A person who manages the site in the dashboard.' },
);
export type Operator = Static<typeof Operator>;

export const InviteOperator = Type.Object(
  {
    email: submittedEmail,
    role: enumeration(operatorRoles, { description: roleText, examples: ['admin'] }),
    displayName: Type.Optional(submittedDisplayName),
  },
  { title: 'InviteOperator', additionalProperties: false },
);
export type InviteOperator = Static<typeof InviteOperator>;

export const UpdateOperator = Type.Object(
  { role: enumeration(operatorRoles, { description: roleText, examples: ['support'] }) },
  { title: 'UpdateOperator', additionalProperties: false },
);
export type UpdateOperator = Static<typeof UpdateOperator>;

const operatorParams = Type.Object(
  { operatorId: uuid('The id of the operator on this site.', exampleIds.operator) },
  { additionalProperties: false },
);

export const listOperators = {
  id: 'listOperators',
  method: 'GET',
  path: '/operators',
  tag: 'Operators',
  summary: 'List operators',
  description: 'The operators of the site, those who were given a role most recently first.',
  permission: 'operators:read',
  params: nothing,
  query: Type.Object(pageParameters, { additionalProperties: false }),
  body: null,
  success: { status: 200, description: 'A page of operators.', body: page(Operator), headers: ['Link'] },
  errors: [],
} as const satisfies Operation;

export const inviteOperator = {
  id: 'inviteOperator',
  method: 'POST',
  path: '/operators',
  tag: 'Operators',
  summary: 'Invite an operator',
  description:
    'Gives a person a role on the site and emails a link to the dashboard. The email contains no secret: logging in ' +
    'proves that the email address belongs to the operator. An operator of another site of this installation keeps their ' +
    'existing name. ' +
    'An operator must have logged in within the last 15 minutes.',
  permission: 'operators:write',
  params: nothing,
  query: nothing,
  body: InviteOperator,
  recentLogin: true,
  success: { status: 201, description: 'The operator.', body: single(Operator), headers: [] },
  errors: ['operator_exists', 'email_budget_exhausted'],
} as const satisfies Operation;

export const updateOperator = {
  id: 'updateOperator',
  unconditional: true,
  method: 'PATCH',
  path: '/operators/{operatorId}',
  tag: 'Operators',
  summary: 'Change the role of an operator',
  description:
    'The new role takes effect immediately. The last owner of a site keeps the role. ' +
    'An operator must have logged in within the last 15 minutes.',
  permission: 'operators:write',
  params: operatorParams,
  query: nothing,
  body: UpdateOperator,
  recentLogin: true,
  success: {
    status: 200,
    description: 'The operator after the change.',
    body: single(Operator),
    headers: [],
  },
  errors: ['operator_not_found', 'last_owner'],
} as const satisfies Operation;

export const removeOperator = {
  id: 'removeOperator',
  unconditional: true,
  method: 'DELETE',
  path: '/operators/{operatorId}',
  tag: 'Operators',
  summary: 'Remove an operator',
  description:
    'Removes the role, effective immediately. An operator without a role on any site of this installation is deleted. ' +
    'The last owner of a site cannot be removed.',
  permission: 'operators:write',
  params: operatorParams,
  query: nothing,
  body: null,
  success: { status: 204, description: 'The operator has no role on the site.', body: null, headers: [] },
  errors: ['operator_not_found', 'last_owner'],
} as const satisfies Operation;
