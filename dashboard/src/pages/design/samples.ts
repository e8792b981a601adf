/** The end of a day after some days, in UTC. */
export function after(days: number): string {
  const day = new Date();
  day.setUTCHours(24 * (days + 1), 0, 0, 0);
  return day.toISOString();
}

export const people = [
  'Ada Lovelace',
  'Alan Turing',
  'Grace Hopper',
  'Katherine Johnson',
  'Mary Shelley',
  'Emmy Noether',
  'Hedy Lamarr',
  'Rosa Luxemburg',
].map((name, index) => ({
  id: String(index),
  name,
  email: `${name.split(' ')[0]!.toLowerCase()}@example.com`,
}));

export const groups = [
  { id: '1', name: 'Course 2026', expiresAt: after(9) },
  { id: '2', name: 'Board', expiresAt: null },
  { id: '3', name: 'Coaches', expiresAt: after(200) },
  { id: '4', name: 'Crew', expiresAt: null },
];
