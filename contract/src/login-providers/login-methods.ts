import { type Static, Type } from 'typebox';
import { named, Resource } from '../shared/resource.ts';
import { count, exampleIds, shape, uuid } from '../shared/schemas.ts';

const members = (description: string) => count(description, 24);

export const LoginMethods = shape('LoginMethods', 'How many members use each way to log in.', {
  passkeys: Type.Object({ members: members('The members who have a passkey.') }),
  providers: Type.Array(
    Type.Object({
      id: uuid('The login provider.', exampleIds.loginProvider),
      members: members('The members who have linked an account there.'),
    }),
    { description: 'The login providers of the site, oldest first.' },
  ),
  sessions: Type.Object(
    {
      link: members('With the link in an email.'),
      code: members('With the code in an email.'),
      passkey: members('With a passkey.'),
      provider: members('With an account at a login provider.'),
      unknown: members('In older sessions, of which that is not known.'),
    },
    { description: 'The sessions of members that have not expired, by how they were opened.' },
  ),
});
export type LoginMethods = Static<typeof LoginMethods>;

const loginMethods = new Resource({
  tag: 'Login providers',
  name: 'login method',
  read: 'site:read',
  write: 'login-providers:write',
});

export const loginMethodOperations = named({
  getLoginMethods: loginMethods.get({
    path: '/login-methods',
    summary: 'Get the use of login methods',
    description: 'How many members and sessions use each way to log in.',
    returns: LoginMethods,
    success: 'The numbers.',
  }),
});
