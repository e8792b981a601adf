import { CollectionUnreadable } from '../workspaces/workspace.ts';

/** A column with more different values than this does not name groups. */
export const maxGroups = 500;

export function tooManyGroups(): CollectionUnreadable {
  return new CollectionUnreadable(
    'too_large',
    `The column with the groups has more than ${maxGroups} different values, or was changed too often. Choose a column ` +
      'with the names of groups, or none.',
  );
}
