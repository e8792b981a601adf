import { Resource } from '../shared/resource.ts';

export const members = new Resource({
  tag: 'Members',
  name: 'member',
  read: 'members:read',
  write: 'members:write',
});
