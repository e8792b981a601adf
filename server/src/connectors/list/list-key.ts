/** The key of the only collection of a list. */
export const listKey = 'list';
