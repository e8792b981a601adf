/** The filters by the state of a member: their texts, and the search parameter of each. */
export const stateFilters = [
  { name: 'filter.status.active', field: 'status', value: 'active' },
  { name: 'filter.status.blocked', field: 'status', value: 'blocked' },
  { name: 'filter.paid.true', field: 'paid', value: true },
  { name: 'filter.paid.false', field: 'paid', value: false },
  { name: 'filter.verified.true', field: 'verified', value: true },
  { name: 'filter.verified.false', field: 'verified', value: false },
] as const;
