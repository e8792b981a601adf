const full = {
  /** How often the service is killed while it writes. */
  kills: 20,
  /** How many changes are streamed while the service is killed so often. */
  streamedChanges: 20_000,
  streamKills: 40,
  /** How many changes are sent to a webhook while the service is killed so often. */
  deliveredChanges: 20_000,
  deliveryKills: 40,
  /** How often several processes create the same database. */
  firstStarts: 300,
  /** After how many changes in its folder a first start is killed. */
  killEvents: [1, 2, 3, 5, 8, 13],
  /** How often PostgreSQL closes connections during requests. */
  lostConnections: 30,
  /** How many random databases are copied to another store and back. */
  copiedDatabases: 20,
  /** How often a copy is killed before it is complete. */
  copyKills: 40,
  /** How often each race is run. */
  raceRounds: 8,
  /** How often two processes add many members to groups and remove them. */
  membershipRounds: 60,
  /** How many requests similar to valid ones each operation gets. */
  fuzzedRequests: 60,
  /** On how many connections random bytes are sent, with one to four requests each; a multiple of four. */
  fuzzedConnections: 15_000,
  /** How many bodies of 1 MiB are rejected; a multiple of ten. */
  rejectedBodies: 200,
  /** One of how many hostile addresses is tried as the target of a redirect. */
  redirectTargetsStep: 1,
  /** How many trees of access rules are compared at every place that decides access. */
  comparedTrees: 40,
  /** How many random paths are read as servers do, below rules for programs. */
  programPaths: 40_000,
  /** How many random series of changes each list and each count is checked with. */
  changeSeries: 6,
  /** How many random histories of a source are run. */
  sourceHistories: 200,
  /** About how many bytes each hostile list of members has. */
  hostileListBytes: 45_000_000,
  /** How many rows each of the 20 databases of Notion has. */
  notionRows: 250,
  /** How many rows a long import has; a multiple of 500. */
  importedRows: 10_000,
  /** How many rows a file has that is imported in the dashboard. */
  rowsOfFile: 5_000,
  /** How many bytes are uploaded to a program behind nginx. */
  uploadedBytes: 1024 ** 3,
  /** How many addresses of one mailbox request a login link. */
  addressesOfMailbox: 400,
  /** How many members of a site request a login link in the same minute. */
  membersAtOnce: 200,
  /** Whether odd spellings of forged headers are also sent on connections to the name of another site. */
  oddForgeriesToOtherSite: true,
  /** The languages, beside English, in which the pages of the dashboard are shown. */
  languages: ['de', 'fr', 'es', 'ja'],
  /** Whether the dialogs of the dashboard are also checked in the second theme and at a zoom of 200 %. */
  dialogsInEveryWay: true,
};

/** Enough to find a regression; rare failures are left to `npm run verify`. */
const defaults: typeof full = {
  kills: 1,
  streamedChanges: 600,
  streamKills: 2,
  deliveredChanges: 400,
  deliveryKills: 1,
  firstStarts: 15,
  killEvents: [1, 3, 8],
  lostConnections: 8,
  copiedDatabases: 1,
  copyKills: 2,
  raceRounds: 1,
  membershipRounds: 1,
  fuzzedRequests: 6,
  fuzzedConnections: 400,
  rejectedBodies: 50,
  redirectTargetsStep: 5,
  comparedTrees: 10,
  programPaths: 3_000,
  changeSeries: 2,
  sourceHistories: 6,
  hostileListBytes: 1_500_000,
  notionRows: 50,
  importedRows: 2_000,
  rowsOfFile: 1_500,
  uploadedBytes: 3_000_000,
  addressesOfMailbox: 60,
  membersAtOnce: 100,
  oddForgeriesToOtherSite: false,
  // The longest words. That each language has all texts, values and forms of numbers, tests of the texts show.
  languages: ['de'],
  // They have the colors of the pages, and a phone leaves as little room.
  dialogsInEveryWay: false,
};

/** Whether this is a run of `npm run verify`. */
export const isFullEffort = process.env.GATEHOUSE_TEST_EFFORT === 'full';

/** How often randomized tests repeat. `npm run verify` runs them with the full counts. */
export const effort = isFullEffort ? full : defaults;
